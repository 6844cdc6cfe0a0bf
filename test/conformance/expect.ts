import assert from 'node:assert/strict'
import { json } from './ask.ts'
import type { Answer } from './ask.ts'
import type { Json } from './target.ts'

export function record(value: unknown, what: string): Json {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${what} is no object: ${show(value)}`,
  )
  return value as Json
}

export function array(value: unknown, what: string): unknown[] {
  assert.ok(Array.isArray(value), `${what} is no array: ${show(value)}`)
  return value
}

export function string(value: unknown, what: string): string {
  assert.equal(typeof value, 'string', `${what} is no string: ${show(value)}`)
  return value as string
}

export function integer(value: unknown, what: string): number {
  assert.ok(Number.isInteger(value), `${what} is no integer: ${show(value)}`)
  return value as number
}

export function status(answer: Answer, ...wanted: number[]): void {
  assert.ok(
    wanted.includes(answer.status),
    `HTTP ${answer.status} instead of ${wanted.join(' or ')}: ${answer.text.slice(0, 300)}`,
  )
}

/** «Proxy error format»: status, code and type as one row of the table, and nothing beside. */
export function proxyError(answer: Answer, wanted: number, code: string, type: string): Json {
  status(answer, wanted)
  const body = json(answer)
  assert.deepEqual(Object.keys(body), ['error'], 'the body has more than `error`')
  const error = record(body['error'], 'error')
  string(error['message'], 'error.message')
  assert.notEqual(error['message'], '', 'error.message is empty')
  assert.deepEqual({ type: error['type'], code: error['code'] }, { type, code })
  return error
}

/** A row of the table with type `invalid_request_error`. */
export function invalid(answer: Answer, wanted: number, code: string): Json {
  return proxyError(answer, wanted, code, 'invalid_request_error')
}

/** «Other endpoints»: the envelope `status`, `code`, `error`, `detail` under one of the given HTTP statuses. */
export function envelope(answer: Answer, ...wanted: number[]): Json {
  status(answer, ...wanted)
  const body = json(answer)
  assert.deepEqual(
    Object.keys(body).sort(),
    ['code', 'detail', 'error', 'status'],
    'these are not the fields of the envelope',
  )
  return body
}

/** Whatever the status: the platform said no, it did not break. */
export function refused(answer: Answer): void {
  assert.ok(
    answer.status >= 400 && answer.status < 500,
    `HTTP ${answer.status} instead of a refusal: ${answer.text.slice(0, 300)}`,
  )
}

/** Whole seconds in `Retry-After`, at least one. */
export function retryAfter(answer: Answer): number {
  const value = answer.headers.get('retry-after') ?? ''
  assert.match(value, /^[1-9]\d*$/, `Retry-After is not a number of seconds: ${show(value)}`)
  return Number(value)
}

/** «Extraction result» of a success. */
export function extraction(body: Json): { data: Json; metadata: Json } {
  assert.equal(body['status'], 'success', `status is ${show(body['status'])}: ${show(body)}`)
  const records = Array.isArray(body['data']) ? body['data'] : [body['data']]
  return { data: record(records[0], 'data'), metadata: record(body['metadata'], 'metadata') }
}

/** «Chat completion (proxy)», field by field. */
export function completion(answer: Answer): { choice: Json; message: Json; usage: Json } {
  status(answer, 200)
  const body = json(answer)
  assert.notEqual(string(body['id'], 'id'), '')
  assert.equal(body['object'], 'chat.completion')
  string(body['model'], 'model')
  const choice = record(array(body['choices'], 'choices')[0], 'choices[0]')
  const message = record(choice['message'], 'choices[0].message')
  return { choice, message, usage: record(body['usage'], 'usage') }
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 200)
}

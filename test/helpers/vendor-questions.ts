import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A question or a chat that the vendor received whole. */
export type Asked = {
  kind: 'documentalist' | 'chat' | 'models'
  path: string
  /** The last part of a Documentalist's path; '' for the others. */
  agent: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
  sizeBytes: number
  /** `broken` when the client went away before the end. */
  state: 'open' | 'finished' | 'broken'
}

/** Pieces are written one by one; a promise among them holds the stream until it resolves. */
export type Piece = string | Uint8Array | Promise<unknown>

export type VendorAnswer = {
  status?: number
  headers?: Record<string, string>
  pieces?: Piece[]
  /** Breaks the connection after the last piece, without a word. */
  drop?: boolean
}

export type QuestionOptions = {
  documentalist?: (asked: Asked, index: number) => VendorAnswer | Promise<VendorAnswer>
  chat?: (asked: Asked, index: number) => VendorAnswer | Promise<VendorAnswer>
  /**
   * The list of models, or another answer to the question for it. Absent: there is no proxy, unless `chat` is given.
   */
  models?: string[] | (() => VendorAnswer)
}

/** Opened by the test; until then the stream waits behind it: `pieces: ['Hel', gate.opened, 'lo']`. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** `data: <JSON>` frames and `[DONE]` (spec, «Response with stream»); strings are sent as they are, promises wait. */
export function eventStream(...frames: (object | string | Promise<unknown>)[]): VendorAnswer {
  const pieces = frames.map((frame) =>
    typeof frame === 'string' || frame instanceof Promise ? frame : `data: ${JSON.stringify(frame)}\n\n`,
  )
  return { headers: { 'content-type': 'text/event-stream' }, pieces }
}

/** A streamed chat completion that says these texts one after another; a promise among them holds it. */
export function chatStream(...texts: (string | Promise<unknown>)[]): VendorAnswer {
  const frames = texts.map((text) =>
    typeof text === 'string'
      ? { id: 'c1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: text } }] }
      : text,
  )
  const end = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  const usage = { id: 'c1', choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } }
  return eventStream(...frames, end, usage, 'data: [DONE]\n\n')
}

/** A chat completion without stream (spec, «Chat completion (proxy)»). */
export function chatAnswer(content: string): VendorAnswer {
  return json({
    id: 'c1',
    object: 'chat.completion',
    model: 'svc-large',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
  })
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): VendorAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, pieces: [JSON.stringify(value)] }
}

/** spec, «Proxy error format». */
export function proxyError(
  status: number,
  code: string,
  type: string,
  headers: Record<string, string> = {},
): VendorAnswer {
  return json({ error: { message: `the vendor says ${code}`, type, code } }, status, headers)
}

/** Which of the three a path is; null for none of them. */
export function questionKind(path: string): Asked['kind'] | null {
  if (/^\/v2\/documentalist\/[^/]+$/.test(path)) return 'documentalist'
  if (path === '/compat/v1/chat/completions') return 'chat'
  return path === '/compat/v1/models' ? 'models' : null
}

/** Answers as scripted and keeps what was asked. */
export async function answerQuestion(
  kind: Asked['kind'],
  path: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  options: QuestionOptions,
  asked: Asked[],
): Promise<void> {
  const agent = kind === 'documentalist' ? decodeURIComponent(path.split('/').at(-1) ?? '') : ''
  const parsed = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Record<string, unknown>)
  const question: Asked = {
    kind,
    path,
    agent,
    headers: request.headers,
    body: parsed,
    sizeBytes: body.length,
    state: 'open',
  }
  const index = asked.filter((earlier) => earlier.kind === kind).length
  asked.push(question)
  response.on('close', () => {
    question.state = response.writableFinished ? 'finished' : 'broken'
  })
  await write(await chosen(question, index, options), request, response)
}

async function chosen(question: Asked, index: number, options: QuestionOptions): Promise<VendorAnswer> {
  const credential = question.kind === 'documentalist' ? question.headers['x-api-key'] : question.headers.authorization
  if (credential === undefined) return proxyError(401, 'invalid_api_key', 'invalid_request_error')
  if (question.kind === 'models') {
    const { models = options.chat === undefined ? undefined : ['svc-large', 'svc-small'] } = options
    if (typeof models === 'function') return models()
    if (models !== undefined)
      return json({
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'vendor' })),
      })
  }
  const script =
    question.kind === 'documentalist' ? options.documentalist : question.kind === 'chat' ? options.chat : undefined
  return script === undefined ? proxyError(404, 'not_found', 'invalid_request_error') : script(question, index)
}

async function write(answer: VendorAnswer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status ?? 200, answer.headers ?? {})
  response.flushHeaders()
  for (const piece of answer.pieces ?? []) {
    if (piece instanceof Promise) await Promise.race([piece, once(response, 'close')])
    else if (!response.destroyed) await new Promise<void>((resolve) => response.write(piece, () => resolve()))
    if (response.destroyed) return
  }
  if (answer.drop === true) request.socket.destroy()
  else response.end()
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { dispatch } from '../../../shared/contract/dispatch.ts'
import type { Answer } from '../../../shared/contract/dispatch.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { namedHost } from '../../system/named-host.ts'
import { controlCalls } from '../../../shared/wire/service-control.ts'
import type { ControlHandlers } from '../../../shared/wire/service-control.ts'
import { listen, stopListening } from '../http/listening.ts'
import { readBody } from '../http/read-body.ts'

export type ControlListener = { url: string; key: string; close(): Promise<void> }

const maxBodyBytes = 1024 * 1024
const closeGraceMs = 2000

/**
 * The way to manage the service from this computer (shared/wire/service-control.ts), on a loopback port of its own with
 * a key that is new at each start. Whoever cannot read `service.json` gets nothing here; a page in a browser gets no
 * further than the host and the key either.
 */
export async function startControl(handlers: ControlHandlers): Promise<ControlListener> {
  const key = randomBytes(32).toString('base64url')
  let host = ''
  const server = createServer((request, response) => {
    void answer(request, handlers, { host, key }).then(({ status, body }) => {
      // What is left of a refused body is not worth reading.
      if (!request.complete) response.setHeader('connection', 'close')
      response
        .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end(JSON.stringify(body))
    })
  })
  host = `127.0.0.1:${await listen(server, 0)}`
  return { url: `http://${host}/`, key, close: () => stopListening(server, closeGraceMs) }
}

type Reply = { status: number; body: Answer }

async function answer(
  request: IncomingMessage,
  handlers: ControlHandlers,
  expected: { host: string; key: string },
): Promise<Reply> {
  if (namedHost(request) !== expected.host) return refused(403, 'the host is not the one of this listener')
  // Programs of this computer call, never a page.
  if (request.headers.origin !== undefined) return refused(403, 'pages may not call')
  if (!sameSecret(request.headers.authorization ?? '', `Bearer ${expected.key}`))
    return refused(401, 'the key is not right')
  if (request.url !== '/') return refused(404, 'there is nothing at this path')
  if (request.method !== 'POST') return refused(405, 'calls are sent by POST')
  try {
    const body = await readBody(request, maxBodyBytes)
    if (body === null) return refused(413, 'the call is larger than 1 MB')
    const call = parseCall(body.toString('utf8'))
    if (call === null) return refused(400, 'the call is not a JSON object with name and input')
    return { status: 200, body: await dispatch(controlCalls, handlers, call.name, call.input) }
  } catch {
    return refused(400, 'the call could not be read')
  }
}

function refused(status: number, problem: string): Reply {
  const { code, details } = new AppError('invalid_input', { problem })
  return { status, body: { ok: false, error: { code, details } } }
}

/** In constant time, whatever the lengths. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function parseCall(text: string): { name: unknown; input: unknown } | null {
  try {
    const call: unknown = JSON.parse(text)
    return typeof call === 'object' && call !== null && 'name' in call
      ? { name: call.name, input: 'input' in call ? call.input : undefined }
      : null
  } catch {
    return null
  }
}

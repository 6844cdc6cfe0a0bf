import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ProxyError } from '../compat/proxy-error.ts'
import { invalidRequest, HttpError } from './http-error.ts'
import { holdBody } from './read-body.ts'

const unreadable = 'The request line or its headers cannot be read.'
const tooSlow = 'The request did not end in time.'
const headersTooLarge = 'The headers of the request are too large.'

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/**
 * Requests that never reach a route are answered like the others, in the envelope of spec, «Errors», or below `/compat`
 * in the proxy's format: what Node's parser refuses (broken lines, unknown methods, headers over 16 KB, a length that
 * is none, a request that does not end), CONNECT, and unknown expectations. Where an answer has begun, the connection
 * is cut instead: a second one would be read as part of it.
 */
export function answerMalformedRequests(server: Server): void {
  const answering = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    answering.set(request.socket, { request, response }),
  )
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    holdBody(request, response)
    server.emit('request', request, response)
  })
  // RFC 9110, 10.1.1: an expectation that is not known may be ignored.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    socket.end(rawAnswer(405, new HttpError(405, 'method_not_allowed', 'CONNECT is not possible here.').envelope))
  })
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const current = answering.get(socket)
    const unfinished = current !== undefined && !current.response.writableFinished ? current : null
    if (!socket.writable || error.code === 'ECONNRESET' || unfinished?.response.headersSent === true) {
      socket.destroy()
      return
    }
    const path =
      unfinished?.request.url ?? /^\S+ (\S+)/.exec(error.rawPacket?.toString('latin1', 0, 200) ?? '')?.[1] ?? ''
    socket.end(parserErrorAnswer(path, error.code ?? ''), () => socket.destroy())
  })
}

/** The answer to a request whose address cannot be made out, so that it has no route. */
export function unreadableUrl(path: string): Response {
  return isProxyPath(path)
    ? new ProxyError('invalid_request', { message: unreadable }).toResponse()
    : Response.json(invalidRequest(unreadable).envelope, { status: 400 })
}

/** True for a request target, RFC 9112, 3.2, below `/compat`. */
export function isProxyPath(target: string): boolean {
  return /^(?:https?:\/\/[^/?]*)?\/compat(?:[/\\?]|$)/.test(target)
}

function parserErrorAnswer(path: string, code: string): string {
  if (isProxyPath(path)) {
    const { status, body } = proxyErrorOf(code)
    return rawAnswer(status, body)
  }
  const { status, envelope } = httpErrorOf(code)
  return rawAnswer(status, envelope)
}

function httpErrorOf(code: string): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpError(431, 'headers_too_large', headersTooLarge, 'They may have 16 KB.')
  return code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? new HttpError(408, 'request_timeout', tooSlow)
    : invalidRequest(unreadable)
}

/**
 * spec, Errors, «Proxy error format»: 411 is for «body without a usable Content-Length»; 408 and 431 are not in its
 * table.
 */
function proxyErrorOf(code: string): ProxyError {
  if (lengthErrors.has(code)) return new ProxyError('missing_content_length')
  if (code === 'HPE_INVALID_METHOD') return new ProxyError('not_found')
  return new ProxyError('invalid_request', { message: proxyMessages.get(code) ?? unreadable })
}

const lengthErrors = new Set([
  'HPE_INVALID_CONTENT_LENGTH',
  'HPE_UNEXPECTED_CONTENT_LENGTH',
  'HPE_INVALID_TRANSFER_ENCODING',
])
const proxyMessages = new Map([
  ['HPE_HEADER_OVERFLOW', headersTooLarge],
  ['ERR_HTTP_REQUEST_TIMEOUT', tooSlow],
])

function rawAnswer(status: number, content: object): string {
  const body = JSON.stringify(content)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

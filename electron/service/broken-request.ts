import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { maxProxyRequestBytes } from '../../shared/limits.ts'
import { ProxyRefusal } from './compat/refusal.ts'
import { invalidRequest, Refusal } from './failure.ts'

const unreadable = 'The request line or its headers cannot be read.'
const tooSlow = 'The request did not end in time.'
const headersTooLarge = 'The headers of the request are too large.'

type ParserError = Error & { code?: string; rawPacket?: Buffer }

/**
 * Requests that never reach a route are answered like the others, in the envelope of spec, «Errors», or below `/compat` in
 * the proxy's format: what Node's parser refuses (broken lines, unknown methods, headers over 16 KB, a length that is none,
 * a request that does not end), CONNECT, and unknown expectations. Where an answer has begun, the connection is cut
 * instead: a second one would be read as part of it.
 */
export function answerBrokenRequests(server: Server): void {
  const answering = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => answering.set(request.socket, { request, response }))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // RFC 9110, 10.1.1: a body that is refused for its length is not called for.
    const tooLarge = isProxyPath(request.url ?? '') && Number(request.headers['content-length']) > maxProxyRequestBytes
    if (!tooLarge) response.writeContinue()
    server.emit('request', request, response)
  })
  // RFC 9110, 10.1.1: an expectation that is not known may be ignored.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response))
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined)
    socket.end(rawAnswer(405, new Refusal(405, 'method_not_allowed', 'CONNECT is not possible here.').envelope))
  })
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    const current = answering.get(socket)
    const unfinished = current !== undefined && !current.response.writableFinished ? current : null
    if (!socket.writable || error.code === 'ECONNRESET' || unfinished?.response.headersSent === true) {
      socket.destroy()
      return
    }
    const path = unfinished?.request.url ?? /^\S+ (\S+)/.exec(error.rawPacket?.toString('latin1', 0, 200) ?? '')?.[1] ?? ''
    socket.end(isProxyPath(path) ? proxyAnswer(error) : envelopeAnswer(error), () => socket.destroy())
  })
}

/** The answer to a request whose address cannot be made out, so that it has no route. */
export function unreadableRequest(path: string): Response {
  return isProxyPath(path) ? new ProxyRefusal('invalid_request', { message: unreadable }).toResponse() : Response.json(invalidRequest(unreadable).envelope, { status: 400 })
}

/** True for a request target, RFC 9112, 3.2, below `/compat`. */
function isProxyPath(target: string): boolean {
  return /^(?:https?:\/\/[^/?]*)?\/compat(?:[/\\?]|$)/.test(target)
}

function envelopeAnswer(error: ParserError): string {
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Refusal(431, 'headers_too_large', headersTooLarge, 'They may have 16 KB.')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Refusal(408, 'request_timeout', tooSlow)
        : invalidRequest(unreadable)
  return rawAnswer(refusal.status, refusal.envelope)
}

/** spec, Errors, «Proxy error format»: 411 is for «body without a usable Content-Length»; 408 and 431 are not in its table. */
function proxyAnswer(error: ParserError): string {
  const lengths = ['HPE_INVALID_CONTENT_LENGTH', 'HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_INVALID_TRANSFER_ENCODING']
  const refusal = lengths.includes(error.code ?? '')
    ? new ProxyRefusal('missing_content_length')
    : error.code === 'HPE_INVALID_METHOD'
      ? new ProxyRefusal('not_found')
      : new ProxyRefusal('invalid_request', { message: error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow : unreadable })
  return rawAnswer(refusal.status, refusal.body)
}

function rawAnswer(status: number, content: object): string {
  const body = JSON.stringify(content)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close']
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

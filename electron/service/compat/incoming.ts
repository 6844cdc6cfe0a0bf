import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxProxyRequestBytes } from '../../../shared/limits.ts'
import { ProxyRefusal } from './refusal.ts'

/** How long, and how much, a client may go on sending a body that was refused, while it has not read why. */
const lingerMs = 10_000
const maxLingerBytes = 64 * 1024 * 1024

/** spec, Limits, «Request size»: judged by the header alone, before any of the body is read. Throws 411 or 413. */
export function requireUsableLength(incoming: IncomingMessage): void {
  // Node's parser has checked that it is a number, and that there is only one and no transfer encoding beside it.
  const declared = incoming.headers['content-length']
  if (declared === undefined) throw new ProxyRefusal('missing_content_length')
  if (Number(declared) > maxProxyRequestBytes) throw new ProxyRefusal('request_too_large')
}

/** The whole body, of the declared length. Throws when the client leaves before it is complete. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

/** True when the rest of the body is too long, or of unknown length, to be waited for before the next request. */
export function hasEndlessBody(incoming: IncomingMessage): boolean {
  if (incoming.readableEnded) return false
  const declared = incoming.headers['content-length']
  return declared === undefined ? incoming.headers['transfer-encoding'] !== undefined : Number(declared) > maxProxyRequestBytes
}

/**
 * Answers a request whose body will not be read. Closing at once would reset the connection under a client that still
 * sends, and it would never see the answer (RFC 9112, 9.6): the writing side is closed, and what comes is thrown away.
 */
export function refuseAndLinger(incoming: IncomingMessage, outgoing: ServerResponse, refusal: ProxyRefusal): void {
  const body = JSON.stringify(refusal.body)
  const head = { ...refusal.headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' }
  const { socket } = incoming
  let discardedBytes = 0
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  incoming.on('data', (part: Buffer) => {
    discardedBytes += part.length
    if (discardedBytes > maxLingerBytes) socket.destroy()
  })
  incoming.on('error', () => undefined)
  // Ended only with the body: the end of the answer would close both sides.
  incoming.once('end', () => outgoing.end())
  outgoing.writeHead(refusal.status, head)
  outgoing.write(body, () => socket.end())
}

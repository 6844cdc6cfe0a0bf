import type { IncomingMessage } from 'node:http'
import { invalidRequest, Refusal } from './failure.ts'

/**
 * A body of JSON in UTF-8, whatever its content type, with or without a declared length. Throws `request_too_large` (413),
 * before anything is read where the length says it, and `invalid_request` (400).
 */
export async function readJsonBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  const tooLarge = (): Refusal => new Refusal(413, 'request_too_large', 'The request is too large.', `The limit is ${maxBytes} bytes.`)
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const parts: Buffer[] = []
  let sizeBytes = 0
  // Leaving the loop early must not destroy the socket, or the refusal would never arrive.
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > maxBytes) throw tooLarge()
    parts.push(part)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)))
  } catch {
    throw invalidRequest('The body is not JSON.')
  }
}

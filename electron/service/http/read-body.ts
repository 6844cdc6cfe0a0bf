import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpError, invalidRequest } from './http-error.ts'

const held = new WeakMap<IncomingMessage, ServerResponse>()

/**
 * For a client that sends its body only once it is asked for (RFC 9110, 10.1.1, `Expect: 100-continue`): it is asked
 * when the body is read, so a request that is refused for its path, its token or its length never is.
 */
export function holdBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  held.set(incoming, outgoing)
}

/** The body as it comes; leaving a loop over it early does not end the connection, so that an answer still arrives. */
export function bodyOf(incoming: IncomingMessage): AsyncIterable<Buffer> {
  held.get(incoming)?.writeContinue()
  held.delete(incoming)
  return incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/**
 * The whole body, or null when it is longer than `maxBytes`, before anything is read where its length says it. Throws
 * when the client leaves before it is complete.
 */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return null
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of bodyOf(incoming)) {
    sizeBytes += part.length
    if (sizeBytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * A body of JSON in UTF-8, whatever its content type, with or without a declared length. Throws `request_too_large`
 * (413) and `invalid_request` (400).
 */
export async function readJsonBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  const body = await readBody(incoming, maxBytes)
  if (body === null)
    throw new HttpError(413, 'request_too_large', 'The request is too large.', `The limit is ${maxBytes} bytes.`)
  return parseJson(body)
}

/** Throws `invalid_request` (400) for what is not JSON in UTF-8. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalidRequest('The body is not JSON.')
  }
}

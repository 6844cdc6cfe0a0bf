import type { IncomingMessage } from 'node:http'
import { HttpError, invalidRequest } from './http-error.ts'

/** The whole body, or null when it is longer than `maxBytes`. Throws when the client leaves before it is complete. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  // Leaving the loop early must not destroy the socket, or the answer would never arrive.
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * A body of JSON in UTF-8, whatever its content type, with or without a declared length. Throws `request_too_large`
 * (413), before anything is read where the length says it, and `invalid_request` (400).
 */
export async function readJsonBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  const isDeclaredTooLarge = Number(incoming.headers['content-length'] ?? 0) > maxBytes
  const body = isDeclaredTooLarge ? null : await readBody(incoming, maxBytes)
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

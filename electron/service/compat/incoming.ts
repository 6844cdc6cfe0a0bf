import type { IncomingMessage } from 'node:http'
import { maxProxyRequestBytes } from '../../../shared/limits.ts'
import { ProxyRefusal } from './refusal.ts'

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

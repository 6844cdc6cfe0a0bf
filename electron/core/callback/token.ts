import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a token is for; each has tags of its own, so that none passes for another. */
export type TokenPurpose = 'attempt' | 'canary'

const randomLength = 16
const tagLength = 16

/**
 * A token for a callback address: 16 random bytes and 16 bytes of HMAC-SHA256 (RFC 2104) over them, as base64url. The tag
 * says that this installation made it, also where no database remembers it any more.
 */
export function makeToken(key: Buffer, purpose: TokenPurpose): string {
  const random = randomBytes(randomLength)
  return Buffer.concat([random, tagOf(key, purpose, random)]).toString('base64url')
}

/** True for a token that `makeToken` made with this key for this purpose, in exactly this spelling. */
export function isOwnToken(key: Buffer, purpose: TokenPurpose, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url')
  // Of base64url the last character has bits to spare, and Node skips what is none: only one spelling counts.
  if (bytes.length !== randomLength + tagLength || bytes.toString('base64url') !== token) return false
  return timingSafeEqual(bytes.subarray(randomLength), tagOf(key, purpose, bytes.subarray(0, randomLength)))
}

function tagOf(key: Buffer, purpose: TokenPurpose, random: Buffer): Buffer {
  return createHmac('sha256', key).update(`sheaf callback ${purpose}\0`).update(random).digest().subarray(0, tagLength)
}

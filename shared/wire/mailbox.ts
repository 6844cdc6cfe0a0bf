import * as z from 'zod'

/**
 * The mailbox: a small server with a public address that keeps callbacks for a desktop without one. It answers the
 * caller 200 once the callback is on its disk, encrypted for the desktop, and hands it out to the desktop's
 * authenticated long poll. Its interface, version 1:
 *
 * - any method with a body `/in/{boxId}/{token}`: a callback; 200 stored, 400 no body, 404 no such box, 405 a GET or
 *   HEAD without a body, 413 too large, 507 the box or the disk is full, 503 the disk cannot be written
 * - `POST /v1/boxes`: pairs a desktop with the secret of a pairing code (once)
 * - `GET /v1/boxes/{boxId}/messages?wait={seconds}&release={0|1}`: the oldest messages, leased; an empty list after
 *   `wait` (0 to 55). `release=1` gives back first what was leased before: the desktop that had it has started anew
 * - `GET /v1/boxes/{boxId}/messages/{id}`: the sealed bytes of one message; 404 when it is not there (any more)
 * - `POST /v1/boxes/{boxId}/acknowledgements`: messages that are stored at the desktop; they are deleted
 * - `DELETE /v1/boxes/{boxId}`: ends the pairing; 409 while a message waits or is coming in, so that none is lost
 * - `GET /healthz`: 200
 *
 * All that begin with `/v1/` carry `authorization: Bearer {accessKey}` (pairing: the code's secret); without the right
 * one 403, whether there is such a box or not. Binary values are base64url without padding. What is refused has a body
 * of JSON: `{error}`, one sentence in English.
 */

const binary = z.string().regex(/^[A-Za-z0-9_-]+$/)

/** spec of this file: 64 MB, as core's own listener takes. */
export const maxCallbackBytes = 64 * 1024 * 1024
/** Of JSON bodies and of an answer that says no. */
export const maxMailboxJsonBytes = 64 * 1024
export const maxWaitSeconds = 55

/** What a pairing code says: `sheaf-mailbox-` and this as JSON in base64url. */
export const pairingCode = z.object({ url: z.url(), secret: binary })
export const pairingCodePrefix = 'sheaf-mailbox-'

export const pairRequest = z.object({
  /** The desktop's X25519 public key, 32 bytes. */
  publicKey: binary.length(43),
  /** SHA-256 of the access key that the desktop made, 32 bytes. */
  accessKeyHash: binary.length(43),
  /** The computer's name, for the operator's list. */
  name: z.string().max(100),
})
/** What is said with a status that means no. */
export const refusalAnswer = z.object({ error: z.string() })
export const pairAnswer = z.object({ boxId: binary.max(64) })

/** At most this much of sealed messages stands in one answer, and none over `maxInlineBytes`. */
export const maxBatchBytes = 8 * 1024 * 1024
export const maxBatchMessages = 1000
export const maxInlineBytes = 1024 * 1024

/** The oldest messages. Not acknowledged in time they are handed out again. */
export const messagesAnswer = z.object({
  messages: z.array(
    z.object({
      id: z.number().int(),
      sizeBytes: z.number().int(),
      /** Null for a large one, which is fetched by itself. */
      sealed: binary.nullable(),
    }),
  ),
})
export const acknowledgement = z.object({ ids: z.array(z.number().int()).min(1).max(maxBatchMessages) })

/** What is sealed: one line of this as JSON, a line feed, and the callback's body as it came. */
export const envelopeHead = z.object({
  token: z.string(),
  method: z.string(),
  contentType: z.string().nullable(),
  receivedAt: z.number().int(),
})
export type EnvelopeHead = z.infer<typeof envelopeHead>

/**
 * A sealed message: a key that is used for this message only, in libsodium's sealed box for the desktop (80 bytes),
 * then the envelope in pieces of 256 KB, each XChaCha20-Poly1305 (16 bytes longer), the last one shorter or as long.
 * The nonce is the piece's number and whether it is the last, so that pieces can be neither moved nor left out (the
 * STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). In pieces, so that 64 MB neither stand in
 * memory nor hold anything up: sealed in one they took 250 ms and four times their size.
 */
export const sealedKeyBytes = 80
export const pieceBytes = 256 * 1024
export const pieceTagBytes = 16

/** The 24-byte nonce of a piece, counted from 0. */
export function pieceNonce(number: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(24)
  new DataView(nonce.buffer).setUint32(19, number)
  nonce[23] = isLast ? 1 : 0
  return nonce
}

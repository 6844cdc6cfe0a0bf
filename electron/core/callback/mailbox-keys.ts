import { createHash, randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod'
import { AppError } from '../../../shared/domain/errors.ts'
import { envelopeHead, pieceBytes, pieceNonce, pieceTagBytes, sealedKeyBytes } from '../../../shared/wire/mailbox.ts'
import type { EnvelopeHead } from '../../../shared/wire/mailbox.ts'

/** Which mailbox is paired, and which box there is ours. */
export const pairing = z.object({ url: z.string(), boxId: z.string(), pairedAt: z.number() })
export type Pairing = z.infer<typeof pairing>

/**
 * What lies in the secret store: the keys (base64url) of each box that was not seen to end, the newest pairing last.
 * `place` is there once the pairing is in force, until the person gives the box up: a database that was restored may
 * not know it.
 */
const keyring = z.array(
  z.object({
    boxId: z.string(),
    publicKey: z.string(),
    privateKey: z.string(),
    accessKey: z.string(),
    place: pairing.omit({ boxId: true }).optional(),
  }),
)
export type Keys = z.infer<typeof keyring>[number]

/** A box of ours and what opens it. */
export type Box = { paired: Pairing; keys: Keys }

/** For a new box. */
export async function makeKeys(): Promise<Omit<Keys, 'boxId'>> {
  const { publicKey, privateKey } = await makeKeyPair()
  return { publicKey: base64url(publicKey), privateKey: base64url(privateKey), accessKey: base64url(randomBytes(32)) }
}

/** All that the mailbox gets to know of the access key. */
export function accessKeyHash({ accessKey }: Pick<Keys, 'accessKey'>): string {
  return createHash('sha256').update(accessKey).digest('base64url')
}

export function keyPairOf({ publicKey, privateKey }: Keys): KeyPair {
  return { publicKey: Buffer.from(publicKey, 'base64url'), privateKey: Buffer.from(privateKey, 'base64url') }
}

/** What the secret store has. Throws when that is no keyring. */
export function keyringIn(secret: string | null): Keys[] {
  return secret === null ? [] : keyring.parse(JSON.parse(secret))
}

/**
 * The boxes that results may be sent to, the one in use first. The database names the one in use, unless the keys know
 * of a later pairing: then it was restored to a time before that. Pure.
 */
export function boxesIn(ring: readonly Keys[], stored: Pairing | null): Box[] {
  const boxes = ring.flatMap((keys) => {
    if (keys.boxId === stored?.boxId) return [{ paired: stored, keys }]
    return keys.place === undefined ? [] : [{ paired: { boxId: keys.boxId, ...keys.place }, keys }]
  })
  return boxes.reverse()
}

export function withPlace(keys: Keys, { url, pairedAt }: Pairing): Keys {
  return { ...keys, place: { url, pairedAt } }
}

/** What is kept of a box that the person gave up. */
export function withoutPlace({ place: _place, ...keys }: Keys): Keys {
  return keys
}

export function keyMissing(): AppError {
  return new AppError('mailbox_key_unavailable', { detail: 'it is missing' })
}

/** Whether what the secret store has is of no use, now and later, rather than out of reach. */
export function isUnreadable(error: unknown): boolean {
  return !(error instanceof AppError) && !(error instanceof Error && 'code' in error)
}

/** The secret store, or what it has, cannot be used. */
export function keyUnavailable(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'mailbox_key_unavailable') return error
  const detail = error instanceof AppError ? String(error.details['problem'] ?? error.code) : 'it is damaged'
  return new AppError('mailbox_key_unavailable', { detail }, { cause: error })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

/** X25519, 32 bytes each. */
type KeyPair = { publicKey: Uint8Array; privateKey: Uint8Array }

type OpenedMessage = { head: EnvelopeHead; body: Buffer }

const sealedPieceBytes = pieceBytes + pieceTagBytes
/** Others have their turn after this many pieces (16 ms). */
const piecesAtOnce = 16
const lineFeed = 0x0a

/** Loaded when a mailbox is used: each start would have to compile it. */
async function loadSodium() {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  return sodium
}

async function makeKeyPair(): Promise<KeyPair> {
  const sodium = await loadSodium()
  const { publicKey, privateKey } = sodium.crypto_box_keypair()
  return { publicKey, privateKey }
}

/**
 * Opens what a mailbox sealed (shared/wire/mailbox.ts). Throws when it was sealed for another key, changed or cut, or
 * holds something else.
 */
export async function openMessage(sealed: Buffer, keys: KeyPair): Promise<OpenedMessage> {
  const sodium = await loadSodium()
  const key = sodium.crypto_box_seal_open(sealed.subarray(0, sealedKeyBytes), keys.publicKey, keys.privateKey)
  const pieces: Uint8Array[] = []
  for (let at = sealedKeyBytes; at < sealed.length || pieces.length === 0; at += sealedPieceBytes) {
    const piece = sealed.subarray(at, at + sealedPieceBytes)
    const nonce = pieceNonce(pieces.length, at + sealedPieceBytes >= sealed.length)
    pieces.push(sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, piece, null, nonce, key))
    if (pieces.length % piecesAtOnce === 0) await setImmediate()
  }
  const envelope = Buffer.concat(pieces)
  const end = envelope.indexOf(lineFeed)
  const head = envelopeHead.parse(JSON.parse(envelope.toString('utf8', 0, Math.max(0, end))))
  return { head, body: envelope.subarray(end + 1) }
}

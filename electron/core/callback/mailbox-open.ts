import { setImmediate } from 'node:timers/promises'
import sodium from 'libsodium-wrappers'
import { envelopeHead, pieceBytes, pieceNonce, pieceTagBytes, sealedKeyBytes } from '../../../shared/mailbox.ts'
import type { EnvelopeHead } from '../../../shared/mailbox.ts'

/** X25519, 32 bytes each. */
export type KeyPair = { publicKey: Uint8Array; privateKey: Uint8Array }

export type OpenedMessage = { head: EnvelopeHead; body: Buffer }

const sealedPieceBytes = pieceBytes + pieceTagBytes
/** Others have their turn after this many pieces (16 ms). */
const piecesAtOnce = 16
const lineFeed = 0x0a

export async function makeKeyPair(): Promise<KeyPair> {
  await sodium.ready
  const { publicKey, privateKey } = sodium.crypto_box_keypair()
  return { publicKey, privateKey }
}

/** Opens what a mailbox sealed (shared/mailbox.ts). Throws when it was sealed for another key, changed or cut, or holds something else. */
export async function openMessage(sealed: Buffer, keys: KeyPair): Promise<OpenedMessage> {
  await sodium.ready
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

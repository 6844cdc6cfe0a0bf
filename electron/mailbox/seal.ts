import sodium from 'libsodium-wrappers'
import { pieceBytes, pieceNonce } from '../../shared/wire/mailbox.ts'
import type { EnvelopeHead } from '../../shared/wire/mailbox.ts'

/** Before the first message is sealed. */
export const sealingReady: Promise<void> = sodium.ready

/**
 * Seals one message for a desktop while it comes (the form is told in shared/wire/mailbox.ts): what was sealed, nobody
 * here can open again, since the key is forgotten with this object. A piece of 256 KB takes a millisecond.
 */
export class MessageSealer {
  readonly #key: Uint8Array
  #sealedKey: Uint8Array | null
  #number = 0
  readonly #piece = Buffer.allocUnsafe(pieceBytes)
  #filled = 0

  constructor(publicKey: Uint8Array, head: EnvelopeHead) {
    this.#key = sodium.crypto_aead_xchacha20poly1305_ietf_keygen()
    this.#sealedKey = sodium.crypto_box_seal(this.#key, publicKey)
    this.push(Buffer.from(`${JSON.stringify(head)}\n`))
  }

  /** Takes more of the envelope; returns the sealed pieces that are full and not the last. */
  push(bytes: Uint8Array): Buffer[] {
    const sealed: Buffer[] = []
    for (let at = 0; at < bytes.length; ) {
      if (this.#filled === pieceBytes) sealed.push(this.#seal(false))
      const part = bytes.subarray(at, at + pieceBytes - this.#filled)
      this.#piece.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
    }
    return sealed
  }

  /** The last piece. */
  end(): Buffer {
    return this.#seal(true)
  }

  #seal(isLast: boolean): Buffer {
    const piece = this.#piece.subarray(0, this.#filled)
    const sealed = sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
      piece,
      null,
      null,
      pieceNonce(this.#number, isLast),
      this.#key,
    )
    const sealedKey = this.#sealedKey
    this.#sealedKey = null
    this.#filled = 0
    this.#number += 1
    return sealedKey === null ? Buffer.from(sealed) : Buffer.concat([sealedKey, sealed])
  }
}

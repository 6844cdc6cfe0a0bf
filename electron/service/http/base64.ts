import { invalidRequest } from './http-error.ts'

/**
 * Decodes base64 (RFC 4648, section 4) that arrives in pieces cut anywhere. Strict: no white
 * space, no URL alphabet, padding required, unused bits zero. Holds at most three characters.
 */
export class Base64Decoder {
  #rest = ''
  #padded = false

  /** The bytes of every complete group so far. Throws `invalid_request` for anything else. */
  write(text: string): Buffer {
    if (this.#padded && text !== '') throw notBase64('there are characters after the padding')
    const all = this.#rest + text
    const complete = all.length - (all.length % 4)
    const groups = all.slice(0, complete)
    this.#rest = all.slice(complete)
    this.#padded = groups.endsWith('=')
    const bytes = Buffer.from(groups, 'base64')
    // Node's decoder forgives almost anything; only what encodes to the same text again was base64.
    if (bytes.toString('base64') !== groups || (this.#padded && this.#rest !== '')) {
      throw notBase64('it has characters outside the base64 alphabet, or wrong padding')
    }
    return bytes
  }

  /** Must be called once after the last piece: throws when the text stopped inside a group. */
  end(): void {
    if (this.#rest !== '') throw notBase64('it is cut off or its padding is missing')
  }
}

function notBase64(why: string): Error {
  return invalidRequest(`file is not base64: ${why}`)
}

import { invalidRequest } from './failure.ts'

const whole = /^[A-Za-z0-9+/]*$/
const last = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Decodes base64 (RFC 4648, section 4) that arrives in pieces cut anywhere. Strict: no white
 * space, no URL alphabet, padding required, unused bits zero. Holds at most three characters.
 */
export class Base64Decoder {
  #rest = ''
  #finished = false

  /** The bytes of every complete group so far. Throws `invalid_request` for anything else. */
  write(text: string): Buffer {
    if (text === '') return Buffer.alloc(0)
    if (this.#finished) throw notBase64('there are characters after the padding')
    const all = this.#rest + text
    const padding = all.indexOf('=')
    if (padding >= 0) return this.#writeLast(all)
    const complete = all.length - (all.length % 4)
    const groups = all.slice(0, complete)
    this.#rest = all.slice(complete)
    if (!whole.test(groups) || !whole.test(this.#rest)) throw notBase64('it has characters outside the base64 alphabet')
    return Buffer.from(groups, 'base64')
  }

  /** Must be called once after the last piece: throws when the text stopped inside a group. */
  end(): void {
    if (this.#rest !== '') throw notBase64('it is cut off or its padding is missing')
  }

  #writeLast(all: string): Buffer {
    // A piece may end between the two signs of the padding.
    if (all.length % 4 === 3 && /^[A-Za-z0-9+/]{2}=$/.test(all.slice(-3)) && whole.test(all.slice(0, -3))) {
      this.#rest = all.slice(-3)
      return Buffer.from(all.slice(0, -3), 'base64')
    }
    if (!last.test(all)) throw notBase64('it has characters outside the base64 alphabet, or wrong padding')
    const bytes = Buffer.from(all, 'base64')
    const tail = bytes.subarray(bytes.length - (bytes.length % 3 || 3)).toString('base64')
    if (!all.endsWith(tail)) throw notBase64('its last characters carry bits that belong to no byte')
    this.#rest = ''
    this.#finished = true
    return bytes
  }
}

function notBase64(why: string): Error {
  return invalidRequest(`file is not base64: ${why}`)
}

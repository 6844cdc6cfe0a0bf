import { maxFileBytes } from '../../../shared/domain/limits.ts'
import { sentenceFor } from '../../../shared/messages/sentences.ts'
import { Base64Decoder } from './base64.ts'
import { invalidRequest, HttpError } from './http-error.ts'
import { parseJson } from './read-body.ts'

/** Room for everything in the body but the file: file name, callback, schema, unknown fields. */
const maxOtherBytes = 1024 * 1024

/** The longest body that can still be a file of the allowed size. */
export const maxBodyBytes = Math.ceil(maxFileBytes / 3) * 4 + maxOtherBytes

type RequestBody = {
  /** The JSON object as sent, with `file` emptied. */
  fields: Record<string, unknown>
  /** Decoded size of `file`; 0 when it is missing or empty. */
  fileBytes: number
}

/**
 * Reads an extraction request (spec, «Extraction request») as it arrives and hands the decoded
 * bytes of `file` to `write` piece by piece, so that a body of 48 MB never stands in memory.
 * Throws `file_too_large` (413) at the first byte over 36 MB, `request_too_large` (413) when the
 * rest is over 1 MiB, `invalid_request` (400) for what is not JSON or not base64.
 */
export async function readRequestBody(
  chunks: AsyncIterable<Buffer>,
  write: (bytes: Buffer) => Promise<void>,
): Promise<RequestBody> {
  const scanner = new BodyScanner()
  for await (const chunk of chunks) {
    for (const bytes of scanner.push(chunk)) await write(bytes)
  }
  return scanner.end()
}

export function fileTooLarge(sizeBytes: number | null): HttpError {
  const size = sizeBytes === null ? 'more than 36 MB' : `${(sizeBytes / 1024 / 1024).toFixed(1)} MB`
  return new HttpError(
    413,
    'file_too_large',
    sentenceFor('file_too_large', { size }, 'en'),
    'The limit is 37748736 bytes before base64.',
  )
}

const quote = 0x22
const backslash = 0x5c

/**
 * Follows just enough of JSON to find the text value of the top-level key `file`. Everything else
 * is collected and given to JSON.parse, which is the judge of whether the body is JSON at all.
 */
class BodyScanner {
  readonly #decoder = new Base64Decoder()
  readonly #other: Buffer[] = []
  #otherBytes = 0
  #fileBytes = 0
  #fileSeen = false

  #depth = 0
  #rootIsObject = false
  #inText = false
  #escaped = false
  /** The raw key being read at the top level, or null outside of one. */
  #key: number[] | null = null
  #expectsKey = false
  #nextIsFile = false
  #inFile = false
  #fileEscape = ''

  end(): RequestBody {
    if (this.#inFile) throw invalidRequest('The body ends inside the text of file.')
    const fields = parseJson(Buffer.concat(this.#other))
    if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
      throw invalidRequest('The body is not a JSON object.')
    return { fields: fields as Record<string, unknown>, fileBytes: this.#fileBytes }
  }

  *push(chunk: Buffer): Generator<Buffer> {
    let at = 0
    while (at < chunk.length) {
      if (this.#inFile) {
        const end = this.#fileRunEnd(chunk, at)
        yield this.#decode(chunk.toString('latin1', at, end))
        at = yield* this.#leaveRun(chunk, end)
      } else {
        const start = at
        at = this.#scanOther(chunk, at)
        this.#keep(chunk.subarray(start, at))
      }
    }
  }

  /** Copies, since the chunk belongs to the socket's pool and is mostly the file. */
  #keep(bytes: Buffer): void {
    this.#otherBytes += bytes.length
    if (this.#otherBytes > maxOtherBytes) {
      throw new HttpError(
        413,
        'request_too_large',
        'The request is too large.',
        'Everything but the file may have 1 MiB.',
      )
    }
    this.#other.push(Buffer.from(bytes))
  }

  /** The index after the last byte that is not file text: the opening quote of `file`, or the end. */
  #scanOther(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#inText) this.#scanText(byte)
      else if (this.#scanStructure(byte)) return at + 1
    }
    return chunk.length
  }

  #scanText(byte: number): void {
    if (this.#key && (this.#escaped || byte !== quote) && this.#key.length < 100) this.#key.push(byte)
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) {
      this.#inText = false
      if (this.#key) this.#nextIsFile = isFileKey(this.#key)
      this.#key = null
    }
  }

  /** True when `byte` opens the text of `file`. */
  #scanStructure(byte: number): boolean {
    switch (byte) {
      case quote:
        if (this.#nextIsFile) return this.#enterFile()
        this.#inText = true
        if (this.#expectsKey) this.#key = []
        this.#expectsKey = false
        return false
      case 0x7b: // {
      case 0x5b: // [
        this.#depth++
        if (this.#depth === 1) this.#rootIsObject = byte === 0x7b
        this.#expectsKey = this.#depth === 1 && this.#rootIsObject
        this.#nextIsFile = false
        return false
      case 0x7d: // }
      case 0x5d: // ]
        this.#depth--
        return false
      case 0x2c: // ,
        this.#expectsKey = this.#depth === 1 && this.#rootIsObject
        this.#nextIsFile = false
        return false
      default:
        return false
    }
  }

  #enterFile(): true {
    if (this.#fileSeen) throw invalidRequest('file is given twice.')
    this.#fileSeen = true
    this.#nextIsFile = false
    this.#inFile = true
    return true
  }

  /** The index of the closing quote or of the next escape, or the end of the chunk. */
  #fileRunEnd(chunk: Buffer, from: number): number {
    if (this.#fileEscape !== '') return from
    const end = chunk.indexOf(quote, from)
    const stop = end < 0 ? chunk.length : end
    const escape = chunk.subarray(from, stop).indexOf(backslash)
    return escape < 0 ? stop : from + escape
  }

  /** Deals with the byte that ended a run; some writers of JSON escape each `/` as `\/`. */
  *#leaveRun(chunk: Buffer, end: number): Generator<Buffer, number> {
    let at = end
    if (at < chunk.length && this.#fileEscape === '' && chunk[at] === quote) {
      this.#decoder.end()
      this.#inFile = false
      // Kept with the rest, where the two quotes make `file` an empty text.
      this.#keep(chunk.subarray(at, at + 1))
      return at + 1
    }
    while (at < chunk.length && !isWholeEscape(this.#fileEscape)) {
      this.#fileEscape += String.fromCharCode(chunk[at]!)
      at++
    }
    if (isWholeEscape(this.#fileEscape)) {
      yield this.#decode(unescapeJson(this.#fileEscape))
      this.#fileEscape = ''
    }
    return at
  }

  #decode(text: string): Buffer {
    const bytes = this.#decoder.write(text)
    this.#fileBytes += bytes.length
    if (this.#fileBytes > maxFileBytes) throw fileTooLarge(null)
    return bytes
  }
}

function isFileKey(raw: number[]): boolean {
  try {
    return JSON.parse(`"${Buffer.from(raw).toString('utf8')}"`) === 'file'
  } catch {
    return false
  }
}

function isWholeEscape(escape: string): boolean {
  return escape.startsWith('\\u') ? escape.length === 6 : escape.length === 2
}

function unescapeJson(escape: string): string {
  try {
    return String(JSON.parse(`"${escape}"`))
  } catch {
    throw invalidRequest('The body is not JSON.')
  }
}

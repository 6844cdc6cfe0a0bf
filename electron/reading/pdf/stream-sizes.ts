import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { AppError } from '../../../shared/domain/errors.ts'

const mebibyte = 1024 * 1024

/**
 * What one stream that is no picture may unpack to. pdf.js unpacks each in one piece and holds it twice: 64 MB cost
 * 190 MB and half a second. Contents of pages are rarely above 5 MB, the largest fonts about 30. All that one list
 * names may be as much: the contents of a page may be a list of streams, which are put together, each as often as it is
 * named.
 */
export const maxStreamBytes = 64 * mebibyte
/** What all of them may: contents take at least 80 ms a megabyte, so these 40 s. */
const maxAllStreamsBytes = 512 * mebibyte
/** So much of pictures is unpacked to look, in about 3 s; later ones are left to the memory limit of the threads. */
const maxLookedAtBytes = 1024 * mebibyte
/** 500 pages with forty streams each; to begin with one costs 0.1 ms. */
const maxStreams = 20_000
/** Deeper than any writer packs. */
const maxPackings = 4

/** What pdf.js takes for the largest picture that it decodes. */
export const maxPicturePixels = 100_000_000
/** Four components of 16 bits. */
const maxBytesPerPixel = 8
/**
 * A scan of 7,000 × 9,800 pixels in colour, 196 MB, takes 680 MB where it is not made smaller first
 * (`large-pictures.ts`); more would not fit into the threads' budget.
 */
const maxPictureBytes = 224 * mebibyte

const streamKeyword = Buffer.from('stream')
const objectKeyword = 'obj'
const endKeyword = Buffer.from('endstream')
const [openingBracket, closingBracket] = [0x5b, 0x5d]
const lookBackBytes = 2048

/**
 * Unpacks what is deflated in a PDF, without holding it, and throws AppError `file_too_complex` when one stream, or all
 * or those of one list together, come to more than pdf.js could unpack in bounds: it knows none itself. Goes by the
 * bytes, not by what the dictionaries say of lengths and filters, which may be wrong. A picture may be as large as its
 * pixels and as what can be read. Streams that are encrypted or packed otherwise pass.
 */
export async function checkStreamSizes(bytes: Uint8Array): Promise<void> {
  const file = asBuffer(bytes)
  let streams = 0
  let unpackedBytes = 0
  let lookedAtBytes = 0
  const sizes = new Map<number, number>()
  const texts: Buffer[] = [file]
  let textBytes = 0
  for (const { begin, end, number, dictionary } of streamsIn(bytes)) {
    if (!isDeflated(file, begin)) {
      sizes.set(number, end - begin)
      continue
    }
    if (++streams > maxStreams) throw tooMuch({ streams, maxStreams }, `more than ${maxStreams} streams`)
    const pictureBytes = sizeOfPicture(dictionary)
    if (pictureBytes !== null && lookedAtBytes > maxLookedAtBytes) continue
    const limit = Math.max(maxStreamBytes, pictureBytes ?? 0)
    // Objects may be packed in streams, and with them lists of others; no more of them is held than of one stream.
    const kept: Buffer[] | null = /\/ObjStm\b/.test(dictionary) && textBytes < maxStreamBytes ? [] : null
    const size = await unpackedSize(file.subarray(begin), limit, kept)
    if (kept !== null) {
      texts.push(Buffer.concat(kept))
      textBytes += size
    }
    if (pictureBytes === null) sizes.set(number, size)
    if (size > limit)
      throw tooMuch(
        { unpackedBytes: size, maxUnpackedBytes: limit },
        `a stream unpacks to more than ${megabytes(limit)}`,
      )
    if (pictureBytes !== null) lookedAtBytes += size
    else if ((unpackedBytes += size) > maxAllStreamsBytes)
      throw tooMuch(
        { unpackedBytes, maxUnpackedBytes: maxAllStreamsBytes },
        `its streams unpack to more than ${megabytes(maxAllStreamsBytes)}`,
      )
  }
  for (const text of texts) checkLists(text, sizes)
}

/** What pdf.js took for a pixel, of 35 to 95 million: 17 to 21 bytes where they are deflated, 11 to 14 of a JPEG. */
const bytesForPixel = { deflated: 21, other: 14 }

/** About how many bytes it takes to decode the largest picture, as far as the dictionaries say. */
export function memoryForPictures(bytes: Uint8Array): number {
  const file = asBuffer(bytes)
  let most = 0
  for (const { begin, dictionary } of streamsIn(bytes)) {
    const { width, height } = pictureSizeIn(dictionary) ?? { width: 0, height: 0 }
    const pixels = Math.min(width * height, maxPicturePixels)
    most = Math.max(most, pixels * (isDeflated(file, begin) ? bytesForPixel.deflated : bytesForPixel.other))
  }
  return most
}

/** Where a stream's bytes are, its dictionary and where that begins, and the number of its object; -1 without one. */
export type Stream = { begin: number; end: number; dictionary: string; dictionaryAt: number; number: number }

/** The streams of a PDF, by its bytes. */
export function* streamsIn(bytes: Uint8Array): Generator<Stream> {
  const file = asBuffer(bytes)
  let end = 0
  for (let at = file.indexOf(streamKeyword); at >= 0; at = file.indexOf(streamKeyword, at + streamKeyword.length)) {
    const begin = afterLineEnd(file, at + streamKeyword.length)
    if (!isDeflated(file, begin) && !/>>\s*$/.test(file.toString('latin1', Math.max(0, at - 16), at))) continue
    if (end < begin) {
      const ended = file.indexOf(endKeyword, begin)
      end = ended < 0 ? file.length : ended
    }
    const { dictionary, number } = objectBefore(file.toString('latin1', Math.max(0, at - lookBackBytes), at))
    yield { begin, end, dictionary, dictionaryAt: at - dictionary.length, number }
  }
}

/** Throws when what a list of references names comes to more than one stream may. */
function checkLists(text: Buffer, sizes: ReadonlyMap<number, number>): void {
  let after = 0
  for (let close = text.indexOf(closingBracket); close >= 0; close = text.indexOf(closingBracket, after)) {
    const open = text.subarray(after, close).lastIndexOf(openingBracket)
    const list = open < 0 ? '' : text.toString('latin1', after + open + 1, close)
    after = close + 1
    const listedBytes = referencesIn(list).reduce((sum, number) => sum + (sizes.get(number) ?? 0), 0)
    if (listedBytes > maxStreamBytes)
      throw tooMuch(
        { listedBytes, maxUnpackedBytes: maxStreamBytes },
        `the contents of a page unpack to more than ${megabytes(maxStreamBytes)}`,
      )
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function tooMuch(counts: Record<string, number>, detail: string): AppError {
  return new AppError('file_too_complex', { ...counts, detail })
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MB`
}

function afterLineEnd(file: Buffer, at: number): number {
  const begin = file[at] === 0x0d ? at + 1 : at
  return file[begin] === 0x0a ? begin + 1 : begin
}

/** True when a zlib header (RFC 1950, 2.2) stands there. */
export function isDeflated(bytes: Uint8Array, at: number): boolean {
  const method = bytes[at] ?? 0
  return (method & 0x0f) === 8 && ((method << 8) | (bytes[at + 1] ?? 0)) % 31 === 0
}

/** The numbers of the objects in a list of nothing but references; none where it is another list. */
function referencesIn(list: string): number[] {
  const reference = /\s*(\d{1,10})\s+\d{1,5}\s+R\s*/y
  const numbers: number[] = []
  while (reference.lastIndex < list.length) {
    const found = reference.exec(list)
    if (found === null) return []
    numbers.push(Number(found[1]))
  }
  return numbers
}

/** The last object that begins in the text; all of the text where none does. */
function objectBefore(text: string): Pick<Stream, 'dictionary' | 'number'> {
  const at = text.lastIndexOf(objectKeyword)
  if (at < 0) return { number: -1, dictionary: text }
  const number = /(\d{1,10})\s+\d{1,5}\s+$/.exec(text.slice(Math.max(0, at - 40), at))?.[1] ?? -1
  return { number: Number(number), dictionary: text.slice(at + objectKeyword.length) }
}

/** What a picture of this dictionary may unpack to; null when it is none. */
function sizeOfPicture(dictionary: string): number | null {
  if (!isPicture(dictionary)) return null
  const size = pictureSizeIn(dictionary)
  const pixels = size === null ? maxPicturePixels : Math.min(size.width * size.height, maxPicturePixels)
  return Math.min(pixels * maxBytesPerPixel, maxPictureBytes)
}

function isPicture(dictionary: string): boolean {
  return /\/Subtype\s*\/Image\b/.test(dictionary)
}

export type PictureSize = { width: number; height: number }

/** Null where the dictionary is no picture's, or does not say it itself. */
export function pictureSizeIn(dictionary: string): PictureSize | null {
  if (!isPicture(dictionary)) return null
  const width = /\/Width\s+(\d{1,9})(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1]
  const height = /\/Height\s+(\d{1,9})(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1]
  return width === undefined || height === undefined ? null : { width: Number(width), height: Number(height) }
}

/**
 * How much comes of packed bytes, counted until it is above `limit`. What is broken counts as far as it can be read.
 * `kept` gets what comes of the first unpacking.
 */
async function unpackedSize(packed: Buffer, limit: number, kept: Buffer[] | null): Promise<number> {
  let size = 0
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      size += piece.length
      kept?.push(piece)
      if (size > limit) return
      yield piece
    }
  }
  const countAll = async (source: Iterable<Buffer> | AsyncIterable<Buffer>, packings: number): Promise<void> => {
    const pieces = counted(inflated(source))
    const first = await pieces.next()
    if (first.done) return
    const all = async function* (): AsyncGenerator<Buffer> {
      yield first.value
      yield* pieces
    }
    if (packings < maxPackings && isDeflated(first.value, 0)) await countAll(all(), packings + 1)
    else for await (const _ of pieces);
  }
  await countAll([packed], 1).catch(() => undefined)
  return size
}

/** What comes of packed bytes. Throws where they are damaged, after what could be read. */
export async function* inflated(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: 64 * 1024 })
  const fed = pipeline(source, inflate).catch(() => undefined)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } finally {
    inflate.destroy()
    await fed
  }
}

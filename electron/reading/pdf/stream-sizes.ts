import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { AppError } from '../../../shared/domain/errors.ts'

const mebibyte = 1024 * 1024

/**
 * What one stream that is no picture may unpack to. pdf.js unpacks each in one piece and holds it twice: 64 MB cost
 * 190 MB and half a second. Contents of pages are rarely above 5 MB, the largest fonts about 30.
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
/** A scan of 7,000 × 9,800 pixels in colour, 196 MB, takes 680 MB to read; more would not fit into the threads' budget. */
const maxPictureBytes = 224 * mebibyte

const streamKeyword = Buffer.from('stream')
const lookBackBytes = 2048

/**
 * Unpacks what is deflated in a PDF, without holding it, and throws AppError `file_too_complex` when one stream, or all
 * together, come to more than pdf.js could unpack in bounds: it knows none itself. Goes by the bytes, not by what the
 * dictionaries say of lengths and filters, which may be wrong. A picture may be as large as its pixels and as what
 * can be read. Streams that are encrypted or packed otherwise pass.
 */
export async function checkStreamSizes(bytes: Uint8Array): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let streams = 0
  let unpackedBytes = 0
  let lookedAtBytes = 0
  for (let at = file.indexOf(streamKeyword); at >= 0; at = file.indexOf(streamKeyword, at + streamKeyword.length)) {
    const begin = afterLineEnd(file, at + streamKeyword.length)
    if (!isDeflated(file, begin)) continue
    if (++streams > maxStreams) throw tooMuch({ streams, maxStreams }, `more than ${maxStreams} streams`)
    const pictureBytes = sizeOfPicture(file.toString('latin1', Math.max(0, at - lookBackBytes), at))
    if (pictureBytes !== null && lookedAtBytes > maxLookedAtBytes) continue
    const limit = Math.max(maxStreamBytes, pictureBytes ?? 0)
    const size = await unpackedSize(file.subarray(begin), limit)
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
function isDeflated(bytes: Uint8Array, at: number): boolean {
  const method = bytes[at] ?? 0
  return (method & 0x0f) === 8 && ((method << 8) | (bytes[at + 1] ?? 0)) % 31 === 0
}

/** What a picture of this dictionary may unpack to; null when it is none. */
function sizeOfPicture(before: string): number | null {
  const dictionary = before.slice(before.lastIndexOf('obj') + 1)
  if (!/\/Subtype\s*\/Image\b/.test(dictionary)) return null
  const width = /\/Width\s+(\d{1,9})(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1]
  const height = /\/Height\s+(\d{1,9})(?!\s+\d+\s+R)\b/.exec(dictionary)?.[1]
  const pixels = width === undefined || height === undefined ? maxPicturePixels : Number(width) * Number(height)
  return Math.min(Math.min(pixels, maxPicturePixels) * maxBytesPerPixel, maxPictureBytes)
}

/** How much comes of packed bytes, counted until it is above `limit`. What is broken counts as far as it can be read. */
async function unpackedSize(packed: Buffer, limit: number): Promise<number> {
  let size = 0
  const counted = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      size += piece.length
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

async function* inflated(source: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflate({ chunkSize: 64 * 1024 })
  const fed = pipeline(source, inflate).catch(() => undefined)
  try {
    for await (const piece of inflate) yield piece as Buffer
  } finally {
    inflate.destroy()
    await fed
  }
}

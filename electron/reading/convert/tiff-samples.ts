import { inflateSync } from 'node:zlib'
import { AppError } from '../../../shared/domain/errors.ts'
import { asDamaged } from '../damaged.ts'
import { checkPixels } from './picture-pdf.ts'
import { isLittleEndian, tags, valueOf } from './tiff-file.ts'
import type { TiffDirectory } from './tiff-file.ts'

/** Four inks and four more. */
const mostSamples = 8

/** What the file holds of a picture in one piece: its compressed bytes, and where they stand, in pixels. */
type Piece = { bytes: Buffer; left: number; top: number; width: number; height: number }

const reversed = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0, 1, 2, 3, 4, 5, 6, 7].reduce((sum, bit) => sum | (((byte >> bit) & 1) << (7 - bit)), 0),
)
const reverse = (byte: number): number => reversed[byte]!

/** The strips or tiles of a picture, their bits from the left. Throws AppError `file_damaged`. */
export function piecesOf(file: Buffer, directory: TiffDirectory): Piece[] {
  const [width, height] = [valueOf(directory, tags.width, 0), valueOf(directory, tags.height, 0)]
  const isTiled = directory.has(tags.tileWidth)
  const pieceWidth = isTiled ? valueOf(directory, tags.tileWidth, 0) : width
  const pieceHeight = isTiled
    ? valueOf(directory, tags.tileHeight, 0)
    : Math.min(height, valueOf(directory, tags.rowsPerStrip, height))
  const offsets = directory.get(isTiled ? tags.tileOffsets : tags.stripOffsets) ?? []
  const lengths = directory.get(isTiled ? tags.tileBytes : tags.stripBytes) ?? []
  checkPixels(pieceWidth, pieceHeight)
  // A JPEG has an order of its own.
  const isReversed = valueOf(directory, tags.fillOrder, 1) === 2 && valueOf(directory, tags.compression, 1) !== 7
  const across = Math.ceil(width / pieceWidth)
  const count = across * Math.ceil(height / pieceHeight)
  // Planes one behind the other would be as many pieces again.
  if (!(count > 0) || offsets.length < count || lengths.length < count || valueOf(directory, tags.planes, 1) !== 1)
    throw new AppError('file_damaged')
  return Array.from({ length: count }, (_, index) => {
    const [from, length] = [offsets[index]!, lengths[index]!]
    if (from + length > file.length) throw new AppError('file_damaged')
    const top = Math.floor(index / across) * pieceHeight
    return {
      bytes: isReversed
        ? Buffer.from(file.subarray(from, from + length).map(reverse))
        : file.subarray(from, from + length),
      left: (index % across) * pieceWidth,
      top,
      width: pieceWidth,
      // The last strip ends with the picture, a tile does not.
      height: isTiled ? pieceHeight : Math.min(pieceHeight, height - top),
    }
  })
}

/** The samples of a picture, packed row by row. Throws AppError `file_damaged`. */
export function samplesOf(file: Buffer, directory: TiffDirectory): Uint8Array {
  const [width, height] = [valueOf(directory, tags.width, 0), valueOf(directory, tags.height, 0)]
  const [bits, samples] = [valueOf(directory, tags.bits, 1), valueOf(directory, tags.samples, 1)]
  if (![1, 2, 4, 8, 16].includes(bits) || !(samples >= 1 && samples <= mostSamples)) throw new AppError('file_damaged')
  const bytesFor = (pixels: number): number => Math.ceil((pixels * samples * bits) / 8)
  const rowBytes = bytesFor(width)
  const picture = new Uint8Array(rowBytes * height)
  const isDifferences = valueOf(directory, tags.predictor, 1) === 2
  const isLittle = isLittleEndian(file)
  for (const piece of piecesOf(file, directory)) {
    const pieceRow = bytesFor(piece.width)
    const wanted = pieceRow * piece.height
    const unpacked = unpack(piece.bytes, valueOf(directory, tags.compression, 1), wanted)
    if (unpacked.length < wanted) throw new AppError('file_damaged')
    const at = bytesFor(piece.left)
    for (let row = 0; row < piece.height && piece.top + row < height; row++) {
      const line = unpacked.subarray(row * pieceRow, (row + 1) * pieceRow)
      if (isDifferences) addDifferences(line, samples, bits, isLittle)
      picture.set(line.subarray(0, Math.min(pieceRow, rowBytes - at)), (piece.top + row) * rowBytes + at)
    }
  }
  return picture
}

function unpack(bytes: Buffer, compression: number, wanted: number): Uint8Array {
  switch (compression) {
    case 1:
      return Uint8Array.from(bytes.subarray(0, wanted))
    case 5:
      return fromLzw(bytes, wanted)
    case 8:
    case 32946:
      try {
        return inflateSync(bytes, { maxOutputLength: wanted + 1024 })
      } catch (error) {
        throw asDamaged(error)
      }
    case 32773:
      return fromPackBits(bytes, wanted)
    default:
      throw new AppError('file_damaged')
  }
}

/** TIFF 6.0, section 9. */
function fromPackBits(bytes: Uint8Array, wanted: number): Uint8Array {
  const found = new Uint8Array(wanted)
  let length = 0
  for (let at = 0; at < bytes.length && length < wanted; ) {
    const count = (bytes[at++]! << 24) >> 24
    if (count >= 0) {
      const run = bytes.subarray(at, at + Math.min(count + 1, wanted - length))
      found.set(run, length)
      length += run.length
      at += count + 1
    } else if (count !== -128) {
      found.fill(bytes[at++] ?? 0, length, length + 1 - count)
      length = Math.min(wanted, length + 1 - count)
    }
  }
  return found.subarray(0, length)
}

const [clear, end, firstCode, mostCodes] = [256, 257, 258, 4096]

/** TIFF 6.0, section 13. */
function fromLzw(bytes: Uint8Array, wanted: number): Uint8Array {
  const texts = new LzwTexts(wanted)
  let [buffer, held] = [0, 0]
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffffff
    held += 8
    if (held < texts.codeBits) continue
    held -= texts.codeBits
    const code = (buffer >> held) & ((1 << texts.codeBits) - 1)
    if (code === end || !texts.add(code)) break
  }
  return texts.written()
}

/** What codes stand for: each but the first 256 for the text of an earlier one and a byte, a chain from its end. */
class LzwTexts {
  codeBits = 9
  readonly #found: Uint8Array
  readonly #before = new Uint16Array(mostCodes)
  readonly #last = new Uint8Array(mostCodes)
  readonly #lengths = new Uint16Array(mostCodes).fill(1, 0, 256)
  #written = 0
  #next = firstCode
  #previous = -1

  constructor(wanted: number) {
    this.#found = new Uint8Array(wanted)
    for (let code = 0; code < 256; code++) this.#last[code] = code
  }

  /** False when there is as much as is wanted. */
  add(code: number): boolean {
    if (code === clear) {
      this.codeBits = 9
      this.#next = firstCode
      this.#previous = -1
      return true
    }
    if (code > this.#next || (code === this.#next && this.#previous < 0)) throw new AppError('file_damaged')
    // A code that is just being made is the text before it and that text's first byte.
    const isNew = code === this.#next
    const first = this.#write(isNew ? this.#previous : code)
    if (isNew) this.#found[this.#written++] = first
    if (this.#previous >= 0 && this.#next < mostCodes) {
      this.#before[this.#next] = this.#previous
      this.#last[this.#next] = first
      this.#lengths[this.#next] = this.#lengths[this.#previous]! + 1
      this.#next += 1
    }
    // It grows one code early.
    if (this.#next + 1 >= 1 << this.codeBits && this.codeBits < 12) this.codeBits += 1
    this.#previous = code
    return this.#written < this.#found.length
  }

  written(): Uint8Array {
    return this.#found.subarray(0, this.#written)
  }

  /** Writes a text from its end, and returns its first byte. What is more than is wanted falls away. */
  #write(code: number): number {
    const from = this.#written
    this.#written += this.#lengths[code]!
    let one = code
    for (let at = this.#written - 1; at > from; at--, one = this.#before[one]!) this.#found[at] = this.#last[one]!
    this.#found[from] = this.#last[one]!
    return this.#last[one]!
  }
}

/** Each sample is what it is more than the one before it (TIFF 6.0, section 14). */
function addDifferences(line: Uint8Array, samples: number, bits: number, isLittle: boolean): void {
  if (bits === 8) for (let at = samples; at < line.length; at++) line[at] = line[at]! + line[at - samples]!
  else if (bits === 16) {
    const view = new DataView(line.buffer, line.byteOffset, line.length)
    for (let at = samples * 2; at + 1 < line.length; at += 2)
      view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - samples * 2, isLittle), isLittle)
  } else throw new AppError('file_damaged')
}

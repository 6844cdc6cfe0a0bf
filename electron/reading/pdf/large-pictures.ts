import { deflateSync } from 'node:zlib'
import { freeCanvas, freeSamples } from '../free-memory.ts'
import { bytesForDecodedPixel, decodePicture } from '../picture/decode.ts'
import { jpegHeader } from '../picture/picture-header.ts'
import type { ReserveMemory } from '../recognise.ts'
import { inflated, isDeflated, maxPicturePixels, pictureSizeIn, streamsIn } from './stream-sizes.ts'
import type { PictureSize, Stream } from './stream-sizes.ts'

/** Larger ones are made smaller. */
const maxKeptPixels = 25_000_000
const jpegQuality = 92

/** A picture as it is written anew, with what its dictionary says otherwise. */
type Smaller = PictureSize & { data: Buffer; dictionary: string }

/**
 * A PDF in which pictures of more than 25 megapixels are smaller: pdf.js decodes each in its own size, whatever it is
 * drawn at, with up to 21 bytes a pixel. A plain JPEG gets as many pixels as are recognised; deflated samples of 8 bits
 * are halved, which leaves an A4 page of 600 dpi the 300 at which it is drawn, and an A3 page of 400 dpi 200. Each is
 * written where it stood, so that offsets stay. Pictures that are packed or described in other ways stay as they are.
 * Returns the same bytes when nothing is to be done.
 */
export async function withSmallerPictures(bytes: Uint8Array, reserveMemory: ReserveMemory): Promise<Uint8Array> {
  const large = [...streamsIn(bytes)].filter(({ number, dictionary }) => {
    const { width, height } = pictureSizeIn(dictionary) ?? { width: 0, height: 0 }
    return number >= 0 && width * height > maxKeptPixels && width * height <= maxPicturePixels
  })
  if (large.length === 0) return bytes
  const file = Buffer.from(bytes)
  const masks = new Set(
    Array.from(file.toString('latin1').matchAll(/\/S?Mask\s+(\d+)\s/g), (found) => Number(found[1])),
  )
  for (const stream of large) {
    if (masks.has(stream.number)) continue
    const smaller = await smallerOf(file.subarray(stream.begin, stream.end), stream.dictionary, reserveMemory)
    if (smaller !== null) writeInPlace(file, stream, smaller)
  }
  return file
}

/** Writes a stream over the one that stands there, if there is room. */
function writeInPlace(file: Buffer, { dictionaryAt, end }: Stream, { data, dictionary, width, height }: Smaller): void {
  const said = dictionary
    .replace(/\/Width\s+\d+/, `/Width ${width}`)
    .replace(/\/Height\s+\d+/, `/Height ${height}`)
    .replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, `/Length ${data.length}`)
  const object = Buffer.concat([Buffer.from(`${said.trimEnd()}\nstream\n`, 'latin1'), data, Buffer.from('\n')])
  if (object.length > end - dictionaryAt) return
  file.fill(' ', dictionaryAt, end)
  object.copy(file, dictionaryAt)
}

/** Null for a picture of another kind, and for one that is damaged. */
async function smallerOf(data: Buffer, dictionary: string, reserveMemory: ReserveMemory): Promise<Smaller | null> {
  const filter = /\/Filter\s*(?:\/(\w+)|\[\s*\/(\w+)\s*\])/.exec(dictionary)
  const name = filter?.[1] ?? filter?.[2]
  if (name === 'DCTDecode') return await smallerJpeg(data, dictionary, reserveMemory)
  return name === 'FlateDecode' && isDeflated(data, 0) ? await halvedSamples(data, dictionary) : null
}

async function smallerJpeg(data: Buffer, dictionary: string, reserveMemory: ReserveMemory): Promise<Smaller | null> {
  const header = jpegHeader(data)
  const said = pictureSizeIn(dictionary)!
  // The decoder knows no limit of its own: a header may say billions of pixels.
  if (header === null || header.width !== said.width || header.height !== said.height) return null
  // What these say of the samples would be said of others; four components are inks.
  if (!header.complete || /\/(?:Decode|DecodeParms|Mask)\b/.test(dictionary)) return null
  if (header.components !== 3 && (header.components !== 1 || !greySpace.test(dictionary))) return null
  await reserveMemory(header.width * header.height * bytesForDecodedPixel)
  const decoded = await decodePicture(withoutOrientation(data)).catch(() => null)
  if (decoded === null) return null
  const { canvas } = decoded
  const { width, height } = canvas
  const smaller = canvas.toBuffer('image/jpeg', jpegQuality)
  freeCanvas(canvas)
  // A canvas knows no grey.
  const inColours = header.components === 3 ? dictionary : dictionary.replace(greySpace, '/ColorSpace /DeviceRGB')
  return { data: smaller, width, height, dictionary: inColours }
}

/** One number for a pixel may be ink, or a place in a list, in other colour spaces than these. */
const greySpace = /\/ColorSpace\s*(?:\/DeviceGray\b|\[\s*\/ICCBased\s+\d+\s+\d+\s+R\s*\])/

const startOfScan = Buffer.from([0xff, 0xda])

/** The decoder turns a picture as the camera was held; a PDF shows it as it is stored. */
function withoutOrientation(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf('Exif\0\0', 0, 'latin1')
  if (at < 0 || at > jpeg.indexOf(startOfScan)) return jpeg
  const copy = Buffer.from(jpeg)
  copy.write('none', at, 'latin1')
  return copy
}

const decodeParameters = /\/DecodeParms\s*(?:<<[^<>]*>>|\[\s*<<[^<>]*>>\s*\])/

/**
 * Whether the rows of a picture are filtered, which PNG's five filters may be (ISO 32000-1, 7.4.4.4); null where they
 * are in another way, or in one that does not fit the picture.
 */
function isFilteredIn(dictionary: string, components: number, width: number): boolean | null {
  if (!/\/DecodeParms\b/.test(dictionary)) return false
  const parameters = decodeParameters.exec(dictionary)?.[0]
  if (parameters === undefined) return null
  const said = (name: string): number => Number(new RegExp(`/${name}\\s+(\\d+)`).exec(parameters)?.[1] ?? 1)
  const predictor = said('Predictor')
  if (predictor === 1) return false
  return predictor >= 10 && said('Colors') === components && said('Columns') === width ? true : null
}

async function halvedSamples(data: Buffer, dictionary: string): Promise<Smaller | null> {
  const { width, height } = pictureSizeIn(dictionary)!
  if (!/\/BitsPerComponent\s+8\b/.test(dictionary)) return null
  const size = await sizeOfSamples(data, 5 * width * height)
  const components = Math.floor(size / height / width)
  // Fewer samples than there should be would be taken for fewer components.
  if (components < 1 || components > 4 || size - height * width * components > height + width * components) return null
  const isFiltered = isFilteredIn(dictionary, components, width)
  if (isFiltered === null) return null
  // A pixel's only number may be its place in a list of colours; and where one colour is left out, none may be mixed.
  const isMixed =
    (components > 1 || /\/ColorSpace\s*\/DeviceGray\b/.test(dictionary)) && !/\/Mask\s*\[/.test(dictionary)
  const rows = rowsOf(data, width * components, components, isFiltered)
  const samples = await halfOfRows(rows, { width, height }, components, isMixed)
  let packed = deflateSync(samples, { level: 1 })
  // What is all of one colour needs the highest level to fit where it stood.
  if (packed.length > data.length / 2) packed = deflateSync(samples, { level: 9 })
  freeSamples(samples)
  return {
    data: packed,
    width: Math.floor(width / 2),
    height: Math.floor(height / 2),
    dictionary: dictionary.replace(decodeParameters, ''),
  }
}

/** 0 where it is more, and where it is damaged: what can be read of it pdf.js shows. */
async function sizeOfSamples(data: Buffer, most: number): Promise<number> {
  let size = 0
  try {
    for await (const piece of inflated([data])) if ((size += piece.length) > most) return 0
    return size
  } catch {
    return 0
  }
}

/** Rows of samples; filters are undone (RFC 2083, 6). A row is good until the next one is asked for. */
async function* rowsOf(data: Buffer, bytes: number, step: number, isFiltered: boolean): AsyncGenerator<Uint8Array> {
  const head = isFiltered ? 1 : 0
  const stored = new Uint8Array(head + bytes)
  let [row, above] = [new Uint8Array(bytes), new Uint8Array(bytes)]
  let filled = 0
  for await (const piece of inflated([data])) {
    for (let at = 0; at < piece.length; ) {
      const taken = Math.min(stored.length - filled, piece.length - at)
      stored.set(piece.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      if (filled < stored.length) continue
      filled = 0
      row.set(head === 0 ? stored : stored.subarray(head))
      if (isFiltered) undoFilter(stored[0]!, row, above, step)
      yield row
      ;[row, above] = [above, row]
    }
  }
}

function undoFilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter === 0) return
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : row[at - step]!
    const up = above[at]!
    const upLeft = at < step ? 0 : above[at - step]!
    row[at] = row[at]! + predicted(filter, left, up, upLeft)
  }
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const toLeft = Math.abs(up - upLeft)
  const toUp = Math.abs(left - upLeft)
  const toUpLeft = Math.abs(left + up - 2 * upLeft)
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}

/** Each two by two pixels as one: their mean, or the first of them. */
async function halfOfRows(
  rows: AsyncIterable<Uint8Array>,
  { width, height }: PictureSize,
  components: number,
  isMixed: boolean,
): Promise<Uint8Array> {
  const halfBytes = Math.floor(width / 2) * components
  const samples = new Uint8Array(halfBytes * Math.floor(height / 2))
  const first = new Uint8Array(width * components)
  let y = 0
  for await (const row of rows) {
    if (y % 2 === 0) first.set(row)
    else {
      const to = ((y - 1) / 2) * halfBytes
      for (let at = 0; at < halfBytes; at++) {
        const from = at + Math.floor(at / components) * components
        samples[to + at] = isMixed
          ? (first[from]! + first[from + components]! + row[from]! + row[from + components]! + 2) >> 2
          : first[from]!
      }
    }
    y++
  }
  return samples
}

import { createCanvas, ImageData } from '@napi-rs/canvas'
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import { deflateSync } from 'node:zlib'
import { AppError } from '../../../shared/domain/errors.ts'
import { freeCanvas, freeImage } from '../free-memory.ts'
import { loadPicture, paperFor } from '../picture/decode.ts'
import { jpegHeader } from '../picture/picture-header.ts'
import type { ReserveMemory } from '../recognise.ts'
import { addPicture, checkPixels, emptyPdf, finished, pointsFor } from './picture-pdf.ts'
import { directoriesOf, isLittleEndian, tags, valueOf } from './tiff-file.ts'
import type { TiffDirectory } from './tiff-file.ts'
import { piecesOf, samplesOf } from './tiff-samples.ts'

const centimetresPerInch = 2.54
/** Less is the screen's, or nobody's. */
const leastDpi = 90
/** By how many degrees a page is turned to be upright, by its Orientation (TIFF 6.0, page 36); mirrors are none. */
const turns: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 }
const jpeg = 7

/**
 * A TIFF as a PDF, a page for each of its pictures; smaller versions of another picture are left out. Black and white
 * is kept as it is, a fax even in its own compression, which PDF has as well. Throws AppError `file_damaged` or
 * `file_too_complex`.
 */
export async function tiffPages(bytes: Uint8Array, reserveMemory: ReserveMemory): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pictures = directoriesOf(file).filter((one) => (valueOf(one, tags.subfile, 0) & 1) === 0)
  if (pictures.length === 0) throw new AppError('file_damaged')
  const pdf = emptyPdf()
  for (const picture of pictures) {
    checkPixels(widthOf(picture), heightOf(picture))
    const compression = valueOf(picture, tags.compression, 1)
    if (compression >= 2 && compression <= 4) addFax(pdf, file, picture)
    else {
      await reserveMemory(memoryFor(picture))
      if (compression === jpeg) await addPicture(pdf, await jpegCanvas(file, picture), sizeOf(picture))
      else if (isBlackAndWhite(picture)) addBits(pdf, picture, samplesOf(file, picture))
      else await addPicture(pdf, canvasOf(picture, samplesOf(file, picture), file), sizeOf(picture))
    }
    Object.assign(pdf.page.dictionary.data, { Rotate: turns[valueOf(picture, tags.orientation, 1)] ?? 0 })
  }
  return finished(pdf)
}

const widthOf = (picture: TiffDirectory): number => valueOf(picture, tags.width, 0)
const heightOf = (picture: TiffDirectory): number => valueOf(picture, tags.height, 0)

function isBlackAndWhite(picture: TiffDirectory): boolean {
  return (
    valueOf(picture, tags.bits, 1) === 1 &&
    valueOf(picture, tags.samples, 1) === 1 &&
    valueOf(picture, tags.photometric, 0) <= 1
  )
}

/** Its samples, and twice as a canvas of four bytes a pixel. */
function memoryFor(picture: TiffDirectory): number {
  const pixels = widthOf(picture) * heightOf(picture)
  const bits = valueOf(picture, tags.bits, 1) * valueOf(picture, tags.samples, 1)
  return pixels * (bits / 8 + (isBlackAndWhite(picture) ? 0 : 8))
}

/** In points: a fax has twice as many pixels for an inch across as down. */
function sizeOf(picture: TiffDirectory): [width: number, height: number] {
  const unit = valueOf(picture, tags.resolutionUnit, 2)
  const factor = unit === 3 ? centimetresPerInch : unit === 2 ? 1 : 0
  const [x, y] = [tags.xResolution, tags.yResolution].map((tag) => valueOf(picture, tag, 0) * factor)
  const isSaid = x! >= leastDpi && y! >= leastDpi
  return isSaid
    ? [pointsFor(widthOf(picture), x), pointsFor(heightOf(picture), y)]
    : [pointsFor(widthOf(picture)), pointsFor(heightOf(picture))]
}

/** A compressed fax (CCITT groups 3 and 4), each strip as it stands in the file (ISO 32000-1, 7.4.6). */
function addFax(pdf: PDFKit.PDFDocument, file: Buffer, picture: TiffDirectory): void {
  const compression = valueOf(picture, tags.compression, 1)
  const options = valueOf(picture, tags.faxOptions, 0)
  const pieces = piecesOf(file, picture)
  const [pageWidth, pageHeight] = sizeOf(picture)
  pdf.addPage({ size: [pageWidth, pageHeight], margin: 0 })
  for (const [index, { bytes, top, left, width, height }] of pieces.entries()) {
    const image = pdf.ref({
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 1,
      Filter: 'CCITTFaxDecode',
      DecodeParms: {
        K: compression === 4 ? -1 : options & 1,
        Columns: width,
        Rows: height,
        EncodedByteAlign: compression === 2 || (options & 4) !== 0,
        EndOfBlock: false,
        BlackIs1: valueOf(picture, tags.photometric, 0) === 1,
      },
    })
    image.end(Buffer.from(bytes))
    // A little of the next one is painted over, so that no light falls through between two.
    const seam = index < pieces.length - 1 ? 1 : 0
    const scale = [pageWidth / widthOf(picture), pageHeight / heightOf(picture)] as const
    place(pdf, image, [left * scale[0], top * scale[1], width * scale[0], (height + seam) * scale[1]])
  }
}

/** A bit for each pixel, as the file has them: a page of a scan takes 50 KB. */
function addBits(pdf: PDFKit.PDFDocument, picture: TiffDirectory, bits: Uint8Array): void {
  const size = sizeOf(picture)
  pdf.addPage({ size, margin: 0 })
  const image = pdf.ref({
    Type: 'XObject',
    Subtype: 'Image',
    Width: widthOf(picture),
    Height: heightOf(picture),
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 1,
    Filter: 'FlateDecode',
    ...(valueOf(picture, tags.photometric, 0) === 0 ? { Decode: [1, 0] } : {}),
  })
  image.end(deflateSync(bits))
  place(pdf, image, [0, 0, ...size])
}

function place(
  pdf: PDFKit.PDFDocument,
  image: PDFKit.PDFKitReference,
  [left, top, width, height]: readonly [number, number, number, number],
): void {
  const name = `Scan${Object.keys(pdf.page.xobjects).length}`
  pdf.page.xobjects[name] = image
  // A page begins with its y axis turned downwards.
  pdf.addContent(`q ${width} 0 0 ${-height} ${left} ${top + height} cm /${name} Do Q`)
}

/** Paper for the picture, which is drawn on in the picture's own pixels. */
function paperOf(picture: TiffDirectory): { canvas: Canvas; context: SKRSContext2D } {
  const [width, height] = [widthOf(picture), heightOf(picture)]
  const { canvas, context } = paperFor(width, height)
  context.scale(canvas.width / width, canvas.height / height)
  return { canvas, context }
}

/** Pieces that are JPEGs, whose tables stand apart (Adobe, TIFF Technical Note 2). */
async function jpegCanvas(file: Buffer, picture: TiffDirectory): Promise<Canvas> {
  const { canvas, context } = paperOf(picture)
  const tables = Buffer.from(picture.get(tags.jpegTables) ?? [])
  // Without its end, and a piece without its begin; colours that are no YCbCr say so (Adobe, Technical Note 5116).
  const begin = tables.length > 4 ? tables.subarray(0, -2) : Buffer.from([0xff, 0xd8])
  const adobe =
    valueOf(picture, tags.photometric, 0) === 2 ? Buffer.from('ffee000e41646f626500640000000000', 'hex') : []
  for (const { bytes, left, top, width, height } of piecesOf(file, picture)) {
    const whole = Buffer.concat([begin, Buffer.from(adobe), bytes.subarray(2)])
    const header = jpegHeader(whole)
    if (
      header === null ||
      header.width > width ||
      header.height > Math.max(height, valueOf(picture, tags.rowsPerStrip, 0))
    )
      throw new AppError('file_damaged')
    const image = await loadPicture(whole)
    context.drawImage(image, left, top)
    freeImage(image)
  }
  return canvas
}

/** Greys, colours, inks or a palette, of 2 to 16 bits, on white where they are transparent. */
function canvasOf(picture: TiffDirectory, samples: Uint8Array, file: Buffer): Canvas {
  const [width, height] = [widthOf(picture), heightOf(picture)]
  const whole = createCanvas(width, height)
  const rgba = rgbaOf(picture, samples, isLittleEndian(file))
  whole.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0)
  const { canvas, context } = paperOf(picture)
  context.drawImage(whole, 0, 0)
  freeCanvas(whole)
  return canvas
}

function rgbaOf(picture: TiffDirectory, packed: Uint8Array, isLittle: boolean): Uint8ClampedArray<ArrayBuffer> {
  const [width, height] = [widthOf(picture), heightOf(picture)]
  const [bits, samples] = [valueOf(picture, tags.bits, 1), valueOf(picture, tags.samples, 1)]
  const colour = colourOf(picture)
  if (samples < colour.samples) throw new AppError('file_damaged')
  const hasAlpha = samples > colour.samples && [1, 2].includes(valueOf(picture, tags.extraSamples, 0))
  const rowBytes = Math.ceil((width * samples * bits) / 8)
  const most = colour.isIndex ? 1 : 255 / (2 ** Math.min(bits, 8) - 1)
  const sampleAt = (row: number, index: number): number => {
    // Of sixteen bits the upper eight are enough.
    if (bits === 16) return packed[row * rowBytes + index * 2 + (isLittle ? 1 : 0)]!
    const at = index * bits
    return ((packed[row * rowBytes + (at >> 3)]! >> (8 - bits - (at & 7))) & (2 ** bits - 1)) * most
  }
  const rgba = new Uint8ClampedArray(width * height * 4)
  const pixel = new Array<number>(colour.samples)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      for (let sample = 0; sample < pixel.length; sample++) pixel[sample] = sampleAt(y, x * samples + sample)
      colour.set(rgba, to, pixel)
      rgba[to + 3] = hasAlpha ? sampleAt(y, x * samples + colour.samples) : 255
    }
  }
  return rgba
}

type Colour = { samples: number; isIndex?: true; set: (rgba: Uint8ClampedArray, at: number, pixel: number[]) => void }

/** What the samples of a pixel mean (PhotometricInterpretation). */
function colourOf(picture: TiffDirectory): Colour {
  const grey = (rgba: Uint8ClampedArray, at: number, value: number): void => void rgba.fill(value, at, at + 3)
  const palette = picture.get(tags.palette) ?? []
  const colours = palette.length / 3
  const byPhotometric: Readonly<Record<number, Colour>> = {
    0: { samples: 1, set: (rgba, at, [value]) => grey(rgba, at, 255 - value!) },
    1: { samples: 1, set: (rgba, at, [value]) => grey(rgba, at, value!) },
    2: { samples: 3, set: (rgba, at, pixel) => rgba.set(pixel, at) },
    3: {
      samples: 1,
      isIndex: true,
      set: (rgba, at, [index]) =>
        rgba.set(
          [0, 1, 2].map((channel) => (palette[channel * colours + index!] ?? 0) >> 8),
          at,
        ),
    },
    5: {
      samples: 4,
      set: (rgba, at, [cyan, magenta, yellow, black]) =>
        rgba.set(
          [cyan!, magenta!, yellow!].map((ink) => ((255 - ink) * (255 - black!)) / 255),
          at,
        ),
    },
  }
  const colour = byPhotometric[valueOf(picture, tags.photometric, 0)]
  if (colour === undefined) throw new AppError('file_damaged')
  return colour
}

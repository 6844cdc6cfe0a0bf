import { createCanvas, ImageData } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import PdfDocument from 'pdfkit'
import UTIF from 'utif2'
import type { IFD } from 'utif2'
import { AppError } from '../../../shared/domain/errors.ts'
import { freeCanvas } from '../free-memory.ts'
import { bytesForDecodedPixel, decodePicture } from '../picture/decode.ts'
import { maxPicturePixels } from '../picture/read-picture.ts'
import { maxRecognisedPixels } from '../recognise.ts'
import type { ReserveMemory } from '../recognise.ts'
import { finished } from './pdf-bytes.ts'
import { pictureSize } from './picture-size.ts'

/** As large as photos are kept that nobody can tell from the first: 0.3 bytes a pixel for a page of type. */
const jpegQuality = 90
const pointsPerInch = 72
/** What a fax without a resolution has, and most scans. */
const usualDpi = 200
const centimetresPerInch = 2.54
/** Less is the screen's, or nobody's. */
const leastDpi = 90
const maxPages = 2000
/** By how many degrees a page is turned to be upright, by its Orientation (TIFF 6.0, page 36); mirrors are none. */
const turns: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 }

/**
 * A BMP or WebP as one page of a PDF, upright and on white, with at most 16 megapixels. Throws AppError `file_damaged`
 * or `file_too_complex`.
 */
export async function picturePage(
  bytes: Uint8Array,
  format: 'bmp' | 'webp',
  reserveMemory: ReserveMemory,
): Promise<Uint8Array> {
  const size = pictureSize(bytes, format)
  if (size === null) throw new AppError('file_damaged')
  checkPixels(size.width, size.height)
  await reserveMemory(size.width * size.height * bytesForDecodedPixel)
  const pdf = new PdfDocument({ autoFirstPage: false, font: null as never })
  const { canvas } = await decodePicture(bytes).catch((error: unknown) => {
    throw new AppError('file_damaged', {}, { cause: error })
  })
  const points = (pixels: number): number => (pixels * pointsPerInch) / usualDpi
  await addPicture(pdf, canvas, [points(size.width), points(size.height)])
  return finished(pdf)
}

/**
 * A TIFF as a PDF, a page for each of its pictures; small pictures for a list of files are left out. Black and white is
 * kept as it is. Throws AppError `file_damaged` or `file_too_complex`.
 */
export async function tiffPages(bytes: Uint8Array, reserveMemory: ReserveMemory): Promise<Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pictures = picturesOf(file)
  if (pictures.length === 0) throw new AppError('file_damaged')
  const pdf = new PdfDocument({ autoFirstPage: false, font: null as never })
  for (const picture of pictures) {
    const [width, height] = [numberAt(picture, 256), numberAt(picture, 257)]
    checkPixels(width, height)
    const isBlackAndWhite = numberAt(picture, 258, 1) === 1 && numberAt(picture, 277, 1) === 1
    await reserveMemory(width * height * (isBlackAndWhite ? 1 : 2 * bytesForDecodedPixel))
    decode(file, picture)
    if (isBlackAndWhite) addBlackAndWhite(pdf, picture)
    else await addPicture(pdf, canvasOf(picture), sizeOf(picture))
    Object.assign(pdf.page.dictionary.data, { Rotate: turns[numberAt(picture, 274, 1)] ?? 0 })
    // The next one is decoded into other memory.
    picture.data = new Uint8Array()
  }
  return finished(pdf)
}

/** Pictures that follow one another; the list of one that is damaged may lead in circles. */
function picturesOf(file: Buffer): IFD[] {
  checkChain(file)
  const pictures = attempt(() => UTIF.decode(file))
  // NewSubfileType, bit 0: a smaller version of another picture (TIFF 6.0, page 36).
  return pictures.filter((picture) => picture['t256'] !== undefined && (numberAt(picture, 254, 0) & 1) === 0)
}

function checkChain(file: Buffer): void {
  const isLittle = file.toString('latin1', 0, 2) === 'II'
  const word = (at: number): number => (isLittle ? file.readUInt16LE(at) : file.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? file.readUInt32LE(at) : file.readUInt32BE(at))
  attempt(() => {
    let at = long(4)
    for (let pages = 0; at !== 0; pages++) {
      if (pages === maxPages) throw new AppError('file_too_complex', { pages, maxPages })
      at = long(at + 2 + word(at) * 12)
    }
  })
}

function decode(file: Buffer, picture: IFD): void {
  attempt(() => UTIF.decodeImage(file, picture))
  const { data, width, height } = picture
  if (!(data instanceof Uint8Array) || !(width > 0) || !(height > 0)) throw new AppError('file_damaged')
}

function attempt<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('file_damaged', {}, { cause: error })
  }
}

function checkPixels(width: number, height: number): void {
  if (!(width > 0) || !(height > 0)) throw new AppError('file_damaged')
  if (width * height > maxPicturePixels)
    throw new AppError('file_too_complex', { pixels: width * height, maxPixels: maxPicturePixels })
}

function numberAt(picture: IFD, tag: number, fallback = 0): number {
  const values = picture[`t${tag}`]
  const [value]: unknown[] = Array.isArray(values) ? values : []
  // A ratio is two numbers.
  const [over, under]: unknown[] = Array.isArray(value) ? value : [value, 1]
  return typeof over === 'number' && typeof under === 'number' ? over / under : fallback
}

/** In points: a fax has twice as many pixels for an inch across as down. */
function sizeOf(picture: IFD): [width: number, height: number] {
  const unit = numberAt(picture, 296, 2)
  const factor = unit === 3 ? centimetresPerInch : unit === 2 ? 1 : 0
  const [x, y] = [numberAt(picture, 282) * factor, numberAt(picture, 283) * factor]
  const isSaid = x >= leastDpi && y >= leastDpi
  return [
    (picture.width * pointsPerInch) / (isSaid ? x : usualDpi),
    (picture.height * pointsPerInch) / (isSaid ? y : usualDpi),
  ]
}

/** Colours or greys, made smaller where they have more than is recognised. */
function canvasOf(picture: IFD): Canvas {
  const { width, height } = picture
  const rgba = attempt(() => UTIF.toRGBA8(picture))
  const whole = createCanvas(width, height)
  whole
    .getContext('2d')
    .putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer as ArrayBuffer), width, height), 0, 0)
  const scale = Math.min(1, Math.sqrt(maxRecognisedPixels / (width * height)))
  const canvas = createCanvas(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)))
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(whole, 0, 0, canvas.width, canvas.height)
  freeCanvas(whole)
  return canvas
}

async function addPicture(pdf: PDFKit.PDFDocument, canvas: Canvas, size: [number, number]): Promise<void> {
  const jpeg = await canvas.encode('jpeg', jpegQuality)
  freeCanvas(canvas)
  pdf.addPage({ size, margin: 0 })
  pdf.image(jpeg, 0, 0, { width: size[0], height: size[1] })
}

/** A bit for each pixel, as the file has them: a page of a scan takes 50 KB. */
function addBlackAndWhite(pdf: PDFKit.PDFDocument, picture: IFD): void {
  const { width, height, data } = picture
  const size = sizeOf(picture)
  pdf.addPage({ size, margin: 0 })
  const isWhiteZero = numberAt(picture, 262) === 0
  const image = pdf.ref({
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 1,
    ...(isWhiteZero ? { Decode: [1, 0] } : {}),
  })
  image.end(Buffer.from(data.buffer, data.byteOffset, Math.ceil(width / 8) * height))
  pdf.page.xobjects['Scan'] = image
  // A page begins with its y axis turned downwards.
  pdf.addContent(`q ${size[0]} 0 0 ${-size[1]} 0 ${size[1]} cm /Scan Do Q`)
}

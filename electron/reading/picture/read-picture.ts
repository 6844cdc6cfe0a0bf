import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { codesIn, outsideCodes, sourcesOf } from '../exact/read-codes.ts'
import { freeCanvas, freeImage } from '../free-memory.ts'
import { maxRecognisedPixels } from '../recognise.ts'
import type { ReserveMemory, Recognise } from '../recognise.ts'
import { pictureHeader } from './picture-header.ts'
import { recogniseUpright } from './upright.ts'

const maxPixels = 100_000_000
/** The decoder makes four of each, and a third more to draw them smaller. */
const bytesForPixel = 6

/**
 * A PNG or JPEG as one page of recognised words, with what payment codes in it say; the page is the picture as a person
 * sees it, with the camera's orientation applied. Throws `file_damaged` (cut off, not a picture) or
 * `file_too_complex` (over 100 megapixels).
 */
export async function readPicture(
  bytes: Uint8Array,
  kind: 'png' | 'jpeg',
  recognise: Recognise,
  reserveMemory: ReserveMemory,
): Promise<Document> {
  const header = pictureHeader(bytes, kind)
  if (header === null || !header.complete) throw new AppError('file_damaged')
  if (header.width * header.height > maxPixels)
    throw new AppError('file_too_complex', { pixels: header.width * header.height, maxPixels })
  await reserveMemory(header.width * header.height * bytesForPixel)
  const { canvas, width, height } = await decode(bytes)
  const recognised = await recogniseUpright(canvas, recognise)
  const codes = await codesIn(canvas)
  freeCanvas(canvas)
  const exact = sourcesOf(codes, 1)
  const tokens = outsideCodes(recognised.tokens, codes)
  return {
    kind,
    ...(exact.length > 0 ? { exact } : {}),
    pages: [{ number: 1, width, height, origin: 'ocr', tables: [], ...recognised, tokens }],
  }
}

/**
 * A picture as it is recognised, and its own size. The decoder itself turns it upright as its EXIF orientation says.
 */
async function decode(bytes: Uint8Array): Promise<{ canvas: Canvas; width: number; height: number }> {
  try {
    const image = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const { width, height } = image
    const scale = Math.min(1, Math.sqrt(maxRecognisedPixels / (width * height)))
    const canvas = createCanvas(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)))
    const context = canvas.getContext('2d')
    context.fillStyle = '#ffffff' // what is transparent is read as paper
    context.fillRect(0, 0, canvas.width, canvas.height)
    // In its own size it would be smoothed for nothing.
    context.imageSmoothingQuality = scale < 1 ? 'high' : 'low'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    freeImage(image)
    return { canvas, width, height }
  } catch (error) {
    throw new AppError('file_damaged', {}, { cause: error })
  }
}

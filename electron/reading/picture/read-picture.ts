import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { codesIn, outsideCodes, sourcesOf } from '../exact/read-codes.ts'
import type { Recognise } from '../recognise.ts'
import { pictureHeader } from './picture-header.ts'
import { recogniseUpright } from './upright.ts'

const maxPixels = 100_000_000

/**
 * A PNG or JPEG as one page of recognised words, with what payment codes in it say; the page is the picture as a person
 * sees it, with the camera's orientation applied. Throws `file_damaged` (cut off, not a picture) or
 * `file_too_complex` (over 100 megapixels).
 */
export async function readPicture(bytes: Uint8Array, kind: 'png' | 'jpeg', recognise: Recognise): Promise<Document> {
  const header = pictureHeader(bytes, kind)
  if (header === null || !header.complete) throw new AppError('file_damaged')
  if (header.width * header.height > maxPixels)
    throw new AppError('file_too_complex', { pixels: header.width * header.height, maxPixels })
  const canvas = await decode(bytes)
  const recognised = await recogniseUpright(canvas, recognise)
  const codes = await codesIn(canvas)
  const exact = sourcesOf(codes, 1)
  const tokens = outsideCodes(recognised.tokens, codes)
  return {
    kind,
    ...(exact.length > 0 ? { exact } : {}),
    pages: [
      { number: 1, width: canvas.width, height: canvas.height, origin: 'ocr', tables: [], ...recognised, tokens },
    ],
  }
}

// The decoder itself turns the picture upright as its EXIF orientation says.
async function decode(bytes: Uint8Array): Promise<Canvas> {
  try {
    const image = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const canvas = createCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context.fillStyle = '#ffffff' // what is transparent is read as paper
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0)
    return canvas
  } catch (error) {
    throw new AppError('file_damaged', {}, { cause: error })
  }
}

import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas'
import { asDamaged } from '../damaged.ts'
import { freeImage } from '../free-memory.ts'
import { maxRecognisedPixels } from '../recognise.ts'

/** The decoder makes four of each pixel, and a third more to draw them smaller. */
export const bytesForDecodedPixel = 6

/**
 * A picture as it is recognised, on white and with at most 16 megapixels, and its own size. The decoder itself turns it
 * upright as its EXIF orientation says, and knows no limit: look at the header first. Throws AppError `file_damaged` for
 * what is no picture.
 */
export async function decodePicture(bytes: Uint8Array): Promise<{ canvas: Canvas; width: number; height: number }> {
  const image = await loadPicture(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const { width, height } = image
  const { canvas, context } = paperFor(width, height)
  // In its own size it would be smoothed for nothing.
  context.imageSmoothingQuality = canvas.width < width || canvas.height < height ? 'high' : 'low'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  freeImage(image)
  return { canvas, width, height }
}

/** Decodes a picture in its own size. Throws AppError `file_damaged` for what is none. */
export async function loadPicture(bytes: Buffer): Promise<Image> {
  try {
    return await loadImage(bytes)
  } catch (error) {
    throw asDamaged(error)
  }
}

/**
 * White paper for a picture of this size, smaller where it has more pixels than are recognised: what is transparent is
 * read as paper.
 */
export function paperFor(width: number, height: number): { canvas: Canvas; context: SKRSContext2D } {
  const scale = Math.min(1, Math.sqrt(maxRecognisedPixels / (width * height)))
  const canvas = createCanvas(Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale)))
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return { canvas, context }
}

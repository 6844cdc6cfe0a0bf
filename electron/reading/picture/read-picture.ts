import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { codesIn, outsideCodes, sourcesOf } from '../exact/read-codes.ts'
import { freeCanvas } from '../free-memory.ts'
import type { ReserveMemory, Recognise } from '../recognise.ts'
import { bytesForDecodedPixel, decodePicture } from './decode.ts'
import { pictureHeader } from './picture-header.ts'
import { recogniseUpright } from './upright.ts'

export const maxPicturePixels = 100_000_000

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
  if (header.width * header.height > maxPicturePixels)
    throw new AppError('file_too_complex', { pixels: header.width * header.height, maxPixels: maxPicturePixels })
  await reserveMemory(header.width * header.height * bytesForDecodedPixel)
  const { canvas, width, height } = await decodePicture(bytes)
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

import { asDamaged } from '../damaged.ts'
import { bytesForDecodedPixel, decodePicture } from '../picture/decode.ts'
import type { ReserveMemory } from '../recognise.ts'
import { addPicture, checkPixels, emptyPdf, finished, pointsFor } from './picture-pdf.ts'

type Size = { width: number; height: number }

/**
 * A BMP or WebP as one page of a PDF, upright and on white, with at most 16 megapixels. Throws AppError `file_damaged`
 * or `file_too_complex`.
 */
export async function picturePage(
  bytes: Uint8Array,
  format: 'bmp' | 'webp',
  reserveMemory: ReserveMemory,
): Promise<Uint8Array> {
  const said = sizeOf(bytes, format)
  checkPixels(said.width, said.height)
  await reserveMemory(said.width * said.height * bytesForDecodedPixel)
  // Upright: a WebP that was taken with a camera on its side has another size than its file says.
  const { canvas, width, height } = await decodePicture(bytes)
  const pdf = emptyPdf()
  await addPicture(pdf, canvas, [pointsFor(width), pointsFor(height)])
  return finished(pdf)
}

/** As the file says before it is decoded, which knows no limit. */
function sizeOf(bytes: Uint8Array, format: 'bmp' | 'webp'): Size {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return format === 'bmp' ? bmpSize(view) : webpSize(view)
  } catch (error) {
    throw asDamaged(error) // it ends before
  }
}

/** BITMAPCOREHEADER has 16 bits for each, later headers 32; a negative height says that rows begin at the top. */
function bmpSize(view: DataView): Size {
  return view.getUint32(14, true) === 12
    ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
    : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** RFC 9649, 2.5 to 2.7: lossy, lossless and extended. */
function webpSize(view: DataView): Size {
  const bits = view.getUint32(21, true)
  const of24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
  switch (view.getUint32(12)) {
    case 0x56503820:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 0x5650384c:
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    case 0x56503858:
      return { width: of24(24) + 1, height: of24(27) + 1 }
    default:
      return { width: 0, height: 0 }
  }
}

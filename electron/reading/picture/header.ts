/** What a picture says of itself before it is decoded: stored size in pixels, EXIF orientation 1 to 8, and whether its end is there. */
export type PictureHeader = { width: number; height: number; orientation: number; complete: boolean }

/** Reads the header of a PNG (RFC 2083) or JPEG (ITU-T T.81); null when it is neither. */
export function pictureHeader(bytes: Uint8Array, kind: 'png' | 'jpeg'): PictureHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return kind === 'png' ? pngHeader(view) : jpegHeader(view)
}

function pngHeader(view: DataView): PictureHeader | null {
  if (view.byteLength < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return null
  const header = { width: view.getUint32(16), height: view.getUint32(20), orientation: 1, complete: false }
  let at = 8
  while (at + 12 <= view.byteLength) {
    if (view.getUint32(at + 4) === 0x49454e44) {
      header.complete = true // IEND
      break
    }
    at += 12 + view.getUint32(at)
  }
  return header.width > 0 && header.height > 0 ? header : null
}

function jpegHeader(view: DataView): PictureHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  const header = { width: 0, height: 0, orientation: 1, complete: false }
  let at = 2
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    const length = view.getUint16(at + 2)
    // every start of frame; C4, C8 and CC are other things
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc && at + 9 <= view.byteLength) {
      header.height = view.getUint16(at + 5)
      header.width = view.getUint16(at + 7)
    }
    if (marker === 0xe1) header.orientation = exifOrientation(view, at + 4, length - 2) ?? header.orientation
    at += 2 + length
    if (marker === 0xda) break
  }
  for (let end = view.byteLength - 2; end >= at; end--) {
    if (view.getUint16(end) === 0xffd9) {
      header.complete = true
      break
    }
  }
  return header.width > 0 && header.height > 0 ? header : null
}

// «Exif\0\0», then a TIFF header and its first directory; tag 0x0112 holds the orientation.
function exifOrientation(view: DataView, start: number, length: number): number | null {
  const end = Math.min(start + length, view.byteLength)
  if (end - start < 20 || view.getUint32(start) !== 0x45786966) return null
  const tiff = start + 6
  const little = view.getUint16(tiff) === 0x4949
  const directory = tiff + view.getUint32(tiff + 4, little)
  if (directory + 2 > end) return null
  const count = view.getUint16(directory, little)
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12
    if (entry + 12 > end) return null
    if (view.getUint16(entry, little) === 0x0112) {
      const orientation = view.getUint16(entry + 8, little)
      return orientation >= 1 && orientation <= 8 ? orientation : null
    }
  }
  return null
}

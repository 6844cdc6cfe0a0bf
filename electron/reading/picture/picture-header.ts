/** What a picture says of itself before it is decoded: stored size in pixels and whether its end is there. */
type PictureHeader = { width: number; height: number; complete: boolean }

/** Reads the header of a PNG (RFC 2083) or JPEG (ITU-T T.81); null when it is neither. */
export function pictureHeader(bytes: Uint8Array, kind: 'png' | 'jpeg'): PictureHeader | null {
  return kind === 'png' ? pngHeader(viewOf(bytes)) : jpegHeader(bytes)
}

function pngHeader(view: DataView): PictureHeader | null {
  if (view.byteLength < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(12) !== 0x49484452) return null
  const header = { width: view.getUint32(16), height: view.getUint32(20), complete: false }
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

/** With the number of its components: 1 for grey, 3 for colours, 4 for inks. */
export function jpegHeader(bytes: Uint8Array): (PictureHeader & { components: number }) | null {
  const view = viewOf(bytes)
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  const header = { width: 0, height: 0, complete: false, components: 0 }
  let at = 2
  while (at + 4 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    if (hasNoLength(marker)) return null
    if (isStartOfFrame(marker) && at + 10 <= view.byteLength) {
      header.height = view.getUint16(at + 5)
      header.width = view.getUint16(at + 7)
      header.components = view.getUint8(at + 9)
    }
    at += 2 + view.getUint16(at + 2)
    if (marker === startOfScan) break
  }
  header.complete = endsFrom(view, at)
  return header.width > 0 && header.height > 0 ? header : null
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const startOfScan = 0xda

/** TEM, RSTm, SOI and EOI, which no picture has here: what follows them is a marker for decoders, not a length. */
function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)
}

/** C4, C8 and CC are other things than frames. */
function isStartOfFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** True when the marker of the picture's end stands at `from` or later. */
function endsFrom(view: DataView, from: number): boolean {
  for (let end = view.byteLength - 2; end >= from; end--) {
    if (view.getUint16(end) === 0xffd9) return true
  }
  return false
}

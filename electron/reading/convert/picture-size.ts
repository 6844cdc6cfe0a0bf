/** Width and height in pixels as a BMP or WebP says before it is decoded; null when it is neither. */
export function pictureSize(bytes: Uint8Array, format: 'bmp' | 'webp'): { width: number; height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const [width, height] = format === 'bmp' ? bmpSize(view) : webpSize(view)
    return width > 0 && height > 0 ? { width, height } : null
  } catch {
    return null // it ends before
  }
}

/** BITMAPCOREHEADER has 16 bits for each, later headers 32; a negative height says that rows begin at the top. */
function bmpSize(view: DataView): [number, number] {
  return view.getUint32(14, true) === 12
    ? [view.getUint16(18, true), view.getUint16(20, true)]
    : [view.getInt32(18, true), Math.abs(view.getInt32(22, true))]
}

/** RFC 9649, 2.5 to 2.7: lossy, lossless and extended. */
function webpSize(view: DataView): [number, number] {
  const chunk = view.getUint32(12)
  if (chunk === 0x56503820) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  if (chunk === 0x5650384c) {
    const bits = view.getUint32(21, true)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  const of24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
  return chunk === 0x56503858 ? [of24(24) + 1, of24(27) + 1] : [0, 0]
}

/** A picture of a TIFF: a bit or a byte for each sample, packed row by row. */
export type TiffPicture = {
  width: number
  height: number
  bits: 1 | 8 | 16
  samples: 1 | 3 | 4
  data: Uint8Array
  /** TIFF 6.0, PhotometricInterpretation: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, 5 inks. */
  photometric: 0 | 1 | 2 | 3 | 5
  /** All reds, all greens, all blues, of 16 bits each. */
  palette?: readonly number[]
  /** The first pixel of each byte is its lowest bit. */
  isReversed?: boolean
  /** What else it says of itself, by tag. */
  more?: readonly (readonly [tag: number, value: number])[]
  /** The last sample is how opaque a pixel is. */
  hasAlpha?: boolean
  dpi?: readonly [number, number]
  orientation?: number
  /** A smaller version of another picture. */
  isThumbnail?: boolean
}

/** An uncompressed TIFF (6.0, little-endian) of these pictures, one strip each. */
export function tiffOf(pictures: readonly TiffPicture[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])]
  let length = 8
  let linkAt = 4
  const links: [at: number, target: number][] = []
  const add = (part: Buffer): number => {
    const at = length
    const padded = part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)])
    parts.push(padded)
    length += padded.length
    return at
  }
  const rational = (value: number): number => {
    const bytes = Buffer.alloc(8)
    bytes.writeUInt32LE(value, 0)
    bytes.writeUInt32LE(1, 4)
    return add(bytes)
  }
  const shorts = (values: readonly number[]): number => add(Buffer.from(Uint16Array.from(values).buffer))
  for (const { width, height, bits, samples, data, photometric, ...more } of pictures) {
    const strip = add(Buffer.from(data))
    const [x, y] = more.dpi ?? [200, 200]
    const bitsEach = samples === 1 ? bits : shorts(new Array<number>(samples).fill(bits))
    const palette = more.palette === undefined ? 0 : shorts(more.palette)
    const entries: [tag: number, type: 3 | 4 | 5, count: number, value: number][] = [
      [254, 4, 1, more.isThumbnail === true ? 1 : 0],
      [256, 4, 1, width],
      [257, 4, 1, height],
      [258, 3, samples, bitsEach],
      [259, 3, 1, 1],
      [262, 3, 1, photometric],
      [273, 4, 1, strip],
      [274, 3, 1, more.orientation ?? 1],
      [277, 3, 1, samples],
      [278, 4, 1, height],
      [279, 4, 1, data.length],
      [282, 5, 1, rational(x)],
      [283, 5, 1, rational(y)],
      [296, 3, 1, 2],
    ]
    if (more.palette !== undefined) entries.push([320, 3, more.palette.length, palette])
    if (more.isReversed === true) entries.push([266, 3, 1, 2])
    for (const [tag, value] of more.more ?? []) entries.push([tag, 4, 1, value])
    if (more.hasAlpha === true) entries.push([338, 3, 1, 2])
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const at = 2 + index * 12
      directory.writeUInt16LE(tag, at)
      directory.writeUInt16LE(type, at + 2)
      directory.writeUInt32LE(count, at + 4)
      directory.writeUInt32LE(value, at + 8)
    }
    const at = add(directory)
    links.push([linkAt, at])
    linkAt = at + directory.length - 4
  }
  const file = Buffer.concat(parts)
  for (const [at, target] of links) file.writeUInt32LE(target, at)
  return file
}

/** A grey BMP of 24 bits a pixel, rows from the bottom (BITMAPINFOHEADER). */
export function bmpOf(width: number, height: number, greyAt: (x: number, y: number) => number): Buffer {
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const file = Buffer.alloc(54 + rowBytes * height)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let y = 0; y < height; y++) {
    const row = 54 + (height - 1 - y) * rowBytes
    for (let x = 0; x < width; x++) file.fill(greyAt(x, y), row + x * 3, row + x * 3 + 3)
  }
  return file
}

/** A picture of a TIFF: a bit or a byte for each sample, packed row by row. */
export type TiffPicture = {
  width: number
  height: number
  bits: 1 | 8
  samples: 1 | 3
  data: Uint8Array
  /** TIFF 6.0, PhotometricInterpretation: 0 white is zero, 1 black is zero, 2 RGB. */
  photometric: 0 | 1 | 2
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
  for (const { width, height, bits, samples, data, photometric, ...more } of pictures) {
    const strip = add(Buffer.from(data))
    const [x, y] = more.dpi ?? [200, 200]
    const bitsEach = samples === 1 ? bits : add(Buffer.from([8, 0, 8, 0, 8, 0]))
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

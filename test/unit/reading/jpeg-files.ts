/** A JPEG that says how the camera was held (EXIF 2.3, 4.6.4). */
export function withOrientation(jpeg: Buffer, orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  return new Uint8Array(
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, body.length + 2, ...body]), jpeg.subarray(2)]),
  )
}

/** A JPEG of one component (ITU-T T.81), all of it grey. */
export function greyJpeg(width: number, height: number): Buffer {
  const segment = (marker: number, ...bytes: number[]): Buffer =>
    Buffer.from([0xff, marker, 0, bytes.length + 2, ...bytes])
  // one code of one bit: no difference to the block before, and an end of the block
  const table = [0, 1, ...Array.from({ length: 15 }, () => 0), 0]
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc0, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0),
    segment(0xc4, ...table),
    segment(0xc4, 0x10, ...table.slice(1)),
    segment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.alloc(Math.ceil(blocks / 4)),
    Buffer.from([0xff, 0xd9]),
  ])
}

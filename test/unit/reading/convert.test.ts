import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { convertToPdf } from '../../../electron/reading/convert/convert.ts'
import { Recogniser } from '../../../electron/reading/ocr/recogniser.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Document } from '../../../shared/domain/document.ts'
import type { ConvertedFormat } from '../../../shared/domain/limits.ts'
import { tiffOf } from '../../helpers/tiff-files.ts'
import type { TiffPicture } from '../../helpers/tiff-files.ts'

const family = 'Convert Test Sans'
const recogniser = new Recogniser()
beforeAll(() => {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  GlobalFonts.registerFromPath(join(folder, 'standard_fonts/LiberationSans-Regular.ttf'), family)
})
afterAll(() => recogniser.close())

const size = { width: 1200, height: 400 }

function drawn(...lines: string[]): Canvas {
  const canvas = createCanvas(size.width, size.height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, size.width, size.height)
  context.fillStyle = '#000000'
  context.font = `44px "${family}"`
  for (const [index, line] of lines.entries()) context.fillText(line, 60, 100 + index * 90)
  return canvas
}

function greysOf(canvas: Canvas): Uint8Array {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return Uint8Array.from({ length: canvas.width * canvas.height }, (_, index) => data[index * 4]!)
}

/** A bit for each pixel, 1 where it is `dark` or where it is not. */
function bitsOf(canvas: Canvas, dark: 0 | 1): Uint8Array {
  const greys = greysOf(canvas)
  const rowBytes = Math.ceil(canvas.width / 8)
  const bits = new Uint8Array(rowBytes * canvas.height)
  for (let y = 0; y < canvas.height; y++)
    for (let x = 0; x < canvas.width; x++)
      if (greys[y * canvas.width + x]! < 128 === (dark === 1)) bits[y * rowBytes + (x >> 3)]! |= 0x80 >> (x & 7)
  return bits
}

const scan = (canvas: Canvas, more: Partial<TiffPicture> = {}): TiffPicture => ({
  ...size,
  bits: 1,
  samples: 1,
  photometric: 0,
  data: bitsOf(canvas, 1),
  ...more,
})

async function converted(bytes: Uint8Array, format: ConvertedFormat): Promise<Document> {
  const pdf = await convertToPdf({ bytes, format, locale: 'de' }, async () => undefined)
  return readDocument(pdf, 'pdf', (picture) => recogniser.recognise(picture))
}

const wordsOf = ({ pages }: Document): string[] => pages.map(({ tokens }) => tokens.map(({ text }) => text).join(' '))

/** A BMP of 24 bits a pixel, rows from the bottom (BITMAPINFOHEADER). */
function bmpOf(canvas: Canvas): Buffer {
  const { width, height } = canvas
  const greys = greysOf(canvas)
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
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      file.fill(
        greys[y * width + x]!,
        54 + (height - 1 - y) * rowBytes + x * 3,
        54 + (height - 1 - y) * rowBytes + x * 3 + 3,
      )
  return file
}

describe('a picture that no service reads', () => {
  const lines = ['Invoice number A-2041', 'Amount due 1,234.56']
  const text = lines.join(' ')

  it('is read as a page where it is a WebP', async () => {
    expect(wordsOf(await converted(await drawn(...lines).encode('webp', 90), 'webp'))).toEqual([text])
  })

  it('is read as a page where it is a BMP', async () => {
    expect(wordsOf(await converted(bmpOf(drawn(...lines)), 'bmp'))).toEqual([text])
  })

  it('is read page by page where it is a TIFF, in black and white of both kinds, in grey and in colours', async () => {
    const [one, two, three, four] = ['A-1', 'B-2', 'C-3', 'D-4'].map((name) => drawn(`Delivery note ${name}`))
    const greys = greysOf(four!)
    const rgb = Uint8Array.from({ length: greys.length * 3 }, (_, index) => greys[Math.floor(index / 3)]!)
    const file = tiffOf([
      scan(one!),
      scan(two!, { photometric: 1, data: bitsOf(two!, 0) }),
      scan(three!, { bits: 8, photometric: 1, data: greysOf(three!) }),
      scan(four!, {
        bits: 8,
        samples: 3,
        photometric: 2,
        data: rgb,
      }),
    ])
    expect(wordsOf(await converted(file, 'tiff'))).toEqual([
      'Delivery note A-1',
      'Delivery note B-2',
      'Delivery note C-3',
      'Delivery note D-4',
    ])
  })

  it('has the shape of the paper where a fax has twice as many pixels across, and is turned upright', async () => {
    const [fax, turned] = (
      await converted(
        tiffOf([scan(drawn(...lines), { dpi: [204, 98] }), scan(drawn(...lines), { orientation: 6 })]),
        'tiff',
      )
    ).pages
    expect(fax!.width / fax!.height).toBeCloseTo(size.width / 204 / (size.height / 98), 2)
    expect(turned!.width).toBeLessThan(turned!.height)
  })

  it('leaves out the small versions of its pictures', async () => {
    const file = tiffOf([scan(drawn('Small'), { isThumbnail: true }), scan(drawn('Invoice A-77'))])
    expect(wordsOf(await converted(file, 'tiff'))).toEqual(['Invoice A-77'])
  })

  it.each(['g4', 'lzw', 'jpeg', 'deflate', 'tiled'])(
    'is read where its TIFF was written by other software: %s',
    async (compression) => {
      const file = readFileSync(new URL(`../../fixtures/tiff/${compression}.tif`, import.meta.url))
      expect(wordsOf(await converted(file, 'tiff'))).toEqual(['Invoice number A-2041', 'Page two B-88'])
    },
  )

  it.each<[string, ConvertedFormat, Uint8Array]>([
    ['a TIFF that ends early', 'tiff', tiffOf([scan(drawn('Cut'))]).subarray(0, 400)],
    ['a TIFF without pictures', 'tiff', Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])],
    ['a WebP that ends early', 'webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['a BMP that ends early', 'bmp', Buffer.from('BM\0\0\0\0\0\0\0\0')],
  ])('is refused where it is %s', async (_, format, bytes) => {
    await expect(converted(bytes, format)).rejects.toMatchObject({ code: 'file_damaged' })
  })

  it('is refused before it is decoded where it says that it has more than a hundred megapixels', async () => {
    const huge = tiffOf([{ ...scan(drawn('Huge')), width: 40_000, height: 40_000 }])
    await expect(converted(huge, 'tiff')).rejects.toMatchObject({ code: 'file_too_complex' })
  })

  it('is refused where the list of its pictures leads in a circle', async () => {
    const file = tiffOf([scan(drawn('Circle'))])
    file.copy(file, file.length - 4, 4, 8)
    await expect(converted(file, 'tiff')).rejects.toMatchObject({ code: 'file_too_complex' })
  })
})

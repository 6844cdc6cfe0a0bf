import { createRequire } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { beforeAll, describe, expect, it } from 'vitest'
import { convertToPdf } from '../../../electron/reading/convert/convert.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Page, Token } from '../../../shared/domain/document.ts'
import type { Picture } from '../../../electron/reading/recognise.ts'
import type { ConvertedFormat } from '../../../shared/domain/limits.ts'
import { bmpOf, tiffOf } from '../../helpers/picture-files.ts'
import type { TiffPicture } from '../../helpers/picture-files.ts'

const family = 'Convert Test Sans'
beforeAll(() => {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  GlobalFonts.registerFromPath(join(folder, 'standard_fonts/LiberationSans-Regular.ttf'), family)
})

const size = { width: 800, height: 240 }

function drawn(line: string, { width, height } = size): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#000000'
  context.font = `44px "${family}"`
  context.fillText(line, 60, 120)
  return canvas
}

function greysOf(canvas: Canvas): Uint8Array<ArrayBuffer> {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return Uint8Array.from({ length: canvas.width * canvas.height }, (_, index) => data[index * 4]!)
}

function greyAt(canvas: Canvas): (x: number, y: number) => number {
  const greys = greysOf(canvas)
  return (x, y) => greys[y * canvas.width + x]!
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

/** The pages of a file, and how each looks to who reads it. */
async function converted(bytes: Uint8Array, format: ConvertedFormat): Promise<{ pages: Page[]; seen: Picture[] }> {
  const pdf = await convertToPdf({ bytes, format, locale: 'de' }, async () => undefined)
  const seen: Picture[] = []
  const word: Token = {
    text: 'seen',
    confidence: 1,
    box: { x: 0, y: 0, width: 1, height: 1 },
    fontSize: 9,
    bold: false,
  }
  const { pages } = await readDocument(pdf, 'pdf', async (picture) => {
    seen.push(picture)
    return { tokens: [word], leanDegrees: 0 }
  })
  return { pages, seen }
}

/** How dark a picture is, in squares of a fiftieth of its width. */
function squaresOf({ pixels, width, height }: Picture): number[] {
  const side = width / 50
  const sums = new Array<number>(50 * Math.ceil(height / side)).fill(0)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[Math.floor(y / side) * 50 + Math.floor(x / side)]! += 255 - pixels[y * width + x]!
  return sums.map((sum) => sum / (side * side))
}

/** By how much two pictures differ where they differ most, of 255; letters differ by 60 and more. */
function difference(one: Picture, other: Canvas): number {
  const [a, b] = [squaresOf(one), squaresOf({ pixels: greysOf(other), width: other.width, height: other.height })]
  return Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? 0))))
}

function expectLooks(seen: readonly Picture[], expected: readonly Canvas[]): void {
  expect(seen).toHaveLength(expected.length)
  for (const [index, picture] of seen.entries()) {
    expect(difference(picture, expected[index]!)).toBeLessThan(30)
    for (const other of expected) if (other !== expected[index]) expect(difference(picture, other)).toBeGreaterThan(45)
  }
}

const tiffs = new URL('../../fixtures/tiff/', import.meta.url)
const tiffNames = readdirSync(tiffs).map((name) => name.slice(0, -'.tif'.length))

describe('a picture that no service reads', () => {
  it.each<[ConvertedFormat, (canvas: Canvas) => Buffer]>([
    ['webp', (canvas) => canvas.toBuffer('image/webp')],
    ['bmp', (canvas) => bmpOf(size.width, size.height, greyAt(canvas))],
  ])('is a page that looks as it does: %s', async (format, encode) => {
    const canvas = drawn('Invoice number A-2041')
    expectLooks((await converted(encode(canvas), format)).seen, [canvas])
  })

  it('is page after page where it is a TIFF, in black and white of both kinds, in grey and in colours', async () => {
    const pages = ['Delivery note A-1', 'Order 7731', 'Timetable of the ferry', 'Invoice B-2'].map((line) =>
      drawn(line),
    )
    const [one, two, three, four] = pages as [Canvas, Canvas, Canvas, Canvas]
    const greys = greysOf(four)
    const rgb = Uint8Array.from({ length: greys.length * 3 }, (_, index) => greys[Math.floor(index / 3)]!)
    const file = tiffOf([
      scan(one),
      scan(two, { photometric: 1, data: bitsOf(two, 0) }),
      scan(three, { bits: 8, photometric: 1, data: greysOf(three) }),
      scan(four, { bits: 8, samples: 3, photometric: 2, data: rgb }),
    ])
    expectLooks((await converted(file, 'tiff')).seen, pages)
  })

  it('is shown in inks, in a palette, in 16 bits, and on white where it is transparent', async () => {
    const canvas = drawn('Order 7731')
    const greys = greysOf(canvas)
    const eachOf = (of: (grey: number) => readonly number[]): Uint8Array => Uint8Array.from([...greys].flatMap(of))
    const palette = [0x1000, 0xffff, 0x2000, 0xffff, 0x1000, 0xffff]
    const { seen } = await converted(
      tiffOf([
        scan(canvas, { bits: 8, samples: 4, photometric: 5, data: eachOf((grey) => [0, 0, 0, 255 - grey]) }),
        scan(canvas, { bits: 8, photometric: 3, palette, data: eachOf((grey) => [grey < 128 ? 0 : 1]) }),
        scan(canvas, { bits: 16, photometric: 1, data: eachOf((grey) => [7, grey]) }),
        scan(canvas, {
          bits: 8,
          samples: 4,
          photometric: 2,
          hasAlpha: true,
          data: eachOf((grey) => [0, 0, 0, 255 - grey]),
        }),
      ]),
      'tiff',
    )
    expectLooks(seen, [canvas, canvas, canvas, canvas])
  })

  it('has the shape of the paper where a fax has twice as many pixels across, and is turned upright', async () => {
    const canvas = drawn('Invoice A-77')
    const { pages } = await converted(
      tiffOf([scan(canvas, { dpi: [204, 98] }), scan(canvas, { orientation: 6 })]),
      'tiff',
    )
    const [fax, turned] = pages
    expect(fax!.width / fax!.height).toBeCloseTo(size.width / 204 / (size.height / 98), 2)
    expect(turned!.width).toBeLessThan(turned!.height)
  })

  it('is shown where the lowest bit of a byte is its first pixel', async () => {
    const canvas = drawn('Invoice A-77')
    const reversed = bitsOf(canvas, 1).map((byte) =>
      Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2),
    )
    expectLooks((await converted(tiffOf([scan(canvas, { data: reversed, isReversed: true })]), 'tiff')).seen, [canvas])
  })

  it('leaves out the small versions of its pictures', async () => {
    const whole = drawn('Invoice A-77')
    const { seen } = await converted(tiffOf([scan(drawn('Small'), { isThumbnail: true }), scan(whole)]), 'tiff')
    expectLooks(seen, [whole])
  })

  it.each(tiffNames)('is shown where its TIFF was written by other software: %s', async (name) => {
    const { seen } = await converted(readFileSync(new URL(`${name}.tif`, tiffs)), 'tiff')
    expectLooks(seen, [drawn('Invoice number A-2041'), drawn('Page two B-88')])
  })

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

  it.each<[string, [number, number][], number[]]>([
    ['bits', [[258, 65_535]], [1, 32_773]],
    ['samples', [[277, 65_535]], [1, 32_773]],
    [
      'tiles',
      [
        [322, 4_000_000_000],
        [323, 4_000_000_000],
        [324, 8],
        [325, 8],
      ],
      [1, 4, 32_773],
    ],
  ])('is refused before anything is allocated for numbers that no picture has: %s', async (_, more, compressions) => {
    for (const compression of compressions) {
      const file = tiffOf([scan(drawn('Huge'), { more: [...more, [259, compression]] })])
      const end = await converted(file, 'tiff').then(
        () => 'converted',
        ({ code }: { code: string }) => code,
      )
      expect(['file_damaged', 'file_too_complex']).toContain(end)
    }
  })

  it('is refused where the list of its pictures leads in a circle', async () => {
    const file = tiffOf([scan(drawn('Circle'))])
    file.copy(file, file.length - 4, 4, 8)
    await expect(converted(file, 'tiff')).rejects.toMatchObject({ code: 'file_too_complex' })
  })
})

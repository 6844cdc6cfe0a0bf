import { deflateSync, inflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { withSmallerPictures } from '../../../electron/reading/pdf/large-pictures.ts'
import { streamsIn } from '../../../electron/reading/pdf/stream-sizes.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Picture, Recognised } from '../../../electron/reading/recognise.ts'
import { onePage, stream } from '../../faults/hostile-files.ts'
import { greyJpeg, withOrientation } from './jpeg-files.ts'
import { forNight } from '../../helpers/scale.ts'

const [width, height] = [5002, 5001]
const ofPicture = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`

function pdfWith(data: Buffer, dictionary: string, more: readonly Buffer[] = []): Buffer {
  return onePage('q 500 0 0 500 0 0 cm /I Do Q', {
    resources: '/XObject << /I 6 0 R >>',
    more: [stream(data, `${ofPicture} ${dictionary}`), ...more],
  })
}

async function pictureIn(pdf: Buffer): Promise<{ dictionary: string; data: Buffer }> {
  const file = await withSmallerPictures(pdf, async () => undefined)
  expect(file).toHaveLength(pdf.length)
  const found = [...streamsIn(file)].find(({ number }) => number === 6)!
  const length = Number(/\/Length (\d+)/.exec(found.dictionary)![1])
  return { dictionary: found.dictionary, data: Buffer.from(file.subarray(found.begin, found.begin + length)) }
}

/** A value for each component of each pixel. */
const valueAt = (x: number, y: number, component: number): number =>
  ((x >> 4) * 7 + (y >> 4) * 13 + component * 40) & 255

function samples(components: number): Buffer {
  const all = Buffer.alloc(width * height * components)
  let at = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) for (let c = 0; c < components; c++) all[at++] = valueAt(x, y, c)
  return all
}

/** Rows with PNG's filters (RFC 2083, 6), a different one for each. */
function filtered(all: Buffer): Buffer {
  const rows: Buffer[] = []
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(width + 1, y % 5)
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const left = x === 0 ? 0 : all[at - 1]!
      const up = y === 0 ? 0 : all[at - width]!
      const upLeft = x === 0 || y === 0 ? 0 : all[at - width - 1]!
      const [toLeft, toUp] = [Math.abs(up - upLeft), Math.abs(left - upLeft)]
      const toUpLeft = Math.abs(left + up - 2 * upLeft)
      const nearest = toLeft <= toUp && toLeft <= toUpLeft ? left : toUp <= toUpLeft ? up : upLeft
      row[x + 1] = all[at]! - [0, left, up, Math.floor((left + up) / 2), nearest][y % 5]!
    }
    rows.push(row)
  }
  return Buffer.concat(rows)
}

function expectHalf(half: Buffer, components: number): void {
  expect(half).toHaveLength(2501 * 2500 * components)
  for (const [x, y] of [
    [0, 0],
    [2500, 2499],
    [1203, 2041],
    [17, 900],
  ] as const)
    for (let c = 0; c < components; c++) expect(half[(y * 2501 + x) * components + c]).toBe(valueAt(2 * x, 2 * y, c))
}

describe('a picture of a PDF with more than 25 megapixels', () => {
  it('has half its width and height where its samples are deflated', forNight, async () => {
    const pdf = pdfWith(deflateSync(samples(3)), '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode')
    const { dictionary, data } = await pictureIn(pdf)
    expect(dictionary).toMatch(/\/Width 2501\b.*\/Height 2500\b.*\/ColorSpace \/DeviceRGB/s)
    expectHalf(inflateSync(data), 3)
  })

  it('has it where its rows are filtered', forNight, async () => {
    const parameters = `/Filter [/FlateDecode] /DecodeParms [<< /Predictor 15 /Colors 1 /Columns ${width} >>]`
    const pdf = pdfWith(deflateSync(filtered(samples(1))), `/BitsPerComponent 8 /ColorSpace /DeviceGray ${parameters}`)
    const { dictionary, data } = await pictureIn(pdf)
    expect(dictionary).not.toContain('Predictor')
    expectHalf(inflateSync(data), 1)
  })

  it('has it where it is all of one colour', forNight, async () => {
    const white = deflateSync(Buffer.alloc(width * height * 3, 255), { level: 9 })
    const { dictionary } = await pictureIn(
      pdfWith(white, '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode'),
    )
    expect(dictionary).toMatch(/\/Width 2501\b/)
  })

  it(
    'has the pixels that are recognised where it is a JPEG, as it is stored and not as its camera was held',
    forNight,
    async () => {
      const canvas = createCanvas(width, height)
      const context = canvas.getContext('2d')
      context.fillStyle = '#ffffff'
      context.fillRect(0, 0, width, height)
      context.fillStyle = '#000000'
      context.fillRect(width * 0.1, height * 0.1, width * 0.4, height * 0.1)
      const jpeg = Buffer.from(withOrientation(canvas.toBuffer('image/jpeg'), 6))
      const asked: Picture[] = []
      const recognise = (picture: Picture): Promise<Recognised> => {
        asked.push(picture)
        const box = { x: 0.1, y: 0.1, width: 0.4, height: 0.1 }
        return Promise.resolve({ tokens: [{ text: 'word', box, fontSize: 0.05, bold: false }], leanDegrees: 0 })
      }
      const reserved: number[] = []
      const pdf = pdfWith(jpeg, '/BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode')
      await readDocument(pdf, 'pdf', recognise, async (bytes) => void reserved.push(bytes))
      expect(reserved).toEqual([width * height * 6, 4000 * 3999 * 14 + 44_000_000])
      const seen = asked[0]!
      // the picture stands in the lower left of a page of 595 × 842 points
      const at = (x: number, y: number): number =>
        seen.pixels[
          Math.floor(((342 + y * 500) / 842) * seen.height) * seen.width + Math.floor(((x * 500) / 595) * seen.width)
        ]!
      expect([at(0.3, 0.15), at(0.12, 0.12), at(0.48, 0.18)]).toEqual([0, 0, 0])
      expect([at(0.15, 0.3), at(0.6, 0.15), at(0.85, 0.4)]).toEqual([255, 255, 255])
    },
  )

  it('has them where it is a grey JPEG, which becomes one of colours', forNight, async () => {
    const pdf = pdfWith(greyJpeg(width, height), '/BitsPerComponent 8 /ColorSpace [/ICCBased 7 0 R] /Filter /DCTDecode')
    const { dictionary, data } = await pictureIn(pdf)
    expect(dictionary).toContain('/ColorSpace /DeviceRGB')
    const image = await loadImage(data)
    expect([image.width, image.height]).toEqual([4000, 3999])
  })

  const grey = '/BitsPerComponent 8 /ColorSpace /DeviceGray'
  const rgb = '/BitsPerComponent 8 /ColorSpace /DeviceRGB'
  const ink = '/BitsPerComponent 8 /ColorSpace [/Separation /Black /DeviceCMYK 12 0 R]'
  const elsewhere = '/BitsPerComponent 8 /ColorSpace 9 0 R'
  const otherColumns = '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 1 /Columns 3 >>'
  const withMarker = (jpeg: Buffer): Buffer =>
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xd0]), jpeg.subarray(2)])
  it.each([
    ['damaged samples', deflateSync(samples(1)).subarray(0, 20_000), `${grey} /Filter /FlateDecode`],
    ['sixteen bits', deflateSync(samples(2)), '/BitsPerComponent 16 /ColorSpace /DeviceGray /Filter /FlateDecode'],
    ['rows that are missing', deflateSync(samples(3).subarray(0, width * 4500 * 3)), `${rgb} /Filter /FlateDecode`],
    ['two packings', deflateSync(samples(1)), `${grey} /Filter [/FlateDecode /RunLengthDecode]`],
    ['a predictor of TIFF', deflateSync(samples(1)), `${grey} /Filter /FlateDecode /DecodeParms << /Predictor 2 >>`],
    ['rows that are filtered as others', deflateSync(filtered(samples(1))), `${grey} ${otherColumns}`],
    [
      'more samples than it has room for',
      deflateSync(Buffer.alloc(width * height * 6)),
      `${grey} /Filter /FlateDecode`,
    ],
    ['a JPEG of ink', greyJpeg(width, height), `${ink} /Filter /DCTDecode`],
    ['a JPEG of a colour space that is elsewhere', greyJpeg(width, height), `${elsewhere} /Filter /DCTDecode`],
    ['a JPEG with a marker that decoders skip', withMarker(greyJpeg(width, height)), `${grey} /Filter /DCTDecode`],
    ['a JPEG of other sizes than the file says', greyJpeg(60_000, 60_000), `${grey} /Filter /DCTDecode`],
    ['a JPEG that is none', Buffer.from('no picture'), `${grey} /Filter /DCTDecode`],
    ['a JPEG whose samples mean the opposite', greyJpeg(width, height), `${grey} /Filter /DCTDecode /Decode [1 0]`],
  ])('stays as it is with %s', async (_what, data, dictionary) => {
    const pdf = pdfWith(data, dictionary)
    expect(Buffer.from(await withSmallerPictures(pdf, async () => undefined)).equals(pdf)).toBe(true)
  })

  it('stays as it is where it says what of another one is seen', async () => {
    const mask = stream(greyJpeg(width, height), `${ofPicture} ${grey} /Filter /DCTDecode`)
    const pdf = onePage('', { more: [mask, stream('', '/Subtype /Image /Width 1 /Height 1 /SMask 6 0 R')] })
    expect(Buffer.from(await withSmallerPictures(pdf, async () => undefined)).equals(pdf)).toBe(true)
  })
})

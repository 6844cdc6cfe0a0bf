import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Recogniser } from '../../../electron/reading/ocr/recogniser.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Picture, Recognised } from '../../../electron/reading/read.ts'
import { straightenPage } from '../../../electron/reading/straighten.ts'
import type { Document, Token } from '../../../shared/domain/document.ts'
import { forNight, isLong, scaled } from '../../helpers/scale.ts'
import { expectCode, noRecognition, textsOf, tokenNamed } from './expectations.ts'
import { withOrientation } from './jpeg-files.ts'

const family = 'Reading Test Sans'

beforeAll(() => {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  GlobalFonts.registerFromPath(join(folder, 'standard_fonts/LiberationSans-Regular.ttf'), family)
})

/** Paper of 1700 by 1200 pixels with lines of type, leaning clockwise. */
function paper(
  lines: readonly string[],
  options: { leanDegrees?: number; draw?: (context: ReturnType<Canvas['getContext']>) => void } = {},
): Canvas {
  const canvas = createCanvas(1700, 1200)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, 1700, 1200)
  context.translate(850, 600)
  context.rotate(((options.leanDegrees ?? 0) * Math.PI) / 180)
  context.translate(-850, -600)
  context.fillStyle = '#000000'
  context.font = `44px "${family}"`
  for (const [index, line] of lines.entries()) context.fillText(line, 250, 200 + index * 90)
  options.draw?.(context)
  return canvas
}

const letter = [
  'Invoice number 2026-0417',
  'Date of issue 17.04.2026',
  'Supplier Brückner & Söhne',
  'Amount due 1.234,56',
  'Please pay within thirty days',
  'Thank you for your order',
]

const png = async (canvas: Canvas): Promise<Uint8Array> => new Uint8Array(await canvas.encode('png'))

describe('a picture', () => {
  const recogniser = new Recogniser()
  afterAll(() => recogniser.close())

  let upright: Promise<Document> | null = null
  /** The letter as it lies, read once. */
  const readUpright = (): Promise<Document> =>
    (upright ??= png(paper(letter)).then((bytes) =>
      readDocument(bytes, 'png', (picture) => recogniser.recognise(picture)),
    ))

  it('is read with its words in place', async () => {
    const document = await readUpright()
    expect(document.pages[0]).toMatchObject({ origin: 'ocr', width: 1700, height: 1200 })
    expect(textsOf(document).join(' ')).toBe(letter.join(' '))
    const amount = tokenNamed(document, '1.234,56')
    expect(amount.confidence).toBeGreaterThan(0.6)
    expect(amount.box.x * 1700).toBeGreaterThan(400)
    expect((amount.box.y + amount.box.height) * 1200).toBeCloseTo(200 + 3 * 90, -1.3)
  })

  it.runIf(isLong)('that leans by three degrees is read, with boxes where the words stand', async () => {
    const document = await readDocument(await png(paper(letter, { leanDegrees: 3 })), 'png', (picture) =>
      recogniser.recognise(picture),
    )
    expect(textsOf(document).join(' ')).toBe(letter.join(' '))
    const page = document.pages[0]
    expect(page?.skewDegrees).toBeCloseTo(3, 0)
    const middle = (token: Token): number => (token.box.y + token.box.height / 2) * 1200
    const first = tokenNamed(document, 'Invoice')
    const last = tokenNamed(document, '2026-0417')
    expect(middle(last) - middle(first)).toBeGreaterThan(12)
    if (page === undefined) throw new Error('no page')
    const level = { ...document, pages: [straightenPage(page)] }
    expect(Math.abs(middle(tokenNamed(level, '2026-0417')) - middle(tokenNamed(level, 'Invoice')))).toBeLessThan(6)
  })

  it.each(scaled([90], [90, 180, 270]))(
    'that lies turned by %s degrees is read, and its values lead to their place',
    forNight,
    async (degrees) => {
      const upright = paper(letter)
      const onSide = degrees !== 180
      const turned = createCanvas(onSide ? 1200 : 1700, onSide ? 1700 : 1200)
      const context = turned.getContext('2d')
      context.translate(turned.width / 2, turned.height / 2)
      context.rotate((degrees * Math.PI) / 180)
      context.drawImage(upright, -850, -600)
      const document = await readDocument(await png(turned), 'png', (picture) => recogniser.recognise(picture))
      expect(textsOf(document).join(' ')).toBe(letter.join(' '))
      const page = document.pages[0]!
      expect(page).toMatchObject({ width: turned.width, height: turned.height })
      expect((page.skewDegrees! + 360) % 360).toBeCloseTo(degrees, -0.3)
      // where the amount stands on the picture as it is, turned back onto the upright paper
      const { box } = tokenNamed(document, '1.234,56')
      const angle = (-degrees * Math.PI) / 180
      const [x, y] = [(box.x + box.width / 2 - 0.5) * turned.width, (box.y + box.height / 2 - 0.5) * turned.height]
      expect(x * Math.cos(angle) - y * Math.sin(angle) + 850).toBeGreaterThan(500)
      expect(x * Math.sin(angle) + y * Math.cos(angle) + 600).toBeCloseTo(200 + 3 * 90 - 16, -1.3)
      expect(box.height > box.width).toBe(onSide)
      const level = { ...document, pages: [straightenPage(page)] }
      expect(tokenNamed(level, 'Date').box.y).toBeGreaterThan(tokenNamed(level, 'Invoice').box.y)
      expect(tokenNamed(level, '1.234,56').box.x).toBeGreaterThan(tokenNamed(level, 'Amount').box.x)
    },
  )

  it(
    'that leans by eight degrees, dark and unevenly lit, is read, with values that lead to their place',
    forNight,
    async () => {
      const canvas = paper(letter, { leanDegrees: -8 })
      const context = canvas.getContext('2d')
      context.resetTransform()
      const shadow = context.createLinearGradient(0, 0, 1700, 1200)
      shadow.addColorStop(0, 'rgba(0, 0, 0, 0.1)')
      shadow.addColorStop(1, 'rgba(0, 0, 0, 0.7)')
      context.fillStyle = shadow
      context.fillRect(0, 0, 1700, 1200)
      const document = await readDocument(await png(canvas), 'png', (picture) => recogniser.recognise(picture))
      expect(textsOf(document).join(' ')).toBe(letter.join(' '))
      expect(document.pages[0]!.skewDegrees).toBeCloseTo(-8, 0)
      const { box } = tokenNamed(document, '2026-0417')
      const angle = (8 * Math.PI) / 180
      const [x, y] = [(box.x + box.width / 2 - 0.5) * 1700, (box.y + box.height / 2 - 0.5) * 1200]
      expect(x * Math.sin(angle) + y * Math.cos(angle) + 600).toBeCloseTo(200 - 16, -1.3)
    },
  )

  it('says of each word whether its two readers agreed', async () => {
    const document = await readUpright()
    expect(tokenNamed(document, '1.234,56').agreed).toBe(true)
    const söhne = tokenNamed(document, 'Söhne')
    expect(söhne.agreed === undefined).toBe(söhne.alternative !== undefined)
  })

  it('shows its check boxes as ☒ and ☐', async () => {
    const canvas = paper(['', 'Newsletter by mail', 'Advertising by phone', ...letter], {
      draw(context) {
        context.lineWidth = 4
        context.strokeRect(190, 256, 36, 36)
        context.strokeRect(190, 346, 36, 36)
        context.beginPath()
        context.moveTo(194, 260)
        context.lineTo(222, 288)
        context.moveTo(222, 260)
        context.lineTo(194, 288)
        context.stroke()
      },
    })
    const document = await readDocument(await png(canvas), 'png', (picture) => recogniser.recognise(picture))
    const texts = textsOf(document)
    expect(texts[texts.indexOf('Newsletter') - 1]).toBe('☒')
    expect(texts[texts.indexOf('Advertising') - 1]).toBe('☐')
    expect(texts.filter((text) => text === '☐' || text === '☒')).toHaveLength(2)
  })

  it('from a camera that was held sideways is turned upright', async () => {
    const stored = createCanvas(400, 300)
    const context = stored.getContext('2d')
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, 400, 300)
    const jpeg = await stored.encode('jpeg')
    const asked: Picture[] = []
    const word = (picture: Picture): Promise<Recognised> => {
      asked.push(picture)
      const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.05 }
      return Promise.resolve({ tokens: [{ text: 'word', box, fontSize: 0.05, bold: false }], leanDegrees: 0 })
    }
    const document = await readDocument(withOrientation(jpeg, 6), 'jpeg', word)
    expect(document.pages[0]).toMatchObject({ width: 300, height: 400 })
    expect((asked[0]?.width ?? 0) / (asked[0]?.height ?? 1)).toBeCloseTo(300 / 400, 1)
  })

  it(
    'of many megapixels reserves what it takes, is recognised as one of sixteen, and keeps its size',
    forNight,
    async () => {
      const asked: Picture[] = []
      const large = createCanvas(6000, 4000)
      const context = large.getContext('2d')
      context.fillStyle = '#ffffff'
      context.fillRect(0, 0, 6000, 4000)
      context.fillStyle = '#000000'
      context.fillRect(600, 400, 1200, 200)
      const word = (picture: Picture): Promise<Recognised> => {
        asked.push(picture)
        const box = { x: 0.1, y: 0.1, width: 0.2, height: 0.05 }
        return Promise.resolve({ tokens: [{ text: 'word', box, fontSize: 0.05, bold: false }], leanDegrees: 0 })
      }
      const reserved: number[] = []
      const bytes = new Uint8Array(await large.encode('jpeg'))
      const document = await readDocument(bytes, 'jpeg', word, async (bytes) => void reserved.push(bytes))
      expect(reserved).toEqual([6000 * 4000 * 6])
      const { width, height, pixels } = asked[0]!
      expect(width * height).toBeLessThanOrEqual(16_000_000)
      expect(width * height).toBeGreaterThan(15_900_000)
      const at = (x: number, y: number): number => pixels[Math.floor(y * height) * width + Math.floor(x * width)]!
      expect(at(0.2, 0.12)).toBeLessThan(30)
      expect(at(0.2, 0.3)).toBeGreaterThan(220)
      expect(document.pages[0]).toMatchObject({ width: 6000, height: 4000 })
      expect(document.pages[0]!.tokens[0]!.box.x).toBeCloseTo(0.1)
    },
  )

  it('that is cut off is file_damaged', async () => {
    const whole = await png(paper(letter))
    await expectCode(readDocument(whole.slice(0, whole.length / 2), 'png', noRecognition), 'file_damaged')
    const jpeg = new Uint8Array(await paper(letter).encode('jpeg'))
    await expectCode(readDocument(jpeg.slice(0, jpeg.length / 2), 'jpeg', noRecognition), 'file_damaged')
    await expectCode(readDocument(new Uint8Array(100), 'png', noRecognition), 'file_damaged')
  })

  it('that takes more of the processor than it may is file_too_complex, and the next is read', forNight, async () => {
    const bytes = await png(paper(letter))
    await expectCode(
      readDocument(bytes, 'png', (picture) => recogniser.recognise(picture, 50)),
      'file_too_complex',
    )
    const document = await readDocument(bytes, 'png', (picture) => recogniser.recognise(picture))
    expect(textsOf(document).join(' ')).toBe(letter.join(' '))
  })

  it('of more than 100 megapixels is file_too_complex before it is decoded', async () => {
    const bytes = await png(createCanvas(10, 10))
    new DataView(bytes.buffer).setUint32(16, 20_000)
    new DataView(bytes.buffer).setUint32(20, 20_000)
    await expectCode(readDocument(bytes, 'png', noRecognition), 'file_too_complex')
  })

  it('without words is no_text', async () => {
    await expectCode(
      readDocument(await png(createCanvas(50, 50)), 'png', () => Promise.resolve({ tokens: [], leanDegrees: 0 })),
      'no_text',
    )
  })
})

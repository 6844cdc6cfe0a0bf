import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { createWorker } from 'tesseract.js'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Recogniser } from '../../../electron/reading/ocr/recogniser.ts'
import type { Picture } from '../../../electron/reading/read.ts'
import { forNight, isLong } from '../../helpers/scale.ts'
import { chosenLanguages } from '../../../shared/domain/reading-languages.ts'

// The recogniser itself, watched.
vi.mock('tesseract.js', async (original) => {
  const real = await original<{ createWorker: typeof createWorker }>()
  return { ...real, createWorker: vi.fn(real.createWorker) }
})

const family = 'Languages Test Sans'
const started = (): unknown[] => vi.mocked(createWorker).mock.calls.map(([languages]) => languages)

let recogniser = new Recogniser()
beforeAll(() => {
  const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  GlobalFonts.registerFromPath(join(folder, 'standard_fonts/LiberationSans-Regular.ttf'), family)
})
afterEach(async () => {
  await recogniser.close()
  recogniser = new Recogniser()
  vi.mocked(createWorker).mockClear()
})

function pictureOf(...lines: string[]): Picture {
  const [width, height] = [1700, 700]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#000000'
  context.font = `44px "${family}"`
  for (const [index, line] of lines.entries()) context.fillText(line, 250, 200 + index * 90)
  const { data } = context.getImageData(0, 0, width, height)
  return { pixels: Uint8Array.from({ length: width * height }, (_, index) => data[index * 4]!), width, height }
}

/** The recogniser takes a picture's pixels away, and here one is read several times. */
const wordsOf = async (picture: Picture): Promise<string> =>
  (await recogniser.recognise({ ...picture, pixels: picture.pixels.slice() })).tokens.map(({ text }) => text).join(' ')

describe('the languages in which pictures are read', () => {
  it('are all of them until others are chosen', forNight, async () => {
    expect(await wordsOf(pictureOf('Bäckerei Süß', 'Zwei Brötchen 1,80'))).toBe('Bäckerei Süß Zwei Brötchen 1,80')
    expect(started()).toEqual([['deu', 'fra', 'eng', 'spa']])
  })

  it('are those of each picture by itself, from one to the next', forNight, async () => {
    const german = ['Bestellung für Müller & Söhne', 'Größe und Menge wie übliche Lieferung']
    const french = ['Facture réglée à réception', 'Société générale du Châtelet']
    for (const lines of [german, french, german]) expect(await wordsOf(pictureOf(...lines))).toBe(lines.join(' '))
    expect(started()).toEqual([['deu'], ['fra'], ['deu']])
  })

  it('are only the chosen ones: with English alone nothing else is loaded, and a picture is read', async () => {
    recogniser.useLanguages(['eng'])
    expect(await wordsOf(pictureOf('Invoice number 2026-0417', 'Amount due 1,234.56'))).toBe(
      'Invoice number 2026-0417 Amount due 1,234.56',
    )
    expect(started()).toEqual([['eng']])
  })

  it.runIf(isLong)('change with the next picture, and the recogniser stays as long as they do not', async () => {
    const picture = pictureOf('Thank you for your order')
    recogniser.useLanguages(['eng'])
    await wordsOf(picture)
    recogniser.useLanguages(['eng'])
    await wordsOf(picture)
    const [before, after] = [wordsOf(picture), (recogniser.useLanguages(['eng', 'deu']), wordsOf(picture))]
    expect([await before, await after]).toEqual(['Thank you for your order', 'Thank you for your order'])
    expect(started()).toEqual([['eng'], ['deu', 'eng']])
  })

  it('are at least one, each once, in an order of their own', () => {
    expect(chosenLanguages.parse(['spa', 'eng', 'deu', 'eng'])).toEqual(['deu', 'eng', 'spa'])
    expect(chosenLanguages.safeParse([]).success).toBe(false)
    expect(chosenLanguages.safeParse(['ita']).success).toBe(false)
  })
})

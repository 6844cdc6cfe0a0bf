import { describe, expect, it } from 'vitest'
import type { Recognised } from '../../electron/reading/recognise.ts'
import { readDocument } from '../../electron/reading/read.ts'
import { extensionOf, supportedExtensions } from '../../shared/domain/limits.ts'
import { fileFormats, generateFile } from '../generate/files.ts'
import { drawCase } from '../generate/generate.ts'
import { pdfOf } from '../generate/pdf.ts'
import { forNight } from '../helpers/scale.ts'

const nothing = async (): Promise<Recognised> => ({ tokens: [], leanDegrees: 0 })

describe('files of generated documents', () => {
  it('are read as the very words and boxes that training saw', forNight, async () => {
    for (let seed = 0; seed < 15; seed++) {
      const { document, paper, group } = drawCase(seed)
      const read = await readDocument(await pdfOf(paper), 'pdf', nothing)
      const words = (pages: typeof read.pages): string[] =>
        pages.flatMap(({ tokens }) => tokens.map(({ text }) => text))
      expect([group, words(read.pages)]).toEqual([group, words(document.pages)])
      const drawn = document.pages.flatMap(({ tokens }) => tokens)
      const boxes = read.pages.flatMap(({ tokens }) => tokens.map(({ box }) => box))
      const differences = boxes.flatMap((box, index) =>
        (['x', 'y', 'width', 'height'] as const).map((side) => Math.abs(box[side] - drawn[index]!.box[side])),
      )
      expect(Math.max(...differences)).toBeLessThan(0.001)
    }
  })

  it.each(fileFormats)('are the same bytes for the same seed: %s', forNight, async (format) => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => generateFile(5, { formats: [format], kinds: ['receipt', 'certificate'] })),
    )
    expect(Buffer.compare(one!.bytes, other!.bytes)).toBe(0)
  })

  it.each(['docx', 'xlsx'] as const)('say in an office file what is expected: %s', async (format) => {
    for (let seed = 0; seed < 12; seed++) {
      const { bytes, name, made } = await generateFile(seed, { formats: [format] })
      const read = await readDocument(bytes, supportedExtensions[extensionOf(name)]!, nothing)
      const said = read.pages.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join('')
      const missing = Object.entries(made.expected).filter(([, value]) => {
        if (typeof value !== 'string' || /^\d{4}-\d{2}-\d{2}$/.test(value)) return false
        return !said.includes(value.replace(/\s/gu, ''))
      })
      expect([name, missing]).toEqual([name, []])
    }
  })
})

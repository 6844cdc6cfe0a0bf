import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvChunks, csvText } from '../../../electron/core/export/csv.ts'
import { displayCell, isPlainNumber, withoutControls } from '../../../electron/core/export/values.ts'
import type { CellValue } from '../../../electron/core/export/values.ts'
import { locales } from '../../../shared/messages/sentences.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { scaled } from '../../helpers/scale.ts'
import { parseCsv, parseLeniently } from './read-back.ts'

const separators = [',', ';', '\t']
const ownSeparator: Record<Locale, string> = { en: ',', de: ';', fr: ';' }

/** Tab and CR begin one in some programs, and others skip what nobody sees before they look for a sign. */
const startsFormula = /^(?:[\t\r]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u

/** A sign and digits up to the quote that ends the text: a number at most, such as that of a telephone. */
const isDigits = /^[ \u00a0]*[+-][ .(\u00a0]*\d[\d .,;()/+\-\u00a0]*("|$)/

async function csv(headers: string[], rows: CellValue[][], locale: Locale): Promise<string> {
  async function* each(): AsyncGenerator<CellValue[]> {
    yield* rows
  }
  return (await buffer(csvChunks(headers, each(), locale))).toString('utf8').slice(1)
}

const pieces = [
  ...['=1+1', '=', '+', '-', '@', '＝', '＋', '－', '＠', '-5', '-5,5', '+1.234,5', "'", '"', '""', '=cmd|A0'],
  ...[
    ';',
    ',',
    '\t',
    '\r\n',
    '\r',
    '\n',
    ' ',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\0',
    'x',
    'Müller',
    '日本',
    '2026-01-31',
    '',
  ],
]

/** Text that is made of what separators, quotes and formulas are made of. */
const hostileText = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 7,
  })
  .map((parts) => parts.join('').toWellFormed())
const table = fc.array(fc.tuple(hostileText, hostileText, hostileText), { minLength: 1, maxLength: 4 })
const runs = { numRuns: scaled(1000, 3000), seed: 19 }

/** Without the apostrophes that make text inert, and those that were there in their places. */
const inSight = (text: string): string => text.replace(/(?<=^'?|[;,\t\r\n])'/g, '')

describe('a CSV that is split by another separator than its own', () => {
  it.each([
    ['en', 'x;=1+1', '"x;\'=1+1"'],
    ['de', 'x,=1+1', '"x,\'=1+1"'],
    ['fr', 'x\t=1+1', '"x\t\'=1+1"'],
    ['en', 'x;"=1+1;', '"x;\'""=1+1;"'],
    ['de', 'x\r\n=1+1', '"x\r\n\'=1+1"'],
    ['en', 'x; \u200b=1', '"x;\' \u200b=1"'],
    ['en', 'x;\t1', '"x;\'\t1"'],
    ['en', 'x;-2+3+cmd|A0', '"x;\'-2+3+cmd|A0"'],
    ['en', 'x;-2;y', '"x;\'-2;y"'],
    ['de', 'a,b', '"a,b"'],
    ['en', 'a;b', '"a;b"'],
  ] as const)('has no formula after it, in a value or a header (%s %j)', async (locale, text, cell) => {
    const own = ownSeparator[locale]
    expect(await csv([text, 'h'], [[text, 'y']], locale)).toBe(`${cell}${own}h\r\n${cell}${own}y\r\n`)
  })

  it('has numbers as they were, and text with a sign in it that begins no formula', async () => {
    expect(await csv(['a', 'b'], [[-12.5, 1234567.25]], 'de')).toBe('a;b\r\n-12,50;1234567,25\r\n')
    for (const text of [
      ...['Müller, Söhne; Co.', 'a, b', '1,5-2', 'x;y-z', 'a,\nb'],
      ...['Berlin, +49 30 123', 'A, -12.5', '1;-2;-3'],
    ])
      expect(csvText(text, 'en')).toBe(text)
  })

  it.each(locales)('has no cell that begins a formula, whatever its texts are (%s)', async (locale) => {
    const property = fc.asyncProperty(table, async ([headers, ...rows]) => {
      // A line may begin with a number of its own language, which stays one.
      fc.pre([headers!, ...rows].every(([first]) => !isPlainNumber(withoutControls(first), locale)))
      const text = await csv(headers!, [...rows, ['x', -1.5, null]], locale)
      for (const separator of separators) {
        for (const cell of parseLeniently(text, separator).flat())
          if (!isPlainNumber(cell, locale) && !isDigits.test(cell)) expect(cell).not.toMatch(startsFormula)
      }
    })
    await fc.assert(property, runs)
  })

  it.each(locales)(
    'is what it was for a program that knows its separator, but for apostrophes (%s)',
    async (locale) => {
      const property = fc.asyncProperty(table, async ([headers, ...rows]) => {
        const read = parseCsv(await csv(headers!, rows, locale), ownSeparator[locale])
        const expected = [headers!, ...rows].map((row) => row.map((cell) => displayCell(withoutControls(cell), locale)))
        expect(read.map((row) => row.map(inSight))).toEqual(expected.map((row) => row.map(inSight)))
      })
      await fc.assert(property, runs)
    },
  )
})

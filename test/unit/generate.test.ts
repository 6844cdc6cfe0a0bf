import { describe, expect, it } from 'vitest'
import { pointerOf, valueAt } from '../../shared/domain/pointer.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import { printDate } from '../generate/formats.ts'
import { drawCase, generateCase } from '../generate/generate.ts'
import type { DrawnCase } from '../generate/generate.ts'
import { templatesOf } from '../generate/template.ts'
import { kinds, languages } from '../generate/words.ts'

const count = 250
const some = Array.from({ length: count }, (_, seed) => drawCase(seed))

function spelled(one: DrawnCase, indexes: readonly number[]): string {
  const tokens = one.document.pages.flatMap((page) => page.tokens)
  return indexes.map((index) => tokens[index]!.text).join(' ')
}

/** What the tokens say as the value of a field would say it. */
function isSpelled(one: DrawnCase, value: unknown, text: string): boolean {
  const { formats } = one.content.scene
  if (typeof value === 'boolean') return text === (value ? '☒' : '☐') || text === (value ? '☒ ☐' : '☐ ☒')
  if (typeof value === 'number') {
    const isBelowZero = /^\(.*\)$|-/u.test(text)
    const bare = text.replace(/[^\d.,'’]/gu, '')
    const size = Number(bare.replaceAll(formats.thousands.trim() || '\u0000', '').replace(formats.decimal, '.'))
    return (isBelowZero ? -size : size) === value
  }
  const plain = (words: string): string => words.replace(/[\s\p{P}]/gu, '')
  const date = /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? [plain(printDate(String(value), formats))] : []
  return [plain(String(value)), ...date].includes(plain(text))
}

describe('generated documents', () => {
  it('are the same for the same seed', () => {
    expect(JSON.stringify(generateCase(7, { noise: 'mixed' }))).toBe(
      JSON.stringify(generateCase(7, { noise: 'mixed' })),
    )
    expect(JSON.stringify(generateCase(8))).not.toBe(JSON.stringify(generateCase(7)))
  })

  it('show each expected value with exactly the tokens that are named as its place', () => {
    const wrong = some.flatMap((one) =>
      Object.entries(one.places).flatMap(([pointer, indexes]) => {
        const value = valueAt([one.expected], pointer)
        const text = spelled(one, indexes)
        return isSpelled(one, value, text) ? [] : [`${one.group} ${pointer}: ${JSON.stringify(value)} is «${text}»`]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('name a place for each value, and none for what the document does not say', () => {
    const wrong = some.flatMap((one) => {
      const lost = Object.keys(one.places).filter((pointer) => valueAt([one.expected], pointer) === undefined)
      const named = Object.entries(one.expected).filter(([, value]) => !Array.isArray(value))
      return [
        ...lost,
        ...named.filter(([name, value]) => Object.hasOwn(one.places, pointerOf([0, name])) !== (value !== null)),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('have schemas that the service accepts', () => {
    for (const one of some) expect(parseSchema(one.schema)).toEqual(one.schema)
  })

  it('ask for what is not there in about one field of six', () => {
    const fields = some.flatMap(({ expected }) => Object.values(expected).filter((value) => !Array.isArray(value)))
    const share = fields.filter((value) => value === null).length / fields.length
    expect(share).toBeGreaterThan(0.1)
    expect(share).toBeLessThan(0.25)
  })

  it('keep every box on its page', () => {
    const outside = some.flatMap((one) =>
      one.document.pages.flatMap(({ tokens }) =>
        tokens
          .filter(({ box }) => box.x < 0 || box.y < 0 || box.x + box.width > 1.001 || box.y + box.height > 1.001)
          .map(({ text }) => `${one.group} ${text}`),
      ),
    )
    expect(outside).toEqual([])
  })

  it('never show training a template that is held out', () => {
    const held = new Set(templatesOf('held-out'))
    expect(templatesOf('training').some((number) => held.has(number))).toBe(false)
    const groups = new Set(Array.from({ length: count }, (_, seed) => generateCase(seed, { split: 'held-out' }).group))
    expect(some.filter(({ group }) => groups.has(group))).toEqual([])
  })

  it('are of every kind and language, in training and held out', () => {
    for (const split of ['training', 'held-out'] as const)
      for (const kind of Object.keys(kinds))
        expect([kind, templatesOf(split, { kinds: [kind] }).length > 5]).toEqual([kind, true])
    for (const language of languages)
      expect(templatesOf('held-out', { languages: [language] }).length).toBeGreaterThan(50)
  })

  it('damage places with the tokens of a scan, and lose none that is left', () => {
    const scan = generateCase(11, { noise: 1 })
    const clean = generateCase(11)
    const total = scan.document.pages.flatMap(({ tokens }) => tokens).length
    expect(scan.document.pages[0]!.origin).toBe('ocr')
    expect(Object.keys(scan.places)).toEqual(Object.keys(clean.places))
    expect(
      Object.values(scan.places)
        .flat()
        .every((index) => index < total),
    ).toBe(true)
  })
})

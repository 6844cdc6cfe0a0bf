import { describe, expect, it } from 'vitest'
import type { Document } from '../../shared/domain/document.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { judge, sameValue } from '../bench/compare.ts'
import { f1, judgeTables } from '../bench/table-score.ts'

const element = (name: string, format: SchemaElement['format'], description = ''): SchemaElement => ({
  name,
  format,
  description,
})
const text = element('seller', 'text')
const amount = element('total', 'number')
const list: SchemaElement = {
  ...element('rows', 'list'),
  items: [element('article', 'text'), element('price', 'number')],
}

describe('the judge of accuracy', () => {
  it.each([
    ['Blue Sea Ltd.', 'BLUE  SEA LTD', true],
    ['Blue Sea Ltd.', 'Blue Sea', false],
    ['DE46 3709 0045 0071', 'DE46370900450071', true],
    ['12 rue A', '12rue A', false],
    [null, '', false],
    [null, null, true],
    ['x', null, false],
  ])('takes %j for %j: %j', (want, got, isRight) => {
    expect(sameValue(text, want, got, false)).toBe(isRight)
  })

  it('allows half a cent and no more', () => {
    expect([10.005, 9.995, 10.01, '10'].map((got) => sameValue(amount, 10, got, false))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('leaves white space out only where the expected texts have lost theirs', () => {
    expect([true, false].map((isSpaceless) => sameValue(text, '9400Rorschach', '9400 Rorschach', isSpaceless))).toEqual(
      [true, false],
    )
  })

  it('wants a date in the format that is asked for, and any way to write the day where none is', () => {
    const asked = element('date', 'text', 'Date, YYYY-MM-DD')
    expect(sameValue(asked, '2026-03-04', '04.03.2026', false)).toBe(false)
    expect(sameValue(element('date', 'text', 'Date'), '04.03.2026', '2026-03-04', false)).toBe(true)
    expect(sameValue(element('date', 'text', 'Date'), '04.03.2026', '2026-03-05', false)).toBe(false)
  })

  it('pairs rows in their order, and shows what is missing and what is too many', () => {
    const rows = [
      { article: 'bolt', price: 1 },
      { article: 'nut', price: 2 },
      { article: 'pin', price: 3 },
    ]
    const got = [
      { article: 'nut', price: 2 },
      { article: 'pin', price: 4 },
      { article: 'Total', price: 6 },
    ]
    const { lists } = judge({ schema: [list], expected: { rows } }, { rows: got })
    expect(
      lists[0]!.rows.map(({ expected, got: found, isRight }) => [expected?.['article'], found?.['article'], isRight]),
    ).toEqual([
      ['bolt', undefined, false],
      ['nut', 'nut', true],
      ['pin', 'pin', false],
      [undefined, 'Total', false],
    ])
    expect(lists[0]!.isExact).toBe(false)
  })

  it('flags what lies in a record, list or row that is doubted', () => {
    const schema = [amount, list]
    const rows = [
      { article: 'bolt', price: 1 },
      { article: 'nut', price: 2 },
    ]
    const judged = (pointer: string): unknown[] => {
      const one = judge({ schema, expected: { total: 3, rows } }, { total: 3, rows }, [
        { pointer, code: 'unsure', alternatives: [] },
      ])
      return [one.fields[0]!.doubt, ...one.lists[0]!.rows.map(({ doubt }) => doubt)]
    }
    expect(judged('/0')).toEqual(['unsure', 'unsure', 'unsure'])
    expect(judged('/0/rows')).toEqual([null, 'unsure', 'unsure'])
    expect(judged('/0/rows/1/price')).toEqual([null, null, 'unsure'])
  })
})

describe('the judge of tables', () => {
  const box = { x: 0, y: 0, width: 1, height: 1 }
  const found = (...rows: string[][]): Document => ({
    kind: 'pdf',
    pages: [
      {
        number: 1,
        width: 1,
        height: 1,
        origin: 'text',
        tokens: [],
        tables: [{ box, rows: rows.map((row) => row.map((cell) => ({ text: cell, box }))) }],
      },
    ],
  })
  const cells = [
    ['a', '', 'b'],
    ['c', 'd', 'e'],
  ]

  it('counts neighbours across and down, past empty cells', () => {
    const same = judgeTables([{ table: 1, page: 1, cells }], found(...cells))
    expect(same).toEqual({ expected: 5, found: 5, right: 5 })
    expect(f1(same)).toBe(1)
  })

  it('misses the pairs of a column that was merged into another', () => {
    expect(judgeTables([{ table: 1, page: 1, cells }], found(['a', 'b'], ['cd', 'e']))).toEqual({
      expected: 5,
      found: 4,
      right: 2,
    })
  })

  it('takes a cell that spans columns as one', () => {
    const spanned = [
      ['head', ''],
      ['1', '2'],
    ]
    const { expected } = judgeTables([{ table: 1, page: 1, cells: spanned, spans: [[0, 0, 0, 1]] }], null)
    expect(expected).toBe(3)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import {
  changesOf,
  emptied,
  excelText,
  maxChanges,
  maxRows,
  parseCell,
  pasted,
  rowsAfter,
} from '../../../renderer/grid/grid-edits.ts'
import type { Edit, CellFormats } from '../../../renderer/grid/grid-edits.ts'
import { assignElements } from '../../../renderer/grid/grid-body.tsx'
import { clampCell, movedCell, nextCell, rangeBetween, withMovedRows } from '../../../renderer/grid/grid-range.ts'
import { listShape } from '../../../renderer/grid/list-shape.ts'
import type { Row } from '../../../renderer/grid/list-shape.ts'
import { parseTsv, tsvOf } from '../../../renderer/grid/tsv.ts'
import { copyOnWrite, overlapsAny, valueAt } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

/** The copy after one change; null where there is no such place. */
function withValueAt<T>(root: T, pointer: string, value: unknown): T | null {
  const copy = copyOnWrite(root)
  return copy.put(pointer, value) ? copy.root() : null
}

const list: SchemaElement = {
  name: 'Items',
  format: 'list',
  description: '',
  items: [
    { name: 'Text', format: 'text', description: '' },
    { name: 'Amount', format: 'number', description: '' },
    { name: 'Paid', format: 'boolean', description: '' },
  ],
}
const rows: Row[] = [
  { Text: 'a', Amount: 1.5, Paid: true },
  { Text: 'b', Amount: 2, Paid: false },
  { Text: 'c', Amount: null, Paid: null },
]
const columns = listShape(null, list, rows, '/0/Items', null).columns
const de: CellFormats = { formats: formatsFor('de-DE'), yes: ['Ja', 'true', 'WAHR'], no: ['Nein', 'false', 'FALSCH'] }
const at = (row: number, column: number) => ({ row, column })
const done = (edit: Edit | { problem: string }): readonly Row[] =>
  rowsAfter(rows, changesOf(edit as Edit, rows, '/0/Items').forth, '/0/Items')

describe('a table on the clipboard', () => {
  it('is read as Excel writes it: quoted where there are tabs, breaks or quotes', () => {
    expect(parseTsv('a\tb\r\nc\td\r\n')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(parseTsv('"two\r\nlines"\t"a ""word"""\r\nlast')).toEqual([['two\nlines', 'a "word"'], ['last']])
    expect(parseTsv('3" pipe\t"open')).toEqual([['3" pipe', '"open']])
    expect(parseTsv('a\t\t\nb')).toEqual([['a', '', ''], ['b']])
    expect(parseTsv('')).toEqual([['']])
  })

  it('comes back as it was written', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'ü', '1', ',') })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (table) => {
        expect(parseTsv(tsvOf(table))).toEqual(table)
      }),
    )
  })

  it('never runs as a formula, and is the text again when it is pasted here', () => {
    const text = excelText('=HYPERLINK("http://evil")', columns[0]!, de)
    expect(text).toBe('\'=HYPERLINK("http://evil")')
    expect(done(pasted([[text]], rows, columns, rangeBetween(at(0, 0), at(0, 0)), de))[0]!['Text']).toBe(
      '=HYPERLINK("http://evil")',
    )
    expect(excelText(-5.25, columns[1]!, de)).toBe('-5,25')
  })
})

describe('moving in a grid', () => {
  const size = { rows: 100, columns: 5 }
  it.each([
    ['ArrowUp', false, at(0, 2), at(0, 2)],
    ['ArrowDown', false, at(99, 2), at(99, 2)],
    ['ArrowDown', true, at(3, 2), at(99, 2)],
    ['ArrowRight', true, at(3, 2), at(3, 4)],
    ['Home', false, at(3, 2), at(3, 0)],
    ['Home', true, at(3, 2), at(0, 0)],
    ['End', true, at(3, 2), at(99, 4)],
    ['PageDown', false, at(95, 2), at(99, 2)],
    ['PageUp', false, at(25, 2), at(5, 2)],
  ] as const)('%s (far: %s) from %o leads to %o', (key, far, from, to) => {
    expect(movedCell(from, key, far, size, 20)).toEqual(to)
  })

  it('goes along the row and on in the next, and ends at the ends', () => {
    expect([
      nextCell(at(0, 4), 1, size),
      nextCell(at(1, 0), -1, size),
      nextCell(at(0, 0), -1, size),
      nextCell(at(99, 4), 1, size),
    ]).toEqual([at(1, 0), at(0, 4), null, null])
  })

  it('stays in what is left when rows go', () => {
    expect(clampCell(at(99, 9), { rows: 3, columns: 2 })).toEqual(at(2, 1))
    expect(clampCell(at(5, 0), { rows: 0, columns: 2 })).toEqual(at(0, 0))
  })

  it('takes the chosen rows along by one, to the ends', () => {
    const range = rangeBetween(at(2, 0), at(1, 4))
    expect(withMovedRows(['a', 'b', 'c', 'd'], range, 1)).toEqual(['a', 'd', 'b', 'c'])
    expect(withMovedRows(['a', 'b', 'c', 'd'], range, -1)).toEqual(['b', 'c', 'a', 'd'])
    expect(withMovedRows(['a', 'b', 'c'], range, 1)).toBeNull()
  })
})

describe('a block that is pasted', () => {
  const from = (row: number, column: number) => rangeBetween(at(row, column), at(row, column))
  it('is read as typed in the language: numbers, days, and yes and no', () => {
    const edit = pasted(
      [
        ['20.11.2026', '1.284,50', 'WAHR'],
        ['d', '-3', 'nein'],
      ],
      rows,
      columns,
      from(0, 0),
      de,
    )
    expect(done(edit).slice(0, 2)).toEqual([
      { Text: '2026-11-20', Amount: 1284.5, Paid: true },
      { Text: 'd', Amount: -3, Paid: false },
    ])
  })

  it('leaves alone what a ragged row does not reach, and makes the rows that are missing', () => {
    const edit = pasted([['x', '9'], ['y'], ['z', '7']], rows, columns, from(1, 0), de)
    expect(done(edit)).toEqual([
      rows[0],
      { Text: 'x', Amount: 9, Paid: false },
      { Text: 'y', Amount: null, Paid: null },
      { Text: 'z', Amount: 7, Paid: null },
    ])
  })

  it('fills what is chosen when it is one value', () => {
    expect(
      done(pasted([['5']], rows, columns, rangeBetween(at(0, 1), at(2, 1)), de)).map((row) => row['Amount']),
    ).toEqual([5, 5, 5])
  })

  it('is refused as a whole, with the place, when one of it is no number or no yes or no', () => {
    expect(
      pasted(
        [
          ['x', '9'],
          ['y', 'lots'],
        ],
        rows,
        columns,
        from(1, 0),
        de,
      ),
    ).toEqual({ problem: 'number', row: 2, column: 1 })
    expect(pasted([['maybe']], rows, columns, from(0, 2), de)).toEqual({ problem: 'boolean', row: 0, column: 2 })
  })

  it('is refused when it is wider than the list or longer than a list may be, and over what is no plain value', () => {
    expect(pasted([['1', 'Ja', 'x']], rows, columns, from(0, 1), de)).toEqual({ problem: 'wide' })
    expect(
      pasted(
        Array.from({ length: maxRows }, () => ['x']),
        rows,
        columns,
        from(1, 0),
        de,
      ),
    ).toEqual({ problem: 'long' })
    expect(pasted([['x']], [{ Text: { deep: 1 } }], columns, from(0, 0), de)).toEqual({
      problem: 'locked',
      row: 0,
      column: 0,
    })
  })

  it('is many changes of cells up to a bound, and one of the list beyond', () => {
    const many = Array.from(
      { length: maxChanges / 2 + 1 },
      (_, index): Row => ({ Text: `t${index}`, Amount: index, Paid: null }),
    )
    expect(emptied(many, columns, rangeBetween(at(0, 0), at(maxChanges / 2 - 1, 1)))).toHaveProperty('cells')
    const all = emptied(many, columns, rangeBetween(at(0, 0), at(maxChanges / 2, 1)))
    expect(changesOf(all, many, '/0/Items').forth).toHaveLength(1)
  })

  it('goes back to what was there', () => {
    const edit = pasted(
      [
        ['x', '9'],
        ['y', '8'],
      ],
      rows,
      columns,
      from(0, 0),
      de,
    ) as Edit
    const { forth, back } = changesOf(edit, rows, '/0/Items')
    const before = { Items: rows }
    const copy = copyOnWrite([before])
    for (const { pointer, value } of [...forth, ...back]) expect(copy.put(pointer, value)).toBe(true)
    expect(copy.root()).toEqual([before])
    expect(rows[0]!['Text']).toBe('a')
  })
})

describe('what is typed in a cell', () => {
  it('of yes and no is a word of the window or of Excel', () => {
    expect(['JA', 'falsch', ''].map((text) => parseCell(text, columns[2]!, de))).toEqual([
      { value: true },
      { value: false },
      { value: null },
    ])
  })
})

describe('the shape of a list', () => {
  it('has no sum of quantities in several units', () => {
    const goods = (...units: string[]): Row[] => units.map((unit) => ({ quantity: 2, unit, amount: 3 }))
    const sumsOf = (items: Row[]) =>
      listShape(
        null,
        { name: 'Items', format: 'list', description: '', items: [] },
        items,
        '/0/Items',
        null,
      ).columns.map(({ sum }) => sum)
    expect(sumsOf(goods('h', 'h', 'h'))).toEqual([6, null, 9])
    expect(sumsOf(goods('h', 'm', 'h'))).toEqual([null, null, 9])
    const named = (quantity: string, unit: string): Row[] => ['h', 'm'].map((one) => ({ [quantity]: 2, [unit]: one }))
    for (const [quantity, unit] of [
      ['Stück', 'Mengeneinheit'],
      ['Q.tà', 'U.M.'],
      ['Cant.', 'Ud.'],
      ['Aant.', 'Eenh.'],
    ] as const)
      expect(sumsOf(named(quantity, unit)), quantity).toEqual([null, null])
  })

  it('has sums without what binary fractions leave behind, and the decimals of its amounts', () => {
    const amounts = [0.1, 0.2, 1079.55].map((Amount): Row => ({ Amount }))
    expect(listShape(null, list, amounts, '/0/Items', null).columns[1]).toMatchObject({
      sum: 1079.85,
      decimals: 2,
      numeric: true,
    })
  })

  it('is the same whether it is read anew or follows what changed', () => {
    const value = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.string(),
      fc.constant(null),
      fc.integer(),
    )
    const row = fc.record({ Text: value, Amount: value }, { requiredKeys: [] }) as fc.Arbitrary<Row>
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 300 }),
        fc.array(fc.record({ at: fc.nat(320), row }), { maxLength: 5 }),
        fc.nat(320),
        (start, changes, length) => {
          const first = listShape(null, list, start, '', null)
          const next = [...start]
          for (const change of changes) if (change.at < next.length) next[change.at] = change.row
          const cut = next.slice(0, length)
          expect(listShape(first, list, cut, '', null).columns).toEqual(listShape(null, list, cut, '', null).columns)
        },
      ),
    )
  })
})

describe('many changes of one value', () => {
  it('are the same as one after the other, and leave what there was', () => {
    const places = fc.array(
      fc.record({
        row: fc.nat(4),
        name: fc.constantFrom('a', 'b', '__proto__'),
        value: fc.oneof(fc.integer(), fc.constant(null)),
      }),
    )
    fc.assert(
      fc.property(places, (changes) => {
        const root = [{ rows: [{ a: 1 }, { a: 2 }, { a: 3 }] }]
        const kept = structuredClone(root)
        const copy = copyOnWrite(root)
        let single = root
        for (const { row, name, value } of changes) {
          const pointer = `/0/rows/${row}/${name}`
          const next = withValueAt(single, pointer, value)
          expect(copy.put(pointer, value)).toBe(next !== null)
          single = next ?? single
        }
        expect(copy.root()).toEqual(single)
        expect(root).toEqual(kept)
      }),
    )
  })

  it('of which none says anything new are no copy', () => {
    const root = [{ rows: [{ a: 1 }, { a: 2 }], none: null }]
    const copy = copyOnWrite(root)
    for (const [pointer, value] of [
      ['/0/rows/1/a', 2],
      ['/0/none', null],
      ['/0/rows/0/a', 1],
    ] as const)
      expect(copy.put(pointer, value)).toBe(true)
    expect(copy.root()).toBe(root)
    copy.put('/0/rows/1/a', 3)
    expect(copy.root()[0]!.rows[0]).toBe(root[0]!.rows[0])
    expect([valueAt(copy.root(), '/0/rows/1/a'), root[0]!.rows[1]!.a]).toEqual([3, 2])
  })

  it('do not touch a list that was put in by one of them', () => {
    const put = [{ a: 1 }]
    const copy = copyOnWrite([{ rows: [] as Row[] }])
    copy.put('/0/rows', put)
    copy.put('/0/rows/0/a', 2)
    expect([put[0]!.a, valueAt(copy.root(), '/0/rows/0/a')]).toEqual([1, 2])
  })
})

describe('places that are touched', () => {
  it('are those that something is put at, all that lies in them, and all that they lie in', () => {
    const isTouched = overlapsAny(['/0/Items/1/Amount', '/1/Lines'])
    for (const pointer of [
      '/0/Items/1/Amount',
      '/0/Items/1',
      '/0/Items',
      '/0',
      '/1/Lines',
      '/1/Lines/2/Text',
      '/1',
      '',
    ])
      expect([pointer, isTouched(pointer)]).toEqual([pointer, true])
    for (const pointer of ['/0/Items/10/Amount', '/0/Items/1/Amount due', '/0/Items/2', '/0/Total', '/1/Lin', '/2'])
      expect([pointer, isTouched(pointer)]).toEqual([pointer, false])
    expect(overlapsAny([])('/0')).toBe(false)
  })
})

describe('the elements of the rows that are drawn', () => {
  const scrolled = (...views: [from: number, to: number][]): (number | null)[][] => {
    const seen: (number | null)[][] = [[]]
    for (const [from, to] of views)
      seen.push(
        assignElements(
          seen.at(-1)!,
          Array.from({ length: to - from }, (_, index) => from + index),
          -1,
        ),
      )
    return seen.slice(1)
  }

  it('stay with their rows, and those of rows that went are used again', () => {
    expect(scrolled([0, 4], [1, 5], [3, 7], [0, 4])).toEqual([
      [0, 1, 2, 3],
      [4, 1, 2, 3],
      [4, 5, 6, 3],
      [0, 1, 2, 3],
    ])
  })

  it('become fewer and more with the rows', () => {
    expect(scrolled([0, 3], [1, 2], [1, 4])).toEqual([
      [0, 1, 2],
      [null, 1],
      [2, 1, 3],
    ])
  })

  it('do not go from the row that was in hand to another one at once', () => {
    expect(assignElements([7, 8, 9], [8, 9, 10], 7)).toEqual([null, 8, 9, 10])
    expect(assignElements([null, 8, 9, 10], [8, 9, 10, 11], 8)).toEqual([11, 8, 9, 10])
  })

  it('show each row once, whatever is scrolled', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ from: fc.nat(60), count: fc.integer({ min: 1, max: 12 }), inHand: fc.nat(70) }), {
          minLength: 1,
          maxLength: 30,
        }),
        (views) => {
          let before: (number | null)[] = []
          for (const { from, count, inHand } of views) {
            const rows = [...new Set([...Array.from({ length: count }, (_, index) => from + index), inHand])].sort(
              (a, b) => a - b,
            )
            const after = assignElements(before, rows, inHand)
            expect(after.filter((row) => row !== null).sort((a, b) => a - b)).toEqual(rows)
            for (const [element, row] of before.entries())
              if (row !== null && rows.includes(row)) expect(after[element]).toBe(row)
            before = after
          }
        },
      ),
    )
  })
})

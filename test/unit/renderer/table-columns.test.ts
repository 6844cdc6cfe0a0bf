import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownColumns, tableOf } from '../../../renderer/screens/documents/table-columns.ts'
import { columnChoice } from '../../../shared/contract/documents.ts'
import type { ColumnChoice, DocumentRow } from '../../../shared/contract/documents.ts'
import { documentColumns } from '../../../shared/domain/document-columns.ts'

const usual: ColumnChoice = { shown: null, widths: {} }
const row = {
  schemaId: 1,
  values: ['number', 'seller', 'date', 'place', 'terms', 'total'].map((name) => ({
    name,
    value: name === 'total' ? 12 : name,
  })),
} as unknown as DocumentRow
const keys = (choice: ColumnChoice, widthPx: number, rows = [row]): string[] =>
  tableOf(rows, choice, new Map(), widthPx).columns.map(({ key }) => key)

describe('the table of documents', () => {
  it('has the usual columns as long as nobody chose others, and more values where there is room', () => {
    expect(keys(usual, 1030)).toEqual([
      'name',
      'folder',
      'state',
      'value.number',
      'value.seller',
      'value.total',
      'receivedAt',
    ])
    expect(keys(usual, 600)).toHaveLength(4 + 2)
    expect(keys(usual, 1700)).toHaveLength(4 + 5)
    expect(keys(usual, 1030, [])).toEqual(['name', 'folder', 'state', 'values', 'receivedAt'])
  })

  it('shows what was chosen in the order of the columns, always the name, and fills what is free with values', () => {
    expect(shownColumns({ shown: ['receivedAt', 'schema'], widths: {} })).toEqual(['schema', 'receivedAt'])
    expect(keys({ shown: [], widths: {} }, 1030)).toEqual(['name'])
    expect(keys({ shown: ['values'], widths: {} }, 1030)).toHaveLength(1 + 5)
    expect(
      tableOf(
        [row],
        { shown: ['folder', 'schema', 'state', 'values', 'sizeBytes', 'receivedAt'], widths: {} },
        new Map(),
        1030,
      ).minPx,
    ).toBeLessThanOrEqual(1030)
  })

  it('gives a column the width that it was given, and the others the rest', () => {
    const { template } = tableOf([row], { shown: ['folder', 'receivedAt'], widths: { folder: 321 } }, new Map(), 1030)
    expect(template).toBe('34px minmax(190px, 2.2fr) 321px 80px')
  })

  it('never needs less than its columns have, whatever was chosen', () => {
    const choices = fc.record({
      shown: fc.subarray([...documentColumns]),
      widths: fc.dictionary(
        fc.constantFrom('name', ...documentColumns, 'value.total'),
        fc.integer({ min: 40, max: 1200 }),
      ),
    })
    fc.assert(
      fc.property(choices, fc.integer({ min: 300, max: 2500 }), (choice, widthPx) => {
        expect(columnChoice.parse(choice)).toEqual(choice)
        const { columns, template, minPx } = tableOf([row], choice, new Map(), widthPx)
        const leasts = [...template.matchAll(/(?:minmax\((\d+)px, [\d.]+fr\)|(\d+)px)/g)].map(([, least, fixed]) =>
          Number(least ?? fixed),
        )
        expect(leasts).toHaveLength(columns.length + 1)
        expect(minPx).toBe(leasts.reduce((sum, px) => sum + px, 0) + 14 * columns.length + 10)
      }),
    )
  })
})

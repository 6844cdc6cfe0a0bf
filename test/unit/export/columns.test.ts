import { describe, expect, it } from 'vitest'
import { collectExtraKeys, collectLengths, planTables } from '../../../electron/core/export/flatten.ts'
import type { ExtraKeys, PlanOptions } from '../../../electron/core/export/flatten.ts'
import type { AboutDocument } from '../../../shared/domain/about-document.ts'
import type { ExportRecord } from '../../../electron/core/export/records.ts'
import type { CellValue } from '../../../electron/core/export/values.ts'
import { exportColumn } from '../../../shared/contract/exports.ts'
import type { ExportColumn } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const text = (name: string): SchemaElement => ({ name, format: 'text', description: '' })
const number = (name: string): SchemaElement => ({ name, format: 'number', description: '' })
const schema: SchemaElement[] = [
  text('No'),
  number('Total'),
  { name: 'Items', format: 'list', description: '', items: [text('Article'), number('Price')] },
  { name: 'Taxes', format: 'list', description: '', items: [number('Rate')] },
]
const records: ExportRecord[] = [
  {
    No: 'A1',
    Total: 30.5,
    Items: [
      { Article: 'Nail', Price: 10.5 },
      { Article: 'Screw', Price: 20 },
      { Article: 'Bolt', Price: null },
    ],
    Taxes: [{ Rate: 19 }],
  },
  { No: 'A2', Total: 5, Items: null, Taxes: [] },
]
const about: AboutDocument = {
  path: '/in/Müller "1".pdf',
  schemaName: 'Bills',
  folderName: 'Invoices',
  state: 'approved',
  receivedAt: new Date(2026, 10, 21, 23, 59).getTime(),
  approvedAt: new Date(2026, 10, 22, 0, 1).getTime(),
  mail: { subject: 'Your invoice', sender: 'Wörle <office@woerle.example>' },
  approvedBy: 'Ada',
}
const field = (path: string, header?: string): ExportColumn =>
  exportColumn.parse({ kind: 'field', field: path.split('.'), header })

function tables(options: Omit<PlanOptions, 'locale'>, of = records): { key: string; rows: CellValue[][] }[] {
  const extras: ExtraKeys = new Map()
  const longest = new Map<string, number>()
  for (const record of of) {
    collectExtraKeys(record, schema, extras)
    collectLengths(record, schema, longest)
  }
  return planTables(schema, { locale: 'en', extras, longest, ...options }).map(({ key, columns, rowsOf }) => ({
    key,
    rows: [
      columns.map(({ header }) => header),
      ...of.flatMap((record, at) => [...rowsOf(record, `${'ab'[at]}.pdf`, at + 1, about)]),
    ],
  }))
}

describe('chosen columns', () => {
  it('stand in their order, with other headers, constants, and what is known of the document', () => {
    const columns = [
      field('Total', 'Amount'),
      exportColumn.parse({ kind: 'constant', header: 'Account', value: '4400' }),
      ...(['fileName', 'schemaName', 'folderName', 'state', 'receivedOn', 'approvedOn', 'approvedBy'] as const).map(
        (each) => exportColumn.parse({ kind: 'about', about: each }),
      ),
      field('No'),
    ]
    expect(tables({ layout: 'rows', columns }, records.slice(0, 1))).toEqual([
      {
        key: '',
        rows: [
          ['Amount', 'Account', 'File', 'Schema', 'Folder', 'State', 'Received', 'Approved', 'Approved by', 'No'],
          [30.5, '4400', 'a.pdf', 'Bills', 'Invoices', 'Approved', '2026-11-21', '2026-11-22', 'Ada', 'A1'],
        ],
      },
    ])
  })

  it('can lead to the file', () => {
    const columns = [exportColumn.parse({ kind: 'about', about: 'link' })]
    expect(tables({ layout: 'rows', columns }, records.slice(0, 1))[0]!.rows).toEqual([
      ['Link'],
      [{ href: 'file:///in/M%C3%BCller%20%221%22.pdf', text: 'a.pdf' }],
    ])
  })

  it('of a list have a row for each item, the document’s own repeated, in the order that was chosen', () => {
    expect(
      tables({ layout: 'rows', columns: [field('Items.Price'), field('No'), field('Items.Article', 'What')] }),
    ).toEqual([
      {
        key: '',
        rows: [
          ['Price', 'No', 'What'],
          [10.5, 'A1', 'Nail'],
          [20, 'A1', 'Screw'],
          [null, 'A1', 'Bolt'],
          [null, 'A2', null],
        ],
      },
    ])
  })

  it('of two lists make a table for each', () => {
    const columns = [field('No'), field('Items.Article'), field('Taxes')]
    expect(tables({ layout: 'rows', columns })).toEqual([
      {
        key: 'Items',
        rows: [
          ['No', 'Article'],
          ['A1', 'Nail'],
          ['A1', 'Screw'],
          ['A1', 'Bolt'],
          ['A2', null],
        ],
      },
      {
        key: 'Taxes',
        rows: [
          ['No', 'Rate'],
          ['A1', 19],
          ['A2', null],
        ],
      },
    ])
    expect(tables({ layout: 'sheets', columns })).toEqual([
      {
        key: '',
        rows: [
          ['Document', 'No'],
          [1, 'A1'],
          [2, 'A2'],
        ],
      },
      {
        key: 'Items',
        rows: [
          ['Document', 'Article'],
          [1, 'Nail'],
          [1, 'Screw'],
          [1, 'Bolt'],
        ],
      },
      {
        key: 'Taxes',
        rows: [
          ['Document', 'Rate'],
          [1, 19],
        ],
      },
    ])
  })

  it('have no header twice, and are empty for a field that is not there', () => {
    expect(
      tables(
        { layout: 'rows', columns: [field('No'), field('Total', 'No'), field('Gone'), field('Items.Gone', 'No')] },
        records.slice(1),
      ),
    ).toEqual([
      {
        key: '',
        rows: [
          ['No', 'No 2', 'Gone', 'No (Items)'],
          ['A2', 5, null, null],
        ],
      },
    ])
  })
})

describe('lists as text', () => {
  it('stand in one cell, with the numbers of the language', () => {
    expect(tables({ layout: 'text' })).toEqual([
      {
        key: '',
        rows: [
          ['File', 'No', 'Total', 'Items', 'Taxes'],
          ['a.pdf', 'A1', 30.5, 'Nail, 10.5; Screw, 20; Bolt', '19'],
          ['b.pdf', 'A2', 5, null, null],
        ],
      },
    ])
    const [table] = planTables(schema, {
      layout: 'text',
      locale: 'de',
      columns: [field('Items.Article'), field('Items.Price')],
    })
    expect([...table!.rowsOf(records[0]!, 'a.pdf', 1)]).toEqual([['Nail; Screw; Bolt', '10,5; 20']])
  })
})

describe('lists as columns', () => {
  it('have columns for as many items as there are', () => {
    expect(tables({ layout: 'columns' })[0]!.rows).toEqual([
      [
        'File',
        'No',
        'Total',
        'Items 1 Article',
        'Items 1 Price',
        'Items 2 Article',
        'Items 2 Price',
        'Items 3 Article',
        'Items 3 Price',
        'Taxes 1 Rate',
      ],
      ['a.pdf', 'A1', 30.5, 'Nail', 10.5, 'Screw', 20, 'Bolt', null, 19],
      ['b.pdf', 'A2', 5, null, null, null, null, null, null, null],
    ])
  })

  it('have one more for what is beyond the limit, so that nothing is dropped', () => {
    expect(
      tables({ layout: 'columns', listLimit: 1, columns: [field('No'), field('Items.Article', 'Article')] })[0]!.rows,
    ).toEqual([
      ['No', 'Article 1', 'More of Article'],
      ['A1', 'Nail', 'Screw; Bolt'],
      ['A2', null, null],
    ])
  })

  it('show what came beside the schema', () => {
    expect(tables({ layout: 'columns', listLimit: 1 }, [{ No: 'A3', Note: 'paid' }])[0]!.rows[0]).toEqual([
      'File',
      'No',
      'Total',
      'Note',
      'Items 1 Article',
      'Items 1 Price',
      'Taxes 1 Rate',
    ])
  })
})

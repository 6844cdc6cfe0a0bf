import { describe, expect, it } from 'vitest'
import { collectExtraKeys, planTables } from '../../../electron/core/export/flatten.ts'
import type { ExtraKeys } from '../../../electron/core/export/flatten.ts'
import type { ExportRecord } from '../../../electron/core/export/records.ts'
import type { CellValue } from '../../../electron/core/export/values.ts'
import type { ListLayout } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'

const text = (name: string): SchemaElement => ({ name, format: 'text', description: '' })
const number = (name: string): SchemaElement => ({ name, format: 'number', description: '' })
const list = (name: string, ...items: SchemaElement[]): SchemaElement => ({
  name,
  format: 'list',
  description: '',
  items,
})

type Table = { key: string; name: string; rows: CellValue[][] }

/** Header row and rows of every table, for records of files a.pdf, b.pdf … */
function tables(schema: SchemaElement[], records: ExportRecord[], layout: ListLayout, locale: Locale = 'en'): Table[] {
  const extras: ExtraKeys = new Map()
  for (const record of records) collectExtraKeys(record, schema, extras)
  return planTables(schema, { layout, locale, extras }).map((plan) => ({
    key: plan.key,
    name: plan.name,
    rows: [
      plan.columns.map(({ header }) => header),
      ...records.flatMap((record, index) => [...plan.rowsOf(record, `${'abc'[index]}.pdf`, index + 1)]),
    ],
  }))
}

const invoice = [text('No'), number('Total'), list('Positions', text('Article'), number('Price'))]
const invoices: ExportRecord[] = [
  {
    No: 'A1',
    Total: 30,
    Positions: [
      { Article: 'Nail', Price: 10 },
      { Article: 'Screw', Price: 20 },
    ],
  },
  { No: 'A2', Total: 5, Positions: [] },
  { No: 'A3', Total: null, Positions: null },
]

describe('layout «rows»', () => {
  it('gives one row per record when there is no list', () => {
    expect(
      tables(
        [text('No'), number('Total')],
        invoices.slice(0, 1).map(({ No, Total }) => ({ No, Total })),
        'rows',
      ),
    ).toEqual([
      {
        key: '',
        name: 'Documents',
        rows: [
          ['File', 'No', 'Total'],
          ['a.pdf', 'A1', 30],
        ],
      },
    ])
  })

  it('gives one row per item with the document’s fields repeated, and one row for a document without items', () => {
    expect(tables(invoice, invoices, 'rows')).toEqual([
      {
        key: '',
        name: 'Documents',
        rows: [
          ['File', 'No', 'Total', 'Article', 'Price'],
          ['a.pdf', 'A1', 30, 'Nail', 10],
          ['a.pdf', 'A1', 30, 'Screw', 20],
          ['b.pdf', 'A2', 5, null, null],
          ['c.pdf', 'A3', null, null, null],
        ],
      },
    ])
  })

  it('gives each of two lists its own table, since their rows cannot be multiplied', () => {
    const schema = [text('No'), list('Positions', text('Article')), list('Taxes', number('Rate'))]
    expect(
      tables(
        schema,
        [{ No: 'A1', Positions: [{ Article: 'Nail' }, { Article: 'Screw' }], Taxes: [{ Rate: 19 }] }],
        'rows',
      ),
    ).toEqual([
      {
        key: 'Positions',
        name: 'Positions',
        rows: [
          ['File', 'No', 'Article'],
          ['a.pdf', 'A1', 'Nail'],
          ['a.pdf', 'A1', 'Screw'],
        ],
      },
      {
        key: 'Taxes',
        name: 'Taxes',
        rows: [
          ['File', 'No', 'Rate'],
          ['a.pdf', 'A1', 19],
        ],
      },
    ])
  })

  it('keeps a list inside a list in its own table, joined by document and row', () => {
    const schema = [text('No'), list('Positions', text('Article'), list('Lots', text('Lot')))]
    const record = {
      No: 'A1',
      Positions: [
        { Article: 'Nail', Lots: [{ Lot: 'x' }, { Lot: 'y' }] },
        { Article: 'Screw', Lots: [{ Lot: 'z' }] },
      ],
    }
    expect(tables(schema, [record], 'rows')).toEqual([
      {
        key: '',
        name: 'Documents',
        rows: [
          ['Document', 'File', 'No', 'Row', 'Article'],
          [1, 'a.pdf', 'A1', 1, 'Nail'],
          [1, 'a.pdf', 'A1', 2, 'Screw'],
        ],
      },
      {
        key: 'Positions Lots',
        name: 'Positions Lots',
        rows: [
          ['Document', 'File', 'Row in Positions', 'Lot'],
          [1, 'a.pdf', 1, 'x'],
          [1, 'a.pdf', 1, 'y'],
          [1, 'a.pdf', 2, 'z'],
        ],
      },
    ])
  })
})

describe('layout «sheets»', () => {
  it('gives a table of documents and one per list, joined by the document’s number', () => {
    expect(tables(invoice, invoices, 'sheets')).toEqual([
      {
        key: '',
        name: 'Documents',
        rows: [
          ['Document', 'File', 'No', 'Total'],
          [1, 'a.pdf', 'A1', 30],
          [2, 'b.pdf', 'A2', 5],
          [3, 'c.pdf', 'A3', null],
        ],
      },
      {
        key: 'Positions',
        name: 'Positions',
        rows: [
          ['Document', 'File', 'Article', 'Price'],
          [1, 'a.pdf', 'Nail', 10],
          [1, 'a.pdf', 'Screw', 20],
        ],
      },
    ])
  })

  it('joins lists inside lists through every level', () => {
    const schema = [list('A', text('a'), list('B', text('b'), list('C', text('c'))))]
    const record = {
      A: [
        { a: '1', B: [{ b: '1.1', C: [{ c: 'x' }] }] },
        {
          a: '2',
          B: [
            { b: '2.1', C: [] },
            { b: '2.2', C: [{ c: 'y' }] },
          ],
        },
      ],
    }
    expect(
      tables(schema, [record], 'sheets')
        .slice(1)
        .map(({ rows }) => rows),
    ).toEqual([
      [
        ['Document', 'File', 'Row', 'a'],
        [1, 'a.pdf', 1, '1'],
        [1, 'a.pdf', 2, '2'],
      ],
      [
        ['Document', 'File', 'Row in A', 'Row', 'b'],
        [1, 'a.pdf', 1, 1, '1.1'],
        [1, 'a.pdf', 2, 2, '2.1'],
        [1, 'a.pdf', 2, 3, '2.2'],
      ],
      [
        ['Document', 'File', 'Row in B', 'c'],
        [1, 'a.pdf', 1, 'x'],
        [1, 'a.pdf', 3, 'y'],
      ],
    ])
  })
})

describe('headers', () => {
  it.each([
    ['en', 'Document', 'File', 'Documents'],
    ['de', 'Dokument', 'Datei', 'Dokumente'],
    ['fr', 'Document', 'Fichier', 'Documents'],
  ] as const)('are in the chosen language: %s', (locale, document, file, name) => {
    const [table] = tables(invoice, [], 'sheets', locale)
    expect(table?.rows[0]?.slice(0, 2)).toEqual([document, file])
    expect(table?.name).toBe(name)
  })

  it('are never the same twice, whatever the case', () => {
    const schema = [
      text('file'),
      text('Amount'),
      text('Positions'),
      list('Lines', text('amount'), text('FILE'), text('Amount (Lines)')),
    ]
    const [table] = tables(schema, [], 'rows')
    expect(table?.rows[0]).toEqual([
      'File',
      'file 2',
      'Amount',
      'Positions',
      'amount (Lines)',
      'FILE (Lines)',
      'Amount (Lines) (Lines)',
    ])
  })

  it('align numbers to the right', () => {
    const [plan] = planTables(invoice, { layout: 'sheets', locale: 'en' })
    expect(plan?.columns.map(({ align }) => align)).toEqual(['right', 'left', 'left', 'right'])
  })
})

describe('what the service gave beside the schema', () => {
  it('gets columns of its own, objects and arrays as JSON text', () => {
    const records = [
      { No: 'A1', currency: 'EUR', seller: { city: 'Ulm' } },
      { No: 'A2', pages: [1, 2], paid: true },
    ]
    expect(tables([text('No')], records, 'rows')[0]?.rows).toEqual([
      ['File', 'No', 'currency', 'seller', 'pages', 'paid'],
      ['a.pdf', 'A1', 'EUR', '{"city":"Ulm"}', null, null],
      ['b.pdf', 'A2', null, null, '[1,2]', true],
    ])
  })

  it('gets columns in the table of its list', () => {
    const record = { No: 'A1', Total: 1, Positions: [{ Article: 'Nail', Price: 1, unit: 'kg' }] }
    expect(tables(invoice, [record], 'sheets')[1]?.rows).toEqual([
      ['Document', 'File', 'Article', 'Price', 'unit'],
      [1, 'a.pdf', 'Nail', 1, 'kg'],
    ])
  })

  it('is kept when a field has another shape than the schema says', () => {
    const records = [
      { No: { a: 1 }, Positions: { Article: 'lone' } },
      { No: ['x'], Positions: ['Nail', null, 7] },
      { No: 5, Positions: 'one' },
    ]
    expect(tables([text('No'), list('Positions', text('Article'))], records, 'rows')[0]?.rows).toEqual([
      ['File', 'No', 'Article', 'Positions'],
      ['a.pdf', '{"a":1}', 'lone', null],
      ['b.pdf', '["x"]', null, 'Nail'],
      ['b.pdf', '["x"]', null, 7],
      ['c.pdf', 5, null, 'one'],
    ])
  })

  it('shares one last column when there are more than a hundred of them', () => {
    const record = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key ${index}`, index]))
    const [header, row] = tables([text('No')], [{ No: 'A1', ...record }], 'rows')[0]!.rows
    expect(header).toHaveLength(2 + 100 + 1)
    expect(header?.at(-1)).toBe('More')
    expect(JSON.parse(String(row?.at(-1)))).toEqual(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key ${index + 100}`, index + 100])),
    )
  })

  it('may be called like something every object has', () => {
    const record = JSON.parse('{"__proto__": "x", "No": "1"}') as ExportRecord
    expect(tables([text('No'), text('constructor')], [record], 'rows')[0]?.rows).toEqual([
      ['File', 'No', 'constructor', '__proto__'],
      ['a.pdf', '1', null, 'x'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { parseRoute, hrefOf } from '../../../renderer/client/route.ts'
import { valueColumns } from '../../../renderer/screens/documents/value-columns.ts'
import {
  actionsFor,
  maxSelected,
  nothingSelected,
  selectOnly,
  selectRange,
  toggle,
} from '../../../renderer/screens/documents/selection.ts'
import { isSortable } from '../../../renderer/screens/documents/sortable.ts'
import type { Selectable } from '../../../renderer/screens/documents/selection.ts'
import type { DocumentRow } from '../../../shared/contract/documents.ts'

const row = (id: number, status: DocumentRow['status'] = 'done', mayBeBilled = false): Selectable => ({
  id,
  status,
  mayBeBilled,
  reason: null,
  review: status === 'done' ? 'approved' : null,
})

describe('the selection', () => {
  it('takes single rows in and out and remembers where a range starts', () => {
    const two = toggle(selectOnly(row(1), 0), row(3), 2)
    expect([...two.documents.keys()]).toEqual([1, 3])
    expect(two.anchor).toBe(2)
    expect([...toggle(two, row(1), 0).documents.keys()]).toEqual([3])
  })

  it('holds no more than one call to core takes', () => {
    const many = Array.from({ length: maxSelected + 5 }, (_, index) => row(index + 1))
    const selection = selectRange(nothingSelected, many, 0)
    expect(selection.documents.size).toBe(maxSelected)
    expect(toggle(selection, row(999_999), 1).documents.size).toBe(maxSelected)
  })

  it('offers to each document what its state allows, by the newest state that is known', () => {
    const selection = selectRange(
      nothingSelected,
      [row(1, 'failed'), row(2, 'unknown'), row(3, 'queued'), row(4, 'submitting'), row(5, 'failed')],
      0,
    )
    const actions = actionsFor(selection, (id) => (id === 5 ? row(5) : undefined))
    const ids = { retry: [1], resend: [2], readAgain: [1, 5], cancel: [3], approve: [], export: [5] }
    expect(actions).toEqual({ ...ids, flagged: 0 })
  })

  it('approves what waits for that, with flags or without', () => {
    const rows = [
      row(1),
      { ...row(2), review: 'ready' as const },
      { ...row(3), review: 'flagged' as const },
      row(4, 'failed'),
    ]
    const actions = actionsFor(selectRange(nothingSelected, rows, 0), () => undefined)
    expect(actions).toMatchObject({ approve: [2, 3], flagged: 1 })
  })

  it('asks before what was cancelled on its way goes again, since it may be billed', () => {
    const selection = selectRange(
      nothingSelected,
      [row(1, 'cancelled'), row(2, 'cancelled', true), row(3, 'unknown', true), row(4, 'done', true)],
      0,
    )
    expect(actionsFor(selection, () => undefined)).toMatchObject({ retry: [1], resend: [2, 3] })
  })

  it('offers no retry to a copy of what is unknown: only the original can go again', () => {
    const copy = (id: number, code: 'duplicate_unknown' | 'duplicate_unread'): Selectable => ({
      ...row(id, 'skipped'),
      reason: { code, details: {} },
    })
    const selection = selectRange(
      nothingSelected,
      [copy(1, 'duplicate_unknown'), copy(2, 'duplicate_unread'), copy(3, 'duplicate_unread')],
      0,
    )
    expect(actionsFor(selection, (id) => (id === 3 ? copy(3, 'duplicate_unknown') : undefined))).toMatchObject({
      retry: [2],
      resend: [],
    })
  })
})

describe('what a person sorts', () => {
  const asking = (code: 'kind_unsure' | 'cut_proposed' | 'cut' | 'empty_file'): Selectable => ({
    ...row(1, 'skipped'),
    reason: { code, details: {} },
  })

  it('is not tried again: it is sent by what is said of it', () => {
    for (const code of ['kind_unsure', 'cut_proposed', 'cut'] as const)
      expect(actionsFor(selectOnly(asking(code), 0), () => undefined).retry).toEqual([])
    expect(actionsFor(selectOnly(asking('empty_file'), 0), () => undefined).retry).toEqual([1])
  })

  it('is what can be parted, and whatever waits for that, but nothing in the bin', () => {
    const document = { status: 'done', reason: null, inBin: false } as const
    expect(isSortable({ ...document, name: 'scan.PDF' })).toBe(true)
    expect(isSortable({ ...document, name: 'fax.tif' })).toBe(true)
    expect(isSortable({ ...document, name: 'photo.jpg' })).toBe(false)
    expect(isSortable({ ...asking('kind_unsure'), name: 'photo.jpg', inBin: false })).toBe(true)
    expect(isSortable({ ...document, name: 'scan.pdf', inBin: true })).toBe(false)
  })
})

describe('the columns of values', () => {
  const document = (schemaId: number, values: [string, string | number | null][]): DocumentRow =>
    ({ schemaId, values: values.map(([name, value]) => ({ name, value })) }) as DocumentRow

  const none = { number: null, date: null, sender: null, total: null, currency: null }

  it('prefer names and the largest amount to dates', () => {
    const rows = [
      document(1, [
        ['number', 'A-1'],
        ['date', '2026-11-17'],
        ['seller', 'Hartmann'],
        ['net', 100],
        ['tax', 19],
        ['total', 119],
      ]),
    ]
    expect(valueColumns(rows, 3).map(({ name }) => name)).toEqual(['number', 'seller', 'total'])
    expect(valueColumns(rows, 6)).toHaveLength(6)
    expect(
      valueColumns(rows, 3, new Map([[rows[0]!.schemaId, { chosen: ['total', 'number', 'gone'], common: none }]])).map(
        ({ name }) => name,
      ),
    ).toEqual(['total', 'number'])
  })

  it('are absent when the rows have different schemas', () => {
    expect(valueColumns([document(1, [['number', 'A']]), document(2, [['total', 1]])], 3)).toEqual([])
    // One receipt among invoices does not take their columns away.
    const invoices = [1, 1, 1].map((schemaId) =>
      document(schemaId, [
        ['number', 'A'],
        ['total', 12],
      ]),
    )
    expect(valueColumns([...invoices, document(2, [['shop', 'B']])], 3).map(({ name }) => name)).toEqual([
      'number',
      'total',
    ])
    expect(valueColumns([...invoices, document(2, [['shop', 'B']]), document(2, [['shop', 'C']])], 3)).toEqual([])
  })

  it('are what the schemas share by meaning where no schema has most of the rows', () => {
    const invoice = document(1, [
      ['Invoice number', 'A-1'],
      ['Seller', 'Hartmann'],
      ['Total', 119.5],
    ])
    const receipt = document(2, [
      ['Shop', 'Rewe'],
      ['Sum', 12],
    ])
    const other = document(3, [['Berth', '7']])
    const schemas = new Map([
      [
        1,
        {
          chosen: ['Total'],
          common: { ...none, number: 'Invoice number', date: 'Day', sender: 'Seller', total: 'Total' },
        },
      ],
      [2, { chosen: null, common: { ...none, date: 'Date', sender: 'Shop', total: 'Sum', currency: 'Money' } }],
      [3, { chosen: null, common: none }],
    ])
    const columns = valueColumns([invoice, receipt, other], 4, schemas)
    expect(columns.map(({ name, numeric, minDecimals }) => [name, numeric, minDecimals])).toEqual([
      ['sender', false, 0],
      ['date', false, 0],
      ['total', true, 2],
    ])
    expect([1, 2, 3].map((id) => columns[0]!.fields!.get(id))).toEqual(['Seller', 'Shop', null])
    expect(columns.map(({ currencies }) => currencies?.get(2))).toEqual([undefined, undefined, 'Money'])
    expect(valueColumns([invoice, receipt], 2, schemas).map(({ name }) => name)).toEqual(['sender', 'total'])
    expect(valueColumns([invoice, other, other], 4, schemas)).toEqual([])
  })
})

describe('an address', () => {
  it('leads to its screen and back', () => {
    for (const hash of [
      '#/documents',
      '#/documents/12',
      '#/folders',
      '#/schemas',
      '#/schemas/new',
      '#/schemas/3',
      '#/exports',
      '#/settings',
      '#/sort',
      '#/sort/12',
    ]) {
      expect(hrefOf(parseRoute(hash))).toBe(hash)
    }
  })

  it('that means nothing leads to the documents', () => {
    for (const hash of ['', '#/documents/0', '#/documents/-1', '#/elsewhere', '#/documents/<img>'])
      expect(parseRoute(hash)).toEqual({ screen: 'documents' })
  })
})

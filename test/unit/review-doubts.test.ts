import { describe, expect, it } from 'vitest'
import { doubtFlags, doubtsInPlace, openDoubts } from '../../electron/core/review/doubts.ts'
import { allFlags } from '../../electron/core/review/all-flags.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../shared/domain/result.ts'
import type { Flag, Rule } from '../../shared/domain/review.ts'

const box = { x: 0.1, y: 0.1, width: 0.1, height: 0.02 }
const unsure = (pointer: string): Doubt => ({ pointer, code: 'unsure', alternatives: [] })
const records = (total: unknown, ...rows: string[]): ExtractedRecord[] =>
  [{ total, items: rows.map((text) => ({ text })) }] as ExtractedRecord[]
const open = (doubts: Doubt[], before: ExtractedRecord[], now = before, moved: string[] = []): string[] =>
  openDoubts(doubts, before, now, () => moved).map(({ pointer }) => pointer)

describe('a doubt', () => {
  it('holds while the value is the one that the service gave, and no longer', () => {
    const doubts = [unsure('/0/total')]
    expect(open(doubts, records(10))).toEqual(['/0/total'])
    expect(open(doubts, records(10), records(11))).toEqual([])
  })

  it('may be about a value that was not found, and about a field that was left out', () => {
    expect(open([unsure('/0/total')], records(null))).toEqual(['/0/total'])
    expect(open([unsure('/0/iban')], records(1))).toEqual(['/0/iban'])
  })

  it('is left out where it leads to no record', () => {
    expect(open(['', '/1/total', '/0/items/4/text', '/0/total/x'].map(unsure), records(1, 'a'))).toEqual([])
  })

  it('moves with its row, and goes with it', () => {
    const doubts = [unsure('/0/items/1/text')]
    const before = records(1, 'a', 'b', 'c')
    expect(open(doubts, before, records(1, 'b', 'c'), ['/0/items'])).toEqual(['/0/items/0/text'])
    expect(open(doubts, before, records(1, 'a', 'c'), ['/0/items'])).toEqual([])
  })

  it('that rows are missing is settled by more or fewer rows, and not by a typing error in one', () => {
    const doubts: Doubt[] = [{ pointer: '/0/items', code: 'rows_missing', alternatives: [] }]
    const before = records(1, 'a', 'b')
    expect(open(doubts, before, records(1, 'a', 'B'))).toEqual(['/0/items'])
    expect(open(doubts, before, records(1, 'a', 'b', 'c'), ['/0/items'])).toEqual([])
  })

  it('that rows are not sure is not settled by a correction of one of them', () => {
    const doubts: Doubt[] = [{ pointer: '/0/items', code: 'rows_unsure', alternatives: [] }]
    const before = records(1, 'a', 'b')
    expect(open(doubts, before, records(1, 'a', 'B'))).toEqual(['/0/items'])
    expect(open(doubts, before, records(1, 'a', 'b', 'c'), ['/0/items'])).toEqual(['/0/items'])
  })

  it('about the whole record stands at it, wherever the service says', () => {
    const doubts: Doubt[] = [
      { pointer: '', code: 'other_kind', alternatives: [] },
      { pointer: '/0/total', code: 'several_documents', alternatives: [] },
    ]
    expect(open(doubts, records(1), records(2))).toEqual(['/0', '/0'])
  })

  it('that was settled keeps its other values, for whoever takes that back', () => {
    const other = { value: 12, page: 1, box, text: '12' }
    const doubts: Doubt[] = [{ pointer: '/0/total', code: 'unsure', alternatives: [other] }]
    expect(doubtsInPlace(doubts, records(10), records(11), () => [])).toEqual(doubts)
  })

  it('is told once for a place', () => {
    expect(open([unsure('/0/total'), unsure('/0/total')], records(1))).toEqual(['/0/total'])
  })
})

describe('the flag of a doubt', () => {
  it('has the value that it is about, so that another value is another flag', () => {
    expect(doubtFlags([unsure('/0/total')], records(10), () => null)).toEqual([
      { code: 'unsure', pointer: '/0/total', value: 10 },
    ])
  })

  it('says which parts of the file say what', () => {
    const alternatives = [{ value: 1109, page: 1, box, text: '1109.00', from: 'e-invoice' as const }]
    const differ: Doubt = { pointer: '/0/total', code: 'sources_differ', alternatives }
    const sources: FieldSource[] = [{ pointer: '/0/total', page: 1, box, text: '1,190.00' }]
    expect(doubtFlags([differ], records(1190), () => sources)).toEqual([
      {
        code: 'sources_differ',
        pointer: '/0/total',
        value: 1190,
        from: 'page',
        other: 1109,
        otherFrom: 'e-invoice',
      },
    ])
  })

  it('says what the other part says, wherever the value itself is among them', () => {
    const at = { page: 1, box, text: '' }
    const alternatives = [
      { value: 1109, ...at, from: 'e-invoice' as const },
      { value: 1190, ...at, from: 'page' as const },
    ]
    const differ: Doubt = { pointer: '/0/total', code: 'sources_differ', alternatives }
    const sources: FieldSource[] = [{ pointer: '/0/total', ...at, from: 'e-invoice' }]
    expect(doubtFlags([differ], records(1109), () => sources)).toMatchObject([
      { value: 1109, from: 'e-invoice', other: 1190, otherFrom: 'page' },
    ])
  })
})

describe('what is judged', () => {
  const judged = (record: unknown, rules: Rule[], doubts: Flag[] = []): [string, string][] =>
    allFlags(
      {
        records: [record as ExtractedRecord],
        elements: [
          { name: 'Net', format: 'number', description: '' },
          { name: 'Tax', format: 'number', description: '' },
          { name: 'Total', format: 'number', description: '' },
          { name: 'Date', format: 'text', description: '' },
        ],
        rules,
        doubts,
        usualAmount: () => null,
      },
      { today: '2026-11-22', seen: () => null },
    ).map(({ code, pointer }) => [code, pointer])

  it('is told by the rule alone where a rule says the same', () => {
    const sum: Rule = { kind: 'sum', terms: [['Net'], ['Tax']], total: ['Total'] }
    const record = { Net: 100, Tax: 19, Total: 190 }
    expect(judged(record, [])).toEqual([['implausible', '/0/Total']])
    expect(judged(record, [sum])).toEqual([['sum', '/0/Total']])
    expect(judged({ Date: '2101-01-01' }, [{ kind: 'not_in_future', field: ['Date'] }])).toEqual([
      ['not_in_future', '/0/Date'],
    ])
  })

  it('is not called unsure as well where something more exact stands', () => {
    const doubts: Flag[] = [
      { code: 'unsure', pointer: '/0/Total', value: 190 },
      { code: 'unsure', pointer: '/0/Date', value: 'x' },
    ]
    expect(judged({ Net: 100, Tax: 19, Total: 190, Date: 'x' }, [], doubts)).toEqual([
      ['implausible', '/0/Total'],
      ['unsure', '/0/Date'],
    ])
  })

  it('keeps that two parts of the file differ beside what a rule says', () => {
    const differ: Flag = {
      code: 'sources_differ',
      pointer: '/0/Total',
      value: null,
      from: 'page',
      other: 119,
      otherFrom: 'e-invoice',
    }
    expect(judged({ Total: null }, [{ kind: 'required', field: ['Total'] }], [differ])).toEqual([
      ['required', '/0/Total'],
      ['sources_differ', '/0/Total'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { carryCorrections, carryFlag, carryPointer } from '../../../electron/core/trials/carry-over.ts'
import { valueChanges } from '../../../electron/core/trials/value-changes.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import { withCorrections } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const text = (name: string, description = name): SchemaElement => ({ name, format: 'text', description })
const rows = (name: string, ...items: SchemaElement[]): SchemaElement => ({
  name,
  format: 'list',
  description: 'the rows',
  items,
})
const before = [text('Number'), text('Date'), rows('Rows', text('Article'), text('Unit'))]

function carried(
  extracted: ExtractedRecord[],
  corrected: ExtractedRecord[],
  elements: SchemaElement[],
  again: ExtractedRecord[],
): ExtractedRecord[] {
  return withCorrections(
    again,
    carryCorrections({ elements: before, extracted, corrected }, { elements, extracted: again }),
  )
}

describe('what persons corrected, carried to another reading', () => {
  it('stands in a field that was renamed, and is gone with one that was removed or holds another kind of value', () => {
    const elements: SchemaElement[] = [
      text('Invoice number', 'Number'),
      { name: 'Date', format: 'number', description: '' },
    ]
    expect(
      carried([{ Number: '1', Date: 'May', Rows: [] }], [{ Number: '1a', Date: 'June', Rows: [] }], elements, [
        { 'Invoice number': '1', Date: 5 },
      ]),
    ).toEqual([{ 'Invoice number': '1a', Date: 5 }])
  })

  it('is none where only its form is another: a field of a kind has that already', () => {
    const elements: SchemaElement[] = [text('Number'), { ...text('Date'), kind: 'date' }]
    const [extracted, corrected] = [[{ Number: '1', Date: '14.6.26' }], [{ Number: '1', Date: '15. Juni 2026' }]]
    const carry = (again: string) =>
      carryCorrections(
        { elements: before, extracted, corrected },
        { elements, extracted: [{ Number: '1', Date: again }] },
      )
    expect(carry('2026-06-15')).toEqual([])
    expect(carry('2026-06-14')).toMatchObject([{ pointer: '/0/Date', extracted: '2026-06-14', value: '2026-06-15' }])
  })

  it('stands against another reading although it differed in form only before', () => {
    const elements: SchemaElement[] = [{ ...text('Number'), kind: 'code' }, text('Date')]
    const [extracted, corrected] = [[{ Number: 'Nr. 2024-17', Date: '' }], [{ Number: '2024-17', Date: '' }]]
    expect(
      carryCorrections(
        { elements: before, extracted, corrected },
        { elements, extracted: [{ Number: 'K-99', Date: '' }] },
      ),
    ).toMatchObject([{ pointer: '/0/Number', value: '2024-17' }])
  })

  it('leaves what nobody corrected to the new reading', () => {
    expect(
      carried([{ Number: '1', Date: 'May' }], [{ Number: '1', Date: 'June' }], before, [{ Number: '2', Date: 'July' }]),
    ).toEqual([{ Number: '2', Date: 'June' }])
  })

  it('is a single cell where the list has as many rows as before', () => {
    const elements = [before[0]!, before[1]!, rows('Rows', text('Article'), text('Unit'), text('Price'))]
    expect(
      carried(
        [
          {
            Rows: [
              { Article: 'a', Unit: 'kg' },
              { Article: 'b', Unit: 'kg' },
            ],
          },
        ],
        [
          {
            Rows: [
              { Article: 'a', Unit: 'kg' },
              { Article: 'B', Unit: 'kg' },
            ],
          },
        ],
        elements,
        [
          {
            Rows: [
              { Article: 'a', Unit: 't', Price: '1' },
              { Article: 'b', Unit: 'kg', Price: '2' },
            ],
          },
        ],
      ),
    ).toEqual([
      {
        Rows: [
          { Article: 'a', Unit: 't', Price: '1' },
          { Article: 'B', Unit: 'kg', Price: '2' },
        ],
      },
    ])
  })

  it('is the whole list where a row was added, since nobody knows which of the new rows it is', () => {
    const elements = [before[0]!, before[1]!, rows('Lines', text('Article'), text('Price'))]
    expect(
      carried(
        [{ Rows: [{ Article: 'a', Unit: 'kg' }] }],
        [
          {
            Rows: [
              { Article: 'a', Unit: 'kg' },
              { Article: 'b', Unit: 'kg' },
            ],
          },
        ],
        elements,
        [{ Lines: [{ Article: 'a', Price: '1' }] }],
      ),
    ).toEqual([
      {
        Lines: [
          { Article: 'a', Price: null },
          { Article: 'b', Price: null },
        ],
      },
    ])
  })

  it('is nothing where the new reading says the same', () => {
    const reading = { elements: before, extracted: [{ Number: '1' }], corrected: [{ Number: '2' }] }
    expect(carryCorrections(reading, { elements: before, extracted: [{ Number: '2' }] })).toEqual([])
  })
})

describe('how two readings differ', () => {
  it('is told cell by cell, and of a list with other rows only how many it has', () => {
    const reading = (record: ExtractedRecord, elements = before) => ({ elements, records: [record] })
    expect(
      valueChanges(
        reading({ Number: '1', Date: 'May', Rows: [{ Article: 'a', Unit: 'kg' }] }),
        reading({ Number: '1', Date: null, Rows: [{ Article: 'a', Unit: 't' }] }),
      ),
    ).toEqual([
      { place: ['Date'], from: 'May', to: null, isRows: false },
      { place: ['Rows', 1, 'Unit'], from: 'kg', to: 't', isRows: false },
    ])
    expect(
      valueChanges(reading({ Rows: [{ Article: 'a', Unit: null }] }), reading({ Rows: [] }, [before[2]!])),
    ).toEqual([{ place: ['Rows'], from: 1, to: 0, isRows: true }])
  })
})

describe('a place of a reading', () => {
  const after = [text('No.', 'Number'), { ...text('Date'), format: 'number' as const }, before[2]!]

  it('is where its field is in the other one, and nowhere where that is gone or of another kind', () => {
    expect(carryPointer('/0/Number', { before, after })).toBe('/0/No.')
    expect(carryPointer('/0/Rows/3/Unit', { before, after })).toBe('/0/Rows/3/Unit')
    expect(carryPointer('/0', { before, after })).toBe('/0')
    expect(carryPointer('/0/Date', { before, after })).toBeNull()
    expect(carryPointer('/0/Number', { before, after: before.slice(1) })).toBeNull()
  })

  it('is found in rows whose columns are called otherwise', () => {
    const renamed = [before[0]!, before[1]!, rows('Rows', text('Item', 'Article'), text('Unit'))]
    expect(carryPointer('/0/Rows/3/Article', { before, after: renamed })).toBe('/0/Rows/3/Item')
  })

  it('has its flags with the names that the fields beside it have there', () => {
    const amounts = [text('Net'), text('Tax'), text('Total')]
    const later = [text('Net'), text('VAT', 'Tax'), text('Total')]
    const flag = { code: 'sum' as const, pointer: '/0/Total', expected: 3, total: 4 }
    const terms = (...names: string[]) => names.map((name, index) => ({ name, value: index + 1 }))
    expect(carryFlag({ ...flag, terms: terms('Net', 'Tax') }, '/0/Total', { before: amounts, after: later })).toEqual({
      ...flag,
      terms: terms('Net', 'VAT'),
    })
  })
})

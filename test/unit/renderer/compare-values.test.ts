import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareValues, countDifferences, markOf } from '../../../renderer/screens/schemas/compare-values.ts'
import type { FieldValues } from '../../../renderer/screens/schemas/compare-values.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const text = (name: string, description = ''): SchemaElement => ({ name, format: 'text', description })
const rows: SchemaElement = {
  name: 'rows',
  format: 'list',
  description: '',
  items: [text('article'), { name: 'amount', format: 'number', description: '' }],
}

const said = (fields: FieldValues[]): string[] =>
  fields.flatMap(({ name, pairs }) =>
    pairs.map(
      ({ place, mark, before, after }) => `${[name, ...place].join(' ')}: ${String(before)} → ${String(after)} ${mark}`,
    ),
  )

describe('what a draft gives beside a result', () => {
  it('is the same, new, gone or changed', () => {
    const schema = ['a', 'b', 'c', 'd', 'e'].map((name) => text(name))
    const fields = compareValues(
      { elements: schema, records: [{ a: '1', b: null, c: '3', d: '4', e: '' }] },
      { elements: schema, records: [{ a: '1', b: '2', c: '', d: 4, e: null }] },
    )
    expect(said(fields)).toEqual(['a: 1 → 1 same', 'b: null → 2 new', 'c: 3 →  gone', 'd: 4 → 4 changed'])
    expect(countDifferences(fields)).toEqual({ values: 4, different: 3 })
  })

  it('follows a field under its new name, and names what the draft no longer asks for', () => {
    const fields = compareValues(
      { elements: [text('no', 'Number'), text('to', 'Buyer')], records: [{ no: '7', to: 'Aire' }] },
      { elements: [text('number', 'Number')], records: [{ number: '7' }] },
    )
    expect(fields.map(({ name, formerly, isGone }) => [name, formerly, isGone])).toEqual([
      ['number', 'no', false],
      ['to', null, true],
    ])
    expect(said(fields)).toEqual(['number: 7 → 7 same', 'to: Aire → null gone'])
  })

  it('goes through the rows of a list, and through several records', () => {
    const fields = compareValues(
      { elements: [rows], records: [{ rows: [{ article: 'Shaft', amount: 3 }] }] },
      {
        elements: [rows],
        records: [
          {
            rows: [
              { article: 'Shaft', amount: 4 },
              { article: 'Bolt', amount: null },
            ],
          },
        ],
      },
    )
    expect(said(fields)).toEqual([
      'rows 1 article: Shaft → Shaft same',
      'rows 1 amount: 3 → 4 changed',
      'rows 2 article: null → Bolt new',
    ])
    expect(markOf(fields[0]!.pairs)).toBe('changed')
    const records = compareValues(
      { elements: [text('a')], records: [{ a: '1' }] },
      { elements: [text('a')], records: [{ a: '1' }, { a: '2' }] },
    )
    expect(said(records)).toEqual(['a 1: 1 → 1 same', 'a 2: null → 2 new'])
  })

  it('takes a service at its word where that is no list, and a field that became one', () => {
    expect(
      said(
        compareValues(
          { elements: [rows], records: [{ rows: 'none' }] },
          { elements: [rows], records: [{ rows: [{ article: 'x' }] }] },
        ),
      ),
    ).toEqual(['rows: none → [object Object] changed'])
    expect(
      said(
        compareValues(
          { elements: [text('rows')], records: [{ rows: 'x' }] },
          { elements: [rows], records: [{ rows: [] }] },
        ),
      ),
    ).toEqual(['rows: x →  gone'])
  })

  it('differs in nothing from itself, and in as much both ways round', () => {
    const schema = [text('a'), rows]
    const record = fc.record({
      a: fc.option(fc.constantFrom('', 'x', 'y')),
      rows: fc.array(
        fc.record({ article: fc.constantFrom('', 'x', null), amount: fc.option(fc.integer({ min: 0, max: 2 })) }),
        { maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 2 }), fc.array(record, { maxLength: 2 }), (one, other) => {
        const side = (records: typeof one) => ({ elements: schema, records })
        expect(countDifferences(compareValues(side(one), side(structuredClone(one)))).different).toBe(0)
        expect(countDifferences(compareValues(side(one), side(other)))).toEqual(
          countDifferences(compareValues(side(other), side(one))),
        )
      }),
    )
  })
})

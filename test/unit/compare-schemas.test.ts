import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSchemas, countMarks } from '../../shared/domain/compare-schemas.ts'
import type { FieldPair } from '../../shared/domain/compare-schemas.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

const text = (name: string, description = ''): SchemaElement => ({ name, format: 'text', description })
const list = (name: string, items: SchemaElement[], description = ''): SchemaElement => ({
  name,
  format: 'list',
  description,
  items,
})

/** Only what changed, as «before → after: marks». */
function changes(before: SchemaElement[], after: SchemaElement[]): string[] {
  const name = (side: FieldPair['before']): string => (side === null ? '' : [...side.within, side.name].join('.'))
  return compareSchemas(before, after)
    .filter(({ marks }) => marks.length > 0)
    .map((pair) => `${name(pair.before)} → ${name(pair.after)}: ${pair.marks.join(', ')}`)
}

describe('two versions of a schema', () => {
  it('say which fields were added and removed, with the fields of a list', () => {
    expect(changes([text('a'), list('rows', [text('x')])], [text('a'), text('b', 'new')])).toEqual([
      'rows → : removed',
      'rows.x → : removed',
      ' → b: added',
    ])
  })

  it('tell a new name from a new field by what was left as it was', () => {
    expect(
      changes(
        [text('no', 'Number of the invoice'), text('to')],
        [text('number', 'Number of the invoice'), text('buyer')],
      ),
    ).toEqual(['no → number: renamed', 'to → buyer: renamed'])
    expect(changes([text('a', 'one')], [text('b', 'other')])).toEqual(['a → : removed', ' → b: added'])
  })

  it('say what has another format or description', () => {
    expect(changes([text('total', 'net')], [{ name: 'total', format: 'number', description: 'gross' }])).toEqual([
      'total → total: type, description',
    ])
  })

  it('call moved only what did not keep its order with the others', () => {
    expect(
      changes(
        ['a', 'b', 'c', 'd'].map((name) => text(name)),
        ['d', 'a', 'b', 'c'].map((name) => text(name)),
      ),
    ).toEqual(['d → d: moved'])
  })

  it('follow a field into another list, and a list with its fields', () => {
    expect(
      changes([text('vat', 'id'), list('seller', [text('name')])], [list('seller', [text('name'), text('vat', 'id')])]),
    ).toEqual(['vat → seller.vat: moved'])
    expect(
      changes(
        [list('rows', [text('x')]), list('page', [text('n')])],
        [list('page', [text('n'), list('rows', [text('x', 'better')])])],
      ),
    ).toEqual(['rows → page.rows: moved', 'rows.x → page.rows.x: description'])
  })

  it('are compared to any depth', () => {
    const deep = (description: string): SchemaElement[] => [
      list('a', [list('b', [list('c', [text('d', description)])])]),
    ]
    expect(changes(deep('old'), deep('new'))).toEqual(['a.b.c.d → a.b.c.d: description'])
  })

  it('keep what was removed where it stood', () => {
    const rows = compareSchemas([text('a'), text('gone', 'x'), text('b')], [text('a'), text('b'), text('new', 'y')])
    expect(rows.map(({ before, after }) => after?.name ?? `-${before!.name}`)).toEqual(['a', '-gone', 'b', 'new'])
  })
})

const { fields } = fc.letrec<{ fields: SchemaElement[]; field: SchemaElement }>((tie) => ({
  fields: fc.uniqueArray(tie('field'), { selector: ({ name }) => name, maxLength: 5, depthIdentifier: 'schema' }),
  field: fc.oneof(
    { depthIdentifier: 'schema', maxDepth: 3 },
    fc.record({
      name: fc.constantFrom(...'abcdef'),
      format: fc.constantFrom('text', 'number', 'boolean'),
      description: fc.constantFrom('', 'x', 'y'),
    }),
    fc.record({
      name: fc.constantFrom(...'abcdef'),
      format: fc.constant('list'),
      description: fc.constantFrom('', 'x'),
      items: tie('fields'),
    }),
  ) as fc.Arbitrary<SchemaElement>,
}))
const size = (elements: readonly SchemaElement[]): number =>
  elements.reduce((sum, { items }) => sum + 1 + size(items ?? []), 0)
const sidesWith = (pairs: FieldPair[], mark: 'added' | 'removed'): string[] =>
  pairs
    .filter(({ marks }) => marks.includes(mark))
    .map(({ before, after }) => JSON.stringify(before ?? after))
    .sort()

describe('a list that moved', () => {
  it('takes its fields along before they are looked for elsewhere, whichever way round', () => {
    const number: SchemaElement = { name: 'a', format: 'number', description: '' }
    const one = [list('f', [number], 'x')]
    const other = [list('a', [number]), list('b', [list('f', [text('a')], 'x')])]
    for (const pairs of [compareSchemas(one, other), compareSchemas(other, one)])
      expect(pairs.find(({ before, after }) => (before ?? after)?.within.at(-1) === 'f')?.marks).toEqual(['type'])
  })
})

describe('any two schemas', () => {
  it('have no change when they are the same', () => {
    fc.assert(
      fc.property(fields, (schema) =>
        compareSchemas(schema, structuredClone(schema)).every(({ marks }) => marks.length === 0),
      ),
    )
  })

  it('have every field of both exactly once', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const pairs = compareSchemas(one, other)
        expect([
          pairs.filter(({ before }) => before !== null).length,
          pairs.filter(({ after }) => after !== null).length,
        ]).toEqual([size(one), size(other)])
      }),
    )
  })

  it('have added one way round what they have removed the other way round', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const [there, back] = [compareSchemas(one, other), compareSchemas(other, one)]
        expect(sidesWith(there, 'added')).toEqual(sidesWith(back, 'removed'))
        expect(sidesWith(there, 'removed')).toEqual(sidesWith(back, 'added'))
        expect(countMarks(there).renamed).toBe(countMarks(back).renamed)
      }),
    )
  })

  it('have a change when they are different', () => {
    fc.assert(
      fc.property(
        fields,
        fields,
        (one, other) =>
          JSON.stringify(one) === JSON.stringify(other) ||
          compareSchemas(one, other).some(({ marks }) => marks.length > 0),
      ),
    )
  })
})

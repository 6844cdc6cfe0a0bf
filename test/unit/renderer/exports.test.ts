import { describe, expect, it } from 'vitest'
import { presetSpec } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import {
  columnsFor,
  savedColumns,
  movedBy,
  movedTo,
  usualColumns,
  withColumn,
} from '../../../renderer/screens/exports/columns.ts'
import type { ColumnDraft } from '../../../renderer/screens/exports/columns.ts'
import {
  isSameSpec,
  newPlan,
  planOf,
  presetSpecOf,
  resolvePlan,
  specOf,
} from '../../../renderer/screens/exports/plan.ts'

const field = (name: string): SchemaElement => ({ name, format: 'text', description: '' })
const schema: SchemaElement[] = [
  field('Number'),
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: [field('Article'), { name: 'Taxes', format: 'list', description: '', items: [field('Rate')] }],
  },
  field('Total'),
]
const named = (drafts: readonly ColumnDraft[]): string[] =>
  drafts.map(
    ({ column, isOn }) =>
      `${isOn ? '' : '-'}${column.kind === 'field' ? column.field.join('/') : column.kind === 'about' ? column.about : column.header}`,
  )

describe('the columns of an export', () => {
  it('are the file and each field, where items have rows; a list is one column where they have none', () => {
    expect(named(usualColumns(schema, 'rows'))).toEqual([
      'fileName',
      'Number',
      'Total',
      'Items/Article',
      'Items/Taxes/Rate',
    ])
    expect(named(usualColumns(schema, 'text'))).toEqual(['fileName', 'Number', 'Total', 'Items'])
  })

  it('are moved one place, or before and behind another one, and keep their keys', () => {
    const drafts = usualColumns(schema, 'text')
    const [file, number, total] = drafts.map(({ key }) => key)
    expect(named(movedBy(drafts, total!, -1))).toEqual(['fileName', 'Total', 'Number', 'Items'])
    expect(movedBy(drafts, file!, -1)).toEqual(drafts)
    expect(named(movedTo(drafts, new Set([file!, number!]), total!, 'after'))).toEqual([
      'Total',
      'fileName',
      'Number',
      'Items',
    ])
    expect(movedTo(drafts, new Set([number!]), number!, 'before')).toEqual(drafts)
    expect(new Set(movedBy(drafts, total!, -1).map(({ key }) => key))).toEqual(new Set(drafts.map(({ key }) => key)))
  })

  it('that were kept come first, what the schema has besides is behind them and off', () => {
    expect(
      named(
        savedColumns(
          [
            { kind: 'field', field: ['Total'], header: 'Sum' },
            { kind: 'constant', header: 'Account', value: '1' },
          ],
          schema,
          'text',
        ),
      ),
    ).toEqual(['Total', 'Account', '-fileName', '-Number', '-Items'])
  })

  it('stay what was chosen when lists are laid out in another way', () => {
    const off = usualColumns(schema, 'rows').map((draft) => ({
      ...draft,
      isOn: !named([draft])[0]!.startsWith('Items'),
    }))
    expect(named(columnsFor('columns', off, schema))).toEqual(['fileName', 'Number', 'Total', '-Items'])
    expect(named(columnsFor('sheets', columnsFor('text', off, schema), schema))).toEqual([
      'fileName',
      'Number',
      'Total',
      '-Items/Article',
      '-Items/Taxes/Rate',
    ])
    expect(columnsFor('sheets', off, schema)).toEqual(off)
  })

  it('can be there twice', () => {
    const constant = { kind: 'constant', header: 'Account', value: '' } as const
    const once = withColumn(usualColumns(schema, 'text'), constant)
    const twice = withColumn(once.drafts, constant)
    expect(once.key).not.toBe(twice.key)
    expect(named(twice.drafts).slice(-2)).toEqual(['Account', 'Account'])
  })
})

describe('a plan of an export', () => {
  const preset = presetSpec.parse({
    schemaId: 4,
    folderId: 2,
    format: 'csv',
    locale: 'de',
    lists: 'text',
    listLimit: 3,
    reviews: ['approved'],
    days: { by: 'approved', last: 31 },
    columns: [{ kind: 'field', field: ['Total'] }],
  })
  const settled = resolvePlan(newPlan, { lists: 'text', listLimit: 4 })

  it('is the same after it was kept as a preset', () => {
    const spec = specOf(planOf(preset, schema, 'en'), 4, 'en')
    expect(isSameSpec(presetSpecOf(spec), preset)).toBe(true)
    expect(isSameSpec(presetSpecOf({ ...spec, listLimit: 4 }), preset)).toBe(false)
    const between = { ...preset, days: { by: 'received' as const, from: '2026-11-01', to: null, last: null } }
    expect(isSameSpec(presetSpecOf(specOf(planOf(between, schema, 'de'), 4, 'de')), between)).toBe(true)
  })

  it('writes lists as they were written last, until something else is chosen', () => {
    expect(settled).toMatchObject({ lists: 'text', listLimit: 4 })
    expect(resolvePlan({ ...newPlan, lists: 'sheets' }, { lists: 'text', listLimit: 4 })).toMatchObject({
      lists: 'sheets',
      listLimit: 4,
    })
  })

  it('asks for selected documents only, or for those of a folder, never for both', () => {
    const plan = { ...settled, documentIds: [1, 2], onlyDocuments: true, folderId: 3 }
    expect(specOf(plan, 1, 'fr')).toMatchObject({ documentIds: [1, 2], folderId: null, locale: 'fr' })
    expect(specOf({ ...plan, onlyDocuments: false }, 1, 'fr')).toMatchObject({ documentIds: null, folderId: 3 })
  })

  it('of all states is no condition', () => {
    expect(specOf({ ...settled, states: ['approved', 'ready', 'flagged'] }, 1, 'en').reviews).toEqual([])
  })
})

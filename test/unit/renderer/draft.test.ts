import { describe, expect, it } from 'vitest'
import {
  addField,
  changeField,
  draftOf,
  elementsOf,
  moveField,
  newField,
  problemsOf,
  removeField,
} from '../../../renderer/screens/schemas/field-draft.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const schema: SchemaElement[] = [
  { name: 'number', format: 'text', description: 'as printed' },
  {
    name: 'positions',
    format: 'list',
    description: '',
    items: [
      { name: 'article', format: 'text', description: '' },
      { name: 'amount', format: 'number', description: '' },
    ],
  },
]

describe('a schema that is edited', () => {
  it('comes out as it went in', () => {
    expect(elementsOf(draftOf(schema))).toEqual(schema)
    expect(parseSchema(elementsOf(draftOf(schema)))).toEqual(schema)
  })

  it('is changed, moved and shortened at any depth', () => {
    const fields = draftOf(schema)
    const amount = fields[1]?.items[1]?.key ?? ''
    expect(elementsOf(moveField(fields, amount, -1))[1]?.items?.map(({ name }) => name)).toEqual(['amount', 'article'])
    expect(elementsOf(moveField(fields, amount, 1))).toEqual(schema)
    expect(elementsOf(removeField(fields, amount))[1]?.items).toHaveLength(1)
    expect(elementsOf(changeField(fields, amount, (field) => ({ ...field, name: ' sum ' })))[1]?.items?.[1]?.name).toBe(
      'sum',
    )
    expect(
      elementsOf(addField(fields, fields[1]?.key ?? null, { ...newField(), name: 'unit' }))[1]?.items,
    ).toHaveLength(3)
  })

  it('is found wrong exactly where core would refuse it', () => {
    const fields = draftOf(schema)
    const [number, positions] = [fields[0]?.key ?? '', fields[1]?.key ?? '']
    expect(problemsOf(fields).size).toBe(0)
    const twice = changeField(fields, number, (field) => ({ ...field, name: 'positions ' }))
    expect([...problemsOf(twice)]).toEqual([[positions, 'nameTwice']])
    expect(() => parseSchema(elementsOf(twice))).toThrow()
    const childless = changeField(fields, positions, (field) => ({ ...field, items: [] }))
    expect([...problemsOf(childless)]).toEqual([[positions, 'itemsMissing']])
    expect(() => parseSchema(elementsOf(childless))).toThrow()
    const nameless = changeField(fields, number, (field) => ({ ...field, name: '  ' }))
    expect([...problemsOf(nameless)]).toEqual([[number, 'nameMissing']])
    expect(() => parseSchema(elementsOf(nameless))).toThrow()
  })

  it('drops the sub-fields of what is no longer a list', () => {
    const fields = draftOf(schema)
    expect(elementsOf(changeField(fields, fields[1]?.key ?? '', (field) => ({ ...field, format: 'text' })))[1]).toEqual(
      { name: 'positions', format: 'text', description: '' },
    )
  })
})

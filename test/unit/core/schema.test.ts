import { describe, expect, it } from 'vitest'
import { paramsOf } from '../../../electron/core/platform/params.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseParams, parseSchema } from '../../../shared/domain/schema.ts'

function problemOf(schema: unknown): unknown {
  try {
    parseSchema(schema)
  } catch (error) {
    if (error instanceof AppError && error.code === 'schema_invalid') return error.details['problem']
    throw error
  }
  return null
}

const withFormat = (format: unknown): unknown => problemOf([{ name: 'Total', format, description: '' }])

it('says of a wrong format what was written, or what it is when it is no text', () => {
  const use = 'use text, number, boolean or list'
  expect(withFormat('date')).toBe(`field [0].format is "date"; ${use}`)
  expect(withFormat(undefined)).toBe(`field [0].format is missing; ${use}`)
  expect(withFormat(null)).toBe(`field [0].format is null; ${use}`)
  expect(withFormat(7)).toBe(`field [0].format is a number; ${use}`)
  expect(withFormat(true)).toBe(`field [0].format is a boolean; ${use}`)
  expect(withFormat(['text'])).toBe(`field [0].format is an array; ${use}`)
  expect(withFormat({ text: 1 })).toBe(`field [0].format is an object; ${use}`)
})

it('repeats of a long text only its beginning', () => {
  expect(withFormat('x'.repeat(900_000))).toBe(
    `field [0].format is "${'x'.repeat(50)}…"; use text, number, boolean or list`,
  )
  const twin = { name: 'n'.repeat(900_000), format: 'text', description: '' }
  expect(problemOf([twin, twin])).toBe(`field [1].name "${'n'.repeat(50)}…" is used twice (first at [0])`)
})

it('refuses a format that is nested a hundred thousand times like any other', () => {
  expect(withFormat(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toContain('format is an array')
})

describe('the kind of a text', () => {
  const field = { name: 'Date', format: 'text', description: 'of issue', kind: 'date' }
  const list = { name: 'Rows', format: 'list', description: '', items: [field] }

  it('is kept, in lists as well', () => {
    expect(parseSchema([field, list])).toEqual([field, list])
    expect(parseSchema([{ ...field, kind: null }])).toEqual([{ name: 'Date', format: 'text', description: 'of issue' }])
  })

  it('is one that Sheaf knows, and of a text', () => {
    const use = 'a field of format text may have one of date, iban, currency, vat_id, email, code, document_type'
    expect(problemOf([{ ...field, kind: 'day' }])).toBe(`field [0].kind is "day"; ${use}`)
    expect(problemOf([{ ...field, format: 'number' }])).toBe(`field [0].kind is "date"; ${use}`)
    expect(problemOf([{ ...list, kind: 'date' }])).toBe(`field [0].kind is "date"; ${use}`)
  })

  it('is unknown to the interface: whatever a client sends there is left out', () => {
    const bare = { name: 'Date', format: 'text', description: 'of issue' }
    expect(parseParams([field, { ...list, kind: 7 }])).toEqual([bare, { ...list, items: [bare] }])
  })

  it('is told a service in words of the description', () => {
    const other = { name: 'Total', format: 'number', description: 'to pay' } as const
    expect(paramsOf(parseSchema([{ ...field, description: '' }, list, other]))).toEqual([
      { name: 'Date', format: 'text', description: 'A date, written as YYYY-MM-DD.' },
      {
        name: 'Rows',
        format: 'list',
        description: '',
        items: [{ name: 'Date', format: 'text', description: 'of issue A date, written as YYYY-MM-DD.' }],
      },
      other,
    ])
  })
})

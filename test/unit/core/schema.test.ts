import { expect, it } from 'vitest'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'

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

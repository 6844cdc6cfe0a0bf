import { sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeByValues } from '../../../electron/core/pipeline/files/archive-place.ts'
import { archiveName, fieldsIn } from '../../../shared/domain/archive-name.ts'

const record = { Seller: 'Hartmann GmbH', Number: '2026-0917', Date: '2026-11-03', Total: 119.5, 'Paid: on': '3.11.26' }
const place = (name: string, more: object = {}): string | null =>
  placeByValues(name, { ...record, ...more }, '.pdf')
    ?.split(sep)
    .join('/') ?? null

describe('a file in Done', () => {
  it.each([
    ['{Seller} {Number}', 'Hartmann GmbH 2026-0917.pdf'],
    ['{Date:yyyy}/{Date:mm}/{Seller} {Number}', '2026/11/Hartmann GmbH 2026-0917.pdf'],
    ['{Paid: on:yyyy}-{ Paid: on :dd}', '2026-03.pdf'],
    ['/ {Date} // {Total} /', '2026-11-03/119.5.pdf'],
    ['Rechnung {Number}.', 'Rechnung 2026-0917.pdf'],
  ])('is called by its values: %s', (name, wanted) => expect(place(name)).toBe(wanted))

  it.each([
    ['a field that the document does not have', '{Seller} {Order}', {}],
    ['a value that is missing', '{Seller} {Number}', { Number: null }],
    ['a value of blanks', '{Seller} {Number}', { Number: ' ' }],
    ['a part of what is no date', '{Number:yyyy}', {}],
    ['a part of a day that may be two', '{Date:mm}', { Date: '03/04/2026' }],
    ['rows', '{Rows}', { Rows: [{ a: 1 }] }],
    ['values of which no name can be made', '{Number}', { Number: '...' }],
  ])('keeps its name for want of %s', (_, name, more) => expect(place(name, more)).toBeNull())

  it('stays in Done whatever its values are', () => {
    expect(place('{Seller}/{Number}', { Seller: '../..', Number: 'a/../b\\c' })).toBe('_/a_.._b_c.pdf')
    expect(place('{Number}', { Number: '../../etc/passwd' })).toBe('_.._etc_passwd.pdf')
    expect(place('../{Number}')).toBeNull()
    expect(place('{Number}', { Number: 'CON' })).toBe('_CON.pdf')
    expect(place('{Number}', { Number: 'a\u0000b:c*' })).toBe('a_b_c_.pdf')
    expect(Buffer.byteLength(place('{Number}', { Number: 'é'.repeat(500) })!)).toBeLessThan(200)
  })
})

it('is a name only with a field in it', () => {
  expect(fieldsIn('{A} {B:yyyy} {A}')).toEqual(['A', 'B'])
  expect(archiveName.safeParse('').success).toBe(true)
  expect(archiveName.safeParse('{A}').success).toBe(true)
  expect(archiveName.safeParse('invoice').success).toBe(false)
  expect(archiveName.safeParse('{A:yyyy}/').success).toBe(false)
  expect(archiveName.safeParse('{A:yyyy}/scan').success).toBe(false)
})

import { describe, expect, it } from 'vitest'
import { fieldCell } from '../../../electron/core/export/field-cell.ts'

const of = (name: string, value: unknown): unknown =>
  fieldCell({ name, format: 'text', description: '' })({ [name]: value } as never)

describe('a day that a service wrote as it is printed', () => {
  it.each([
    ['5.3.24', '2024-03-05'],
    ['05.03.2024', '2024-03-05'],
    ['19 april 2014', '2014-04-19'],
    ['March 3, 2026', '2026-03-03'],
    ['31/12/2025', '2025-12-31'],
    ['12/31/2025', '2025-12-31'],
    ['2026-03-18', '2026-03-18'],
  ])('is exported as a day: %s', (printed, day) => {
    expect(of('Rechnungsdatum', printed)).toBe(day)
    expect(of('invoice_date', printed)).toBe(day)
  })

  it.each(['03/04/2026', '31.02.2024', 'sofort', '05.03.2024 14:30', '1.3. - 5.3.2026', 'upon receipt of goods'])(
    'stays as it is where it is none, or could be two: %s',
    (printed) => expect(of('Datum', printed)).toBe(printed),
  )

  it('stays as it is in a field that is no day', () => {
    expect(of('Order number', '05.03.2024')).toBe('05.03.2024')
    expect(of('Datum', null)).toBeNull()
  })
})

describe('an account', () => {
  it('is exported in one form where its check digits are right', () => {
    expect(of('IBAN', 'DE02 1203 0000 0000 2020 51')).toBe('DE02120300000000202051')
    expect(of('IBAN', 'DE02 1203 0000 0000 2020 52')).toBe('DE02 1203 0000 0000 2020 52')
    expect(of('Reference', 'DE02 1203 0000 0000 2020 51')).toBe('DE02 1203 0000 0000 2020 51')
  })
})

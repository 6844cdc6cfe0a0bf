import { describe, expect, it } from 'vitest'
import { templatesFor } from '../../../electron/core/drafting/templates.ts'
import { bookingFields, commonFields } from '../../../electron/core/partners/document-fields.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const textOf = (...names: string[]): SchemaElement[] => names.map((name) => ({ name, format: 'text', description: '' }))
const commonOf = (locale: 'en' | 'de' | 'fr', template: string): (string | null)[] => {
  const { number, date, sender, total } = commonFields(
    templatesFor(locale).find(({ key }) => key === template)!.elements,
  )
  return [number, date, sender, total]
}

describe('what documents of every kind have', () => {
  it.each([
    ['en', 'invoice', ['Invoice number', 'Invoice date', 'Seller', 'Total amount']],
    ['de', 'invoice', ['Rechnungsnummer', 'Rechnungsdatum', 'Lieferant', 'Gesamtbetrag']],
    ['de', 'receipt', ['Belegnummer', 'Datum', 'Geschäft', 'Gesamtbetrag']],
    ['en', 'purchase_order', ['Order number', 'Order date', 'Supplier', 'Total amount']],
    ['en', 'delivery_note', ['Delivery note number', 'Delivery date', 'Supplier', null]],
    ['de', 'bank_statement', ['Auszugsnummer', 'Auszugsdatum', null, null]],
  ] as const)('is found among the fields of a template: %s, %s', (locale, template, fields) =>
    expect(commonOf(locale, template)).toEqual(fields),
  )

  it('is not the number of an order on an invoice, nor the day on which it is due', () => {
    expect(
      commonFields(textOf('Order number', 'Due date', 'Customer number', 'Invoice number', 'Invoice date')),
    ).toMatchObject({ number: 'Invoice number', date: 'Invoice date' })
    expect(
      commonFields(textOf('Eingangsdatum', 'Mahndatum', 'Ursprüngliche Rechnungsnummer', 'Gutschriftsnummer', 'Datum')),
    ).toMatchObject({ number: 'Gutschriftsnummer', date: 'Datum' })
    expect(commonFields(textOf('Due date', 'Tax number'))).toMatchObject({ number: null, date: null })
  })
})

it('makes no booking by the day of another paper, nor with its number', () => {
  const type: SchemaElement = { name: 'Belegart', format: 'text', description: '', kind: 'document_type' }
  const total: SchemaElement = { name: 'Gesamtbetrag', format: 'number', description: '' }
  expect(() => bookingFields([type, ...textOf('Bestellnummer', 'Bestelldatum'), total])).toThrow(
    expect.objectContaining({ code: 'booking_without_date' }),
  )
  expect(bookingFields([type, ...textOf('Bestellnummer', 'Rechnungsdatum'), total])).toMatchObject({
    number: null,
    date: 'Rechnungsdatum',
  })
})

it('makes no booking of a schema without a type, a day or a total, and says what is missing', () => {
  expect(() => bookingFields(textOf('Invoice number', 'Invoice date'))).toThrow(
    expect.objectContaining({ code: 'booking_without_type' }),
  )
  const type: SchemaElement = { name: 'Type', format: 'text', description: '', kind: 'document_type' }
  expect(() => bookingFields([type, ...textOf('Invoice date')])).toThrow(
    expect.objectContaining({ code: 'booking_without_total' }),
  )
})

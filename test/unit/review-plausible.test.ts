import { describe, expect, it } from 'vitest'
import { implausibleFlags } from '../../electron/core/review/plausible.ts'
import { usualAmounts } from '../../electron/core/review/usual-amounts.ts'
import type { ExtractedRecord } from '../../shared/domain/result.ts'
import { parseSchema } from '../../shared/domain/schema.ts'

const field = (name: string, format = 'number') => ({ name, format, description: '' })
const schema = parseSchema([
  ...['Datum', 'IBAN', 'VAT number'].map((name) => field(name, 'text')),
  ...['Net amount', 'VAT', 'VAT rate', 'Total amount', 'Discount', 'Old balance', 'New balance', 'Fees'].map((name) =>
    field(name),
  ),
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: [field('Text', 'text'), field('Unit price'), field('Amount'), field('Delivery date', 'text')],
  },
])
const items = (...amounts: unknown[]): unknown[] => amounts.map((Amount) => ({ Amount }))

function flags(record: unknown, usual: number | null = null): string[] {
  const around = { rules: [], usualAmount: () => usual }
  return implausibleFlags([record as ExtractedRecord], schema, around).map((flag) => `${flag.pointer} ${flag.reason}`)
}

describe('amounts', () => {
  it('are fine where rows, net, tax and total fit', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 119, Items: items(60, 40) })).toEqual([])
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 119, Items: items(71.4, 47.6) })).toEqual([])
  })

  it('that do not add up are one flag, where the odd one stands', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 191, Items: items(60, 40) })).toEqual([
      '/0/Total amount tax_total',
    ])
    expect(flags({ 'Net amount': 10, VAT: 19, 'Total amount': 119, Items: items(60, 40) })).toContain(
      '/0/Net amount tax_total',
    )
  })

  it('of rows that do not make the total are a flag of the list', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 119, Items: items(60) })).toEqual([
      '/0/Items rows_total',
    ])
  })

  it('of a statement lead from its old balance to its new one', () => {
    const statement = (closing: number, bookings: number[], more: object = {}): string[] =>
      flags({ 'Old balance': 100, 'New balance': closing, ...more, Items: items(...bookings) })
    expect(statement(75.5, [-50, 25.5])).toEqual([])
    expect(statement(75.5, [-50])).toEqual(['/0/New balance balance'])
    expect(statement(75.5, [50, 25.5])).toEqual(['/0/New balance balance'])
    // Of a card: what was charged is owed.
    expect(statement(124.5, [-50, 25.5])).toEqual([])
    expect(statement(70.5, [-50, 25.5], { Fees: 5 })).toEqual([])
    expect(flags({ 'New balance': 75.5, Items: items(-50) })).toEqual([])
    expect(flags({ 'Old balance': 100, 'New balance': 75.5 })).toEqual([])
  })

  it('may differ by a discount, told or not', () => {
    expect(flags({ 'Net amount': 50, VAT: 9.5, 'Total amount': 59.5, Discount: 50, Items: items(60, 40) })).toEqual([])
    expect(flags({ 'Net amount': 95, VAT: 19, 'Total amount': 114, Items: items(60, 40) })).toEqual([])
  })

  it('of a credit note add up below zero', () => {
    expect(flags({ 'Net amount': -100, VAT: -19, 'Total amount': -119, Items: items(-60, -40) })).toEqual([])
  })

  it('are rounded: three rows of a third are a whole', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 119.01, Items: items(33.33, 33.33, 33.33) })).toEqual([])
  })

  it('that differ as net and total want a tax, where the schema asks for one', () => {
    expect(flags({ 'Net amount': 100, 'Total amount': 119 })).toEqual(['/0/VAT tax_missing'])
    expect(flags({ 'Net amount': 100, 'Total amount': 100 })).toEqual([])
    expect(flags({ 'Net amount': 100, 'Total amount': 90, Discount: 10 })).toEqual([])
    expect(flags({ 'Total amount': 119 })).toEqual([])
  })

  it('of tax above every rate are flagged, none is not', () => {
    expect(flags({ 'Net amount': 100, VAT: 0, 'Total amount': 100 })).toEqual([])
    expect(flags({ 'Net amount': 100, VAT: 43, 'Total amount': 143 })).toEqual(['/0/VAT tax_rate'])
    expect(flags({ 'VAT rate': 19 })).toEqual([])
    expect(flags({ 'VAT rate': 190 })).toEqual(['/0/VAT rate tax_rate'])
  })

  it('cannot come to nothing while there is something', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 0 })).toEqual(['/0/Total amount zero_total'])
    expect(flags({ 'Total amount': 0, Items: items(60) })).toEqual(['/0/Total amount zero_total'])
    expect(flags({ 'Net amount': 0, VAT: 0, 'Total amount': 0, Items: items(0) })).toEqual([])
    expect(flags({ 'Total amount': 0, Discount: 60, Items: items(60) })).toEqual([])
  })

  it('as long as a register number are no amounts, unless others are as large', () => {
    expect(flags({ 'Net amount': 100, VAT: 19, 'Total amount': 552_100_554 })).toEqual(['/0/Total amount identifier'])
    expect(flags({ 'Total amount': 150_000_000, Items: items(150_000_000) })).toEqual([])
    expect(flags({ 'Total amount': 150_000_000 }, 90_000_000)).toEqual([])
    expect(flags({ 'Total amount': 19, Items: [{ Amount: 19, 'Unit price': 4_006_381_333_931 }] })).toEqual([
      '/0/Items/0/Unit price identifier',
    ])
  })

  it('a thousand times as large as the rows or as usual are flagged', () => {
    expect(flags({ 'Total amount': 119_000.5, Items: items(60, 40) })).toEqual(['/0/Total amount too_large'])
    expect(flags({ 'Total amount': 119_000.5 }, 100)).toEqual(['/0/Total amount too_large'])
    expect(flags({ 'Total amount': 19_000.5 }, 100)).toEqual([])
  })

  it('say nothing where they are missing or no numbers', () => {
    expect(flags({})).toEqual([])
    expect(flags({ 'Net amount': null, VAT: 'x', 'Total amount': 119, Items: 'none' })).toEqual([])
    expect(flags({ 'Total amount': 119, Items: [{ Amount: 'two' }, null] })).toEqual([])
  })
})

describe('a date', () => {
  it.each([
    ['2026-02-28', []],
    ['2028-02-29T00:00:00', []],
    ['28.02.2026', []],
    ['2/28/2026', []],
    ['28/2/2026', []],
    ['105/02/24', []],
    ['soon', []],
    ['2026-02-31', ['no_such_date']],
    ['31.02.2026', ['no_such_date']],
    ['2026-13-01', ['no_such_date']],
    ['1026-11-02', ['odd_date']],
    ['2.11.3026', ['odd_date']],
  ])('of %s: %j', (Datum, reasons) => {
    expect(flags({ Datum })).toEqual(reasons.map((reason) => `/0/Datum ${reason}`))
  })

  it('is looked at in each row', () => {
    expect(flags({ Items: [{ 'Delivery date': '2026-01-01' }, { 'Delivery date': '2026-11-31' }] })).toEqual([
      '/0/Items/1/Delivery date no_such_date',
    ])
  })
})

describe('a number with check digits', () => {
  it.each(['DE89 3704 0044 0532 0130 00', 'de89370400440532013000', 'DE89 XXXX XXXX 0130 00', '', '4711'])(
    'of an account is fine as %s',
    (IBAN) => expect(flags({ IBAN })).toEqual([]),
  )
  it.each(['DE98 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130'])('of an account is flagged as %s', (IBAN) =>
    expect(flags({ IBAN })).toEqual(['/0/IBAN iban']),
  )
  it.each(['DE136695976', 'CHE-123.456.788 MWST', 'FR40 303 265 045', '12/345/67890', 'US12-3456789'])(
    'of a taxpayer is fine as %s',
    (number) => expect(flags({ 'VAT number': number })).toEqual([]),
  )
  it.each(['DE136695967', 'FR41303265045'])('of a taxpayer is flagged as %s', (number) =>
    expect(flags({ 'VAT number': number })).toEqual(['/0/VAT number vat_id']),
  )
})

describe('what is usual', () => {
  const summaries = (...values: unknown[]) => values.map((value) => [{ name: 'Total', value }])

  it('is the median of the other documents', () => {
    expect(usualAmounts(() => summaries(10, -20, 30, 1_000_000, 40))('Total')).toBe(30)
  })

  it('is not known from a few, or from no amounts', () => {
    expect(usualAmounts(() => summaries(10, 20, 30, 40))('Total')).toBeNull()
    expect(usualAmounts(() => summaries(0, null, 'a', 0, 0, 3))('Total')).toBeNull()
  })
})

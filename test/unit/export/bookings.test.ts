import { describe, expect, it } from 'vitest'
import { billsOf } from '../../../electron/core/export/bookings/bill.ts'
import type { Book } from '../../../electron/core/export/bookings/book.ts'
import { billBook } from '../../../electron/core/export/bookings/bill-table.ts'
import { datevBook } from '../../../electron/core/export/bookings/datev.ts'
import { previewOf } from '../../../electron/core/export/bookings/extf.ts'
import type { DatevBooking } from '../../../electron/core/export/bookings/extf.ts'
import { fittingBillSettings } from '../../../shared/domain/bill-settings.ts'
import type { BillProgram, BillSettings } from '../../../shared/domain/bill-settings.ts'
import { fittingDatevSettings } from '../../../shared/domain/datev.ts'
import { datevSettings as settings } from '../../helpers/datev-settings.ts'

const fields = {
  type: 'type',
  number: 'number',
  date: 'date',
  due: null,
  seller: 'seller',
  currency: 'currency',
  net: 'net',
  tax: 'tax',
  gross: 'gross',
  rows: { list: 'rows', amount: 'amount', rate: 'rate' },
}
const bill = { type: 'Rechnung', seller: 'Hartmann GmbH', date: '2026-11-03', currency: 'EUR' }
const invoice = { ...bill, net: 100, tax: 19, gross: 119 }
const billed = (book: Book<never>, change: object, account: string | null = null) =>
  billsOf({ ...invoice, ...change }, fields, book.terms, () => ({ number: null, bookAccount: account }))
const booked = <Booking extends { date: string }>(book: Book<Booking>, change: object, account: string | null) => {
  const bills = billed(book as Book<never>, change, account)
  return typeof bills === 'string' ? bills : book.bookingOf(bills[0]!)
}
const book = (change: object, account: string | null = null) => booked(datevBook(settings), change, account)

describe('a booking for DATEV', () => {
  it.each([
    [{ net: 0.6, tax: 0, gross: 0.6 }, '3200'],
    [{ net: 0.25, tax: 0, gross: 0.25 }, '3200'],
    [{ net: 0.4, tax: 0.03, gross: 0.43 }, '3300'],
    [{ net: 100, tax: null, gross: 107 }, '3300'],
    [{ net: null, tax: 19, gross: 119 }, '3400'],
    [{ net: 84.03, tax: 15.97, gross: 100 }, '3400'],
  ])('is of the rate that its tax is nearest to: %j', (amounts, expense) =>
    expect(book(amounts)).toMatchObject({ expense }),
  )

  it.each([
    ['no_type', { type: null }],
    ['type', { type: 'Mahnung' }],
    ['type', { type: 'Angebot' }],
    ['final', { type: 'Schlussrechnung' }],
    ['final', { type: 'Final invoice' }],
    ['final', { type: 'Fattura a saldo' }],
    ['final', { type: 'Final VAT invoice' }],
    ['date', { date: null }],
    ['date', { date: '03/04/2026' }],
    ['date', { date: '1999-11-03' }],
    ['amount', { gross: null }],
    ['amount', { gross: 0 }],
    ['amount', { gross: 12_345_678_901 }],
    ['no_currency', { currency: null }],
    ['currency', { currency: 'USD' }],
    ['no_tax', { net: null, tax: null }],
    ['rate', { net: 100, tax: 16, gross: 116 }],
    ['sums', { net: 100, tax: 19, gross: 120 }],
    // Which of the two is not to be told.
    ['rate', { net: 0.5, tax: 0.06, gross: 0.56 }],
    ['seller', { seller: null }],
    ['seller', { seller: '=-' }],
    ['number', { number: '1'.repeat(37) }],
  ])('is none for want of its %s: %j', (reason, change) => expect(book(change)).toBe(reason))

  it.each(['€', 'euro', 'EUR'])('is in euros however they are written: %s', (currency) =>
    expect(book({ currency })).toMatchObject({ amount: 119, side: 'H' }),
  )

  it.each([
    ['109 884 312 7', '1098843127'],
    ['RE 2026/17', 'RE-2026/17'],
    ['Nr. 12 3', 'Nr-12-3'],
    [null, ''],
  ])('has a number that DATEV takes: %s', (number, taken) => {
    const { columns, rows } = previewOf([book({ number }) as DatevBooking])
    expect(rows[0]![columns.indexOf('Belegfeld 1')]).toBe(taken)
  })

  it('goes to the account of its partner, where that is a creditor’s', () => {
    expect(book({}, '701 23')).toMatchObject({ creditor: '70123' })
    expect(book({}, '')).toMatchObject({ creditor: '70000' })
    for (const account of ['4400', '123456789', 'K 70123', '00001', '10000', '69999'])
      expect(book({}, account)).toBe('account')
  })
})

describe('a bill of several rates of tax', () => {
  const rows = (...pairs: [amount: number | null, rate: number | null][]) => ({
    rows: pairs.map(([amount, rate]) => ({ amount, rate })),
  })
  const parts = (change: object) => {
    const bills = billed(datevBook(settings) as Book<never>, change)
    return typeof bills === 'string' ? bills : bills.map(({ gross, net, tax, rate }) => [rate, net, tax, gross])
  }

  it('is a part for each, by what its rows come to, the largest first', () => {
    const goods = rows([30, 7], [20, 7], [60, 19], [null, null], [10, 0])
    expect(parts({ net: 120, tax: 14.9, gross: 134.9, ...goods })).toEqual([
      [19, 60, 11.4, 71.4],
      [7, 50, 3.5, 53.5],
      [0, 10, 0, 10],
    ])
    const withTax = rows([53.5, 7], [71.4, 19])
    expect(parts({ net: 110, tax: 14.9, gross: 124.9, ...withTax })).toEqual([
      [19, 60, 11.4, 71.4],
      [7, 50, 3.5, 53.5],
    ])
  })

  it('goes by its rows where all of it could be of one rate as well', () =>
    expect(parts({ net: 100, tax: 7, gross: 107, ...rows([36.84, 19], [63.16, 0]) })).toEqual([
      [0, 63.16, 0, 63.16],
      [19, 36.84, 7, 43.84],
    ]))

  it('is paid to the cent, though the tax of each row was rounded', () => {
    const goods = rows([9.99, 19], [4.44, 7])
    expect(parts({ net: 14.43, tax: 2.2, gross: 16.63, ...goods })).toEqual([
      [19, 9.99, 1.89, 11.88],
      [7, 4.44, 0.31, 4.75],
    ])
  })

  it('keeps what is free of tax to the cent, however large it is', () => {
    const goods = rows([1000, 0], [33.35, 19])
    expect(parts({ net: 1033.35, tax: 6.3, gross: 1039.65, ...goods })).toEqual([
      [0, 1000, 0, 1000],
      [19, 33.35, 6.3, 39.65],
    ])
  })

  it('has parts on the other side for what is given back, and is the other way about as a credit note', () => {
    const deposit = rows([100, 19], [-8, 0])
    const bills = billed(datevBook(settings) as Book<never>, { net: 92, tax: 19, gross: 111, ...deposit })
    expect(bills).toMatchObject([
      { gross: 119, isCredit: false },
      { gross: 8, tax: 0, isCredit: true },
    ])
    const credit = { type: 'Gutschrift', net: -110, tax: -14.9, gross: -124.9, ...rows([-50, 7], [-60, 19]) }
    expect(billed(datevBook(settings) as Book<never>, credit)).toMatchObject([
      { gross: 71.4, isCredit: true },
      { gross: 53.5, isCredit: true },
    ])
  })

  it.each([
    ['without rows', {}],
    ['whose rows say no rate', rows([50, null], [60, 19])],
    ['whose rows leave something out', rows([50, 7], [55, 19])],
    ['whose rows have another rate', rows([50, 5], [60, 19])],
    ['whose rows come to another tax', rows([60, 7], [50, 19])],
  ])('%s is none', (_, change) => expect(parts({ net: 110, tax: 14.9, gross: 124.9, ...change })).toBe('rate'))

  it('of which only the total is told is none, whatever its rows say', () =>
    expect(parts({ net: null, tax: null, gross: 124.9, ...rows([50, 7], [60, 19]) })).toBe('no_tax'))

  it('is none by a schema whose rows have no rate, which is said apart', () => {
    const bill = { ...invoice, net: 110, tax: 14.9, gross: 124.9, ...rows([50, 7], [60, 19]) }
    const { terms } = datevBook(settings)
    expect(billsOf(bill, { ...fields, rows: null }, terms, () => null)).toBe('no_rate_field')
  })
})

it('wants accounts of the ledger with as many digits as they have, and one more for creditors', () => {
  const problems = (change: object): string[] => [
    ...new Set(
      fittingDatevSettings.safeParse({ ...settings, ...change }).error?.issues.map(({ path }) => path.join('.')),
    ),
  ]
  expect(problems({})).toEqual([])
  expect(problems({ accountLength: 5 })).toEqual(['creditor'])
  expect(problems({ expense: { ...settings.expense, none: '44000' } })).toEqual(['expense.none'])
  expect(problems({ expense: { ...settings.expense, none: '420' } })).toEqual([])
  expect(problems({ consultant: 1000, creditor: '7 000' })).toEqual(['consultant', 'creditor'])
})

const office = (program: BillProgram, more: Partial<BillSettings> = {}): BillSettings => ({
  program,
  currency: 'EUR',
  supplier: '70000',
  dates: 'day',
  rates: [
    { percent: 19, account: '3400', taxCode: '9' },
    { percent: 5.5, account: '3300', taxCode: '8' },
  ],
  ...more,
})
/** What one bill is in the file of a program, by its columns. */
const rowOf = (
  program: BillProgram,
  change: object,
  more: Partial<BillSettings> = {},
  account: string | null = null,
) => {
  const own = billBook(office(program, more))
  const entry = booked(own, { seller: 'Hartmann GmbH', number: '2026-0917', ...change }, account)
  return typeof entry === 'string' ? entry : own.preview([entry]).rows[0]!.join(' | ')
}
const credit = { type: 'Gutschrift', net: -40, tax: -7.6, gross: -47.6 }

describe('a bill', () => {
  it('is a booking with its tax inside for Lexware, the other way about for a credit note', () => {
    expect(rowOf('lexware', {})).toBe('03.11.2026 | 2026-0917 | Hartmann GmbH | 119,00 | 3400 | 70000 | 9 | EUR')
    expect(rowOf('lexware', credit, {}, '701 23')).toBe(
      '03.11.2026 | 2026-0917 | Hartmann GmbH | 47,60 | 70123 | 3400 | 9 | EUR',
    )
    expect(rowOf('lexware', {}, {}, 'K-1')).toBe('account')
  })

  it('is a purchase invoice or credit for Sage 50', () => {
    expect(rowOf('sage', {}, { supplier: 'OTHER' }, 'HART01')).toBe(
      'PI | HART01 | 3400 |  | 03/11/2026 | 2026-0917 | Hartmann GmbH | 100.00 | 9 | 19.00',
    )
    expect(rowOf('sage', credit, { supplier: 'OTHER' })).toBe(
      'PC | OTHER | 3400 |  | 03/11/2026 | 2026-0917 | Hartmann GmbH | 40.00 | 9 | 7.60',
    )
  })

  it('is a line without tax for Xero and QuickBooks, in the order of dates that is set there', () => {
    expect(rowOf('xero', {})).toBe(
      'Hartmann GmbH | 2026-0917 | 03/11/2026 | 03/11/2026 | Hartmann GmbH 2026-0917 | 1 | 100.00 | 3400 | 9 | 19.00 | EUR',
    )
    expect(rowOf('quickbooks', { net: 200, tax: 11, gross: 211 }, { dates: 'month' })).toBe(
      '2026-0917 | Hartmann GmbH | 11/03/2026 | 11/03/2026 | 3300 | Hartmann GmbH 2026-0917 | 200.00 | 8 | 11.00 | EUR',
    )
  })

  it.each([
    ['credit', credit],
    ['seller', { seller: null }],
    ['seller', { seller: '=-' }],
    ['number', { number: ' ' }],
    ['rate', { net: 100, tax: 7, gross: 107 }],
    ['currency', { currency: 'GBP' }],
  ])('goes into neither for want of its %s', (reason, change) => {
    expect(rowOf('xero', change)).toBe(reason)
    expect(rowOf('quickbooks', change)).toBe(reason)
  })

  it('adds up to what is paid, whichever of its amounts are printed', () => {
    const amounts = (change: object): string => rowOf('xero', change).split(' | ').slice(6, 10).join(' ')
    expect(amounts({ net: 99.99, tax: 19, gross: 119 })).toBe('100.00 3400 9 19.00')
    expect(amounts({ net: null })).toBe('100.00 3400 9 19.00')
    expect(amounts({ tax: null })).toBe('100.00 3400 9 19.00')
  })

  it('has no tax at no rate, whatever was rounded, and is none where a tax has the other sign', () => {
    const zero = { rates: [{ percent: 0, account: '3200', taxCode: 'T0' }] }
    const amounts = (change: object): string => rowOf('xero', change, zero).split(' | ').slice(6, 10).join(' ')
    expect(amounts({ net: 100.02, tax: null, gross: 100 })).toBe('100.00 3200 T0 0.00')
    expect(amounts({ net: 100, tax: null, gross: 100.03 })).toBe('100.03 3200 T0 0.00')
    expect(rowOf('xero', { net: 119, tax: -19, gross: 100 })).toBe('rate')
  })

  it('has its whole number, or is left out: of a number that is cut two bills may have the same', () => {
    expect(rowOf('quickbooks', { number: 'RE-2026-KUNDE-00012345-A' })).toBe('number')
    expect(rowOf('sage', { number: '1'.repeat(31) }, { supplier: 'OTHER' })).toBe('number')
    expect(rowOf('sage', { number: null }, { supplier: 'OTHER' })).toContain('PI | OTHER')
  })

  it('runs nothing in a spreadsheet, and keeps to its column', () => {
    const own = billBook(office('xero'))
    const entry = booked(own, { seller: '=HYPERLINK("x", "y")', number: '1' }, null)
    const text = Buffer.concat([...own.partsOf([entry as never], '1', 0)]).toString()
    for (const begin of ['\u0001=', '\u200b=', '＝', '≠', ' \n@'])
      expect(rowOf('lexware', { seller: `${begin}1+1` })).toContain(' | 1+1 | ')
    expect(text.split('\r\n')[1]).toMatch(/^"HYPERLINK\(""x"", ""y""\)",1,03\/11\/2026,/)
  })

  it('is in a file of its year, or in one of as many as are taken at once', () => {
    const ends = (program: BillProgram, dates: string[]): [string, number][] => {
      const own = billBook(office(program))
      const bill = booked(own, { seller: 'A', number: '1' }, null)
      return [...own.filesOf(dates.map((date) => ({ ...(bill as object), date }) as never))].map(([end, some]) => [
        end,
        some.length,
      ])
    }
    expect(ends('lexware', ['2025-12-31', '2026-01-01', '2026-01-02'])).toEqual([
      ['2025', 1],
      ['2026', 2],
    ])
    expect(ends('quickbooks', Array(101).fill('2026-01-01') as string[])).toEqual([
      ['1', 100],
      ['2', 1],
    ])
    const own = billBook(office('quickbooks'))
    const parts = Array.from({ length: 202 }, (_, at) => ({ date: '2026-01-01', part: at % 2 }) as never)
    expect([...own.filesOf(parts).values()].map(({ length }) => length)).toEqual([200, 2])
  })
})

it('wants what the program needs to know', () => {
  const missing = (program: BillProgram, more: Partial<BillSettings>): string[] =>
    (fittingBillSettings.safeParse(office(program, more)).error?.issues ?? []).map(({ path }) => path.join('.'))
  const untaxed = [{ percent: 19, account: '3400', taxCode: '' }]
  expect(missing('lexware', { rates: untaxed })).toEqual([])
  expect(missing('lexware', { supplier: 'HART01' })).toEqual(['supplier'])
  expect(missing('sage', { supplier: 'HARTMANN1' })).toEqual(['supplier'])
  expect(missing('xero', { supplier: '', rates: untaxed })).toEqual(['rates.0.taxCode'])
  const twice = [...office('xero').rates, { percent: 19, account: '5900', taxCode: '9' }]
  expect(missing('xero', { rates: twice })).toEqual(['rates.2.percent'])
  expect(missing('quickbooks', { supplier: '', currency: 'euro', rates: [] })).toEqual(['currency', 'rates'])
})

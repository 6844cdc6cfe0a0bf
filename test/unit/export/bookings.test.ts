import { describe, expect, it } from 'vitest'
import { bookingOf } from '../../../electron/core/export/datev/bookings.ts'
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
}
const invoice = { type: 'Rechnung', date: '2026-11-03', currency: 'EUR', net: 100, tax: 19, gross: 119 }
const book = (change: object, account: string | null = null) =>
  bookingOf({ ...invoice, ...change }, fields, settings, () => ({ number: null, bookAccount: account }))

describe('a booking', () => {
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
    ['type', { type: null }],
    ['type', { type: 'Mahnung' }],
    ['type', { type: 'Angebot' }],
    ['date', { date: null }],
    ['date', { date: '03/04/2026' }],
    ['date', { date: '1999-11-03' }],
    ['amount', { gross: null }],
    ['amount', { gross: 0 }],
    ['amount', { gross: 12_345_678_901 }],
    ['currency', { currency: null }],
    ['currency', { currency: 'USD' }],
    ['rate', { net: null, tax: null }],
    ['rate', { net: 100, tax: 16, gross: 116 }],
    ['rate', { net: 100, tax: 19, gross: 120 }],
    // Which of the two is not to be told.
    ['rate', { net: 0.5, tax: 0.06, gross: 0.56 }],
  ])('is none for want of its %s: %j', (reason, change) => expect(book(change)).toBe(reason))

  it.each(['€', 'euro', 'EUR'])('is in euros however they are written: %s', (currency) =>
    expect(book({ currency })).toMatchObject({ amount: 119, side: 'H' }),
  )

  it('goes to the account of its partner, where that is a creditor’s', () => {
    expect(book({}, '701 23')).toMatchObject({ creditor: '70123' })
    expect(book({}, '')).toMatchObject({ creditor: '70000' })
    for (const account of ['4400', '123456789', 'K 70123', '00001', '10000', '69999'])
      expect(book({}, account)).toBe('account')
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

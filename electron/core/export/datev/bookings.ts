// In: records whose credit notes are negative.
// Out: bookings of suppliers' invoices, or why there is none.
import type { BookingFields, DatevSettings, UnbookableReason } from '../../../../shared/domain/datev.ts'
import { inKind } from '../../../../shared/domain/in-kind.ts'
import type { ExportRecord, PartnerOf } from '../records.ts'
import { isoDate } from '../values.ts'

/** One line of a batch. `key`: of the input tax. Days as YYYY-MM-DD. */
export type Booking = {
  amount: number
  side: 'S' | 'H'
  creditor: string
  expense: string
  key: string | null
  date: string
  due: string | null
  number: string
  text: string
}

type Rate = keyof DatevSettings['expense']
const rates: Record<Rate, number> = { standard: 0.19, reduced: 0.07, none: 0 }
/** Vorsteuer 19 % and 7 %, in four digits as the format wants them. */
const taxKeys: Record<Rate, string | null> = { standard: '0009', reduced: '0008', none: null }
/** Tax is rounded for each line of some invoices. */
const roundingOfTax = 0.05

/** The format has room for ten digits before the comma. */
const tooLarge = 1e10

/** The booking of one record. Pure. */
export function bookingOf(
  record: ExportRecord,
  fields: BookingFields,
  settings: DatevSettings,
  partnerOf: PartnerOf,
): Booking | UnbookableReason {
  const date = dayOf(record[fields.date])
  if (date === null) return 'date'
  const amount = amountOf(record, fields.gross)
  if (amount === null || amount === 0 || Math.abs(amount) >= tooLarge) return 'amount'
  if ((textOf(record, fields.currency) || 'EUR') !== 'EUR') return 'currency'
  const rate = rateOf(amount, amountOf(record, fields.net), amountOf(record, fields.tax))
  if (rate === null) return 'rate'
  return {
    amount: Math.abs(amount),
    // Of the creditor: an invoice is what the office owes, a credit note what it does not.
    side: amount > 0 ? 'H' : 'S',
    creditor: accountOf(partnerOf(record)?.bookAccount) ?? settings.creditor,
    expense: settings.expense[rate],
    key: settings.withTaxKeys ? taxKeys[rate] : null,
    date,
    due: fields.due === null ? null : dayOf(record[fields.due]),
    number: textOf(record, fields.number),
    text: textOf(record, fields.seller),
  }
}

/** Which rate the tax is of; null for any other, several at once among them. Without net and tax nobody knows it. */
function rateOf(gross: number, net: number | null, tax: number | null): Rate | null {
  const base = net ?? (tax === null ? null : gross - tax)
  if (base === null) return null
  const share = tax ?? gross - base
  if (Math.abs(base + share - gross) > roundingOfTax) return null
  const all = Object.keys(rates) as Rate[]
  return all.find((rate) => Math.abs(base * rates[rate] - share) <= roundingOfTax) ?? null
}

function amountOf(record: ExportRecord, name: string | null): number | null {
  const value = name === null ? null : record[name]
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 100) / 100 : null
}

function textOf(record: ExportRecord, name: string | null): string {
  const value = name === null ? null : record[name]
  return typeof value === 'string' ? value.trim() : ''
}

function dayOf(value: unknown): string | null {
  const day = typeof value === 'string' ? inKind('date', value) : null
  // The format knows this century only.
  return day !== null && day.startsWith('20') && isoDate(day) !== null ? day : null
}

/** An account of the books has digits only. */
function accountOf(text: string | null | undefined): string | null {
  return text !== null && text !== undefined && /^(?!0+$)\d{1,9}$/.test(text) ? text : null
}

// In: records whose credit notes are negative.
// Out: bookings of suppliers' invoices, or why there is none.
import { isCreditNote, isInvoice } from '../../../../shared/domain/credit-note.ts'
import { isCreditor } from '../../../../shared/domain/datev.ts'
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
  const date = dayOf(record, fields.date)
  const amount = amountOf(record, fields.gross)
  const reason = reasonAgainst(record, fields, date, amount)
  if (reason !== null || date === null || amount === null) return reason ?? 'amount'
  const rate = rateOf(amount, amountOf(record, fields.net), amountOf(record, fields.tax))
  if (rate === null) return 'rate'
  const creditor = partnerOf(record)?.bookAccount?.replace(/\s/g, '') || settings.creditor
  if (!isCreditor(creditor, settings.accountLength)) return 'account'
  return {
    amount: Math.abs(amount),
    // Of the creditor: an invoice is what the office owes, a credit note what it does not.
    side: amount > 0 ? 'H' : 'S',
    creditor,
    expense: settings.expense[rate],
    key: settings.withTaxKeys ? taxKeys[rate] : null,
    date,
    due: dayOf(record, fields.due),
    number: textOf(record, fields.number),
    text: textOf(record, fields.seller),
  }
}

function reasonAgainst(
  record: ExportRecord,
  fields: BookingFields,
  date: string | null,
  amount: number | null,
): UnbookableReason | null {
  const type = textOf(record, fields.type)
  if (!isInvoice(type) && !isCreditNote(type)) return 'type'
  if (date === null) return 'date'
  if (amount === null || amount === 0 || Math.abs(amount) >= tooLarge) return 'amount'
  const isEuro = fields.currency === null || inKind('currency', textOf(record, fields.currency)) === 'EUR'
  return isEuro ? null : 'currency'
}

/** Which rate the tax is of; null for any other, several at once among them. Without net and tax nobody knows it. */
function rateOf(gross: number, net: number | null, tax: number | null): Rate | null {
  const base = net ?? (tax === null ? null : gross - tax)
  if (base === null) return null
  const share = tax ?? gross - base
  if (Math.abs(base + share - gross) > roundingOfTax) return null
  const apart = (rate: Rate): number => Math.abs(base * rates[rate] - share)
  const [nearest, next] = (Object.keys(rates) as Rate[]).toSorted((one, other) => apart(one) - apart(other))
  // Of a few cents each rate may be meant.
  const isClear = apart(nearest!) <= roundingOfTax && apart(nearest!) * 2 < apart(next!)
  return isClear ? nearest! : null
}

function amountOf(record: ExportRecord, name: string | null): number | null {
  const value = name === null ? null : record[name]
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 100) / 100 : null
}

function textOf(record: ExportRecord, name: string | null): string {
  const value = name === null ? null : record[name]
  return typeof value === 'string' ? value.trim() : ''
}

function dayOf(record: ExportRecord, name: string | null): string | null {
  const day = inKind('date', textOf(record, name))
  // The format knows this century only.
  return day !== null && day.startsWith('20') && isoDate(day) !== null ? day : null
}

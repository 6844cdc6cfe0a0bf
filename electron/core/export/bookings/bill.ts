// In: a record whose credit notes are negative.
// Out: what books have to know of a supplier's invoice, or why it cannot be booked.
import type { BookingFields, UnbookableReason } from '../../../../shared/domain/bookings.ts'
import { isCreditNote, isInvoice } from '../../../../shared/domain/credit-note.ts'
import { inKind } from '../../../../shared/domain/in-kind.ts'
import type { ExportRecord, PartnerOf } from '../records.ts'
import { isoDate } from '../values.ts'

/** Amounts are positive, days are YYYY-MM-DD. `rate`: of the tax, in percent. `account`: of the seller in the books. */
export type Bill = {
  isCredit: boolean
  gross: number
  net: number
  tax: number
  rate: number
  date: string
  due: string | null
  number: string
  seller: string
  account: string | null
}

/** What books take: tax of these rates, in percent, and amounts in this currency. */
export type Terms = { rates: readonly number[]; currency: string }

/** Tax is rounded for each line of some invoices. */
const roundingOfTax = 0.05
/** DATEV has room for ten digits before the comma, and no program for more. */
const tooLarge = 1e10

/** The bill of one record. Pure. */
export function billOf(
  record: ExportRecord,
  fields: BookingFields,
  terms: Terms,
  partnerOf: PartnerOf,
): Bill | UnbookableReason {
  const date = dayOf(record, fields.date)
  const amount = amountOf(record, fields.gross)
  const reason = reasonAgainst(record, fields, terms, { date, amount })
  if (reason !== null || date === null || amount === null) return reason ?? 'amount'
  const taxed = taxOf(amount, amountOf(record, fields.net), amountOf(record, fields.tax), terms.rates)
  if (taxed === null) return 'rate'
  return {
    isCredit: amount < 0,
    gross: Math.abs(amount),
    net: Math.abs(cents(amount - taxed.tax)),
    tax: Math.abs(taxed.tax),
    rate: taxed.rate,
    date,
    due: dayOf(record, fields.due),
    number: textOf(record, fields.number),
    seller: textOf(record, fields.seller),
    account: partnerOf(record)?.bookAccount?.replace(/\s/g, '') || null,
  }
}

function reasonAgainst(
  record: ExportRecord,
  fields: BookingFields,
  { currency }: Terms,
  { date, amount }: { date: string | null; amount: number | null },
): UnbookableReason | null {
  const type = textOf(record, fields.type)
  if (!isInvoice(type) && !isCreditNote(type)) return 'type'
  if (date === null) return 'date'
  if (amount === null || amount === 0 || Math.abs(amount) >= tooLarge) return 'amount'
  const isOurs = fields.currency === null || inKind('currency', textOf(record, fields.currency)) === currency
  return isOurs ? null : 'currency'
}

/** The tax, and which rate it is of; null for any other, several at once among them, and where nobody knows it. */
function taxOf(
  gross: number,
  net: number | null,
  tax: number | null,
  rates: readonly number[],
): { tax: number; rate: number } | null {
  const base = net ?? (tax === null ? null : gross - tax)
  if (base === null) return null
  const share = tax ?? cents(gross - base)
  if (Math.abs(base + share - gross) > roundingOfTax) return null
  const apart = (rate: number): number => Math.abs((base * rate) / 100 - share)
  const [nearest, next] = rates.toSorted((one, other) => apart(one) - apart(other))
  if (nearest === undefined || apart(nearest) > roundingOfTax) return null
  // Of a few cents each rate may be meant.
  const isClear = next === undefined || apart(nearest) * 2 < apart(next)
  if (!isClear) return null
  // What is left between net amount and total was rounded.
  return { tax: nearest === 0 ? 0 : share, rate: nearest }
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100
}

function amountOf(record: ExportRecord, name: string | null): number | null {
  const value = name === null ? null : record[name]
  return typeof value === 'number' && Number.isFinite(value) ? cents(value) : null
}

function textOf(record: ExportRecord, name: string | null): string {
  const value = name === null ? null : record[name]
  return typeof value === 'string' ? value.trim() : ''
}

function dayOf(record: ExportRecord, name: string | null): string | null {
  const day = inKind('date', textOf(record, name))
  // DATEV knows this century only, and so do the books of an office.
  return day !== null && day.startsWith('20') && isoDate(day) !== null ? day : null
}

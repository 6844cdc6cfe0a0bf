// In: a record whose credit notes are negative.
// Out: what books have to know of a supplier's invoice, for each rate of its tax, or why it cannot be booked.
import { createHash } from 'node:crypto'
import type { BillIdentity, BookingFields, UnbookableReason } from '../../../../shared/domain/bookings.ts'
import { isCreditNote, isFinalInvoice, isInvoice } from '../../../../shared/domain/credit-note.ts'
import { fold } from '../../../../shared/domain/fold.ts'
import { inKind } from '../../../../shared/domain/in-kind.ts'
import { listItems } from '../../../../shared/domain/list-items.ts'
import type { ExportRecord, PartnerOf } from '../records.ts'
import { isoDate } from '../values.ts'

/**
 * An invoice, or of one with several rates of tax the part of one rate, the first part being 0. Amounts are positive,
 * days are YYYY-MM-DD. `rate`: of the tax, in percent. `account`: of the seller in the books.
 */
export type Bill = {
  part: number
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

/** The bills of one record, one for each rate of its tax. Pure. */
export function billsOf(
  record: ExportRecord,
  fields: BookingFields,
  terms: Terms,
  partnerOf: PartnerOf,
): Bill[] | UnbookableReason {
  const date = dayOf(record, fields.date)
  const gross = amountOf(record, fields.gross)
  const reason = reasonAgainst(record, fields, terms, { date, amount: gross })
  if (reason !== null || date === null || gross === null) return reason ?? 'amount'
  const sums = sumsOf(gross, amountOf(record, fields.net), amountOf(record, fields.tax))
  if (typeof sums === 'string') return sums
  const seller = textOf(record, fields.seller)
  const account = partnerOf(record)?.bookAccount?.replace(/\s/g, '') || null
  // A booking without a name says nothing of whose it is; a schema may not ask for one.
  if (fields.seller !== null && account === null && !/[\p{L}\p{N}]/u.test(seller)) return 'seller'
  const parts = byRows(record, fields.rows, sums, terms.rates) ?? ofOneRate(sums, terms.rates)
  if (parts === null) return fields.rows === null ? 'no_rate_field' : 'rate'
  return parts.map((one, part) => ({
    part,
    isCredit: one.gross < 0,
    gross: Math.abs(one.gross),
    net: Math.abs(cents(one.gross - one.tax)),
    tax: Math.abs(one.tax),
    rate: one.rate,
    date,
    due: dayOf(record, fields.due),
    number: textOf(record, fields.number),
    seller,
    account,
  }))
}

/**
 * What the bill of a record is known by, whichever program books it: its supplier, number and total tell it from others,
 * in whatever document it stands. Pure.
 */
export function identityOf(record: ExportRecord, fields: BookingFields): BillIdentity {
  const [number, seller] = [fields.number, fields.seller].map((name) =>
    fold(textOf(record, name)).replace(/[^\p{L}\p{N}]/gu, ''),
  )
  const sums = [fields.gross, fields.net, fields.tax].map((name) => amountOf(record, name))
  const [gross] = sums
  const days = [fields.date, fields.due].map((name) => textOf(record, name))
  const words = [fields.type, fields.currency].map((name) => textOf(record, name))
  const rates = fields.rows === null ? null : [...(amountsByRate(record, fields.rows) ?? [])]
  const isKnown = number !== '' && seller !== '' && gross !== null
  return {
    bill: isKnown ? hashOf([seller, number, gross]) : null,
    content: hashOf([seller, number, ...sums, ...days, ...words, rates]),
  }
}

function hashOf(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest()
}

function reasonAgainst(
  record: ExportRecord,
  fields: BookingFields,
  { currency }: Terms,
  { date, amount }: { date: string | null; amount: number | null },
): UnbookableReason | null {
  const type = textOf(record, fields.type)
  if (!isInvoice(type) && !isCreditNote(type)) return type === '' ? 'no_type' : 'type'
  if (isFinalInvoice(type)) return 'final'
  if (date === null) return 'date'
  if (amount === null || amount === 0 || Math.abs(amount) >= tooLarge) return 'amount'
  const printed = textOf(record, fields.currency)
  if (fields.currency === null || inKind('currency', printed) === currency) return null
  return printed === '' ? 'no_currency' : 'currency'
}

/** What a bill comes to. */
type Sums = { gross: number; net: number; tax: number }
/** What of a bill is taxed at one rate. */
type Taxed = { gross: number; tax: number; rate: number }

function sumsOf(gross: number, net: number | null, tax: number | null): Sums | UnbookableReason {
  const base = net ?? (tax === null ? null : gross - tax)
  if (base === null) return 'no_tax'
  const share = tax ?? cents(gross - base)
  return Math.abs(base + share - gross) > roundingOfTax ? 'sums' : { gross, net: base, tax: share }
}

/**
 * The parts of each rate by the rows, largest first; null where these do not come to what the bill does, with or
 * without its tax.
 */
function byRows(
  record: ExportRecord,
  rows: BookingFields['rows'],
  { gross, net, tax }: Sums,
  rates: readonly number[],
): Taxed[] | null {
  const amounts = rows === null ? null : amountsByRate(record, rows)
  if (amounts === null || [...amounts.keys()].some((rate) => !rates.includes(rate))) return null
  const all = sumOf([...amounts.values()])
  const isWithTax = Math.abs(all - gross) <= roundingOfTax
  if (!isWithTax && Math.abs(all - net) > roundingOfTax) return null
  const parts = [...amounts]
    .map(([rate, amount]): Taxed => {
      const base = isWithTax ? amount / (1 + rate / 100) : amount
      const share = cents((base * rate) / 100)
      return { gross: isWithTax ? cents(amount) : cents(amount + share), tax: share, rate }
    })
    .filter((part) => part.gross !== 0)
    .toSorted((one, other) => Math.abs(other.gross) - Math.abs(one.gross))
  const largest = parts.find(({ rate }) => rate !== 0) ?? parts[0]
  if (largest === undefined || Math.abs(sumOf(parts.map((part) => part.tax)) - tax) > roundingOfTax) return null
  // The cents that were rounded otherwise on the bill, which are of a tax: together the parts are what is paid.
  largest.gross = cents(largest.gross + gross - sumOf(parts.map((part) => part.gross)))
  if (largest.rate !== 0) largest.tax = cents(largest.tax + tax - sumOf(parts.map((part) => part.tax)))
  return parts
}

/** What the rows of each rate come to; null where one has an amount and no rate. */
function amountsByRate(
  record: ExportRecord,
  { list, amount, rate }: NonNullable<BookingFields['rows']>,
): Map<number, number> | null {
  const sums = new Map<number, number>()
  for (const item of listItems(record, list)) {
    const value = amountOf(item, amount)
    const percent = item[rate]
    // A row of words.
    if (value === null || value === 0) continue
    if (typeof percent !== 'number') return null
    sums.set(percent, (sums.get(percent) ?? 0) + value)
  }
  return sums
}

/** The rate that all of it is of, where no row tells; null for any other, and for several at once. */
function ofOneRate({ gross, net, tax }: Sums, rates: readonly number[]): Taxed[] | null {
  const apart = (rate: number): number => Math.abs((net * rate) / 100 - tax)
  const [nearest, next] = rates.toSorted((one, other) => apart(one) - apart(other))
  if (nearest === undefined || apart(nearest) > roundingOfTax) return null
  // Of a few cents each rate may be meant.
  const isClear = next === undefined || apart(nearest) * 2 < apart(next)
  if (!isClear) return null
  // What is left between net amount and total was rounded.
  return [{ gross, tax: nearest === 0 ? 0 : tax, rate: nearest }]
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
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

// In: documents with results, and how one program takes bookings.
// Out: files that it takes, and which documents are left out, and why.
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type {
  BillIdentity,
  BookedBefore,
  BookedBill,
  BookingFields,
  UnbookableReason,
  Unbooked,
} from '../../../../shared/domain/bookings.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import { withPauses } from '../documents.ts'
import type { DocumentSource } from '../documents.ts'
import { creditSigns } from '../../../../shared/domain/credit-signs.ts'
import type { ExportRecord, PartnerOf } from '../records.ts'
import { replaceFiles } from '../replace-file.ts'
import { billsOf, identityOf } from './bill.ts'
import type { Bill, Terms } from './bill.ts'

/** How one program takes bookings, each of which has a day (YYYY-MM-DD). */
export type Book<Booking extends { date: string }> = {
  terms: Terms
  /** Of a bill, or of its part of one rate. */
  bookingOf(bill: Bill): Booking | UnbookableReason
  /** Bookings in order of their days, in those files that the program wants; by what the names of files end with. */
  filesOf(bookings: readonly Booking[]): ReadonlyMap<string, readonly Booking[]>
  /** What a person sees before it is written. */
  preview(bookings: readonly Booking[]): { columns: string[]; rows: string[][] }
  /** A file, in parts; `at`: when it is made, epoch ms. */
  partsOf(bookings: readonly Booking[], end: string, at: number): Iterable<Buffer>
  /** With what the names of files must begin, and how they end. */
  prefix: string
  extension: string
}

/** Whether an earlier export has the bill of a record; null where none has. */
type FindBooked = (documentId: number, record: number, bill: BillIdentity) => BookedBefore | null
/** `bookedBefore`: what it finds is left out; null where that is no matter. */
type Options = { fields: BookingFields; partnerOf: PartnerOf; bookedBefore: FindBooked | null }
type Found<Booking> = {
  bookings: Booking[]
  /** Of those that an earlier export has as it stands, the first ones. */
  leftOut: Unbooked[]
  /** How many an earlier export has as they stand. */
  alreadyBooked: number
  documents: number
  booked: BookedBill[]
}

type LeftOut = Pick<Unbooked, 'reason' | 'bookedAt'>

/** So many bills that an earlier export has are named: the books of some years hold tens of thousands. */
export const mostNamed = 200

/**
 * Writes the bookings of documents to `path`; where there are several files, or the name does not begin as it must,
 * beside it, and no other file is replaced then. Throws `export_empty`, `nothing_bookable` where none can be booked,
 * `all_booked` where earlier exports have all that can, and what `replaceFiles` throws.
 */
export async function exportBookings<Booking extends { date: string }>(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  book: Book<Booking>,
  { path, at, ...options }: Options & { path: string; at: number },
): Promise<{ paths: string[]; rows: number } & Omit<Found<Booking>, 'bookings'>> {
  const { bookings, ...found } = await bookingsOf(source, schema, book, options)
  if (bookings.length === 0) throw new AppError(whyNone(found))
  const parts = book.filesOf(bookings)
  const files = [...parts].map(([end, some]) => ({
    path: placeOf(path, book.prefix, end, parts.size === 1),
    async *chunks() {
      for (const part of book.partsOf(some, end, at)) {
        yield part
        await setImmediate()
      }
    },
  }))
  await replaceFiles(files)
  return { ...found, paths: files.map((file) => file.path), rows: bookings.length }
}

function whyNone({
  leftOut,
  alreadyBooked,
}: Pick<Found<never>, 'leftOut' | 'alreadyBooked'>): 'export_empty' | 'nothing_bookable' | 'all_booked' {
  if (alreadyBooked > 0) return 'all_booked'
  return leftOut.length === 0 ? 'export_empty' : 'nothing_bookable'
}

/** The first `limit` bookings of each file, and what is left out. */
export async function previewBookings<Booking extends { date: string }>(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  book: Book<Booking>,
  options: Options,
  limit: number,
): Promise<{
  tables: { name: string; columns: string[]; rows: string[][]; totalRows: number }[]
  leftOut: Unbooked[]
  alreadyBooked: number
}> {
  const { bookings, leftOut, alreadyBooked } = await bookingsOf(source, schema, book, options)
  const tables = [...book.filesOf(bookings)].map(([name, some]) => ({
    name,
    ...book.preview(some.slice(0, limit)),
    totalRows: some.length,
  }))
  return { tables, leftOut, alreadyBooked }
}

async function bookingsOf<Booking extends { date: string }>(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  book: Book<Booking>,
  { fields, partnerOf, bookedBefore }: Options,
): Promise<Found<Booking>> {
  const sign = creditSigns(schema) ?? ((record) => record)
  const found: Found<Booking> = { bookings: [], leftOut: [], alreadyBooked: 0, documents: 0, booked: [] }
  const bills = new Set<string>()
  const outcomeOf = (bill: BookedBill, record: ExportRecord, isStored: boolean): Booking[] | LeftOut => {
    const before = isStored ? bookedBefore?.(bill.documentId, bill.record, bill) : null
    if (before) return { reason: before.isChanged ? 'booked_otherwise' : 'booked', bookedAt: before.at }
    const bookings = bookingsOfBill(billsOf(record, fields, book.terms, partnerOf), book)
    if (typeof bookings === 'string') return { reason: bookings, bookedAt: null }
    return isTaken(bill, bills) ? { reason: 'twice', bookedAt: null } : bookings
  }
  for await (const { id = null, fileName, records } of withPauses(source)) {
    const before = found.bookings.length
    for (const [at, unsigned] of (records.length > 0 ? records : [{}]).entries()) {
      const record = sign(unsigned)
      const bill = { documentId: id ?? 0, record: at, ...identityOf(record, fields) }
      const outcome = outcomeOf(bill, record, id !== null)
      if (Array.isArray(outcome)) {
        found.bookings.push(...outcome)
        if (id !== null) found.booked.push(bill)
      } else if (outcome.reason !== 'booked' || ++found.alreadyBooked <= mostNamed)
        found.leftOut.push({ id, name: fileName, ...outcome })
    }
    if (found.bookings.length > before) found.documents++
  }
  return { ...found, bookings: found.bookings.toSorted(byDay) }
}

/** Whether the bill is among these, where it belongs from then on. */
function isTaken({ bill }: BookedBill, bills: Set<string>): boolean {
  if (bill === null) return false
  const key = Buffer.from(bill).toString('hex')
  const isThere = bills.has(key)
  bills.add(key)
  return isThere
}

/** A booking for each part of a bill, or why one of them is none: a bill is booked as a whole or not at all. */
function bookingsOfBill<Booking extends { date: string }>(
  parts: Bill[] | UnbookableReason,
  book: Book<Booking>,
): Booking[] | UnbookableReason {
  if (typeof parts === 'string') return parts
  const bookings: Booking[] = []
  for (const part of parts) {
    const booking = book.bookingOf(part)
    if (typeof booking === 'string') return booking
    bookings.push(booking)
  }
  return bookings
}

function byDay(one: { date: string }, other: { date: string }): number {
  return one.date < other.date ? -1 : Number(one.date > other.date)
}

function placeOf(path: string, prefix: string, end: string, isOnly: boolean): string {
  const extension = extname(path)
  const name = basename(path, extension)
  const missing = name.startsWith(prefix) ? '' : prefix
  if (isOnly && missing === '') return path
  // Nobody was asked about a file of this name.
  for (let number = 1; ; number += 1) {
    const free = join(dirname(path), `${missing}${name}_${end}${number === 1 ? '' : ` (${number})`}${extension}`)
    if (!existsSync(free)) return free
  }
}

/** Bookings by what `endOf` says of each, in the order of these ends. Pure. */
export function inFiles<Booking>(
  bookings: readonly Booking[],
  endOf: (booking: Booking) => string,
): Map<string, Booking[]> {
  const files = new Map<string, Booking[]>()
  for (const booking of bookings) {
    const end = endOf(booking)
    const some = files.get(end) ?? []
    some.push(booking)
    files.set(end, some)
  }
  return files
}

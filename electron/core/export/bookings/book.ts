// In: documents with results, and how one program takes bookings.
// Out: files that it takes, and which documents are left out, and why.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type {
  BookedBefore,
  BookedDocument,
  BookingFields,
  UnbookableReason,
  Unbooked,
} from '../../../../shared/domain/bookings.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import { withPauses } from '../documents.ts'
import type { DocumentSource } from '../documents.ts'
import { creditSigns } from '../credit-notes.ts'
import type { PartnerOf } from '../records.ts'
import { replaceFiles } from '../replace-file.ts'
import { billsOf } from './bill.ts'
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

type Options = {
  fields: BookingFields
  partnerOf: PartnerOf
  /** Whether an earlier export has a document, which is left out then; null where that is no matter. */
  bookedBefore: ((id: number) => BookedBefore | null) | null
}
type Entry<Booking> = { bill: Bill; booking: Booking }
type Found<Booking> = { bookings: Booking[]; leftOut: Unbooked[]; documents: number; booked: BookedDocument[] }

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
  if (bookings.length === 0) throw new AppError(whyNone(found.leftOut))
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

function whyNone(leftOut: readonly Unbooked[]): 'export_empty' | 'nothing_bookable' | 'all_booked' {
  if (leftOut.length === 0) return 'export_empty'
  return leftOut.some(({ bookedAt }) => bookedAt !== null) ? 'all_booked' : 'nothing_bookable'
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
}> {
  const { bookings, leftOut } = await bookingsOf(source, schema, book, options)
  const tables = [...book.filesOf(bookings)].map(([name, some]) => ({
    name,
    ...book.preview(some.slice(0, limit)),
    totalRows: some.length,
  }))
  return { tables, leftOut }
}

async function bookingsOf<Booking extends { date: string }>(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  book: Book<Booking>,
  { fields, partnerOf, bookedBefore }: Options,
): Promise<Found<Booking>> {
  const sign = creditSigns(schema) ?? ((record) => record)
  const found: Found<Booking> = { bookings: [], leftOut: [], documents: 0, booked: [] }
  for await (const { id = null, fileName, records } of withPauses(source)) {
    const leaveOut = (reason: UnbookableReason, bookedAt: number | null = null): void =>
      void found.leftOut.push({ id, name: fileName, reason, bookedAt })
    const entries: Entry<Booking>[] = []
    for (const record of records.length > 0 ? records : [{}]) {
      const parts = entriesOf(billsOf(sign(record), fields, book.terms, partnerOf), book)
      if (typeof parts === 'string') leaveOut(parts)
      else entries.push(...parts)
    }
    if (entries.length === 0) continue
    const content = contentOf(entries.map(({ bill }) => bill))
    const before = id === null ? null : (bookedBefore?.(id) ?? null)
    if (before !== null) {
      leaveOut(content.equals(before.content) ? 'booked' : 'booked_otherwise', before.at)
      continue
    }
    found.bookings.push(...entries.map(({ booking }) => booking))
    found.documents++
    if (id !== null) found.booked.push({ id, content })
  }
  return { ...found, bookings: found.bookings.toSorted(byDay) }
}

/** Accounts are not part of it: they are of the office, which may change them for what it books from then on. */
function contentOf(bills: readonly Bill[]): Buffer {
  const values = bills.map(({ account: _, ...bill }) => bill)
  return createHash('sha256').update(JSON.stringify(values)).digest()
}

/** A booking for each part of a bill, or why one of them is none: a bill is booked as a whole or not at all. */
function entriesOf<Booking extends { date: string }>(
  parts: Bill[] | UnbookableReason,
  book: Book<Booking>,
): Entry<Booking>[] | UnbookableReason {
  if (typeof parts === 'string') return parts
  const entries: Entry<Booking>[] = []
  for (const bill of parts) {
    const booking = book.bookingOf(bill)
    if (typeof booking === 'string') return booking
    entries.push({ bill, booking })
  }
  return entries
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

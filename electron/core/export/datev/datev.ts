// In: documents with results, and what DATEV has to know of the office.
// Out: a file for each month, as the format recommends, and which documents are left out, and why.
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { BookingFields, DatevSettings, Unbooked } from '../../../../shared/domain/datev.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import { withPauses } from '../documents.ts'
import type { DocumentSource } from '../documents.ts'
import { creditSigns } from '../credit-notes.ts'
import type { PartnerOf } from '../records.ts'
import { replaceFiles } from '../replace-file.ts'
import { bookingOf } from './bookings.ts'
import type { Booking } from './bookings.ts'
import { batchOf, previewOf } from './extf.ts'

type Options = { fields: BookingFields; settings: DatevSettings; partnerOf: PartnerOf }
/** `documents`: how many are booked. */
type Bookings = { months: Map<string, Booking[]>; leftOut: Unbooked[]; documents: number }

/**
 * Writes the bookings of documents beside `path`, each month as `EXTF_<name>_<month>.csv`; where it is one month, and
 * the name begins so, to `path` itself. No other file is replaced. Throws `export_empty`, `datev_unbookable` where none
 * can be booked, and what `replaceFiles` throws.
 */
export async function exportBookings(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  { path, at, ...options }: Options & { path: string; at: number },
): Promise<{ paths: string[]; rows: number; documents: number; leftOut: Unbooked[] }> {
  const { months, leftOut, documents } = await bookingsOf(source, schema, options)
  if (months.size === 0) throw new AppError(leftOut.length === 0 ? 'export_empty' : 'datev_unbookable')
  const files = [...months].map(([month, bookings]) => ({
    path: placeOf(path, month, months.size === 1),
    async *chunks() {
      for (const part of batchOf(bookings, month, options.settings, at)) {
        yield part
        await setImmediate()
      }
    },
  }))
  await replaceFiles(files)
  const rows = [...months.values()].reduce((sum, { length }) => sum + length, 0)
  return { paths: files.map((file) => file.path), rows, documents, leftOut }
}

/** The first `limit` bookings of each month, and what is left out. */
export async function previewBookings(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  options: Options,
  limit: number,
): Promise<{
  tables: { name: string; columns: string[]; rows: string[][]; totalRows: number }[]
  leftOut: Unbooked[]
}> {
  const { months, leftOut } = await bookingsOf(source, schema, options)
  const tables = [...months].map(([name, bookings]) => ({
    name,
    ...previewOf(bookings.slice(0, limit)),
    totalRows: bookings.length,
  }))
  return { tables, leftOut }
}

async function bookingsOf(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  { fields, settings, partnerOf }: Options,
): Promise<Bookings> {
  const sign = creditSigns(schema) ?? ((record) => record)
  const found: Bookings = { months: new Map(), leftOut: [], documents: 0 }
  for await (const { fileName, records } of withPauses(source)) {
    let isBooked = false
    for (const record of records.length > 0 ? records : [{}]) {
      const booking = bookingOf(sign(record), fields, settings, partnerOf)
      if (typeof booking === 'string') found.leftOut.push({ name: fileName, reason: booking })
      else {
        const month = booking.date.slice(0, 7)
        const bookings = found.months.get(month) ?? []
        bookings.push(booking)
        isBooked = true
        found.months.set(month, bookings)
      }
    }
    if (isBooked) found.documents++
  }
  const months = [...found.months]
    .map(([month, bookings]) => [month, bookings.toSorted(byDay)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { ...found, months: new Map(months) }
}

function byDay(one: Booking, other: Booking): number {
  return one.date < other.date ? -1 : Number(one.date > other.date)
}

/** DATEV takes files whose names begin with this only. */
export const datevPrefix = 'EXTF_'

function placeOf(path: string, month: string, isOnly: boolean): string {
  const name = basename(path, extname(path))
  const prefix = name.startsWith(datevPrefix) ? '' : datevPrefix
  if (isOnly && prefix === '') return path
  // Nobody was asked about a file of this name.
  for (let number = 1; ; number += 1) {
    const free = join(dirname(path), `${prefix}${name}_${month}${number === 1 ? '' : ` (${number})`}.csv`)
    if (!existsSync(free)) return free
  }
}

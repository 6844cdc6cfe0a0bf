import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import PQueue from 'p-queue'
import type { z } from 'zod'
import { tableFormats } from '../../../shared/contract/exports.ts'
import type { exportCalls, ExportRow, ExportSpec } from '../../../shared/contract/exports.ts'
import type { BookedBill } from '../../../shared/domain/bookings.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { fittingBillSettings } from '../../../shared/domain/bill-settings.ts'
import { fittingDatevSettings } from '../../../shared/domain/datev.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { safeFileName } from '../files/file-names.ts'
import type { FirstResults, ResultSelection } from '../db/tables/selected-results.ts'
import type { StoredSchema } from '../db/tables/schemas.ts'
import { billBook } from '../export/bookings/bill-table.ts'
import { exportBookings, mostNamed, previewBookings } from '../export/bookings/book.ts'
import type { Book } from '../export/bookings/book.ts'
import { datevBook } from '../export/bookings/datev.ts'
import type { DocumentSource } from '../export/documents.ts'
import { exportDocuments, previewTables } from '../export/export.ts'
import type { ExportResult, TableFormat } from '../export/export.ts'
import type { PartnerOf } from '../export/records.ts'
import { bookingFields } from '../partners/document-fields.ts'
import { keysOf, senderOf } from '../partners/sender.ts'
import { findSchema } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ExportCalls = Extract<keyof Handlers, `exports.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now' | 'desktop' | 'documentsDir' | 'exportsDir'>

export function exportHandlers(context: Needs): Pick<Handlers, ExportCalls> {
  const { tables, emit, now } = context
  // One after another: the next one has to see what this one booked.
  const bookings = new PQueue({ concurrency: 1 })
  const write = async (spec: ExportSpec, how: Omit<How, 'bookings'>): Promise<Written> => {
    const written = await run(context, spec, { ...how, bookings })
    if (written.export !== null) emit('exports.changed', {})
    return written
  }
  return {
    'exports.preview': async ({ limit, alsoBooked = false, ...spec }) => preview(context, spec, { limit, alsoBooked }),
    'exports.run': async ({ askWhere, alsoBooked = false, ...spec }) => write(spec, { askWhere, alsoBooked }),
    'exports.again': async ({ id, askWhere }) => {
      const spec = tables.exports.specOf(id)
      if (spec === null) throw new AppError('not_found', { what: 'export' })
      return write(spec, { askWhere, alsoBooked: false })
    },
    'exports.list': async () => ({ exports: tables.exports.list() }),
    'exports.reveal': async ({ id }) => {
      const path = tables.exports.get(id)?.paths[0]
      if (path === undefined) throw new AppError('not_found', { what: 'export' })
      context.desktop?.reveal(path)
      return {}
    },
    'exports.drag': async ({ id }) => {
      const row = tables.exports.get(id)
      if (row === null) throw new AppError('not_found', { what: 'export' })
      context.desktop?.startDrag(row.paths)
      return {}
    },
    'exports.presets.list': async () => ({ presets: tables.exports.presets() }),
    'exports.presets.save': async ({ id, name, spec }) => {
      findSchema(context, spec.schemaId)
      const preset = tables.exports.savePreset(id, name, spec, now())
      if (preset === null) throw new AppError('not_found', { what: 'preset' })
      emit('exports.changed', {})
      return preset
    },
    'exports.presets.remove': async ({ id }) => {
      if (!tables.exports.removePreset(id)) throw new AppError('not_found', { what: 'preset' })
      emit('exports.changed', {})
      return {}
    },
  }
}

/**
 * Its tables are made of so many documents: more would take longer than a person waits for what changes with each
 * choice.
 */
const maxLookedAt = 1000
/** Where counting means asking each document, it ends here. */
const maxCounted = 10_000

async function preview(
  context: Needs,
  spec: ExportSpec,
  { limit, alsoBooked }: { limit: number; alsoBooked: boolean },
): Promise<z.output<(typeof exportCalls)['exports.preview']['output']>> {
  const { results } = context.tables
  const { elements } = findSchema(context, spec.schemaId)
  const selection = selectionOf(spec, context.now())
  const isQuick = selection.period === undefined && selection.documentIds === null
  const found = (which: ResultSelection): FirstResults & { count: number; atLeast: boolean } => {
    const first = results.first(which, isQuick ? maxLookedAt : maxCounted)
    return {
      ...first,
      count: isQuick && !first.isAll ? results.count(which) : first.ids.length,
      atLeast: !isQuick && !first.isAll,
    }
  }
  const { ids, isAll, ...documents } = found(selection)
  const flagged = countsFlagged(selection)
    ? found({ ...selection, reviews: ['flagged'] })
    : { count: 0, atLeast: false }
  const looked = ids.slice(0, maxLookedAt)
  const partnerOf = partnersIn(context, elements)
  const about = { documents: documents.count, flagged: flagged.count }
  const { format } = spec
  if (!isTable(format)) {
    // What is booked must not hide what is new, however much of it there is.
    const booked = alsoBooked ? new Set<number>() : context.tables.exports.bookedAmong(ids)
    const fresh = ids.filter((id) => !booked.has(id))
    const [shownFresh, named] = [fresh.slice(0, maxLookedAt), [...booked].slice(0, mostNamed)]
    const source: DocumentSource = () =>
      results.documentsOf(
        selection,
        [...named, ...shownFresh].sort((a, b) => a - b),
      )
    const options = { fields: bookingFields(elements), partnerOf, bookedBefore: bookedIn(context, alsoBooked) }
    const { tables, leftOut, alreadyBooked } = await previewBookings(source, elements, bookOf(spec), options, limit)
    const rows = !isAll || shownFresh.length < fresh.length
    const shown = tables.map(({ columns, ...table }) => ({ ...table, columns: columns.map(leftAligned) }))
    return {
      ...about,
      tables: shown,
      leftOut,
      alreadyBooked: alreadyBooked + booked.size - named.length,
      atLeast: { documents: documents.atLeast, flagged: flagged.atLeast, rows },
    }
  }
  const others = isAll && looked.length === ids.length ? null : () => results.documentsOfVersions(selection)
  const { tables, isWhole } = await previewTables(
    () => results.documentsOf(selection, looked),
    elements,
    { ...spec, format, partnerOf },
    limit,
    others,
  )
  return {
    ...about,
    tables,
    leftOut: [],
    alreadyBooked: 0,
    atLeast: { documents: documents.atLeast, flagged: flagged.atLeast, rows: !isWhole },
  }
}

/** Whether documents that are to be checked are among those asked for, or left out of them. */
function countsFlagged({ reviews = [], period }: ResultSelection): boolean {
  return period?.by !== 'approved' && (reviews.length === 0 || reviews.some((state) => state !== 'approved'))
}

type How = { askWhere: boolean; alsoBooked: boolean; bookings: PQueue }
type Written = z.output<(typeof exportCalls)['exports.run']['output']>

async function run(context: Needs, spec: ExportSpec, { askWhere, alsoBooked, bookings }: How): Promise<Written> {
  const { tables, now } = context
  const schema = findSchema(context, spec.schemaId)
  const selection = selectionOf(spec, now())
  if (tables.results.first(selection, 1).ids.length === 0 && tables.results.count(selection) === 0)
    throw new AppError('export_empty')
  const path = await placeFor(context, schema, spec, askWhere)
  if (path === null) return { export: null, leftOut: [], alreadyBooked: 0 }
  const source: DocumentSource = () => tables.results.documents(selection)
  const { elements } = schema
  const options = { path, partnerOf: partnersIn(context, elements) }
  const { format } = spec
  if (isTable(format)) {
    const made = await exportDocuments(source, elements, { ...spec, ...options, format })
    return { export: note(context, spec, made, []), leftOut: [], alreadyBooked: 0 }
  }
  return bookings.add(async () => {
    const fields = bookingFields(elements)
    const bookedBefore = bookedIn(context, alsoBooked)
    const book = bookOf(spec)
    const made = await exportBookings(source, elements, book, { ...options, fields, bookedBefore, at: now() })
    const { leftOut, alreadyBooked } = made
    try {
      return { export: note(context, spec, made, made.booked), leftOut, alreadyBooked }
    } catch (error) {
      // Bookings of which nothing is noted would be written once more.
      await Promise.all(made.paths.map((written) => rm(written, { force: true })))
      throw error
    }
  })
}

/** Remembers an export and the bills that it has: both or none. */
function note(
  { tables, now }: Needs,
  spec: ExportSpec,
  made: Pick<ExportResult, 'paths' | 'rows' | 'documents'>,
  bills: readonly BookedBill[],
): ExportRow {
  return tables.transaction(() => {
    const added = tables.exports.add(spec, made, now())
    tables.exports.book(added.id, bills)
    return added
  })
}

function bookedIn({ tables }: Needs, alsoBooked: boolean): Parameters<typeof exportBookings>[3]['bookedBefore'] {
  return alsoBooked ? null : (...record) => tables.exports.bookedBefore(...record)
}

function isTable(format: ExportSpec['format']): format is TableFormat {
  return (tableFormats as readonly string[]).includes(format)
}

/** How the format takes bookings. Throws `invalid_input` where nobody said what its program has to know. */
function bookOf({ format, datev, bills }: ExportSpec): Book<{ date: string }> {
  const ofDatev = format === 'datev' ? fittingDatevSettings.safeParse(datev).data : undefined
  if (ofDatev !== undefined) return datevBook(ofDatev)
  const ofBills = fittingBillSettings.safeParse(bills).data
  if (ofBills !== undefined && ofBills.program === format) return billBook(ofBills)
  throw new AppError('invalid_input', { problem: `what ${format} has to know is missing or does not fit` })
}

function leftAligned(header: string): { header: string; align: 'left' } {
  return { header, align: 'left' }
}

/** Who sent the documents of a schema, by what the results say as they are shown. */
function partnersIn({ tables: { partners } }: Needs, elements: readonly SchemaElement[]): PartnerOf {
  return (record) => {
    const sender = partners.isEmpty ? null : senderOf([record], elements)
    return sender === null ? null : (partners.find(keysOf(sender))?.partner ?? null)
  }
}

/** The documents that are asked for; days are those of the computer's clock. */
function selectionOf(spec: ExportSpec, now: number): ResultSelection {
  const { by, from, to, last } = spec.days
  const { schemaId, folderId, documentIds, reviews } = spec
  if (from === null && to === null && last === null) return { schemaId, folderId, documentIds, reviews }
  const today = new Date(now)
  const earliest = [
    ...(from === null ? [] : [midnight(from, 0)]),
    ...(last === null ? [] : [new Date(today.getFullYear(), today.getMonth(), today.getDate() - last + 1).getTime()]),
  ]
  return {
    schemaId,
    folderId,
    documentIds,
    reviews,
    period: {
      by,
      from: earliest.length === 0 ? null : Math.max(...earliest),
      to: to === null ? null : midnight(to, 1),
    },
  }
}

/** When a day (YYYY-MM-DD), or one so many days after it, begins. */
function midnight(day: string, after: number): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, date + after).getTime()
}

async function placeFor(
  context: Needs,
  schema: StoredSchema,
  spec: ExportSpec,
  askWhere: boolean,
): Promise<string | null> {
  const time = new Date(context.now())
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const stamp = `${day} ${two(time.getHours())}.${two(time.getMinutes())}.${two(time.getSeconds())}`
  const { prefix, extension } = isTable(spec.format) ? { prefix: '', extension: spec.format } : bookOf(spec)
  const name = `${prefix}${safeFileName(schema.name, 'Sheaf')} ${stamp}`
  if (askWhere && context.desktop !== null)
    return context.desktop.chooseExportPath(join(context.documentsDir, `${name}.${extension}`))
  await mkdir(context.exportsDir, { recursive: true, mode: 0o700 })
  return freePlace(join(context.exportsDir, name), extension)
}

const reservedPaths = new Set<string>()

/** Two exports of one second, or of schemas that differ by case only, are two files. */
function freePlace(path: string, format: string): string {
  for (let number = 1; ; number += 1) {
    const free = `${path}${number === 1 ? '' : ` (${number})`}.${format}`
    if (reservedPaths.has(free) || existsSync(free)) continue
    reservedPaths.add(free)
    return free
  }
}

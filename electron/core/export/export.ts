import { basename, dirname, extname, join, resolve } from 'node:path'
import type { z } from 'zod'
import type { ExportSpec, exportTable, ListLayout, tableFormats } from '../../../shared/contract/exports.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { safeFileName } from '../files/file-names.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { creditSigns } from '../../../shared/domain/credit-signs.ts'
import { amountColumns, rowsLookedAt, displayCell } from './values.ts'
import { csvChunks, csvText } from './csv.ts'
import { collectExtraKeys, collectLengths, planTables } from './flatten.ts'
import type { ExtraKeys } from './flatten.ts'
import { withPauses } from './documents.ts'
import type { DocumentSource } from './documents.ts'
import type { ExportDocument, PartnerOf, TablePlan } from './records.ts'
import { replaceFiles } from './replace-file.ts'
import type { FileToWrite } from './replace-file.ts'
import type { CellValue } from './values.ts'
import { xlsxChunks } from './xlsx.ts'
import type { SheetTable } from './xlsx.ts'

// In: documents with results, as a source that can be run several times.
// Out: spreadsheet files, each complete or not there at all.

export type TableFormat = (typeof tableFormats)[number]
type TableOptions = {
  format: TableFormat
  locale: Locale
  lists: ListLayout
  partnerOf?: PartnerOf
} & Partial<Pick<ExportSpec, 'columns' | 'listLimit'>>
type ExportOptions = TableOptions & {
  /** Where the file goes. CSV with several tables makes `name-<list>.csv` beside it. */
  path: string
}
type ExportTable = z.infer<typeof exportTable>

/** `rows` are data rows over all tables, without headers; for JSON they are records. */
export type ExportResult = { paths: string[]; rows: number; documents: number }

/**
 * Writes an export and tells where. An existing file is replaced only by a complete new one.
 * Throws AppError `export_empty`, `export_disk_full`, `export_file_open` or `export_failed`.
 */
export async function exportDocuments(
  given: DocumentSource,
  schema: SchemaElement[],
  options: ExportOptions,
): Promise<ExportResult> {
  const path = resolve(options.path)
  const source = withCreditSigns(given, schema, options.format)
  const { documents, records, ...found } = await survey(source, schema)
  if (documents === 0) throw new AppError('export_empty')
  const first: DocumentSource = () => withPauses(source, documents)
  const count = { rows: 0 }
  const plans = planTables(schema, { ...options, layout: options.lists, ...found })
  const files = filesOf(path, plans, first, options, count)
  await replaceFiles(files)
  return { paths: files.map((file) => file.path), rows: options.format === 'json' ? records : count.rows, documents }
}

/** A preview ends here: more rows would take longer than a person waits. */
const maxPreviewRows = 20_000

/**
 * The first `limit` rows of each table, with cells as Excel of the chosen language shows them, and how many rows there
 * are. `others`: what else will be exported, or a part of it that shows which columns there are; null when there is
 * nothing else. `isWhole`: all rows were counted and every column is there; otherwise there are at least these.
 */
export async function previewTables(
  given: DocumentSource,
  schema: SchemaElement[],
  options: TableOptions,
  limit: number,
  others: DocumentSource | null = null,
): Promise<{ tables: ExportTable[]; isWhole: boolean }> {
  const source = withCreditSigns(given, schema, options.format)
  const { documents, ...found } = await survey(source, schema)
  if (others !== null) await survey(others, schema, found)
  const plans = planTables(schema, { ...options, layout: options.lists, ...found })
  const first: CellValue[][][] = plans.map(() => [])
  const totals = plans.map(() => 0)
  let number = 0
  let counted = 0
  let isCounted = true
  for await (const { fileName, records, about } of withPauses(source, documents)) {
    if (counted > maxPreviewRows) {
      isCounted = false
      break
    }
    for (const record of recordsOf(records)) {
      number++
      for (const [index, plan] of plans.entries()) {
        for (const row of plan.rowsOf(record, fileName, number, about)) {
          totals[index]! += 1
          counted++
          if (first[index]!.length < Math.max(limit, rowsLookedAt)) first[index]!.push(row)
        }
      }
    }
  }
  const tables = plans.map(({ name, columns }, index) => ({
    name,
    columns,
    rows: shownRows(first[index]!, columns.length, limit, options),
    totalRows: totals[index]!,
  }))
  return { tables, isWhole: others === null && isCounted }
}

/** The first `limit` of those rows that say what the columns of a worksheet are, as they will be seen. */
function shownRows(
  rows: readonly CellValue[][],
  columns: number,
  limit: number,
  { format, locale }: TableOptions,
): string[][] {
  const amounts = format === 'json' ? [] : amountColumns(rows.slice(0, rowsLookedAt), columns)
  return rows
    .slice(0, limit)
    .map((row) =>
      row.map((cell, column) =>
        format === 'csv' ? csvText(cell, locale, amounts[column]) : displayCell(cell, locale, amounts[column]),
      ),
    )
}

function withCreditSigns(
  source: DocumentSource,
  schema: readonly SchemaElement[],
  format: TableFormat,
): DocumentSource {
  // JSON has records as they are.
  const sign = format === 'json' ? null : creditSigns(schema)
  if (sign === null) return source
  return async function* () {
    for await (const document of source()) yield { ...document, records: document.records.map(sign) }
  }
}

type Found = { extras: ExtraKeys; longest: Map<string, number> }

/** What the documents have that decides about columns, added to what was found before. */
async function survey(
  source: DocumentSource,
  schema: SchemaElement[],
  { extras, longest }: Found = { extras: new Map(), longest: new Map() },
): Promise<Found & { documents: number; records: number }> {
  let documents = 0
  let count = 0
  for await (const { records } of withPauses(source)) {
    documents++
    count += records.length
    for (const record of records) {
      collectExtraKeys(record, schema, extras)
      collectLengths(record, schema, longest)
    }
  }
  return { extras, longest, documents, records: count }
}

/** A document whose result has no record still gets its row: no file disappears from the table. */
function recordsOf(records: ExportDocument['records']): ExportDocument['records'] {
  return records.length > 0 ? records : [{}]
}

async function* rowsOf(plan: TablePlan, source: DocumentSource, count: { rows: number }): AsyncGenerator<CellValue[]> {
  let number = 0
  for await (const { fileName, records, about } of source()) {
    for (const record of recordsOf(records)) {
      number++
      for (const row of plan.rowsOf(record, fileName, number, about)) {
        count.rows++
        yield row
      }
    }
  }
}

/** Documents of one schema, and what they are called beside those of other schemas. */
export type WorkbookPart = { name: string; source: DocumentSource; schema: SchemaElement[] }

/**
 * One workbook of documents of any number of schemas, with sheets for each; `count` says what it holds once `chunks`
 * came to an end. A part without documents has its headers.
 */
export async function workbookOf(
  parts: readonly WorkbookPart[],
  options: Omit<TableOptions, 'format'>,
): Promise<{ chunks: AsyncIterable<Buffer>; count: { rows: number; documents: number } }> {
  const count = { rows: 0, documents: 0 }
  const tables: SheetTable[] = []
  for (const { name, source: given, schema } of parts) {
    const source = withCreditSigns(given, schema, 'xlsx')
    const { documents, ...found } = await survey(source, schema)
    count.documents += documents
    for (const plan of planTables(schema, { ...options, layout: options.lists, ...found })) {
      const sheet = parts.length === 1 ? plan.name : plan.key === '' ? name : `${name} ${plan.key}`
      tables.push({ name: sheet, headers: headersOf(plan), rows: rowsOf(plan, () => withPauses(source), count) })
    }
  }
  return { chunks: xlsxChunks(tables, options.locale), count }
}

/** How many rows the records of one document give over all tables. */
export function rowCount(
  records: ExportDocument['records'],
  schema: SchemaElement[],
  { lists, locale }: Omit<TableOptions, 'format'>,
): number {
  const plans = planTables(schema, { layout: lists, locale })
  return recordsOf(records).reduce(
    (sum, record) => sum + plans.reduce((rows, plan) => rows + [...plan.rowsOf(record, '', 1)].length, 0),
    0,
  )
}

function headersOf(plan: TablePlan): string[] {
  return plan.columns.map(({ header }) => header)
}

function filesOf(
  path: string,
  plans: TablePlan[],
  source: DocumentSource,
  { format, locale }: TableOptions,
  count: { rows: number },
): FileToWrite[] {
  switch (format) {
    case 'json':
      return [{ path, chunks: () => jsonChunks(source()) }]
    case 'xlsx': {
      const tables = plans.map((plan) => ({
        name: plan.name,
        headers: headersOf(plan),
        rows: rowsOf(plan, source, count),
      }))
      return [{ path, chunks: () => xlsxChunks(tables, locale) }]
    }
    case 'csv': {
      const taken = new Set<string>()
      return plans.map((plan) => ({
        path: csvPath(path, plan.key, taken),
        chunks: () => csvChunks(headersOf(plan), rowsOf(plan, source, count), locale),
      }))
    }
  }
}

/** A list's name stands behind the export's own in the name of its file. */
const maxListNameBytes = 60

/** `name.csv` for the main table, `name-<list>.csv` for a list; the list's name is foreign and never a path. */
function csvPath(path: string, key: string, taken: Set<string>): string {
  if (key === '') return path
  const extension = extname(path)
  const safe = safeFileName(key, 'list', maxListNameBytes)
  for (let number = 1; ; number++) {
    const name = `${safe}${number === 1 ? '' : ` ${number}`}`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return join(dirname(path), `${basename(path, extension)}-${name}${extension}`)
  }
}

/** An array of `{file, records}`, one document on each line, with the records as the service gave them. */
async function* jsonChunks(documents: ReturnType<DocumentSource>): AsyncGenerator<Buffer> {
  let separator = '[\n'
  for await (const { fileName, records } of documents) {
    yield Buffer.from(`${separator}${JSON.stringify({ file: fileName, records })}`, 'utf8')
    separator = ',\n'
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n', 'utf8')
}

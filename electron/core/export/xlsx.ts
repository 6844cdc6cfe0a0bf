import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { amountColumns, minAmountWidth, rowsLookedAt, rowWriter, displayCell } from './values.ts'
import { cellXml, headerCellXml, maxSheetRows, sheetEnd, sheetName, sheetStart, workbookParts } from './sheet-xml.ts'
import type { CellValue } from './values.ts'

export type SheetTable = { name: string; headers: readonly string[]; rows: AsyncIterable<CellValue[]> }

const chunkLength = 64 * 1024

/**
 * A workbook as a stream of bytes, one sheet per table, in constant memory: rows become XML and
 * leave through the zip while the next ones are made. A table longer than a sheet goes on in another
 * sheet with the same header. Throws what `rows` throws.
 */
export async function* xlsxChunks(
  tables: Iterable<SheetTable>,
  locale: Locale,
  limits: { maxSheetRows: number } = { maxSheetRows },
): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const abandoned = new AbortController()
  zip.on('error', (error: Error) => output.destroy(error))
  const writing = addSheets({ zip, tables, locale, maxRows: limits.maxSheetRows, signal: abandoned.signal }).catch(
    (error: unknown) => {
      output.destroy(error instanceof Error ? error : new Error(String(error)))
    },
  )
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    // A reader that stops early (a full disk) must not leave the source of the rows open.
    abandoned.abort(new Error('nobody reads the workbook any more'))
    await writing
  }
}

type Workbook = {
  zip: yazl.ZipFile
  tables: Iterable<SheetTable>
  locale: Locale
  maxRows: number
  signal: AbortSignal
}

async function addSheets({ zip, tables, locale, maxRows, signal }: Workbook): Promise<void> {
  const names: string[] = []
  const taken = new Set<string>()
  for (const table of tables) {
    const rows = new Rows(table.rows)
    try {
      do {
        const name = sheetName(table.name, taken)
        taken.add(name.toLowerCase())
        names.push(name)
        const chunks = sheetChunks(table.headers, rows, { locale, maxRows, selected: names.length === 1 })
        await addEntry(zip, `xl/worksheets/sheet${names.length}.xml`, chunks, signal)
      } while (await rows.hasNext())
    } finally {
      await rows.close()
    }
  }
  // The parts that name the sheets come last: only now is it known how many there are.
  for (const [path, xml] of Object.entries(workbookParts(names))) zip.addBuffer(Buffer.from(xml), path)
  zip.end()
}

/** Resolves when the entry's bytes have gone through, rejects with what its source throws or `signal` says. */
async function addEntry(
  zip: yazl.ZipFile,
  path: string,
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const stream = Readable.from(chunks, { objectMode: false, highWaterMark: chunkLength })
  const passed = finished(stream, { writable: false, signal })
  zip.addReadStreamLazy(path, { compressionLevel: 4 }, (start) => start(null, stream))
  try {
    await passed
  } finally {
    stream.destroy()
  }
}

async function* sheetChunks(
  headers: readonly string[],
  rows: Rows,
  options: { locale: Locale; maxRows: number; selected: boolean },
): AsyncGenerator<Buffer> {
  const first: CellValue[][] = []
  const room = options.maxRows - 1
  while (first.length < Math.min(rowsLookedAt, room) && (await rows.hasNext())) first.push(await rows.next())
  const amounts = amountColumns(first, headers.length)
  let pending = sheetStart(columnWidths(headers, first, amounts, options.locale), options.selected)
  pending += `<row>${headers.map(headerCellXml).join('')}</row>`
  const cellsOf = rowWriter((cell, column) => cellXml(cell, amounts[column]))
  const rowXml = (row: readonly CellValue[]): string => `<row>${cellsOf(row).join('')}</row>`
  for (const row of first) pending += rowXml(row)
  let count = first.length
  while (count < room && (await rows.hasNext())) {
    pending += rowXml(await rows.next())
    count++
    if (pending.length < chunkLength) continue
    yield Buffer.from(pending, 'utf8')
    pending = ''
  }
  yield Buffer.from(pending + sheetEnd(headers.length, count + 1), 'utf8')
}

/** In characters, from the header and the first rows; long text does not make a column endless. */
function columnWidths(
  headers: readonly string[],
  rows: readonly CellValue[][],
  amounts: readonly boolean[],
  locale: Locale,
): number[] {
  return headers.map((header, column) => {
    // The filter's button covers the end of the header.
    const lengths = rows.map((row) => longestLine(displayCell(row[column] ?? null, locale)))
    return Math.min(
      60,
      Math.max(amounts[column] ? minAmountWidth : 8, header.length + 4, ...lengths.map((length) => length + 2)),
    )
  })
}

function longestLine(text: string): number {
  return text
    .slice(0, 1000)
    .split('\n')
    .reduce((longest, line) => Math.max(longest, line.length), 0)
}

/** Rows with a look at whether there is another one, so that a full sheet is only followed when it must be. */
class Rows {
  readonly #iterator: AsyncIterator<CellValue[]>
  #ahead: IteratorResult<CellValue[]> | null = null

  constructor(rows: AsyncIterable<CellValue[]>) {
    this.#iterator = rows[Symbol.asyncIterator]()
  }

  async hasNext(): Promise<boolean> {
    this.#ahead ??= await this.#iterator.next()
    return this.#ahead.done !== true
  }

  async next(): Promise<CellValue[]> {
    const result = this.#ahead ?? (await this.#iterator.next())
    this.#ahead = null
    return result.value as CellValue[]
  }

  async close(): Promise<void> {
    await this.#iterator.return?.()
  }
}

import type { Locale } from '../../../shared/messages/sentences.ts'
import {
  amountColumns,
  displayCell,
  formulaSigns,
  looksLikeFormula,
  rowsLookedAt,
  rowWriter,
  ungroupedAmount,
  withoutControls,
} from './values.ts'
import type { CellValue } from './values.ts'

const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
const chunkLength = 64 * 1024

/** What Excel of each language takes as the delimiter: the list separator of its regions. */
const delimiters: Record<Locale, string> = { en: ',', de: ';', fr: ';' }

/**
 * What ends a cell for a program that splits the file by some other delimiter, where it may run what follows. A tab
 * begins a formula in some. Quotes are skipped: ours stand in the middle of that program's cell and protect nothing,
 * and it would take one of the text's own for its own.
 */
const innerFormula = new RegExp(`(?:\\r\\n|[;,\\t\\r\\n])(?=(?:["\\p{Cf}]|[^\\S\\t\\r\\n])*[\\t${formulaSigns}])`, 'gu')
/** The same at the end of a line: the quote behind it would open a cell that begins with that end. */
const endsOpen = /[;,\t\r\n]$/

/**
 * One table as CSV (RFC 4180) for Excel of one language: UTF-8 with byte order mark, CRLF, and no
 * `sep=` line, which would switch the byte order mark off. Text that a spreadsheet may run as a
 * formula is preceded by an apostrophe, and so is what would be one if the file were split by the
 * delimiter of another language; numbers are not. Amounts have their decimals and no groups. Codes
 * such as 00123 stay as they are: the file must stay true for other programs, and XLSX keeps them for
 * Excel.
 */
export async function* csvChunks(
  headers: readonly string[],
  rows: AsyncIterable<CellValue[]>,
  locale: Locale,
): AsyncGenerator<Buffer> {
  const join = (cells: readonly string[]): string => cells.join(delimiters[locale]) + lineEnd
  const isLast = (column: number): boolean => column === headers.length - 1
  const lineWriter = (first: readonly CellValue[][]): ((row: readonly CellValue[]) => string) => {
    const amounts = amountColumns(first, headers.length)
    const cellsOf = rowWriter((cell, column) => csvCell(cell, locale, amounts[column] === true, isLast(column)))
    return (row) => join(cellsOf(row))
  }
  let pending = byteOrderMark + join(headers.map((header, column) => csvCell(header, locale, false, isLast(column))))
  const first: CellValue[][] = []
  let lineOf: ReturnType<typeof lineWriter> | null = null
  for await (const row of rows) {
    if (lineOf !== null) pending += lineOf(row)
    else if (first.push(row) === rowsLookedAt) {
      lineOf = lineWriter(first)
      pending += first.map(lineOf).join('')
    }
    if (pending.length >= chunkLength) {
      yield Buffer.from(pending, 'utf8')
      pending = ''
    }
  }
  if (lineOf === null) pending += first.map(lineWriter(first)).join('')
  yield Buffer.from(pending, 'utf8')
}

function csvCell(cell: CellValue, locale: Locale, isAmount: boolean, isLast: boolean): string {
  const text = csvText(cell, locale, isAmount)
  if (cell === null || typeof cell === 'number' || typeof cell === 'boolean') return text
  return quoted(isLast && endsOpen.test(text) ? `${text}'` : text)
}

/** A cell's text before quoting, made inert where needed. */
export function csvText(value: CellValue, locale: Locale, isAmount = false): string {
  if (typeof value === 'number' && isAmount) return ungroupedAmount(value, locale)
  // What delimits in some language is part of no address then, wherever it may be split.
  if (typeof value === 'object' && value !== null) return value.href.replace(/[;,]/g, encodeURIComponent)
  if (typeof value !== 'string') return displayCell(value, locale)
  const text = withoutControls(value)
  const shown = looksLikeFormula(text, locale) ? `'${text}` : displayCell(text, locale)
  let numbersFrom: number | null = null
  return shown.replace(innerFormula, (end, at: number) => {
    const next = at + end.length
    return next >= (numbersFrom ??= beginOfNumbers(shown)) && isSignedDigit(shown, next) ? end : `${end}'`
  })
}

const numberSigns = '0123456789 .,;()/+-\u00a0'

/**
 * From where on a text has nothing but digits and what groups them, as after the comma of «Berlin, +49 30 123» and of
 * «A, -12.5»: numbers at most, which run nothing. Its length where it does not end in a digit.
 */
function beginOfNumbers(text: string): number {
  if (!/\d$/.test(text)) return text.length
  let begin = text.length
  while (begin > 0 && numberSigns.includes(text[begin - 1]!)) begin -= 1
  return begin
}

function isSignedDigit(text: string, at: number): boolean {
  return /^[ \u00a0]*[+-][ .(\u00a0]*\d/.test(text.slice(at, at + maxBeforeDigit))
}

/** More than stands before the digits of any telephone number. */
const maxBeforeDigit = 8

/** Whatever delimits in some language is in quotes in all of them. A number has no delimiter of its own language. */
function quoted(text: string): string {
  return /[;,"\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

import type { Locale } from '../../../shared/messages/sentences.ts'
import { displayCell, looksLikeFormula, withoutControls } from './values.ts'
import type { CellValue } from './values.ts'

const byteOrderMark = '\uFEFF'
const lineEnd = '\r\n'
const chunkLength = 64 * 1024

/** What Excel of each language takes as the delimiter: the list separator of its regions. */
const delimiters: Record<Locale, string> = { en: ',', de: ';', fr: ';' }

/**
 * One table as CSV (RFC 4180) for Excel of one language: UTF-8 with byte order mark, CRLF, and no
 * `sep=` line, which would switch the byte order mark off. Text that a spreadsheet may run as a
 * formula is preceded by an apostrophe; numbers are not. Codes such as 00123 stay as they are: the
 * file must stay true for other programs, and XLSX keeps them for Excel.
 */
export async function* csvChunks(
  headers: readonly string[],
  rows: AsyncIterable<CellValue[]>,
  locale: Locale,
): AsyncGenerator<Buffer> {
  let pending = byteOrderMark + csvLine(headers, locale)
  for await (const row of rows) {
    pending += csvLine(row, locale)
    if (pending.length >= chunkLength) {
      yield Buffer.from(pending, 'utf8')
      pending = ''
    }
  }
  yield Buffer.from(pending, 'utf8')
}

function csvLine(cells: readonly CellValue[], locale: Locale): string {
  return cells.map((cell) => quoted(csvText(cell, locale), delimiters[locale])).join(delimiters[locale]) + lineEnd
}

/** A cell's text before quoting, made inert where needed. */
export function csvText(value: CellValue, locale: Locale): string {
  if (typeof value !== 'string') return displayCell(value, locale)
  const text = withoutControls(value)
  return looksLikeFormula(text, locale) ? `'${text}` : displayCell(text, locale)
}

function quoted(text: string, delimiter: string): string {
  const needed = text.includes(delimiter) || /["\r\n\t]|^\s|\s$/.test(text)
  return needed ? `"${text.replaceAll('"', '""')}"` : text
}

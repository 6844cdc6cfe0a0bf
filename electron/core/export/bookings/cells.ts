import { formulaSigns } from '../values.ts'

/** Also what becomes a sign of a formula in a code page without it. */
const formulaStart = new RegExp(`^[${formulaSigns}≠\\s\\p{Cf}]+`, 'u')

/** A text of a book in one line, of `most` characters, which a spreadsheet that opens the file does not run. Pure. */
export function plainCell(text: string, most: number): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(formulaStart, '')
    .trim()
    .slice(0, most)
}

/** So many lines at a time: everything else in this process waits for them. */
const linesAtOnce = 500

/** The lines of some rows, in parts. Pure. */
export function* partsOfLines<Row>(rows: readonly Row[], lineOf: (row: Row) => string): Generator<string> {
  for (let from = 0; from < rows.length; from += linesAtOnce)
    yield rows
      .slice(from, from + linesAtOnce)
      .map((row) => `${lineOf(row)}\r\n`)
      .join('')
}

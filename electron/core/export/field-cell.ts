import { electronicFormatIBAN, isValidIBAN } from 'ibantools'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import { parseDate } from '../../../shared/domain/parse-date.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { cellOf } from './records.ts'
import type { ExportRecord } from './records.ts'
import { isoDate } from './values.ts'
import type { CellValue } from './values.ts'

/** No date is longer: a text that holds one is a text. */
const longestDate = 40

/**
 * The cell of a field: a day and an account as what they are, however a service wrote them, so that a spreadsheet sorts
 * the one and a bank takes the other. What could be read in two ways stays as it is.
 */
export function fieldCell(element: SchemaElement): (record: ExportRecord) => CellValue {
  const meaning = meaningOf(element)
  const inOneForm = meaning === 'date' ? asDate : meaning === 'iban' ? asAccount : null
  return (record) => {
    const cell = cellOf(record, element.name)
    return inOneForm !== null && typeof cell === 'string' ? inOneForm(cell) : cell
  }
}

/** `5.3.24`, `19 April 2014` and `31/12/2025` as YYYY-MM-DD; not `03/04/2026`, and none with a time of day. */
function asDate(text: string): string {
  if (text.length > longestDate || isoDate(text) !== null || /\d\s?[:h]\s?\d/i.test(text)) return text
  const day = parseDate(text, { order: 'DMY' })
  return day !== null && day === parseDate(text, { order: 'MDY' }) ? day : text
}

/** Without spaces where its check digits are right. */
function asAccount(text: string): string {
  const account = electronicFormatIBAN(text)
  return account !== null && isValidIBAN(account) ? account : text
}

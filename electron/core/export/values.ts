import type { Locale } from '../../../shared/messages/sentences.ts'

/** A file of this computer, by its address and its name. */
export type FileLink = { href: string; text: string }

/** What one cell holds before a format writes it down. */
export type CellValue = string | number | boolean | FileLink | null

type LocaleRules = {
  decimalSign: string
  /** What may stand between groups of three digits when a person writes a number; the first is shown. */
  groupSigns: string
  booleans: { true: string; false: string }
  date(year: string, month: string, day: string): string
}

/** How Excel in each language writes values. English keeps ISO dates, which Excel reads in every English region. */
const localeRules: Record<Locale, LocaleRules> = {
  en: {
    decimalSign: '.',
    groupSigns: ',',
    booleans: { true: 'TRUE', false: 'FALSE' },
    date: (year, month, day) => `${year}-${month}-${day}`,
  },
  de: {
    decimalSign: ',',
    groupSigns: '.',
    booleans: { true: 'WAHR', false: 'FALSCH' },
    date: (year, month, day) => `${day}.${month}.${year}`,
  },
  fr: {
    decimalSign: ',',
    groupSigns: '\u00a0\u202f',
    booleans: { true: 'VRAI', false: 'FAUX' },
    date: (year, month, day) => `${day}/${month}/${year}`,
  },
}

/** Anything JSON can hold as a cell; objects and arrays become JSON text, so that nothing is dropped. */
export function toCell(value: unknown): CellValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  // JSON allows 1e999, which JavaScript reads as Infinity; no spreadsheet has a number for it.
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return JSON.stringify(value)
}

/**
 * Writes rows cell by cell with `write`. The fields of a document stand in each row of its lists: what a column has
 * again is taken from the row before.
 */
export function rowWriter(
  write: (cell: CellValue, column: number, columns: number) => string,
): (row: readonly CellValue[]) => readonly string[] {
  let cells: readonly CellValue[] = []
  let texts: string[] = []
  return (row) => {
    const isAlike = row.length === texts.length
    texts = row.map((cell, column) =>
      isAlike && Object.is(cell, cells[column]) ? texts[column]! : write(cell, column, row.length),
    )
    cells = row
    return texts
  }
}

/** A number with all its digits, never with an exponent: 1e21 → 1000000000000000000000. */
function plainNumber(value: number, decimalSign: string): string {
  const text = String(value === 0 ? 0 : value)
  if (!text.includes('e')) return decimalSign === '.' ? text : text.replace('.', decimalSign)
  const [mantissa, exponentText] = text.split('e') as [string, string]
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole, fraction = ''] = mantissa.replace('-', '').split('.') as [string, string | undefined]
  const point = whole.length + Number(exponentText)
  const digits = (whole + fraction).padEnd(point, '0')
  return point > 0
    ? sign + digits.slice(0, point) + (digits.length > point ? decimalSign + digits.slice(point) : '')
    : `${sign}0${decimalSign}${'0'.repeat(-point)}${digits}`
}

/**
 * The parts of a text that is a whole ISO date (YYYY-MM-DD) of the real calendar, or null. Dates
 * before 1 March 1900 are left as text: Excel counts them wrongly or not at all (ECMA-376 Part 1, 18.17.4.1).
 */
export function isoDate(text: string): { year: string; month: string; day: string } | null {
  if (text.length !== 10) return null
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined || text < '1900-03-01') return null
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // What the calendar does not have leads to a day of another month.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? { year, month, day } : null
}

/** Excel's number for a date: days since 30 December 1899, right from March 1900 on. */
export function dateSerial(date: { year: string; month: string; day: string }): number {
  return Math.round(Date.UTC(Number(date.year), Number(date.month) - 1, Number(date.day)) / 86_400_000) + 25_569
}

/** A number as Excel shows it in the format of amounts. */
function amountText(value: number, { decimalSign, groupSigns }: LocaleRules): string {
  const [whole, cents] = Math.abs(value).toFixed(2).split('.') as [string, string]
  return `${value < 0 ? '-' : ''}${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, groupSigns[0]!)}${decimalSign}${cents}`
}

/** A number of a column of amounts as a file has it: with two decimals at least, and nothing between its thousands. */
export function ungroupedAmount(value: number, locale: Locale): string {
  const { decimalSign } = localeRules[locale]
  const text = plainNumber(value, decimalSign)
  const point = text.indexOf(decimalSign)
  return point < 0 ? `${text}${decimalSign}00` : text.padEnd(point + 3, '0')
}

/** A cell as a person sees it in Excel of this language, in a column of amounts or in another one. */
export function displayCell(value: CellValue, locale: Locale, isAmount = false): string {
  const rules = localeRules[locale]
  if (value === null) return ''
  if (typeof value === 'number')
    return isAmount && isAmountFormatted(value) ? amountText(value, rules) : plainNumber(value, rules.decimalSign)
  if (typeof value === 'boolean') return rules.booleans[`${value}`]
  if (typeof value === 'object') return value.text
  const date = isoDate(value)
  return date ? rules.date(date.year, date.month, date.day) : value
}

/** True for text that Excel of this language takes as a number, with or without sign and groups. */
export function isPlainNumber(text: string, locale: Locale): boolean {
  const { decimalSign, groupSigns } = localeRules[locale]
  return new RegExp(`^[+-]?(?:\\d+|\\d{1,3}(?:[${groupSigns}]\\d{3})+)(?:[${decimalSign}]\\d+)?$`).test(text)
}

/** What begins a formula, also in full width; inside of a class of a regular expression. */
export const formulaSigns = '=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20'
/** What can stand before a formula without Excel minding: white space and characters nobody sees. */
const invisible = '[\\s\\p{Cf}\\p{Zs}]*'
const formulaStart = new RegExp(`^(?:[\\t\\r]|${invisible}[${formulaSigns}])`, 'u')

/** True for text that a spreadsheet may run as a formula (CWE-1236), numbers excepted. */
export function looksLikeFormula(text: string, locale: Locale): boolean {
  return formulaStart.test(text) && !isPlainNumber(text, locale)
}

/** Text without NUL and the other control characters; tab and line breaks stay. */
export function withoutControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
}

/** So many of a table's first rows say which of its columns are amounts. */
export const rowsLookedAt = 100
/**
 * An amount that is too wide for its column is shown as `#`; columns of amounts have room for 999,999,999.99 with its
 * sign.
 */
export const minAmountWidth = 16
const maxAmount = 1e9

/** Whether a number shows all of itself with two decimals. */
function hasTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value
}

/**
 * Which columns of a table are amounts, by its first rows: one value has decimals, and none more than two. Pure.
 */
export function amountColumns(first: readonly (readonly CellValue[])[], columns: number): boolean[] {
  return Array.from({ length: columns }, (_, column) => {
    const numbers = first.map((row) => row[column]).filter((value) => typeof value === 'number')
    return numbers.some((value) => !Number.isInteger(value)) && numbers.every(hasTwoDecimals)
  })
}

/** Whether a number in a column of amounts has the format of amounts, `#,##0.00`. Pure. */
export function isAmountFormatted(value: number): boolean {
  return hasTwoDecimals(value) && Math.abs(value) < maxAmount
}

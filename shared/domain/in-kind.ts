import { isValidIBAN } from 'ibantools'
import { isRecord } from './json.ts'
import { parseDate } from './parse-date.ts'
import { tokensOf } from './pointer.ts'
import type { SchemaElement, TextKind } from './schema.ts'
import { bareNumber, isMasked, isVatId } from './vat-id.ts'

/** No value of a kind is longer: a text that holds one is a text. */
const longestValue = 300

/** Those of ISO 4217 that are in use, as this computer knows them. */
const currencies = new Set(Intl.supportedValuesOf('currency'))
/** Signs and names that are of one currency only; a dollar may be that of twenty countries. */
const currencySigns = new Map([
  ['€', 'EUR'],
  ['EURO', 'EUR'],
  ['EUROS', 'EUR'],
  ['£', 'GBP'],
  ['US$', 'USD'],
  ['SFR', 'CHF'],
  ['FR.', 'CHF'],
  ['ZŁ', 'PLN'],
  ['KČ', 'CZK'],
])

/**
 * A text in the one form of its kind: days as YYYY-MM-DD, IBANs and VAT numbers without what groups their digits and
 * with check digits that are right, currencies by ISO 4217, codes without «No.» before them. Null where it is none of
 * that kind. A day that may be two (`03/04/2026`) is the one of `order`, or stays as it is; so does one that may be of
 * two centuries.
 */
export function inKind(kind: TextKind, text: string, order?: DayOrder): string | null {
  const trimmed = text.trim()
  return trimmed === '' || trimmed.length > longestValue ? null : readers[kind](trimmed, order)
}

type DayOrder = 'DMY' | 'MDY'

const readers: Record<TextKind, (text: string, order?: DayOrder) => string | null> = {
  date: (text, order) => {
    const whole = text.replace(/^(\d{4}-\d{2}-\d{2})T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?$/, '$1')
    const printed = order === undefined ? whole : separated(whole)
    if (isOfOtherCentury(printed)) return text
    if (order !== undefined) return parseDate(printed, { order })
    const [day, other] = [parseDate(printed, { order: 'DMY' }), parseDate(printed, { order: 'MDY' })]
    return day === other ? day : text
  },
  iban: (text) => {
    const account = accountIn(text)
    return isValidIBAN(account) ? account : null
  },
  currency: (text) => {
    const name = text.toUpperCase()
    return currencies.has(name) ? name : (currencySigns.get(name) ?? null)
  },
  vat_id: (text) => {
    // A label may stand before it: the longest end of the text that is a number.
    const words = text.split(/[\s:]+/)
    const ends = words.map((_, at) => bareNumber(words.slice(at).join('')))
    const numbers = ends.filter((end) => /^[A-Z]{2}/.test(end))
    const number = numbers.find((bare) => isVatId(bare) === true)
    if (number !== undefined) return number
    // Of a country whose rules nobody knows here it stays as it is printed.
    return otherVatId.test(ends[0]!) && !numbers.some((bare) => isVatId(bare) === false) ? text : null
  },
  email: (text) => {
    const address = text.replace(/^mailto:\s*/i, '')
    const host = address.lastIndexOf('@')
    return emailAddress.test(address) ? address.slice(0, host) + address.slice(host).toLowerCase() : null
  },
  code: (text) => text.replace(/^(?:n\s?[°º][.:]?|n(?:o|r|um)\s?[.:])\s*(?=\S*\d)|^n(?:o|r)\s+(?=\S*\d\S*$)/iu, ''),
  document_type: (text) => text,
}

/** Bookkeepers type days without separators: «011226». */
function separated(text: string): string {
  return text.replace(/^(\d\d)(\d\d)(\d\d|(?:19|20)\d\d)$/, '$1/$2/$3')
}

/** Hosts may have letters of any language, and have a top-level domain. */
const emailAddress = /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}$/u

/** A country code, and digits with few letters among them. */
const otherVatId = /^[A-Z]{2}[A-Z]?\d[A-Z0-9]{1,12}$/

/** A birthday of 1945 is no day of 2045: two digits of a year say the century of what lies ahead only for a while. */
const yearsAhead = 10

function isOfOtherCentury(text: string): boolean {
  const year = /(?:^|\D)(\d{2})$/.exec(text)?.[1]
  const day = year === undefined ? null : parseDate(text, { order: 'DMY' })
  return (
    day !== null && !text.includes(day.slice(0, 4)) && Number(day.slice(0, 4)) > new Date().getFullYear() + yearsAhead
  )
}

/** What a text of a kind has at least, also where it is misread or misprinted: such a text is flagged, not left out. */
const hints: Partial<Record<TextKind, (text: string) => boolean>> = {
  date: (text) => /\d/.test(text),
  // Letters may be read for digits of it, and digits for letters.
  iban: (text) => /^[A-Z0-9]?[A-Z][A-Z0-9]{13,33}$/.test(accountIn(text)) && digitsOf(text) >= 10,
  currency: (text) => text.length <= 4 && digitsOf(text) === 0,
  // Some print it without its country; with slashes it is the number of a tax office.
  vat_id: (text) => /[A-Z]{2,3}[\s.-]?[A-Z]?\d/i.test(text) || (digitsOf(text) >= 8 && !text.includes('/')),
  email: (text) => /[@©®]|[([]at[)\]]/i.test(text),
}

/** Without its label, and without what groups its digits. */
function accountIn(text: string): string {
  return bareNumber(text.replace(/^IBAN\b:?/i, ''))
}

function digitsOf(text: string): number {
  return text.replace(/\D/g, '').length
}

/** Whether a text can be of a kind, if a sign or two of it are wrong or most are masked. Pure. */
export function mayBeOfKind(kind: TextKind, text: string): boolean {
  return inKind(kind, text) !== null || isMasked(text) || (hints[kind]?.(text) ?? true)
}

/** The value of a field with each text of a kind in its one form; what is none of that kind stays as it is. Pure. */
export function valueInKind(value: unknown, { kind, items }: SchemaElement): unknown {
  if (kind !== undefined) return typeof value === 'string' ? (inKind(kind, value) ?? value) : value
  if (items === undefined || !Array.isArray(value)) return value
  return value.map((row: unknown) => (isRecord(row) ? recordInKinds(row, items) : row))
}

/** `valueInKind` of all fields of a record. Pure. */
export function recordInKinds<R extends Record<string, unknown>>(record: R, elements: readonly SchemaElement[]): R {
  const changed = elements.flatMap((element): [string, unknown][] =>
    Object.hasOwn(record, element.name) ? [[element.name, valueInKind(record[element.name], element)]] : [],
  )
  return { ...record, ...Object.fromEntries(changed) }
}

/** The same of what is put at a pointer into the records of these fields: a value, a list or a row. Pure. */
export function valueInKindAt(pointer: string, value: unknown, elements: readonly SchemaElement[]): unknown {
  const places = tokensOf(pointer).length
  const element = elementAt(pointer, elements)
  // Numbers of records and rows stand before the names of their fields.
  if (places % 2 === 1)
    return isRecord(value) ? recordInKinds(value, places === 1 ? elements : (element?.items ?? [])) : value
  return element === undefined ? value : valueInKind(value, element)
}

/** The field, or the list of the row, at a pointer into the records of these fields; undefined where there is none. */
export function elementAt(pointer: string, elements: readonly SchemaElement[]): SchemaElement | undefined {
  let items = elements
  let element: SchemaElement | undefined
  for (const name of tokensOf(pointer).filter((_, index) => index % 2 === 1)) {
    element = items.find((each) => each.name === name)
    items = element?.items ?? []
  }
  return element
}

import type { ExactValue } from '../../../shared/domain/document.ts'
import type { XmlElement } from '../office/xml.ts'

/** How a text of an e-invoice is read: as it is, as a number, or as a date in any of the formats of its syntax. */
type ValueType = 'text' | 'number' | 'date'
/** A term, where its value stands (names from the parent down, `@name=value` for an attribute), and what it is. */
export type TermPath = readonly [term: string, path: string, type?: ValueType]
/** How a syntax names its elements, for those that have several names for one thing. */
export type Naming = (name: string) => string

/** Every element at a path: «A/B», with a condition «A/B@schemeID=VA». */
export function elementsAt(element: XmlElement | undefined, path: string, naming: Naming = same): XmlElement[] {
  if (element === undefined) return []
  let found = [element]
  for (const step of path.split('/')) {
    const [name = '', attribute, wanted] = step.split(/[@=]/)
    found = found.flatMap((parent) =>
      parent.children.filter(
        (one) => naming(one.name) === name && (attribute === undefined || one.attributes[attribute] === wanted),
      ),
    )
  }
  return found
}

/** The text of the first element at a path that has one. */
export function textAt(element: XmlElement | undefined, path: string, naming?: Naming): string | undefined {
  return elementsAt(element, path, naming)
    .map((one) => plain(one.text))
    .find((text) => text !== '')
}

/** The values that the paths lead to below an element; a term that has one already is left out. */
export function valuesAt(
  element: XmlElement | undefined,
  paths: readonly TermPath[],
  row?: ExactValue['row'],
  naming?: Naming,
): ExactValue[] {
  const found = new Map<string, ExactValue>()
  for (const [term, path, type = 'text'] of paths) {
    const text = found.has(term) ? undefined : textAt(element, path, naming)
    const value = text === undefined ? null : typed(text, type)
    if (value !== null) found.set(term, { term, value, ...(row === undefined ? {} : { row }) })
  }
  return [...found.values()]
}

function typed(text: string, type: ValueType): string | number | null {
  return type === 'number' ? numberOf(text) : type === 'date' ? dateOf(text) : text
}

/** A decimal of XML Schema; null for anything else. */
export function numberOf(text: string): number | null {
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : null
}

/** `20260318` (UN/CEFACT format 102), `2026-03-18` and `2026-03-18T00:00:00+01:00` as YYYY-MM-DD. */
function dateOf(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const iso = `${year}-${month}-${day}`
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso
}

function plain(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

function same(name: string): string {
  return name
}

/** Street, postcode and city as one line, with the parts themselves: what both syntaxes say of a place. */
export function addressValues(side: string, lines: readonly string[], postcode = '', city = ''): ExactValue[] {
  const street = lines.join(', ')
  const town = `${postcode} ${city}`.trim()
  const values: [string, string][] = [
    [`${side}_address`, street === '' ? '' : [street, town].filter((part) => part !== '').join(', ')],
    [`${side}_street`, street],
    [`${side}_postcode`, postcode],
    [`${side}_city`, city],
  ]
  return values.filter(([, value]) => value !== '').map(([term, value]) => ({ term, value }))
}

/** What a document is, by its code of UNTDID 1001. */
export function documentType(code: string | undefined): ExactValue[] {
  if (code === undefined) return []
  const value = creditNotes.has(code) ? 'credit note' : (documentTypes[code] ?? 'invoice')
  return [{ term: 'document_type', value }]
}

const creditNotes = new Set(['81', '83', '261', '262', '296', '308', '381', '396', '420', '458', '532'])
const documentTypes: Readonly<Record<string, string>> = {
  '220': 'order',
  '231': 'order confirmation',
  '326': 'partial invoice',
  '384': 'corrected invoice',
  '386': 'prepayment invoice',
  '389': 'self-billed invoice',
}

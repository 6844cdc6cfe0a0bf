// In: the records of a result and the rules of its schema.
// Out: the flags that they get, in the order of the records.
import { isRecord } from '../../../shared/domain/json.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { FieldPath, Flag, Rule } from '../../../shared/domain/review.ts'
import { matchesRulePattern } from '../patterns.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import { dayOf, isEmpty, numberOf, comparisonKey } from './value.ts'

/** An earlier document that has the value. */
export type Seen = { documentId: number; name: string; at: number }

export type RuleContext = {
  /** YYYY-MM-DD where the person is. */
  today: string
  /**
   * The first document before this one that has the value (as `uniqueValue` writes it) in the fields; null when none
   * has.
   */
  seen: (fields: FieldPath[], value: string) => Seen | null
}

/** Half of the smallest coin: printed amounts are rounded to it. */
const tolerance = 0.005 + 1e-9

/** A rule about fields that are not there, or hold what cannot be computed with, says nothing. Pure but for `seen`. */
export function flagsOf(records: readonly ExtractedRecord[], rules: readonly Rule[], context: RuleContext): Flag[] {
  return records.flatMap((record, index) => rules.flatMap((rule) => flagsBy(rule, record, [index], context)))
}

/** What no other document may have, one text for each rule and record. */
export function uniqueValues(
  records: readonly ExtractedRecord[],
  rules: readonly Rule[],
): { fields: FieldPath[]; value: string }[] {
  return rules.flatMap((rule) => {
    if (rule.kind !== 'unique') return []
    const values = records.flatMap((record) => uniqueValue(rule.fields, record) ?? [])
    return [...new Set(values)].map((value) => ({ fields: rule.fields, value }))
  })
}

/** Without the first field there is nothing to compare: a document without a number is like no other. */
function uniqueValue(fields: readonly FieldPath[], record: ExtractedRecord): string | null {
  const [first, ...others] = fields.map((field) => comparisonKey(placesOf(record, field, [])[0]?.value))
  return first === undefined || first === null ? null : [first, ...others.map((other) => other ?? '')].join('\n')
}

function uniqueFlags(fields: FieldPath[], record: ExtractedRecord, at: Tokens, context: RuleContext): Flag[] {
  const value = uniqueValue(fields, record)
  const seen = value === null ? null : context.seen(fields, value)
  if (seen === null) return []
  const [{ at: place, value: shown }] = placesOf(record, fields[0]!, at) as [Place]
  return [{ code: 'unique', pointer: pointerOf(place), value: String(shown), ...seen }]
}

type Tokens = readonly (string | number)[]
/** Its pointer is written only where a flag stands: few of many thousand places have one. */
type Place = { at: Tokens; value: unknown }

function flagsBy(rule: Rule, record: ExtractedRecord, at: Tokens, context: RuleContext): Flag[] {
  switch (rule.kind) {
    case 'required':
      return placesOf(record, rule.field, at).flatMap((place) =>
        isEmpty(place.value) ? [{ code: 'required', pointer: pointerOf(place.at) }] : [],
      )
    case 'pattern':
      return filled(record, rule.field, at).flatMap(({ at: place, value }) => {
        const text = typeof value === 'string' ? value.trim() : String(value)
        return matchesRulePattern(text, rule.pattern)
          ? []
          : [{ code: 'pattern', pointer: pointerOf(place), pattern: rule.pattern }]
      })
    case 'not_in_future':
      return filled(record, rule.field, at).flatMap(({ at: place, value }) => {
        const date = dayOf(value)
        return date === null || date <= context.today
          ? []
          : [{ code: 'not_in_future', pointer: pointerOf(place), date }]
      })
    case 'unique':
      return uniqueFlags(rule.fields, record, at, context)
    case 'sum':
      return sumFlags(rule, record, at)
    case 'rows_sum':
      return rowsSumFlags(rule, record, at)
    case 'product':
      return productFlags(rule, record, at)
  }
}

function sumFlags({ terms, total }: Extract<Rule, { kind: 'sum' }>, record: ExtractedRecord, at: Tokens): Flag[] {
  const sum = single(record, total, at)
  const parts = terms.map((field) => ({ name: field.at(-1)!, value: single(record, field, at)?.value ?? null }))
  if (sum === null || !parts.every((part): part is { name: string; value: number } => part.value !== null)) return []
  const expected = sumOf(parts.map(({ value }) => value))
  return Math.abs(expected - sum.value) < tolerance
    ? []
    : [{ code: 'sum', pointer: pointerOf(sum.at), terms: parts, expected, total: sum.value }]
}

function rowsSumFlags(
  { column, total }: Extract<Rule, { kind: 'rows_sum' }>,
  record: ExtractedRecord,
  at: Tokens,
): Flag[] {
  const sum = single(record, total, at)
  const cells = placesOf(record, column, at).map(({ value }) => (isEmpty(value) ? 0 : numberOf(value)))
  if (sum === null || cells.length === 0 || !cells.every((cell) => cell !== null)) return []
  const expected = sumOf(cells)
  return Math.abs(expected - sum.value) < tolerance
    ? []
    : [{ code: 'rows_sum', pointer: pointerOf(sum.at), list: column[0]!, expected, total: sum.value }]
}

function productFlags(
  { factors, result }: Extract<Rule, { kind: 'product' }>,
  record: ExtractedRecord,
  at: Tokens,
): Flag[] {
  const results = placesOf(record, result, at)
  const columns = factors.map((field) => ({ name: field.at(-1)!, places: placesOf(record, field, at) }))
  // Columns of different lists have nothing to do with one another.
  if (columns.some(({ places }) => places.length !== results.length)) return []
  return results.flatMap(({ at: place, value: given }, row): Flag[] => {
    const value = numberOf(given)
    const terms = columns.map(({ name, places }) => ({ name, value: numberOf(places[row]!.value) }))
    if (value === null || !terms.every((each): each is { name: string; value: number } => each.value !== null))
      return []
    const expected = rounded(terms[0]!.value * terms[1]!.value)
    // A credit note prints what it takes back with a minus, and how many and for how much without.
    const isCredit = value < 0 && expected > 0
    return Math.abs(expected - (isCredit ? -value : value)) < tolerance
      ? []
      : [{ code: 'product', pointer: pointerOf(place), factors: terms, expected, value }]
  })
}

/** Every place that a path names: one in each row of the lists on its way. */
function placesOf(record: ExtractedRecord, field: FieldPath, at: Tokens): Place[] {
  const [name, ...rest] = field
  const value = Object.hasOwn(record, name!) ? record[name!] : undefined
  if (rest.length === 0) return [{ at: [...at, name!], value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((row: unknown, index) =>
    isRecord(row) ? placesOf(row as ExtractedRecord, rest, [...at, name!, index]) : [],
  )
}

function filled(record: ExtractedRecord, field: FieldPath, at: Tokens): Place[] {
  return placesOf(record, field, at).filter(({ value }) => !isEmpty(value) && typeof value !== 'object')
}

function single(record: ExtractedRecord, field: FieldPath, at: Tokens): { at: Tokens; value: number } | null {
  const [place, ...others] = placesOf(record, field, at)
  const value = numberOf(place?.value)
  return place === undefined || others.length > 0 || value === null ? null : { at: place.at, value }
}

function sumOf(values: number[]): number {
  return rounded(values.reduce((sum, value) => sum + value, 0))
}

/** Without what binary fractions leave behind: 0.1 + 0.2 is 0.3 to a person. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}

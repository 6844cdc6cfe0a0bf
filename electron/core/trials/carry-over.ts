import { matchFields } from '../../../shared/domain/compare-schemas.ts'
import type { FieldMatch } from '../../../shared/domain/compare-schemas.ts'
import { valueInKind } from '../../../shared/domain/in-kind.ts'
import { isSameJson, pointerOf, tokensOf } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { Correction, Flag } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

/** What a service said of a document by one version of a schema, and what persons made of it. */
export type CheckedReading = { elements: SchemaElement[]; extracted: ExtractedRecord[]; corrected: ExtractedRecord[] }

/** `from`: where the value that a person put there stood before. */
export type CarriedCorrection = Correction & { from: string }

type Tokens = readonly (string | number)[]
type Row = Record<string, unknown>

/**
 * The corrections of one reading for another one by a later version of the schema, so that every value that a person
 * put there stands there again. Fields are the same by `matchFields`, so that one that was renamed keeps its value; one
 * of another format does not, since its value would be of the wrong kind. Of a list with as many rows as before the
 * cells are carried that a person changed; of one with more or fewer rows it is not known which is which, so that one
 * in which a person changed anything stays as it was. Pure.
 */
export function carryCorrections(
  before: CheckedReading,
  after: { elements: SchemaElement[]; extracted: ExtractedRecord[] },
): CarriedCorrection[] {
  const matches = matchFields(before.elements, after.elements)
  return carryRows({ before: before.extracted, shown: before.corrected, after: after.extracted }, matches, [], [])
}

function carryRows(
  rows: { before: unknown; shown: unknown; after: unknown },
  matches: readonly FieldMatch[],
  from: Tokens,
  to: Tokens,
): CarriedCorrection[] {
  if (isSameJson(rows.before ?? null, rows.shown ?? null)) return []
  const [before, shown, after] = [rowsOf(rows.before), rowsOf(rows.shown), rowsOf(rows.after)]
  if (before.length === shown.length && shown.length === after.length)
    return shown.flatMap((row, index) =>
      carryRow({ before: before[index]!, shown: row, after: after[index]! }, matches, [...from, index], [...to, index]),
    )
  return carry(
    rows.after,
    shown.map((row) => renamed(row, matches)),
    from,
    to,
  )
}

function carryRow(
  row: { before: Row; shown: Row; after: Row },
  matches: readonly FieldMatch[],
  from: Tokens,
  to: Tokens,
): CarriedCorrection[] {
  return matches.flatMap(({ before, after, items }) => {
    if (before === null || after === null || before.format !== after.format) return []
    const [was, shown, is] = [row.before[before.name], row.shown[before.name], row.after[after.name]]
    const [fromHere, toHere] = [
      [...from, before.name],
      [...to, after.name],
    ]
    if (after.format === 'list') return carryRows({ before: was, shown, after: is }, items, fromHere, toHere)
    // In the form that the field has now.
    return isSameJson(was ?? null, shown ?? null) ? [] : carry(is, valueInKind(shown, after), fromHere, toHere)
  })
}

function carry(extracted: unknown, value: unknown, from: Tokens, to: Tokens): CarriedCorrection[] {
  const correction = {
    from: pointerOf(from),
    pointer: pointerOf(to),
    extracted: extracted ?? null,
    value: value ?? null,
  }
  return isSameJson(correction.extracted, correction.value) ? [] : [correction]
}

/**
 * Where a place of records stands by a later version of their schema, with the names that its fields have there; null
 * where it has none of them. Pure.
 */
export function carryPointer(
  pointer: string,
  { before, after }: { before: SchemaElement[]; after: SchemaElement[] },
): string | null {
  const [record, ...tokens] = tokensOf(pointer)
  const moved: string[] = record === undefined ? [] : [record]
  let matches = matchFields(before, after)
  for (const [place, token] of tokens.entries()) {
    // Names of fields and numbers of rows take turns.
    if (place % 2 === 1) {
      moved.push(token)
      continue
    }
    const match = matches.find((one) => one.before?.name === token)
    if (!match?.after || match.after.format !== match.before?.format) return null
    moved.push(match.after.name)
    matches = match.items
  }
  return pointerOf(moved)
}

/** A flag at a place, with the names that the fields which it adds up or multiplies have by a later version. Pure. */
export function carryFlag(
  flag: Flag,
  pointer: string,
  elements: { before: SchemaElement[]; after: SchemaElement[] },
): Flag {
  const beside = tokensOf(flag.pointer).slice(0, -1)
  const nameNow = (name: string): string =>
    tokensOf(carryPointer(pointerOf([...beside, name]), elements) ?? '').at(-1) ?? name
  const named = <Term extends { name: string }>(terms: Term[]): Term[] =>
    terms.map((term) => ({ ...term, name: nameNow(term.name) }))
  switch (flag.code) {
    case 'sum':
      return { ...flag, pointer, terms: named(flag.terms) }
    case 'product':
      return { ...flag, pointer, factors: named(flag.factors) }
    case 'rows_sum':
      return { ...flag, pointer, list: nameNow(flag.list) }
    default:
      return { ...flag, pointer }
  }
}

/** A row with the names that its fields have now, and nothing in those that it did not have. */
function renamed(row: Row, matches: readonly FieldMatch[]): Row {
  return Object.fromEntries(
    matches.flatMap(({ before, after, items }) => {
      if (after === null) return []
      const value = before === null || before.format !== after.format ? null : (row[before.name] ?? null)
      return [[after.name, Array.isArray(value) ? rowsOf(value).map((inner) => renamed(inner, items)) : value]]
    }),
  )
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value)
    ? value.map((row: unknown) => (typeof row === 'object' && row !== null ? (row as Row) : {}))
    : []
}

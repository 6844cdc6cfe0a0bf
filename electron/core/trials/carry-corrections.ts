import { matchFields } from '../../../shared/domain/compare-schemas.ts'
import type { FieldMatch } from '../../../shared/domain/compare-schemas.ts'
import { valueInKind } from '../../../shared/domain/in-kind.ts'
import { isSameJson, pointerOf } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { Correction } from '../../../shared/domain/review.ts'
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

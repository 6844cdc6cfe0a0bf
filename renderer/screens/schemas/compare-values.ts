import { isSameJson } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { matchFields } from '../../../shared/domain/compare-schemas.ts'
import type { FieldMatch } from '../../../shared/domain/compare-schemas.ts'

export type ValueMark = 'same' | 'new' | 'gone' | 'changed'

/**
 * One value of a document as its result has it and as the draft gives it; `place`: rows (from 1) and names on the way
 * to it.
 */
export type ValuePair = { place: (string | number)[]; mark: ValueMark; before: unknown; after: unknown }

/** What one document gives for one field of the schema: its values, a list's one by one. */
export type FieldValues = {
  name: string
  formerly: string | null
  isGone: boolean
  isList: boolean
  pairs: ValuePair[]
}

type Side = { elements: readonly SchemaElement[]; records: readonly Record<string, unknown>[] }

/**
 * What a draft gives for a document beside what its result has, field by field of the draft, then what only the
 * result's schema has. Rows of lists are held against each other by their number. Nothing on both sides is no value.
 * Pure.
 */
export function compareValues(before: Side, after: Side): FieldValues[] {
  const count = Math.max(before.records.length, after.records.length)
  return matchFields(before.elements, after.elements).map((counterpart) => {
    const element = (counterpart.after ?? counterpart.before)!
    const pairs = Array.from({ length: count }, (_, index) =>
      pairsOf(counterpart, before.records[index], after.records[index], count > 1 ? [index + 1] : []),
    ).flat()
    const formerly =
      counterpart.after !== null && counterpart.before !== null && counterpart.before.name !== counterpart.after.name
        ? counterpart.before.name
        : null
    return {
      name: element.name,
      formerly,
      isGone: counterpart.after === null,
      isList: element.format === 'list',
      pairs,
    }
  })
}

/** How many values there are on either side, and how many of them are not the same on both. Pure. */
export function countDifferences(fields: readonly FieldValues[]): { values: number; different: number } {
  const pairs = fields.flatMap((field) => field.pairs)
  return { values: pairs.length, different: pairs.filter(({ mark }) => mark !== 'same').length }
}

/** The mark of several values together: theirs where all have the same one. Pure. */
export function markOf(pairs: readonly ValuePair[]): ValueMark {
  const marks = new Set(pairs.map(({ mark }) => mark))
  return marks.size === 1 ? pairs[0]!.mark : marks.size === 0 ? 'same' : 'changed'
}

function pairsOf(counterpart: FieldMatch, before: unknown, after: unknown, place: (string | number)[]): ValuePair[] {
  const one = valueIn(before, counterpart.before)
  const other = valueIn(after, counterpart.after)
  const isList =
    [counterpart.before, counterpart.after].every((element) => element === null || element.format === 'list') &&
    isRows(one) &&
    isRows(other)
  if (!isList)
    return isNothing(one) && isNothing(other)
      ? []
      : [{ place, mark: markBetween(one, other), before: one, after: other }]
  const [rows, otherRows] = [one ?? [], other ?? []]
  const length = Math.max(rows.length, otherRows.length)
  return Array.from({ length }, (_, index) =>
    counterpart.items.flatMap((item) =>
      pairsOf(item, rows[index], otherRows[index], [...place, index + 1, (item.after ?? item.before)!.name]),
    ),
  ).flat()
}

function valueIn(record: unknown, element: SchemaElement | null): unknown {
  if (element === null || typeof record !== 'object' || record === null || !Object.hasOwn(record, element.name))
    return null
  return (record as Record<string, unknown>)[element.name]
}

/** Rows of a list, or none: not a text that a service put in their place. */
function isRows(value: unknown): value is unknown[] | null | undefined {
  return value === null || value === undefined || Array.isArray(value)
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function markBetween(before: unknown, after: unknown): ValueMark {
  if (isNothing(before)) return isNothing(after) ? 'same' : 'new'
  if (isNothing(after)) return 'gone'
  return isSameJson(before, after) ? 'same' : 'changed'
}

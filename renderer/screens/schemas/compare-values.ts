import { isSameJson } from '../../../shared/pointer.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { twinsOf } from './compare.ts'
import type { Twin } from './compare.ts'

export type ValueMark = 'same' | 'new' | 'gone' | 'changed'

/** One value of a document as its result has it and as the draft gives it; `place`: rows (from 1) and names on the way to it. */
export type ValuePair = { place: (string | number)[]; mark: ValueMark; before: unknown; after: unknown }

/** What one document gives for one field of the schema: its values, a list's one by one. */
export type FieldValues = { name: string; formerly: string | null; isGone: boolean; isList: boolean; pairs: ValuePair[] }

type Side = { elements: readonly SchemaElement[]; records: readonly Record<string, unknown>[] }

/**
 * What a draft gives for a document beside what its result has, field by field of the draft, then what only the result's schema
 * has. Rows of lists are held against each other by their number. Nothing on both sides is no value. Pure.
 */
export function compareValues(before: Side, after: Side): FieldValues[] {
  const count = Math.max(before.records.length, after.records.length)
  return twinsOf(before.elements, after.elements).map((twin) => {
    const element = (twin.after ?? twin.before)!
    const pairs = Array.from({ length: count }, (_, index) => pairsOf(twin, before.records[index], after.records[index], count > 1 ? [index + 1] : [])).flat()
    const formerly = twin.after !== null && twin.before !== null && twin.before.name !== twin.after.name ? twin.before.name : null
    return { name: element.name, formerly, isGone: twin.after === null, isList: element.format === 'list', pairs }
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

function pairsOf(twin: Twin, before: unknown, after: unknown, place: (string | number)[]): ValuePair[] {
  const one = valueIn(before, twin.before)
  const other = valueIn(after, twin.after)
  const isList = [twin.before, twin.after].every((element) => element === null || element.format === 'list') && isRows(one) && isRows(other)
  if (!isList) return isNothing(one) && isNothing(other) ? [] : [{ place, mark: markBetween(one, other), before: one, after: other }]
  const [rows, otherRows] = [one ?? [], other ?? []]
  const length = Math.max(rows.length, otherRows.length)
  return Array.from({ length }, (_, index) => twin.items.flatMap((item) => pairsOf(item, rows[index], otherRows[index], [...place, index + 1, (item.after ?? item.before)!.name]))).flat()
}

function valueIn(record: unknown, element: SchemaElement | null): unknown {
  if (element === null || typeof record !== 'object' || record === null || !Object.hasOwn(record, element.name)) return null
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

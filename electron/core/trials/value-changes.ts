import { matchFields } from '../../../shared/domain/compare-schemas.ts'
import type { FieldMatch } from '../../../shared/domain/compare-schemas.ts'
import { isSameJson } from '../../../shared/domain/pointer.ts'
import type { ValueChange } from '../../../shared/contract/reextraction.ts'
import { plainValueOf } from '../../../shared/domain/result.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

type Reading = { elements: SchemaElement[]; records: ExtractedRecord[] }
type Row = Record<string, unknown>

/**
 * How the values of one reading differ from those of another one by a later version of the schema, field by field in
 * the order of the later one. Of a list with more or fewer rows only that is said. Pure.
 */
export function valueChanges(before: Reading, after: Reading): ValueChange[] {
  const matches = matchFields(before.elements, after.elements)
  const count = Math.max(before.records.length, after.records.length)
  return Array.from({ length: count }, (_, index) =>
    changesIn(before.records[index] ?? {}, after.records[index] ?? {}, matches, count > 1 ? [index + 1] : []),
  ).flat()
}

function changesIn(
  before: Row,
  after: Row,
  matches: readonly FieldMatch[],
  within: ValueChange['place'],
): ValueChange[] {
  return matches.flatMap((match): ValueChange[] => {
    const from = match.before === null ? null : (before[match.before.name] ?? null)
    const to = match.after === null ? null : (after[match.after.name] ?? null)
    const place = [...within, (match.after ?? match.before)!.name]
    if (isSameJson(from, to)) return []
    if (!Array.isArray(from) && !Array.isArray(to))
      return [{ place, from: plainValueOf(from), to: plainValueOf(to), isRows: false }]
    const [rowsBefore, rowsAfter] = [rowsOf(from), rowsOf(to)]
    if (rowsBefore.length !== rowsAfter.length)
      return [{ place, from: rowsBefore.length, to: rowsAfter.length, isRows: true }]
    return rowsAfter.flatMap((row, index) => changesIn(rowsBefore[index]!, row, match.items, [...place, index + 1]))
  })
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? (value as Row[]) : []
}

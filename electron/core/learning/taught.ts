// In: a document that a person worked on.
// Out: the values that it teaches, and where they are known to stand.
import { isSameJson, pointerOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Checked } from './compare.ts'
import type { Taught } from './lesson.ts'

/** What a person said of a document; null where that is nothing. An approval is said of all of its values. */
export function taughtBy(
  { reviews, results, schemas, lessons }: Tables,
  document: Checked,
): Omit<Taught, 'document'> | null {
  const corrected = new Map(reviews.corrections(document.id).map(({ pointer, value }) => [pointer, value]))
  const isApproved = reviews.approval(document.id) !== null
  const { records, sources, doubts, extracted } = results.get(document.resultId)
  const [record] = records
  if (document.inBin || records.length !== 1 || record === undefined || (corrected.size === 0 && !isApproved))
    return null
  const at = (name: string): string => pointerOf([0, name])
  const elements = schemas
    .elementsOf(document.schemaVersionId)
    .filter(({ name }) => isApproved || corrected.has(at(name)))
  const emptied = elements.filter(
    ({ name }) => corrected.get(at(name)) === null && (valueAt(extracted, at(name)) ?? null) !== null,
  )
  const learned = lessons.learnedOf(document.id)
  const boxOf = (name: string): { page: number; box: FieldSource['box'] } | null => {
    const value = record[name] ?? null
    const others = doubts.filter(({ pointer }) => pointer === at(name)).flatMap(({ alternatives }) => alternatives)
    const same = learned.find((each) => each.pointer === at(name) && isSameJson(each.value, value))
    if (isSameJson(valueAt(extracted, at(name)) ?? null, value))
      return sources?.find(({ pointer }) => pointer === at(name)) ?? null
    return same?.place ?? others.find((other) => other.value === value) ?? null
  }
  return { record, elements, boxOf, emptied: new Set(emptied.map(({ name }) => name)) }
}

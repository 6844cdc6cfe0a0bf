// In: what a service doubts of its values, its records, and what they are by now.
// Out: the doubts that still hold, where their values stand now, and the flags that they are.
import { isRecord } from '../../../shared/domain/json.ts'
import { isSameJson, pointerOf, tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import type { Flag } from '../../../shared/domain/review.ts'

type Place = Pick<Doubt, 'pointer' | 'code'>

/**
 * The doubts about what nobody changed since, each where that stands now. `movedLists`: pointers of lists in which a
 * person added, removed or moved rows. A doubt about a place that there is not is left out. Pure.
 */
export function openDoubts(
  doubts: readonly Doubt[],
  extracted: readonly ExtractedRecord[],
  shown: readonly ExtractedRecord[],
  movedLists: () => readonly string[],
): Doubt[] {
  if (doubts.length === 0) return []
  const moved = movedLists()
  const open = doubts.flatMap((doubt) => {
    const pointer = isAboutRecord(doubt) ? `/${tokensOf(doubt.pointer)[0] ?? 0}` : doubt.pointer
    if (!isPlace(extracted, pointer)) return []
    const now = placeNow(pointer, extracted, shown, moved)
    return now === null || isSettled(doubt, valueAt(extracted, pointer), valueAt(shown, now))
      ? []
      : [{ ...doubt, pointer: now }]
  })
  return open.filter((doubt, index) => open.findIndex((other) => isSamePlace(other, doubt)) === index)
}

/** The flag of each doubt. `sources` is only asked for where two of them differ. */
export function doubtFlags(
  doubts: readonly Doubt[],
  shown: readonly ExtractedRecord[],
  sources: () => readonly FieldSource[] | null,
): Flag[] {
  return doubts.map((doubt) => {
    const { pointer, code, alternatives } = doubt
    const value = plainAt(shown, pointer)
    switch (code) {
      case 'unsure':
        return { code, pointer, value }
      case 'sources_differ': {
        const from = sources()?.find((source) => source.pointer === pointer)?.from ?? 'page'
        const [other] = alternatives
        const otherFrom = other?.from ?? (from === 'page' ? 'e-invoice' : 'page')
        return { code, pointer, value, from, other: other?.value ?? null, otherFrom }
      }
      case 'rows_missing':
        return { code, pointer, rows: rowsIn(valueAt(shown, pointer)) }
      case 'other_kind':
      case 'several_documents':
        return { code, pointer }
    }
  })
}

function isAboutRecord({ code }: Place): boolean {
  return code === 'other_kind' || code === 'several_documents'
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.code === other.code && one.pointer === other.pointer
}

/** A field that the service left out is a place of its record as well. */
function isPlace(records: readonly ExtractedRecord[], pointer: string): boolean {
  const tokens = tokensOf(pointer)
  if (tokens.length === 0) return false
  return tokens.length === 1
    ? isRecord(valueAt(records, pointer))
    : isRecord(valueAt(records, pointerOf(tokens.slice(0, -1))))
}

/** Whether a person settled it by what they changed: a value by another one, missing rows by more or fewer rows. */
function isSettled(doubt: Doubt, before: unknown, now: unknown): boolean {
  if (isAboutRecord(doubt)) return false
  return doubt.code === 'rows_missing' ? rowsIn(before) !== rowsIn(now) : !isSameJson(before ?? null, now ?? null)
}

/** Where a value stands after rows moved: with its row, as long as that is the same. Null: the row is gone. */
function placeNow(
  pointer: string,
  extracted: readonly ExtractedRecord[],
  shown: readonly ExtractedRecord[],
  movedLists: readonly string[],
): string | null {
  const list = movedLists.find((each) => pointer.startsWith(`${each}/`))
  if (list === undefined) return pointer
  const [row, ...rest] = tokensOf(pointer.slice(list.length)) as [string, ...string[]]
  const [before, rows] = [valueAt(extracted, `${list}/${row}`), valueAt(shown, list)]
  const at = Array.isArray(rows) ? rows.findIndex((each: unknown) => isSameJson(each, before)) : -1
  return at === -1 ? null : list + pointerOf([at, ...rest])
}

function rowsIn(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function plainAt(records: readonly ExtractedRecord[], pointer: string): string | number | boolean | null {
  const value = valueAt(records, pointer)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

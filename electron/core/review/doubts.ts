// In: what a service doubts of its values, its records, and what they are by now.
// Out: the doubts that still hold, where their values stand now, and the flags that they are.
import { isRecord } from '../../../shared/domain/json.ts'
import { isSameJson, pointerOf, tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import { plainValueOf } from '../../../shared/domain/result.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import type { Flag } from '../../../shared/domain/review.ts'
import { isEmpty } from './value.ts'

type Place = Pick<Doubt, 'pointer' | 'code'>
type Records = readonly ExtractedRecord[]

/**
 * All doubts, each where its value stands now, whether or not a person settled it since. `movedLists`: pointers of
 * lists in which a person added, removed or moved rows. A doubt about a place that there is not is left out. Pure.
 */
export function doubtsInPlace(
  doubts: readonly Doubt[],
  extracted: Records,
  shown: Records,
  movedLists: () => readonly string[],
): Doubt[] {
  return placed(doubts, extracted, shown, movedLists).map(({ doubt }) => doubt)
}

/** `doubtsInPlace` without those about what a person changed. */
export function openDoubts(
  doubts: readonly Doubt[],
  extracted: Records,
  shown: Records,
  movedLists: () => readonly string[],
): Doubt[] {
  return placed(doubts, extracted, shown, movedLists).flatMap(({ doubt, from }) =>
    isSettled(doubt, valueAt(extracted, from), valueAt(shown, doubt.pointer)) ? [] : [doubt],
  )
}

/** `from`: where the value stood in what the service said. Each place is doubted once for each code. */
function placed(
  doubts: readonly Doubt[],
  extracted: Records,
  shown: Records,
  movedLists: () => readonly string[],
): { doubt: Doubt; from: string }[] {
  if (doubts.length === 0) return []
  const moved = movedLists()
  const byPlace = new Map<string, { doubt: Doubt; from: string }>()
  for (const doubt of doubts) {
    const from = isAboutRecord(doubt) ? `/${tokensOf(doubt.pointer)[0] ?? 0}` : doubt.pointer
    const pointer = isPlace(extracted, from) ? placeNow(from, extracted, shown, moved) : null
    const key = `${doubt.code} ${pointer}`
    if (pointer !== null && !byPlace.has(key)) byPlace.set(key, { doubt: { ...doubt, pointer }, from })
  }
  return [...byPlace.values()]
}

/** The flag of each doubt. `sources` is only asked for where two of them differ. */
export function doubtFlags(
  doubts: readonly Doubt[],
  shown: Records,
  sources: () => readonly FieldSource[] | null,
): Flag[] {
  const differ = doubts.some(({ code }) => code === 'sources_differ')
  const kinds = new Map(differ ? sources()?.map(({ pointer, from }) => [pointer, from]) : [])
  return doubts.map((doubt) => {
    const { pointer, code, alternatives } = doubt
    const value = plainValueOf(valueAt(shown, pointer))
    switch (code) {
      case 'unsure':
        return { code, pointer, value }
      case 'sources_differ': {
        const from = kinds.get(pointer) ?? 'page'
        // The value itself may be among them.
        const other = alternatives.find((one) => one.from !== from && !isSameJson(one.value, value)) ?? alternatives[0]
        const otherFrom = other?.from ?? (from === 'page' ? 'e-invoice' : 'page')
        return { code, pointer, value, from, other: other?.value ?? null, otherFrom }
      }
      case 'rows_missing':
      case 'rows_unsure':
        return { code, pointer, rows: rowsIn(valueAt(shown, pointer)) }
      case 'other_kind':
      case 'several_documents':
        return { code, pointer }
    }
  })
}

/**
 * A flag at each value of a file that seems to hold several documents: nobody knows of which one it is, but for what
 * persons put there (`isTouched`). Pure.
 */
export function blendedFlags(shown: Records, isTouched: (pointer: string) => boolean): Flag[] {
  return shown.flatMap((record, index) =>
    Object.entries(record).flatMap(([name, value]): Flag[] => {
      const pointer = pointerOf([index, name])
      if (isTouched(pointer)) return []
      if (Array.isArray(value)) return value.length === 0 ? [] : [{ code: 'rows_unsure', pointer, rows: value.length }]
      return isEmpty(value) ? [] : [{ code: 'unsure', pointer, value: plainValueOf(value) }]
    }),
  )
}

function isAboutRecord({ code }: Place): boolean {
  return code === 'other_kind' || code === 'several_documents'
}

/** A field that the service left out is a place of its record as well. */
function isPlace(records: Records, pointer: string): boolean {
  const tokens = tokensOf(pointer)
  if (tokens.length === 0) return false
  return tokens.length === 1
    ? isRecord(valueAt(records, pointer))
    : isRecord(valueAt(records, pointerOf(tokens.slice(0, -1))))
}

/** Whether a person settled it by what they changed: a value by another one, missing rows by more or fewer rows. */
function isSettled(doubt: Doubt, before: unknown, now: unknown): boolean {
  // One corrected cell says nothing of the other rows.
  if (isAboutRecord(doubt) || doubt.code === 'rows_unsure') return false
  return doubt.code === 'rows_missing' ? rowsIn(before) !== rowsIn(now) : !isSameJson(before ?? null, now ?? null)
}

/** Where a value stands after rows moved: with its row, as long as that is the same. Null: the row is gone. */
function placeNow(pointer: string, extracted: Records, shown: Records, movedLists: readonly string[]): string | null {
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

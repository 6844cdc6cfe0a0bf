import { elementAt, mayBeOfKind, recordInKinds } from '../../../../shared/domain/in-kind.ts'
import { isRecord } from '../../../../shared/domain/json.ts'
import { copyOnWrite, pointerOf } from '../../../../shared/domain/pointer.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { StoreContext } from '../context.ts'
import type { ResultAnswer } from './extract-number.ts'

/**
 * A result as it is stored: with each text in the form of its kind. What this computer found for a text of a kind and
 * cannot be of it is nothing; a platform's value stays, with its flag.
 */
export function inKinds({ tables }: StoreContext, document: StoredDocument, result: ResultAnswer): ResultAnswer {
  const elements = tables.schemas.elementsOf(document.schemaVersionId)
  const records = result.records.map((record) => recordInKinds(record, elements))
  if (document.connectionId !== tables.connections.local().id) return { ...result, records }
  const isOfOtherKind = (pointer: string, value: unknown): boolean => {
    const kind = elementAt(pointer, elements)?.kind
    return kind !== undefined && typeof value === 'string' && !mayBeOfKind(kind, value)
  }
  const doubts = result.doubts.map((doubt) => ({
    ...doubt,
    alternatives: doubt.alternatives.filter(({ value }) => !isOfOtherKind(doubt.pointer, value)),
  }))
  const others = placesOfTexts(records).filter(([pointer, value]) => isOfOtherKind(pointer, value))
  if (others.length === 0) return { ...result, records, doubts }
  const places = new Set(others.map(([pointer]) => pointer))
  const cleared = copyOnWrite(records)
  for (const pointer of places) cleared.put(pointer, null)
  const sources = result.sources?.filter(({ pointer }) => !places.has(pointer)) ?? null
  return { ...result, records: cleared.root(), sources, doubts }
}

/** The texts of records, and of the rows of their lists, with their pointers. */
function placesOfTexts(records: readonly Record<string, unknown>[]): [pointer: string, value: string][] {
  return records.flatMap((record, index) =>
    Object.entries(record).flatMap(([name, value]): [string, string][] => {
      if (typeof value === 'string') return [[pointerOf([index, name]), value]]
      const rows = Array.isArray(value) ? value.map((row: unknown) => (isRecord(row) ? row : {})) : []
      return placesOfTexts(rows).map(([at, text]) => [`${pointerOf([index, name])}${at}`, text])
    }),
  )
}

import { isDeepStrictEqual } from 'node:util'
import type { Extraction } from '../../../electron/service/finding/find.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'

/** The names of the fields that are not as expected, without being flagged. */
export function unflaggedWrong({ data, doubts }: Extraction, expected: Record<string, unknown>): string[] {
  const flagged = new Set(doubts.map((doubt) => doubt.pointer))
  return Object.keys(expected).filter(
    (name) =>
      data[name] !== null && !isDeepStrictEqual(data[name], expected[name]) && !flagged.has(pointerOf([0, name])),
  )
}

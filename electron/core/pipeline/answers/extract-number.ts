import type { Attempt } from '../../db/tables/attempts.ts'
import type { ExtractionAnswer } from '../../platform/answer.ts'
import type { StoreContext } from '../context.ts'

export type ResultAnswer = Extract<ExtractionAnswer, { kind: 'result' }>

/**
 * spec, Events: «The extract_id of the webhook equals the one in the immediate response». Another one is kept, not
 * applied; and while there is no response yet, so is one for which another document waits.
 */
export function isForAnother({ tables }: StoreContext, attempt: Attempt, extractId: string | null): boolean {
  if (extractId === null) return false
  const accepted = tables.attempts.get(attempt.id).extractId
  return accepted === null
    ? tables.callbacks.isAwaitedByAnother(extractId, attempt.host, attempt.id)
    : accepted !== extractId
}

/**
 * A result that came to the address of this attempt alone, under another number than it waits for, and that nobody else
 * waits for.
 */
export function isUnderOtherNumber(
  { tables }: StoreContext,
  attempt: Attempt,
  meaning: ExtractionAnswer,
): meaning is ResultAnswer {
  const { extractId } = tables.attempts.get(attempt.id)
  if (meaning.kind !== 'result' || meaning.extractId === null || extractId === null || meaning.extractId === extractId)
    return false
  return !tables.callbacks.isAwaitedByAnother(meaning.extractId, attempt.host, attempt.id)
}

// enters: the bytes of an answer or a callback, or the error in their place
// leaves: the bytes stored, the result and the document's new status in one transaction, then the event
import { AppError } from '../../../shared/domain/errors.ts'
import type { Attempt, NewAnswer, StoredAnswer } from '../db/tables/attempts.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import { readAnswer } from '../platform/answer.ts'
import type { ExtractionAnswer } from '../platform/answer.ts'
import { isOver, recordFailure, recordRefusal, recordResult } from './answers/end-attempt.ts'
import type { ResponseFacts } from './answers/end-attempt.ts'
import { isForAnother, isUnderOtherNumber } from './answers/extract-number.ts'
import { addresseeOf, noCircumstances, onlyStarted, refusalIn } from './answers/interpret-answer.ts'
import type { Circumstances } from './answers/interpret-answer.ts'
import { readAgain } from './answers/read-again.ts'
import { inTransaction } from './context.ts'
import type { Context, StoreContext } from './context.ts'
import { transition } from './documents/transition.ts'

/**
 * Stores what a service sent, and reads it once it is on the disk. The same bytes again are read again, since the first
 * time may have been cut short; an answer to a document that has its result changes nothing. Both stay stored. Resolves
 * with the error when the document went back into the queue: a refusal «for now» is no answer, and its bytes are not
 * kept.
 */
export async function recordAnswer(
  context: Context,
  attempt: Attempt,
  answer: NewAnswer,
  bytesSent: number,
  circumstances: Circumstances = noCircumstances,
): Promise<AppError | null> {
  const { tables, now } = context
  const refusal = refusalIn(answer, addresseeOf(tables.documents.get(attempt.documentId)!, attempt), circumstances)
  if (refusal !== null && refusal.policy !== 'unknown' && refusal.policy !== 'fail') {
    return recordRefusal(context, attempt, refusal, { httpStatus: answer.httpStatus, bytesSent, tokens: null })
  }
  const id = tables.attempts.storeAnswer(answer, now(), 'later')
  await tables.flushed()
  return applyAnswer(context, attempt, { ...answer, id }, refusal, bytesSent)
}

/**
 * All that follows from a stored answer, and that it was read, in one transaction. It follows again from the answer,
 * which the journal has.
 */
export function applyAnswer(
  context: Context,
  attempt: Attempt,
  answer: StoredAnswer,
  refusal: AppError | null,
  bytesSent: number,
): AppError | null {
  const apply = (inside: Context): AppError | null => {
    inside.tables.attempts.markRead(answer.id)
    const facts = { httpStatus: answer.httpStatus, bytesSent, tokens: null }
    if (refusal !== null) return recordRefusal(inside, attempt, refusal, facts)
    const meaning = relevantMeaning(inside, attempt, answer)
    if (meaning === null) keepBeside(inside, attempt, answer)
    else applyMeaning(inside, attempt, answer, meaning, facts)
    return null
  }
  return inTransaction(context, apply, 'later')
}

function applyMeaning(
  context: Context,
  attempt: Attempt,
  answer: StoredAnswer,
  meaning: ExtractionAnswer,
  facts: ResponseFacts,
): void {
  switch (meaning.kind) {
    case 'started':
      if (attempt.mode === 'async') recordAccepted(context, attempt, meaning.extractId, facts)
      else recordFailure(context, attempt, onlyStarted(answer.body), 'failed', facts)
      return
    case 'result':
      recordResult(context, attempt, answer.id, meaning, facts)
      return
    case 'failed':
      recordFailure(context, attempt, meaning.error, 'failed', { ...facts, tokens: meaning.tokensConsumed })
  }
}

/** An answer that changes nothing is kept; a person may have to know of it all the same. */
function keepBeside(context: Context, attempt: Attempt, { source, body }: StoredAnswer): void {
  // Its values were damaged here, and the answer that they came from is whole again.
  if (context.tables.documents.get(attempt.documentId)?.reasonCode === 'result_damaged')
    readAgain(context, attempt.documentId)
  if (source === 'callback') reportOtherNumber(context, attempt, readAnswer(body, 'callback'))
}

/** What an answer says where that changes anything; null where it is kept and nothing else. */
function relevantMeaning(
  context: StoreContext,
  attempt: Attempt,
  { body, source }: Pick<NewAnswer, 'body' | 'source'>,
): ExtractionAnswer | null {
  const { outcome } = context.tables.attempts.get(attempt.id)
  if (outcome === 'succeeded') return null
  const meaning = readAnswer(body, source)
  // After a failure only a result is news: a service may try again on its own.
  if (outcome === 'failed' && meaning.kind !== 'result') return null
  if (source === 'response') return meaning
  // A webhook that only says how far it is: the result is still to come.
  return meaning.kind === 'started' || isForAnother(context, attempt, meaning.extractId) ? null : meaning
}

/**
 * Whether a callback for this attempt would change anything, or be the first of which a person has to say whose it is.
 */
export function isNews(context: StoreContext, attempt: Attempt, body: Buffer): boolean {
  if (relevantMeaning(context, attempt, { body, source: 'callback' }) !== null) return true
  const { status, reasonCode } = context.tables.documents.get(attempt.documentId)!
  return (
    status === 'waiting' &&
    reasonCode !== 'callback_other_number' &&
    isUnderOtherNumber(context, attempt, readAnswer(body, 'callback'))
  )
}

/** It may be paid for, and only a person can say whose it is (`readAgain`). */
function reportOtherNumber(context: Context, attempt: Attempt, meaning: ExtractionAnswer): void {
  const { tables } = context
  if (
    tables.attempts.ofDocument(attempt.documentId)[0]?.id !== attempt.id ||
    !isUnderOtherNumber(context, attempt, meaning)
  )
    return
  transition(context, attempt.documentId, 'annotate', { reason: { code: 'callback_other_number', details: {} } })
}

/** At a start: judges what was stored and not acted upon before the process ended, as when it came. */
export function readStoredAnswers(context: Context): void {
  while (readStoredAnswer(context));
}

/** The first one of these; false when there is none. */
export function readStoredAnswer(context: Context): boolean {
  const { tables } = context
  const answer = tables.attempts.nextUnread()
  if (answer === null) return false
  const attempt = tables.attempts.get(answer.attemptId)
  try {
    const refusal = refusalIn(answer, addresseeOf(tables.documents.get(attempt.documentId)!, attempt), noCircumstances)
    applyAnswer(context, attempt, answer, refusal, attempt.bytesSent)
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    failUnreadable(context, attempt, answer)
  }
  return true
}

/** One answer that nobody foresaw must not keep Sheaf from starting. Its bytes stay, for `readAgain`. */
function failUnreadable(context: Context, attempt: Attempt, { id, httpStatus }: StoredAnswer): void {
  inTransaction(context, (inside) => {
    inside.tables.attempts.markRead(id)
    if (isOver(attempt)) return
    const error = new AppError('answer_unreadable', { detail: 'Sheaf stumbled over it' })
    recordFailure(inside, attempt, error, 'failed', { httpStatus, bytesSent: attempt.bytesSent, tokens: null })
  })
}

function recordAccepted(context: Context, attempt: Attempt, extractId: string | null, facts: ResponseFacts): void {
  const { tables } = context
  const { httpStatus, bytesSent } = facts
  const status = tables.transaction(() => {
    // The callback can overtake the answer to the POST: then the document is settled already.
    const status = tables.documents.apply(attempt.documentId, 'accept', {}, context.now())
    if (status !== null) tables.attempts.accept(attempt.id, extractId, httpStatus ?? 200, bytesSent)
    return status
  })
  if (status === null) return
  context.emit('document.changed', { id: attempt.documentId, status })
  // A callback that overtook this answer and was held to be another document's is judged by the number that is known
  // now.
  for (const answer of tables.attempts.answers(attempt.id))
    if (answer.source === 'callback') applyAnswer(context, attempt, answer, null, bytesSent)
}

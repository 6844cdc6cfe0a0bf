import { AppError } from '../../../../shared/domain/errors.ts'
import type { DocumentEvent, DocumentStatus } from '../../../../shared/domain/document-status.ts'
import type { Attempt } from '../../db/tables/attempts.ts'
import type { StoredDocument, DocumentChange } from '../../db/tables/documents.ts'
import type { Context, StoreContext } from '../context.ts'
import { assess, summarise } from './assess.ts'
import type { ResultAnswer } from './extract-number.ts'
import { inKinds } from './in-kinds.ts'
import { afterBreakdown, resendDelayMs } from './resend-policy.ts'

/** What was seen of a request and its response, as it is kept with the attempt. */
export type ResponseFacts = { httpStatus: number | null; bytesSent: number; tokens: number | null }

/**
 * Ends an attempt by the error that stands in the place of a result, as its policy says. Returns the error when the
 * document went back into the queue, for whoever decides when it goes on.
 */
export function recordRefusal(
  context: Context,
  attempt: Attempt,
  error: AppError,
  facts: ResponseFacts,
): AppError | null {
  const { tables } = context
  const document = tables.documents.get(attempt.documentId)!
  const bills = tables.connections.bills(document.connectionId)
  const known = bills ? error : afterBreakdown(error, tables.attempts.breakdownsAlone(document.id))
  switch (known.policy) {
    case 'unknown':
      recordFailure(context, attempt, known, 'lost', facts)
      return null
    case 'fail':
    case 'skip':
    case 'report':
      recordFailure(context, attempt, known, 'failed', facts)
      return null
    case 'retry-later':
    case 'throttle':
    case 'pause-connection':
    case 'pause-folder':
      recordFailure(context, attempt, known, 'returned', facts, { tries: document.tries + 1 })
      return known
  }
}

/**
 * Ends an attempt without a result: `failed` for a final no, `lost` when nobody knows, `returned` when it was not
 * taken.
 */
export function recordFailure(
  context: Context,
  attempt: Attempt,
  error: AppError,
  outcome: 'failed' | 'lost' | 'returned',
  facts: ResponseFacts,
  change: DocumentChange = {},
): void {
  const { tables } = context
  const event: DocumentEvent = outcome === 'failed' ? 'fail' : outcome === 'lost' ? 'lose' : 'return'
  const now = context.now()
  const status = tables.transaction(() => {
    if (!isOver(tables.attempts.get(attempt.id))) {
      tables.attempts.finish(attempt.id, outcome, { ...facts, code: error.code }, now)
    }
    // What was not taken has not used up its approval.
    const approval = outcome === 'returned' && attempt.approved !== null ? { resendApproved: attempt.approved } : {}
    // The document stands where its newest attempt does: what an earlier one came to says nothing of that.
    if (tables.attempts.ofDocument(attempt.documentId)[0]?.id !== attempt.id) return null
    const status = tables.documents.apply(attempt.documentId, event, { reason: error, ...approval, ...change }, now)
    return status === 'unknown' ? (resendBySetting(context, attempt.documentId) ?? status) : status
  })
  if (status !== null) context.emit('document.changed', { id: attempt.documentId, status })
}

/**
 * Ends an attempt that was on its way when Sheaf ended: where nothing is billed its document goes back into the queue,
 * as if it had not been tried; elsewhere nobody knows what came of it.
 */
export function recordInterrupted(context: Context, attempt: Attempt, facts: ResponseFacts): void {
  const { connectionId } = context.tables.documents.get(attempt.documentId)!
  const error = new AppError('interrupted')
  if (context.tables.connections.bills(connectionId)) recordFailure(context, attempt, error, 'lost', facts)
  else recordFailure(context, attempt, error, 'returned', facts, { reason: null })
}

/** The person may have said once and for all that what is lost goes again, although it may be billed twice. */
function resendBySetting({ tables, timings, now }: Context, documentId: number): DocumentStatus | null {
  if (!tables.settings.get().resendUnknown) return null
  const delayMs = resendDelayMs(timings, tables.attempts.ofDocument(documentId))
  if (delayMs === null) return null
  return tables.documents.apply(
    documentId,
    'requeue',
    { reason: { code: 'sent_again', details: {} }, notBefore: now() + delayMs, resendApproved: 'setting' },
    now(),
  )
}

/** Nothing more comes of it but a later result. */
export function isOver(attempt: Attempt): boolean {
  return attempt.outcome === 'succeeded' || attempt.outcome === 'failed'
}

/** Ends an attempt with a result. A second one, to an earlier attempt, is kept, but the first one stands. */
export function recordResult(
  context: Context,
  attempt: Attempt,
  answerId: number,
  result: ResultAnswer,
  { httpStatus, bytesSent }: ResponseFacts,
): void {
  const { tables } = context
  const now = context.now()
  const status = tables.transaction(() => {
    const document = tables.documents.get(attempt.documentId)!
    const facts = { httpStatus, code: null, bytesSent: bytesSent || attempt.bytesSent, tokens: result.tokensConsumed }
    tables.attempts.finish(attempt.id, 'succeeded', facts, now)
    if (document.status === 'done') return null
    return succeed(context, document, insertResult(context, document, answerId, result))
  })
  if (status !== null) context.emit('document.changed', { id: attempt.documentId, status })
}

export function succeed(context: StoreContext, document: StoredDocument, resultId: number): DocumentStatus | null {
  const status = context.tables.documents.apply(document.id, 'succeed', { resultId }, context.now())
  if (status !== null) assess(context, document.id, { before: document.resultId })
  return status
}

export function insertResult(
  context: StoreContext,
  document: StoredDocument,
  answerId: number,
  result: ResultAnswer,
): number {
  const { tables, now } = context
  const { records, sources, doubts, durationMs, tokensConsumed } = inKinds(context, document, result)
  const summary = summarise(records, tables.schemas.elementsOf(document.schemaVersionId))
  return tables.results.insert(
    { documentId: document.id, answerId, records, sources, doubts, summary, durationMs, tokensConsumed },
    now(),
  )
}

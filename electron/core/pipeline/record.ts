// enters: the bytes of an answer or a callback, or the error in their place
// leaves: the bytes stored, the result and the job's new status in one transaction, then the event
import { AppError } from '../../../shared/errors.ts'
import type { JobEvent } from '../../../shared/job.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { Attempt, NewAnswer } from '../db/attempts.ts'
import type { JobChange } from '../db/jobs.ts'
import type { SummaryValue } from '../db/results.ts'
import { readAnswer } from '../platform/answer.ts'
import type { ExtractionAnswer } from '../platform/answer.ts'
import type { Context } from './context.ts'

/** More than a list shows: the window chooses among them. */
const summaryLength = 24

/**
 * Stores what a service sent, then reads it. The same bytes again are read again, since the first time may have been cut
 * short; an answer to a job that has its result changes nothing. Both stay stored.
 */
export function recordAnswer(context: Context, attempt: Attempt, answer: NewAnswer, bytesSent: number): void {
  const answerId = context.tables.attempts.storeAnswer(answer, context.now())
  const { outcome } = context.tables.attempts.get(attempt.id)
  if (outcome === 'succeeded') return
  const meaning = readAnswer(answer.body, answer.source)
  // After a failure only a result is news: a service may try again on its own.
  if (outcome === 'failed' && meaning.kind !== 'result') return
  if (meaning.kind === 'started') {
    if (attempt.mode === 'async' && answer.source === 'response') {
      recordAccepted(context, attempt, meaning.extractId, answer.httpStatus ?? 200, bytesSent)
    } else if (answer.source === 'response') {
      const error = new AppError('answer_unreadable', { detail: '«started» is no answer here' })
      recordFailure(context, attempt, error, 'failed', { httpStatus: answer.httpStatus, bytesSent, tokens: null })
    }
    // A webhook that only says how far it is: the result is still to come.
    return
  }
  if (answer.source === 'callback' && isForAnother(context, attempt, meaning.extractId)) return
  if (meaning.kind === 'result') recordResult(context, attempt, answerId, meaning, answer.httpStatus, bytesSent)
  else recordFailure(context, attempt, meaning.error, 'failed', { httpStatus: answer.httpStatus, bytesSent, tokens: meaning.tokensConsumed })
}

/** Ends an attempt without a result: `failed` for a final no, `lost` when nobody knows, `returned` when it was not taken. */
export function recordFailure(
  context: Context,
  attempt: Attempt,
  error: AppError,
  outcome: 'failed' | 'lost' | 'returned',
  seen: { httpStatus: number | null; bytesSent: number; tokens: number | null },
  change: JobChange = {},
): void {
  const { tables } = context
  const event: JobEvent = outcome === 'failed' ? 'fail' : outcome === 'lost' ? 'lose' : 'return'
  const now = context.now()
  const status = tables.together(() => {
    if (!isOver(tables.attempts.get(attempt.id))) {
      tables.attempts.finish(attempt.id, outcome, { ...seen, code: error.code }, now)
    }
    return tables.jobs.apply(attempt.jobId, event, { reason: { code: error.code, details: error.details }, ...change }, now)
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

function isOver(attempt: Attempt): boolean {
  return attempt.outcome === 'succeeded' || attempt.outcome === 'failed'
}

/** spec, Events: «The extract_id of the webhook equals the one in the immediate response». Another one is kept, not applied. */
function isForAnother(context: Context, attempt: Attempt, extractId: string | null): boolean {
  const accepted = context.tables.attempts.get(attempt.id).extractId
  return accepted !== null && extractId !== null && accepted !== extractId
}

/**
 * At a start: reads what was stored but not acted upon before the process ended. A response with a refusal was not
 * an answer; its job is recovered like any other that was interrupted.
 */
export function readStoredAnswers(context: Context): void {
  const { tables } = context
  for (const job of [...tables.jobs.withStatus('submitting'), ...tables.jobs.withStatus('waiting')]) {
    for (const attempt of tables.attempts.ofJob(job.id)) {
      for (const answer of tables.attempts.answers(attempt.id)) {
        if (answer.httpStatus === null || answer.httpStatus < 300) recordAnswer(context, attempt, answer, attempt.bytesSent)
      }
    }
  }
}

function recordAccepted(context: Context, attempt: Attempt, extractId: string | null, httpStatus: number, bytesSent: number): void {
  const { tables } = context
  const status = tables.together(() => {
    // The callback can overtake the answer to the POST: then the job is settled already.
    const status = tables.jobs.apply(attempt.jobId, 'accept', {}, context.now())
    if (status !== null) tables.attempts.accept(attempt.id, extractId, httpStatus, bytesSent)
    return status
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

function recordResult(
  context: Context,
  attempt: Attempt,
  answerId: number,
  result: Extract<ExtractionAnswer, { kind: 'result' }>,
  httpStatus: number | null,
  bytesSent: number,
): void {
  const { tables } = context
  const now = context.now()
  const status = tables.together(() => {
    const job = tables.jobs.get(attempt.jobId)!
    const seen = { httpStatus, code: null, bytesSent: bytesSent || attempt.bytesSent, tokens: result.tokensConsumed }
    tables.attempts.finish(attempt.id, 'succeeded', seen, now)
    // A second answer, to an earlier attempt, was paid for and is kept, but the first one stands.
    if (job.status === 'done') return null
    const resultId = tables.results.insert(
      {
        jobId: job.id,
        answerId,
        records: result.records,
        sources: result.sources,
        summary: summarise(result.records, tables.schemas.elementsOf(job.schemaVersionId)),
        durationMs: result.durationMs,
        tokensConsumed: result.tokensConsumed,
      },
      now,
    )
    return tables.jobs.apply(job.id, 'succeed', { resultId }, now)
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

/** The first plain values of the first record, in the schema's order. */
export function summarise(records: ExtractedRecord[], schema: SchemaElement[]): SummaryValue[] {
  const record = records[0] ?? {}
  return schema
    .filter((element) => element.format !== 'list')
    .slice(0, summaryLength)
    .map(({ name }) => {
      const value = record[name]
      return { name, value: typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null }
    })
}

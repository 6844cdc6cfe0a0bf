// enters: the bytes of an answer or a callback, or the error in their place
// leaves: the bytes stored, the result and the job's new status in one transaction, then the event
import type { AppError } from '../../../shared/errors.ts'
import type { JobEvent } from '../../../shared/job.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { Attempt, NewAnswer } from '../db/attempts.ts'
import type { JobChange } from '../db/jobs.ts'
import type { SummaryValue } from '../db/results.ts'
import { readAnswer } from '../platform/answer.ts'
import type { ExtractionAnswer } from '../platform/answer.ts'
import type { Context } from './context.ts'

const summaryLength = 4

/**
 * Stores what a service sent, then reads it. Bytes that came before for the same attempt change nothing, and
 * neither does an answer to a job that has moved on: they stay stored beside it.
 */
export function recordAnswer(context: Context, attempt: Attempt, answer: NewAnswer, bytesSent: number): void {
  const answerId = context.tables.attempts.storeAnswer(answer, context.now())
  if (answerId === null) return
  const meaning = readAnswer(answer.body)
  if (meaning.kind === 'started') recordAccepted(context, attempt, meaning.extractId, answer.httpStatus ?? 200, bytesSent)
  else if (meaning.kind === 'result') recordResult(context, attempt, answerId, meaning, answer.httpStatus, bytesSent)
  else recordFailure(context, attempt, meaning.error, 'failed', { httpStatus: answer.httpStatus, bytesSent })
}

/** Ends an attempt without a result: `failed` for a final no, `lost` when nobody knows, `returned` when it was not taken. */
export function recordFailure(
  context: Context,
  attempt: Attempt,
  error: AppError,
  outcome: 'failed' | 'lost' | 'returned',
  seen: { httpStatus: number | null; bytesSent: number },
  change: JobChange = {},
): void {
  const { tables } = context
  const event: JobEvent = outcome === 'failed' ? 'fail' : outcome === 'lost' ? 'lose' : 'return'
  const now = context.now()
  const status = tables.together(() => {
    if (tables.attempts.get(attempt.id).outcome === 'open' || outcome === 'failed') {
      tables.attempts.finish(attempt.id, outcome, { ...seen, code: error.code }, now)
    }
    return tables.jobs.apply(attempt.jobId, event, { reason: { code: error.code, details: error.details }, ...change }, now)
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

function recordAccepted(context: Context, attempt: Attempt, extractId: string, httpStatus: number, bytesSent: number): void {
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
    // A second answer with other content is kept, but the first one stands.
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
    tables.attempts.finish(attempt.id, 'succeeded', { httpStatus, code: null, bytesSent: bytesSent || attempt.bytesSent }, now)
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

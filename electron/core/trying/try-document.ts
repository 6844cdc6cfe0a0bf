import { AppError, isErrorCode, toAppError } from '../../../shared/errors.ts'
import { isSameJson } from '../../../shared/pointer.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { Job } from '../db/jobs.ts'
import { isStorageTrouble, troubleIn } from '../db/storage-trouble.ts'
import type { StoredTrial } from '../db/trials.ts'
import type { Context } from '../pipeline/context.ts'
import { offlineOr, sendDocument, untilStored } from '../pipeline/extract.ts'
import { identify } from '../pipeline/identify.ts'
import { candidateAt, refuseByName } from '../pipeline/intake.ts'
import { onlyStarted, refusalIn } from '../pipeline/record.ts'
import { readAnswer } from '../platform/answer.ts'
import type { Route } from '../platform/connect.ts'
import { fileError } from '../platform/upload.ts'

/** What is tried: the fields of a draft of a schema, on a connection. */
export type Draft = { schemaId: number; connectionId: number; elements: SchemaElement[] }

/** A document with its file as it is now. */
export type Looked = Job & { sha256: Buffer }

/**
 * What the draft gives for one document, or why it gives nothing; `lost`: the answer never came, and may be billed; `returned`: it
 * was not taken.
 */
export type Outcome = { kind: 'answered'; records: ExtractedRecord[] } | { kind: 'failed' | 'lost' | 'returned'; error: AppError }

/** Looks at the file of a document by the rules of intake. Throws why it cannot be sent. */
export async function lookAt(context: Context, job: Job): Promise<Looked> {
  try {
    const stats = await context.files.lstat(job.path).catch((error: unknown) => Promise.reject(fileError(error, job.name)))
    const refusal = refuseByName(job.name, candidateAt(job.path, stats))
    if (refusal !== null) throw new AppError(refusal.code, refusal.details)
    return { ...job, ...(await identify(context.files, job.path, job.name)) }
  } catch (error) {
    throw await offlineOr(context, job, toAppError(error))
  }
}

/** The document's own result, where it is the answer to just this question; as the service gave it. */
export function ownAnswer({ tables }: Context, { connectionId, elements }: Draft, job: Looked): ExtractedRecord[] | null {
  const known = tables.jobs.get(job.id)
  if (known === null || known.resultId === null || known.agentReference !== null || known.connectionId !== connectionId || known.sha256?.equals(job.sha256) !== true) return null
  return isSameJson(tables.schemas.elementsOf(known.schemaVersionId), elements) ? tables.results.get(known.resultId).said : null
}

/** What a trial came to, from the bytes that are kept of it; one that is not over and not under way was lost on the way into the database. */
export function outcomeOf(trial: StoredTrial): Outcome {
  const meaning = trial.outcome === 'succeeded' && trial.answer !== null ? readAnswer(trial.answer.body) : null
  if (meaning?.kind === 'result') return { kind: 'answered', records: meaning.records }
  if (trial.outcome === 'open') return { kind: 'lost', error: new AppError('outcome_unread', { detail: 'it was not stored' }) }
  const error = trial.reason !== null && isErrorCode(trial.reason.code) ? new AppError(trial.reason.code, trial.reason.details) : new AppError('answer_unreadable', { detail: 'it was damaged here' })
  return { kind: trial.outcome === 'lost' || trial.outcome === 'returned' ? trial.outcome : 'failed', error }
}

/**
 * Opens a trial in one transaction: `refusal` is asked last of all whether it may begin. Unless `again`, a question that was asked
 * before is not asked once more: then that trial is returned. Throws why nothing may be sent.
 */
export function openTrial(context: Context, draft: Draft, job: Looked, route: Route, again: boolean, refusal: () => AppError | null): StoredTrial {
  const { tables, now } = context
  try {
    return tables.together(() => {
      const question = { ...draft, sha256: job.sha256 }
      const known = tables.trials.latest(question)
      if (known !== null && (!again || known.outcome === 'open')) return known
      const why = refusal()
      if (why !== null) throw why
      context.requireRoom()
      return tables.trials.get(tables.trials.open({ ...question, jobId: job.id, host: route.host }, now()))
    })
  } catch (error) {
    if (!isStorageTrouble(error)) throw error
    context.onStorageTrouble(error)
    throw new AppError(`storage_${troubleIn(error)}`, {}, { cause: error })
  }
}

/** Sends what was opened as any document is sent, stores the bytes that come, and then reads them. Returns once that is stored. */
export async function carryOut(context: Context, trial: StoredTrial, draft: Draft, job: Looked, route: Route, signal: AbortSignal): Promise<void> {
  const { tables } = context
  const sent = await sendDocument(context, job, route, { params: draft.elements, agentReference: null, mode: 'sync', callback: null }, { signal })
  await untilStored(context, signal, () => {
    if ('error' in sent) {
      tables.together(() => {
        tables.trials.setSent(trial.id, sent.bytesSent)
        conclude(context, trial, sent.error, null)
      })
      return
    }
    const { status, body, brokenOff, bytesSent } = sent.answer
    tables.trials.storeAnswer(trial.id, { httpStatus: status, body, complete: brokenOff === null }, bytesSent)
    readStored(context, tables.trials.get(trial.id), sent.answer)
  })
}

/** At a start: reads what was stored and not read; for the rest nobody knows what came of it, and where nothing is billed nobody asks. */
export function recoverTrials(context: Context): void {
  for (const trial of context.tables.trials.unfinished()) {
    if (trial.answer !== null) readStored(context, trial, { retryAfterMs: null, brokenOff: null })
    else conclude(context, trial, new AppError('interrupted'), null)
  }
}

function readStored(context: Context, trial: StoredTrial, circumstances: { retryAfterMs: number | null; brokenOff: AppError | null }): void {
  const answer = trial.answer!
  try {
    const refusal = refusalIn({ ...answer, source: 'response' }, { host: trial.host, agentReference: null }, circumstances)
    if (refusal !== null) return conclude(context, trial, refusal, null)
    const meaning = readAnswer(answer.body)
    if (meaning.kind === 'result') context.tables.trials.finish(trial.id, 'succeeded', { reason: null, tokens: meaning.tokensConsumed }, context.now())
    else if (meaning.kind === 'started') conclude(context, trial, onlyStarted(answer.body), null)
    else conclude(context, trial, meaning.error, meaning.tokensConsumed)
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    // One answer that nobody foresaw must not keep Sheaf from starting.
    conclude(context, trial, new AppError('answer_unreadable', { detail: 'Sheaf stumbled over it' }), null)
  }
}

/** Ends a trial by the error that stands in the place of values. */
function conclude({ tables, now }: Context, trial: StoredTrial, said: AppError, tokens: number | null): void {
  const error = said.code === 'internal' ? new AppError('outcome_unread', { detail: said.details['detail'] }) : said
  const { policy } = error
  if (policy === 'unknown') {
    // Where nothing is billed nothing is lost either: it is asked again when somebody wants to know.
    const bills = tables.connections.bills(trial.connectionId)
    tables.trials.finish(trial.id, bills ? 'lost' : 'returned', { reason: bills ? error : new AppError('service_interrupted'), tokens }, now())
    return
  }
  const isFinal = policy === 'fail' || policy === 'skip' || policy === 'report'
  // A file that went away in the middle of its upload never was a whole request.
  const isSent = isFinal && trial.answer !== null
  tables.trials.finish(trial.id, isSent ? 'failed' : 'returned', { reason: error, tokens }, now())
}

// enters: the bytes of an answer or a callback, or the error in their place
// leaves: the bytes stored, the result and the job's new status in one transaction, then the event
import { AppError } from '../../../shared/errors.ts'
import type { JobEvent, JobStatus } from '../../../shared/job.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import type { Attempt, NewAnswer, StoredAnswer } from '../db/attempts.ts'
import type { Job, JobChange } from '../db/jobs.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { readAnswer } from '../platform/answer.ts'
import type { ExtractionAnswer } from '../platform/answer.ts'
import { refusalOf } from '../platform/extractor.ts'
import { serviceWords } from '../platform/problem.ts'
import { retryDelayMs } from '../platform/timings.ts'
import { assess, summarise } from './assess.ts'
import type { Books } from './assess.ts'
import { together } from './context.ts'
import type { Context } from './context.ts'

type Seen = { httpStatus: number | null; bytesSent: number; tokens: number | null }
type Result = Extract<ExtractionAnswer, { kind: 'result' }>

/** What is known of a response besides its bytes: how long the service asks to wait, and why it is not whole. */
type Circumstances = { retryAfterMs: number | null; brokenOff: AppError | null }

/**
 * Stores what a service sent, then reads it. The same bytes again are read again, since the first time may have been cut
 * short; an answer to a job that has its result changes nothing. Both stay stored. Returns the error when the job went back
 * into the queue: a refusal «for now» is no answer, and its bytes are not kept.
 */
export function recordAnswer(
  context: Context,
  attempt: Attempt,
  answer: NewAnswer,
  bytesSent: number,
  circumstances: Circumstances = { retryAfterMs: null, brokenOff: null },
): AppError | null {
  const { tables, now } = context
  const refusal = refusalIn(answer, askedOf(tables.jobs.get(attempt.jobId)!, attempt), circumstances)
  if (refusal !== null && refusal.policy !== 'unknown' && refusal.policy !== 'fail') {
    return recordRefusal(context, attempt, refusal, { httpStatus: answer.httpStatus, bytesSent, tokens: null })
  }
  const id = tables.attempts.storeAnswer(answer, now())
  return actUpon(context, attempt, { ...answer, id }, refusal, bytesSent)
}

/** Who was asked: the words of a refusal name them. */
type AskedWhom = { host: string; agentReference: string | null }

function askedOf({ agentReference }: Job, { host }: Attempt): AskedWhom {
  return { host, agentReference }
}

/** Why a response is none to be read; null when it is one, as every callback is. */
export function refusalIn(answer: Pick<NewAnswer, 'source' | 'httpStatus' | 'body' | 'complete'>, { host, agentReference }: AskedWhom, { retryAfterMs, brokenOff }: Circumstances): AppError | null {
  if (answer.source === 'callback' || answer.httpStatus === null) return null
  const { body } = answer
  const refusal = refusalOf({ status: answer.httpStatus, body, retryAfterMs }, host, agentReference)
  // 422 and the like from a service that says why is a failed extraction, read like any other.
  if (refusal !== null) return refusal.code === 'service_rejected' && saysWhy(body) ? null : refusal
  // What parses completely was all here before the connection broke.
  const meaning = answer.complete ? null : readAnswer(body)
  if (meaning?.kind !== 'failed' || meaning.error.code !== 'answer_unreadable') return null
  return brokenOff ?? new AppError('connection_lost', { host })
}

/** A body in the form of an extraction failure (spec, «Other endpoints»), which `readAnswer` understands. */
function saysWhy(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
  } catch {
    return false
  }
}

/** All that follows from a stored answer, and that it was read, in one transaction. */
export function actUpon(outside: Context, attempt: Attempt, answer: StoredAnswer, refusal: AppError | null, bytesSent: number): AppError | null {
  return together(outside, (context) => {
    const { tables } = context
    const { id, httpStatus } = answer
    tables.attempts.markRead(id)
    if (refusal !== null) return recordRefusal(context, attempt, refusal, { httpStatus, bytesSent, tokens: null })
    const meaning = newsIn(context, attempt, answer)
    if (meaning === null) {
      // Its values were damaged here, and the answer that they came from is whole again.
      if (tables.jobs.get(attempt.jobId)?.reasonCode === 'result_damaged') readAgain(context, attempt.jobId)
      if (answer.source === 'callback') tellOfOther(context, attempt, readAnswer(answer.body, 'callback'))
      return null
    }
    if (meaning.kind === 'started') {
      if (attempt.mode === 'async') {
        recordAccepted(context, attempt, meaning.extractId, httpStatus ?? 200, bytesSent)
      } else {
        recordFailure(context, attempt, onlyStarted(answer.body), 'failed', { httpStatus, bytesSent, tokens: null })
      }
      return null
    }
    if (meaning.kind === 'result') recordResult(context, attempt, id, meaning, httpStatus, bytesSent)
    else recordFailure(context, attempt, meaning.error, 'failed', { httpStatus, bytesSent, tokens: meaning.tokensConsumed })
    return null
  })
}

/** What a receipt is where the values themselves were asked for. */
export function onlyStarted(body: Buffer): AppError {
  const said = serviceWords(body).text
  return new AppError('answer_unreadable', { detail: `«started» is no answer here${said === '' ? '' : `: ${said}`}` })
}

/** What an answer says where that changes anything; null where it is kept and nothing else. */
function newsIn(context: Books, attempt: Attempt, { body, source }: Pick<NewAnswer, 'body' | 'source'>): ExtractionAnswer | null {
  const { outcome } = context.tables.attempts.get(attempt.id)
  if (outcome === 'succeeded') return null
  const meaning = readAnswer(body, source)
  // After a failure only a result is news: a service may try again on its own.
  if (outcome === 'failed' && meaning.kind !== 'result') return null
  if (source === 'response') return meaning
  // A webhook that only says how far it is: the result is still to come.
  return meaning.kind === 'started' || isForAnother(context, attempt, meaning.extractId) ? null : meaning
}

/** Whether a callback for this attempt would change anything, or be the first of which a person has to say whose it is. */
export function isNews(context: Books, attempt: Attempt, body: Buffer): boolean {
  if (newsIn(context, attempt, { body, source: 'callback' }) !== null) return true
  const { status, reasonCode } = context.tables.jobs.get(attempt.jobId)!
  return status === 'waiting' && reasonCode !== 'callback_other_number' && isUnderOtherNumber(context, attempt, readAnswer(body, 'callback'))
}

/** A document that ends the service on this computer this often is left alone. */
const mostBreakdowns = 3

/**
 * Ends an attempt by the error that stands in the place of a result, as its policy says. Returns the error when the job went
 * back into the queue, for whoever decides when it goes on.
 */
export function recordRefusal(context: Context, attempt: Attempt, error: AppError, seen: Seen): AppError | null {
  const { tables } = context
  const job = tables.jobs.get(attempt.jobId)!
  const bills = tables.connections.bills(job.connectionId)
  const known = bills ? error : onThisComputer(error, tables.attempts.breakdownsInARow(job.id) + 1)
  switch (known.policy) {
    case 'unknown':
      recordFailure(context, attempt, known, 'lost', seen)
      return null
    case 'fail':
    case 'skip':
    case 'report':
      recordFailure(context, attempt, known, 'failed', seen)
      return null
    case 'retry-later':
    case 'pause-lane':
    case 'pause-connection':
    case 'pause-folder':
      recordFailure(context, attempt, known, 'returned', seen, { tries: job.tries + 1 })
      return known
  }
}

/**
 * Where nothing is billed a lost request is sent again, but not for ever. So is one whose credentials were refused: the next
 * way there has those of the service that runs then.
 */
function onThisComputer(error: AppError, breakdowns: number): AppError {
  if (error.code === 'credentials_refused' && breakdowns < mostBreakdowns) return new AppError('service_interrupted')
  if (error.policy !== 'unknown') return error
  return breakdowns >= mostBreakdowns ? new AppError('service_gave_up', { tries: breakdowns }) : new AppError('service_interrupted')
}

/** Ends an attempt without a result: `failed` for a final no, `lost` when nobody knows, `returned` when it was not taken. */
export function recordFailure(
  context: Context,
  attempt: Attempt,
  error: AppError,
  outcome: 'failed' | 'lost' | 'returned',
  seen: Seen,
  change: JobChange = {},
): void {
  const { tables } = context
  const event: JobEvent = outcome === 'failed' ? 'fail' : outcome === 'lost' ? 'lose' : 'return'
  const now = context.now()
  const status = tables.together(() => {
    if (!isOver(tables.attempts.get(attempt.id))) {
      tables.attempts.finish(attempt.id, outcome, { ...seen, code: error.code }, now)
    }
    // What was not taken has not used up its approval.
    const approval = outcome === 'returned' && attempt.approved !== null ? { resendApproved: attempt.approved } : {}
    // The job stands where its newest attempt does: what an earlier one came to says nothing of that.
    if (tables.attempts.ofJob(attempt.jobId)[0]?.id !== attempt.id) return null
    const status = tables.jobs.apply(attempt.jobId, event, { reason: { code: error.code, details: error.details }, ...approval, ...change }, now)
    return status === 'unknown' ? (resendBySetting(context, attempt.jobId) ?? status) : status
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

/** So many attempts in a row go without a person: what is lost as often will be lost again. */
const mostLosses = 3

/** The person may have said once and for all that what is lost goes again, although it may be billed twice. */
function resendBySetting({ tables, timings, now }: Context, jobId: number): JobStatus | null {
  if (!tables.settings.get().resendUnknown) return null
  const losses = lossesInARow(tables.attempts.ofJob(jobId))
  if (losses >= mostLosses) return null
  const notBefore = now() + retryDelayMs(timings, losses)
  return tables.jobs.apply(jobId, 'resubmit', { reason: { code: 'sent_again', details: {} }, notBefore, resendApproved: 'setting' }, now())
}

/** Since a person last let it go. `attempts` begin with the newest. */
function lossesInARow(attempts: Attempt[]): number {
  let losses = 0
  for (const { outcome, approved } of attempts.filter((attempt) => attempt.outcome !== 'returned')) {
    if (outcome !== 'lost') break
    losses += 1
    if (approved === 'person') break
  }
  return losses
}

function isOver(attempt: Attempt): boolean {
  return attempt.outcome === 'succeeded' || attempt.outcome === 'failed'
}

/**
 * spec, Events: «The extract_id of the webhook equals the one in the immediate response». Another one is kept, not applied;
 * and while there is no response yet, so is one for which another document waits.
 */
function isForAnother({ tables }: Books, attempt: Attempt, extractId: string | null): boolean {
  if (extractId === null) return false
  const accepted = tables.attempts.get(attempt.id).extractId
  return accepted === null ? tables.callbacks.isAwaitedByAnother(extractId, attempt.host, attempt.id) : accepted !== extractId
}

/** A result that came to the address of this attempt alone, under another number than it waits for, and that nobody else waits for. */
function isUnderOtherNumber({ tables }: Books, attempt: Attempt, meaning: ExtractionAnswer): meaning is Result {
  const { extractId } = tables.attempts.get(attempt.id)
  if (meaning.kind !== 'result' || meaning.extractId === null || extractId === null || meaning.extractId === extractId) return false
  return !tables.callbacks.isAwaitedByAnother(meaning.extractId, attempt.host, attempt.id)
}

/** It may be paid for, and only a person can say whose it is (`readAgain`). */
function tellOfOther(context: Context, attempt: Attempt, meaning: ExtractionAnswer): void {
  const { tables, now, emit } = context
  if (tables.attempts.ofJob(attempt.jobId)[0]?.id !== attempt.id || !isUnderOtherNumber(context, attempt, meaning)) return
  const status = tables.jobs.apply(attempt.jobId, 'overdue', { reason: { code: 'callback_other_number', details: {} } }, now())
  if (status !== null) emit('job.changed', { id: attempt.jobId, status })
}

/** At a start: judges what was stored and not acted upon before the process ended, as when it came. */
export function readStoredAnswers(context: Context): void {
  while (readStoredAnswer(context));
}

/** The oldest one of these; false when there is none. */
export function readStoredAnswer(context: Context): boolean {
  const { tables } = context
  const answer = tables.attempts.nextUnread()
  if (answer === null) return false
  const attempt = tables.attempts.get(answer.attemptId)
  try {
    const refusal = refusalIn(answer, askedOf(tables.jobs.get(attempt.jobId)!, attempt), { retryAfterMs: null, brokenOff: null })
    actUpon(context, attempt, answer, refusal, attempt.bytesSent)
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    giveUpReading(context, attempt, answer)
  }
  return true
}

/** One answer that nobody foresaw must not keep Sheaf from starting. Its bytes stay, for `readAgain`. */
function giveUpReading(outside: Context, attempt: Attempt, { id, httpStatus }: StoredAnswer): void {
  together(outside, (context) => {
    context.tables.attempts.markRead(id)
    if (isOver(attempt)) return
    const error = new AppError('answer_unreadable', { detail: 'Sheaf stumbled over it' })
    recordFailure(context, attempt, error, 'failed', { httpStatus, bytesSent: attempt.bytesSent, tokens: null })
  })
}

/**
 * Reads the kept answers of a document anew, without asking anybody: a newer Sheaf may understand more. The answer that its
 * result was read from stays the one that counts; where it has no result the newest answer with one does, else the newest
 * words of a failure. For what waits in vain it is the one result that came under another number. Says whether anything was
 * kept, and whether status or records are others now.
 */
export function readAgain(context: Books, jobId: number): { isKept: boolean; isChanged: boolean } {
  const { tables, now, emit } = context
  const job = tables.jobs.get(jobId)
  if (job === null) return { isKept: false, isChanged: false }
  const kept = keptMeanings(context, job)
  if (kept === null) return { isKept: false, isChanged: false }
  const status = tables.together(() => {
    // The answer that is under way is the newer one.
    if (job.status === 'submitting') return null
    const inForce = job.resultId === null ? null : tables.results.answerOf(job.resultId)
    const counted = [...kept.results, ...kept.others].find(({ answerId }) => answerId === inForce)
    const found = counted ?? (job.status === 'done' ? undefined : (kept.results[0] ?? onlyOther(job, kept)))
    if (found === undefined) return failAnew(context, job, kept.failure)
    const isSame = inForce === found.answerId && isSameResult(tables.results.get(job.resultId!), found.result)
    if (isSame && job.status === 'done') return null
    tables.attempts.reread(found.attempt.id, found.result.tokensConsumed, now())
    const resultId = isSame ? job.resultId! : insertResult(context, job, found.answerId, found.result)
    return succeed(context, job, resultId)
  })
  if (status !== null) emit('job.changed', { id: job.id, status })
  return { isKept: true, isChanged: status !== null }
}

type KeptResult = { attempt: Attempt; answerId: number; result: Result }
type Kept = { results: KeptResult[]; others: KeptResult[]; failure: AppError | null }

function onlyOther({ status }: Job, { others }: Kept): KeptResult | undefined {
  return others.length === 1 && (status === 'waiting' || status === 'unknown') ? others[0] : undefined
}

/** What the stored answers of all attempts mean, the newest first; null when there are none. */
function keptMeanings(context: Books, job: Job): Kept | null {
  const { tables } = context
  const kept: Kept = { results: [], others: [], failure: null }
  let any = false
  for (const attempt of tables.attempts.ofJob(job.id)) {
    for (const answer of tables.attempts.answers(attempt.id).reverse()) {
      any = true
      const refusal = refusalIn(answer, askedOf(job, attempt), { retryAfterMs: null, brokenOff: null })
      if (refusal?.policy === 'fail') kept.failure ??= refusal
      if (refusal !== null) continue
      const meaning = readAnswer(answer.body, answer.source)
      if (meaning.kind === 'started') continue
      if (answer.source === 'callback' && isForAnother(context, attempt, meaning.extractId)) {
        if (isUnderOtherNumber(context, attempt, meaning)) kept.others.push({ attempt, answerId: answer.id, result: meaning })
        continue
      }
      if (meaning.kind === 'result') kept.results.push({ attempt, answerId: answer.id, result: meaning })
      else kept.failure ??= meaning.error
    }
  }
  return any ? kept : null
}

function isSameResult(stored: { said: ExtractedRecord[]; sources: Result['sources'] }, { records, sources }: Result): boolean {
  return JSON.stringify([stored.said, stored.sources]) === JSON.stringify([records, sources])
}

/** Only for what failed or nobody knew about: a newer attempt may be under way, or was cancelled by a person. */
function failAnew({ tables, now }: Books, job: Job, failure: AppError | null): JobStatus | null {
  if (failure === null || (job.status !== 'failed' && job.status !== 'unknown')) return null
  const isSame = job.reasonCode === failure.code && JSON.stringify(job.reasonDetails) === JSON.stringify(failure.details)
  if (isSame && job.status === 'failed') return null
  return tables.jobs.apply(job.id, 'fail', { reason: { code: failure.code, details: failure.details } }, now())
}

function recordAccepted(context: Context, attempt: Attempt, extractId: string | null, httpStatus: number, bytesSent: number): void {
  const { tables } = context
  const status = tables.together(() => {
    // The callback can overtake the answer to the POST: then the job is settled already.
    const status = tables.jobs.apply(attempt.jobId, 'accept', {}, context.now())
    if (status !== null) tables.attempts.accept(attempt.id, extractId, httpStatus, bytesSent)
    return status
  })
  if (status === null) return
  context.emit('job.changed', { id: attempt.jobId, status })
  // A callback that overtook this answer and was held to be another document's is judged by the number that is known now.
  for (const answer of tables.attempts.answers(attempt.id)) if (answer.source === 'callback') actUpon(context, attempt, answer, null, bytesSent)
}

function recordResult(
  context: Context,
  attempt: Attempt,
  answerId: number,
  result: Result,
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
    return succeed(context, job, insertResult(context, job, answerId, result))
  })
  if (status !== null) context.emit('job.changed', { id: attempt.jobId, status })
}

function succeed(context: Books, job: Job, resultId: number): JobStatus | null {
  const status = context.tables.jobs.apply(job.id, 'succeed', { resultId }, context.now())
  if (status !== null) assess(context, job.id, { before: job.resultId })
  return status
}

function insertResult({ tables, now }: Books, job: Job, answerId: number, result: Result): number {
  const { records, sources, durationMs, tokensConsumed } = result
  const summary = summarise(records, tables.schemas.elementsOf(job.schemaVersionId))
  return tables.results.insert({ jobId: job.id, answerId, records, sources, summary, durationMs, tokensConsumed }, now())
}

// enters: a queued job whose turn it is
// leaves: its attempt committed before the first byte, and what came of it handed to record
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import { asyncThresholdBytes } from '../../../shared/limits.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { Attempt, NewAnswer } from '../db/attempts.ts'
import type { Job } from '../db/jobs.ts'
import { isPassing } from '../db/storage-trouble.ts'
import type { Route, WayBack } from '../platform/connect.ts'
import type { HttpAnswer } from '../platform/http.ts'
import { fileError } from '../platform/upload.ts'
import { together } from './context.ts'
import type { Context } from './context.ts'
import { identify } from './identify.ts'
import { candidateAt, duplicateOf, mayStandFor, refuseByName, releaseCopies, renewContent } from './intake.ts'
import { recordAnswer, recordRefusal } from './record.ts'

const base64Growth = 4 / 3
/** Progress is told in steps of this share, so that a large file is not a flood of events. */
const progressStep = 0.02

/**
 * What the queue has to know. `passed`: the service answered; `lost`: it may have the document, and nobody knows what came of
 * it; `settled`: it never got there; `again` carries the error that says when and whether the lane goes on.
 */
export type Outcome = { kind: 'passed' | 'lost' | 'settled' | 'held' } | { kind: 'again'; error: AppError; concerns: 'file' | 'connection' }

/** `mayBegin` is asked when the request is about to leave; `signal` aborts at shutdown. */
export type Permission = { mayBegin: () => boolean; signal: AbortSignal }

/**
 * Sends one job; every end is a recorded status. What was already on its way at a shutdown is
 * `unknown`, or queued again where nothing is billed. Throws only what no stage expects, before anything is sent.
 */
export async function extractJob(context: Context, job: Job, route: Route, { mayBegin, signal }: Permission): Promise<Outcome> {
  const known = await ensureCurrent(context, job)
  if (known === null) return { kind: 'settled' }
  if (known instanceof AppError) return { kind: 'again', error: known, concerns: 'file' }

  const way = await wayFor(known, route)
  if (way instanceof AppError) return { kind: 'again', error: way, concerns: 'file' }
  // A process that ends while it waits for a token has no attempt, so its document is simply queued.
  if (route.bills) await route.extractor.ready(signal)
  const attempt = openAttempt(context, job, route, way, mayBegin)
  if (attempt === 'held') return { kind: 'held' }
  if (attempt === 'unapproved') {
    settle(context, job.id, 'lose', new AppError('resend_unapproved'))
    return { kind: 'settled' }
  }
  if (attempt === null) return { kind: 'settled' }
  const asked = { ...attempt, params: known.agentReference === null ? context.tables.schemas.elementsOf(known.schemaVersionId) : null, agentReference: known.agentReference }
  const sent = await sendDocument(context, known, route, asked, { signal, onShare: (share) => context.emit('job.progress', { id: known.id, sent: share }) })
  // The answer may be paid for: it is held here until it can be stored.
  const back = await untilStored(context, signal, () =>
    'answer' in sent
      ? recordAnswer(context, attempt, answerOf(attempt, sent.answer), sent.answer.bytesSent, sent.answer)
      : recordRefusal(context, attempt, sent.error, { httpStatus: null, bytesSent: sent.bytesSent, tokens: null }),
  )
  if ('error' in sent && sent.error.code === 'file_missing') releaseCopies(context, job.id)
  if (back !== null) return { kind: 'again', error: back, concerns: isAboutFile(back.code) ? 'file' : 'connection' }
  // The job may be queued again by a setting of the person: the attempt says what came of it.
  if (context.tables.attempts.get(attempt.id).outcome === 'lost') return { kind: 'lost' }
  return { kind: 'answer' in sent ? 'passed' : 'settled' }
}

function answerOf(attempt: Attempt, { status, contentType, body, brokenOff }: HttpAnswer): NewAnswer {
  return { attemptId: attempt.id, source: 'response', httpStatus: status, contentType, body, complete: brokenOff === null }
}

export type Sent = { answer: HttpAnswer } | { error: AppError; bytesSent: number }

/** What is asked of a document: by these fields or those of an agent, and where the answer shall come. */
export type Asked = { params: SchemaElement[] | null; agentReference: string | null; mode: 'sync' | 'async'; callback: string | null }

/**
 * Sends the file of a job as it is known there; `onShare` hears how much of it has left, 0..1. Never throws: what no answer came
 * for is the error that says why, and `signal` breaks it off.
 */
export async function sendDocument(
  context: Context,
  job: Job,
  route: Route,
  { params, agentReference, mode, callback }: Asked,
  { signal, onShare }: { signal: AbortSignal; onShare?: (share: number) => void },
): Promise<Sent> {
  let bytesSent = 0
  let shown = 0
  try {
    const answer = await route.extractor.send({
      file: { files: context.files, path: job.path, name: job.name, sizeBytes: job.sizeBytes, mtimeMs: job.mtimeMs, sha256: job.sha256 },
      params,
      agentReference,
      callback,
      timeoutMs: mode === 'sync' ? context.timings.syncAnswerMs : context.timings.asyncAnswerMs,
      stallMs: context.timings.stallMs,
      signal,
      onSent: (bytes) => {
        bytesSent = bytes
        const share = Math.min(1, bytes / (job.sizeBytes * base64Growth))
        if (share - shown < progressStep) return
        shown = share
        onShare?.(share)
      },
    })
    return { answer }
  } catch (error) {
    return { error: await offlineOr(context, job, toAppError(error)), bytesSent }
  }
}

/** Stores what may be paid for, as soon as that is possible. Throws when `signal` ends the wait, and what is no trouble of the storage. */
export async function untilStored<T>(context: Context, signal: AbortSignal, store: () => T): Promise<T> {
  for (;;) {
    try {
      return store()
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error
      context.onStorageTrouble(error)
      await new Promise((resolve) => setTimeout(resolve, context.timings.storageRetryMs))
    }
  }
}

type Way = { mode: 'sync'; back: null } | { mode: 'async'; back: WayBack }
type Opened = Attempt & { callback: string | null }

/** spec, Limits: asynchronous above 20 MB, when the answer has a way back; a folder can force either. */
async function wayFor(job: Job, route: Route): Promise<Way | AppError> {
  const sync: Way = { mode: 'sync', back: null }
  if (job.mode === 'sync' || (job.mode === 'auto' && job.sizeBytes <= asyncThresholdBytes)) return sync
  const back = await route.wayBack()
  if (!(back instanceof AppError)) return { mode: 'async', back }
  return job.mode === 'async' ? new AppError('no_callback') : sync
}

/**
 * The job as its file is now: refused by the rules of intake as any other (a person may have asked for it again), its
 * content known, and no copy of another job. Null when that settled it; the error when the file cannot be read for now.
 */
async function ensureCurrent(context: Context, job: Job): Promise<Job | AppError | null> {
  const { tables } = context
  try {
    // A person asked for it again while its file is on the way to its folder of outcomes.
    if (tables.places.isMoving(job)) throw new AppError('file_unreadable', { file: job.name, detail: 'EBUSY' })
    const stats = await context.files.lstat(job.path).catch((error: unknown) => Promise.reject(fileError(error, job.name)))
    const candidate = candidateAt(job.path, stats)
    const refusal = refuseByName(job.name, candidate)
    if (refusal !== null) throw new AppError(refusal.code, refusal.details)
    if (job.agentReference === null && tables.schemas.elementsOf(job.schemaVersionId).length === 0) throw new AppError('schema_damaged')
    const changed = candidate.sizeBytes !== job.sizeBytes || candidate.mtimeMs !== job.mtimeMs
    if (job.sha256 === null || changed || job.reasonCode === 'file_changed') {
      const identity = await identify(context.files, job.path, job.name)
      if (!mayStandFor(context, job, identity.sha256)) throw new AppError('file_replaced')
      together(context, (inside) => renewContent(inside, job, identity))
    }
    const current = tables.jobs.get(job.id)!
    const twin = tables.jobs.findTwin({ ...current, sha256: current.sha256! }, job.id)
    if (twin === null) return current
    const duplicate = duplicateOf(context, twin)
    settle(context, job.id, 'skip', new AppError(duplicate.code, duplicate.details), twin.id)
    return null
  } catch (error) {
    const problem = await offlineOr(context, job, toAppError(error))
    if (problem.code === 'internal') throw error
    if (problem.policy === 'retry-later') return problem
    settle(context, job.id, problem.policy === 'skip' ? 'skip' : 'fail', problem)
    return null
  }
}

/** A file that is gone or locked, or a whole folder that is out of reach: then its files are not missing. */
export async function offlineOr(context: Pick<Context, 'tables' | 'files'>, job: Job, problem: AppError): Promise<AppError> {
  if (problem.code !== 'file_missing' && problem.code !== 'file_unreadable') return problem
  const folder = context.tables.folders.get(job.folderId)
  if (folder === null || folder.kind === 'batch') return problem
  const isThere = await context.files.stat(folder.path).then(() => true, () => false)
  return isThere ? problem : new AppError('folder_offline')
}

function settle(context: Context, id: number, event: 'skip' | 'fail' | 'lose', error: AppError, originalJobId?: number): void {
  const change = { reason: { code: error.code, details: error.details }, ...(originalJobId === undefined ? {} : { originalJobId }) }
  const status = context.tables.jobs.apply(id, event, change, context.now())
  if (status !== null) context.emit('job.changed', { id, status })
  // What ends it here is about its file, not about what that holds.
  if (status !== null && event !== 'lose') releaseCopies(context, id)
}

/** `picked` is the job as it was when the way for it was looked up. */
function openAttempt(context: Context, picked: Job, route: Route, way: Way, mayBegin: () => boolean): Opened | 'held' | 'unapproved' | null {
  const { tables } = context
  const attempt = tables.together(() => {
    const job = tables.jobs.get(picked.id)!
    // Its folder may have been given another connection or agent meanwhile: then it waits for the way to that one.
    if (job.connectionId !== picked.connectionId || job.agentReference !== picked.agentReference || job.mode !== picked.mode) return 'held'
    // Sending may have been paused.
    if (!mayBegin()) return 'held'
    // Since it was picked midnight may have passed, or the cap been lowered: what counts is when it begins.
    if (!context.cap.admits(job)) return 'held'
    // Whatever put it into the queue: nobody said that it may be billed twice.
    if (route.bills && job.status === 'queued' && job.resendApproved === null && tables.attempts.mayBeBilled(job.id)) return 'unapproved'
    context.requireRoom()
    // What its result would have come back over may be gone: then it waits for the way that there is now.
    const back = way.back?.()
    if (back === null) return 'held'
    // A person may have cancelled it since it was picked.
    if (tables.jobs.apply(job.id, 'submit', { tries: job.tries }, context.now()) === null) return null
    const earlier = tables.attempts.ofJob(job.id).find(({ outcome }) => outcome !== 'returned')
    const resend = earlier === undefined ? null : { of: earlier.id, approved: route.bills ? job.resendApproved : null }
    const id = tables.attempts.open(job.id, way.mode, route.host, back?.token ?? null, context.now(), resend)
    return { ...tables.attempts.get(id), callback: back?.address ?? null }
  })
  if (attempt !== null && typeof attempt === 'object') context.emit('job.changed', { id: picked.id, status: 'submitting' })
  return attempt
}

export function isAboutFile(code: ErrorCode): boolean {
  return code === 'file_unreadable' || code === 'file_changed' || code === 'folder_offline' || code === 'no_callback'
}

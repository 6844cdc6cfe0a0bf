// enters: a queued job whose turn it is
// leaves: its attempt committed before the first byte, and what came of it handed to record
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { ErrorCode } from '../../../shared/errors.ts'
import { asyncThresholdBytes } from '../../../shared/limits.ts'
import type { Attempt } from '../db/attempts.ts'
import type { Job } from '../db/jobs.ts'
import { refusalOf } from '../platform/extractor.ts'
import type { Route } from '../platform/connect.ts'
import type { HttpAnswer } from '../platform/http.ts'
import { fileError } from '../platform/upload.ts'
import type { Context } from './context.ts'
import { identify } from './identify.ts'
import { candidateAt, duplicateOf, refuseByName } from './intake.ts'
import { recordAnswer, recordFailure } from './record.ts'

const base64Growth = 4 / 3
/** Progress is told in steps of this share, so that a large file is not a flood of events. */
const progressStep = 0.02

/** What the queue has to know: `again` carries the error that says when and whether the lane goes on. */
export type Outcome = { kind: 'settled' } | { kind: 'held' } | { kind: 'again'; error: AppError; concerns: 'file' | 'connection' }

/**
 * Sends one job; every end is a recorded status. `signal` aborts at shutdown; what was already on its way is then
 * `unknown`, or queued again where nothing is billed. Throws only what no stage expects, before anything is sent.
 */
export async function extractJob(context: Context, job: Job, route: Route, signal: AbortSignal): Promise<Outcome> {
  const known = await ensureCurrent(context, job)
  if (known === null) return { kind: 'settled' }
  if (known instanceof AppError) return { kind: 'again', error: known, concerns: 'file' }

  const way = wayFor(known, route)
  if (way instanceof AppError) {
    settle(context, known.id, 'fail', way)
    return { kind: 'settled' }
  }
  const attempt = openAttempt(context, job, route, way)
  if (attempt === 'held') return { kind: 'held' }
  if (attempt === null) return { kind: 'settled' }
  const sent = await send(context, known, route, way, signal)
  // The answer may be paid for: it is held here until there is room to store it.
  return untilStored(context, signal, () =>
    'answer' in sent
      ? answered(context, known, attempt, route, sent.answer)
      : refused(context, known, attempt, route, sent.error, { httpStatus: null, bytesSent: sent.bytesSent, tokens: null }),
  )
}

type Sent = { answer: HttpAnswer } | { error: AppError; bytesSent: number }

async function send(context: Context, job: Job, route: Route, way: Way, signal: AbortSignal): Promise<Sent> {
  let bytesSent = 0
  let shown = 0
  try {
    const answer = await route.extractor.send({
      file: { path: job.path, name: job.name, sizeBytes: job.sizeBytes, mtimeMs: job.mtimeMs, sha256: job.sha256 },
      params: job.agentReference === null ? context.tables.schemas.elementsOf(job.schemaVersionId) : null,
      agentReference: job.agentReference,
      callback: way.callback,
      signal,
      onSent: (bytes) => {
        bytesSent = bytes
        const share = Math.min(1, bytes / (job.sizeBytes * base64Growth))
        if (share - shown < progressStep) return
        shown = share
        context.emit('job.progress', { id: job.id, sent: share })
      },
    })
    return { answer }
  } catch (error) {
    return { error: toAppError(error), bytesSent }
  }
}

const storageRetryMs = 2000

async function untilStored(context: Context, signal: AbortSignal, store: () => Outcome): Promise<Outcome> {
  for (;;) {
    try {
      return store()
    } catch (error) {
      if (!isStorageTrouble(error) || signal.aborted) throw error
      context.onStorageTrouble()
      await new Promise((resolve) => setTimeout(resolve, storageRetryMs))
    }
  }
}

/** A full or read-only disk: SQLite's codes (sqlite.org/rescode.html) and the file system's. */
export function isStorageTrouble(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(SQLITE_FULL|SQLITE_READONLY|SQLITE_IOERR|ENOSPC|EROFS|EDQUOT)/.test(code)
}

type Way = { mode: 'sync' | 'async'; callback: string | null; token: string | null }

/** spec, Limits: asynchronous above 20 MB, when the answer has a way back; a folder can force either. */
function wayFor(job: Job, route: Route): Way | AppError {
  const sync: Way = { mode: 'sync', callback: null, token: null }
  if (job.mode === 'sync' || (job.mode === 'auto' && job.sizeBytes <= asyncThresholdBytes)) return sync
  const token = randomBytes(32).toString('base64url')
  const callback = route.callbackAddress(token)
  if (callback !== null) return { mode: 'async', callback, token }
  return job.mode === 'async' ? new AppError('no_callback') : sync
}

/**
 * The job as its file is now: refused by the rules of intake as any other (a person may have asked for it again), its
 * content known, and no copy of another job. Null when that settled it; the error when the file cannot be read for now.
 */
async function ensureCurrent(context: Context, job: Job): Promise<Job | AppError | null> {
  const { tables } = context
  try {
    const candidate = candidateAt(job.path, await lstat(job.path).catch((error: unknown) => Promise.reject(missingOr(context, job, error))))
    const refusal = refuseByName(job.name, candidate)
    if (refusal !== null) throw new AppError(refusal.code, refusal.details)
    const changed = candidate.sizeBytes !== job.sizeBytes || candidate.mtimeMs !== job.mtimeMs
    if (job.sha256 === null || changed) {
      const identity = await identify(job.path, job.name)
      tables.jobs.replaceContent(job.id, identity.sizeBytes, identity.mtimeMs, identity.sha256)
    }
    const current = tables.jobs.get(job.id)!
    const twin = tables.jobs.findTwin({ ...current, sha256: current.sha256! }, job.id)
    if (twin === null) return current
    const duplicate = duplicateOf(twin)
    settle(context, job.id, 'skip', new AppError(duplicate.code, duplicate.details), twin.id)
    return null
  } catch (error) {
    const problem = toAppError(error)
    if (problem.code === 'internal') throw error
    if (problem.policy === 'retry-later') return problem
    settle(context, job.id, problem.policy === 'skip' ? 'skip' : 'fail', problem)
    return null
  }
}

/** A file that is gone, or a whole folder that is out of reach: then its files are not missing. */
function missingOr(context: Context, job: Job, error: unknown): AppError {
  const problem = fileError(error, job.name)
  const folder = context.tables.folders.get(job.folderId)
  const offline = problem.code === 'file_missing' && folder !== null && folder.kind !== 'batch' && !existsSync(folder.path)
  return offline ? new AppError('folder_offline') : problem
}

function settle(context: Context, id: number, event: 'skip' | 'fail', error: AppError, originalJobId?: number): void {
  const change = { reason: { code: error.code, details: error.details }, ...(originalJobId === undefined ? {} : { originalJobId }) }
  const status = context.tables.jobs.apply(id, event, change, context.now())
  if (status !== null) context.emit('job.changed', { id, status })
}

/** `picked` is the job as it was when the way for it was looked up. */
function openAttempt(context: Context, picked: Job, route: Route, way: Way): Attempt | 'held' | null {
  const { tables } = context
  const attempt = tables.together(() => {
    const job = tables.jobs.get(picked.id)!
    // Its folder may have been given another connection or agent meanwhile: then it waits for the way to that one.
    if (job.connectionId !== picked.connectionId || job.agentReference !== picked.agentReference || job.mode !== picked.mode) return 'held'
    // Since it was picked midnight may have passed, or the cap been lowered: what counts is when it begins.
    if (!context.cap.admits(job)) return 'held'
    // A person may have cancelled it since it was picked.
    if (tables.jobs.apply(job.id, 'submit', { tries: job.tries }, context.now()) === null) return null
    return tables.attempts.get(tables.attempts.open(job.id, way.mode, route.host, way.token, context.now()))
  })
  if (attempt !== null && attempt !== 'held') context.emit('job.changed', { id: picked.id, status: 'submitting' })
  return attempt
}

function answered(context: Context, job: Job, attempt: Attempt, route: Route, answer: HttpAnswer): Outcome {
  const seen = { httpStatus: answer.status, bytesSent: answer.bytesSent, tokens: null }
  const raw = {
    attemptId: attempt.id,
    source: 'response' as const,
    httpStatus: answer.status,
    contentType: answer.contentType,
    body: answer.body,
  }
  const refusal = refusalOf(answer, route.host, job.agentReference)
  // 422 and the like from a service that says why is a failed extraction, read like any other.
  if (refusal === null || (refusal.code === 'service_rejected' && saysWhy(answer))) {
    recordAnswer(context, attempt, raw, answer.bytesSent)
    return { kind: 'settled' }
  }
  if (refusal.policy === 'unknown' || refusal.policy === 'fail') context.tables.attempts.storeAnswer(raw, context.now())
  return refused(context, job, attempt, route, refusal, seen)
}

/** A body in the form of an extraction failure (spec, «Other endpoints»), which `readAnswer` understands. */
function saysWhy(answer: HttpAnswer): boolean {
  try {
    const body: unknown = JSON.parse(answer.body.toString('utf8'))
    return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'
  } catch {
    return false
  }
}

/** A document that ends the service on this computer this often is left alone. */
const mostInterruptions = 3

function refused(
  context: Context,
  job: Job,
  attempt: Attempt,
  route: Route,
  error: AppError,
  seen: { httpStatus: number | null; bytesSent: number; tokens: null },
): Outcome {
  const tries = job.tries + 1
  const known = route.bills ? error : onThisComputer(error, tries)
  switch (known.policy) {
    case 'unknown':
      recordFailure(context, attempt, known, 'lost', seen)
      return { kind: 'settled' }
    case 'fail':
    case 'skip':
    case 'report':
      recordFailure(context, attempt, known, 'failed', seen)
      return { kind: 'settled' }
    case 'retry-later':
    case 'pause-lane':
    case 'pause-connection':
    case 'pause-folder': {
      recordFailure(context, attempt, known, 'returned', seen, { tries })
      return { kind: 'again', error: known, concerns: isAboutFile(known.code) ? 'file' : 'connection' }
    }
  }
}

/**
 * Where nothing is billed a lost request is sent again, but not for ever. So is one whose credentials were refused: the next
 * way there has those of the service that runs then.
 */
function onThisComputer(error: AppError, tries: number): AppError {
  if (error.code === 'credentials_refused' && tries < mostInterruptions) return new AppError('service_interrupted')
  if (error.policy !== 'unknown') return error
  return tries >= mostInterruptions ? new AppError('service_gave_up', { tries }) : new AppError('service_interrupted')
}

export function isAboutFile(code: ErrorCode): boolean {
  return code === 'file_unreadable' || code === 'file_changed' || code === 'folder_offline'
}

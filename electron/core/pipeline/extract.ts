// enters: a queued job whose turn it is
// leaves: its attempt committed before the first byte, and what came of it handed to record
import { randomBytes } from 'node:crypto'
import { AppError, toAppError } from '../../../shared/errors.ts'
import { asyncThresholdBytes } from '../../../shared/limits.ts'
import type { Attempt } from '../db/attempts.ts'
import type { Job } from '../db/jobs.ts'
import { refusalOf } from '../platform/extractor.ts'
import type { Route } from '../platform/connect.ts'
import type { HttpAnswer } from '../platform/http.ts'
import type { Context } from './context.ts'
import { identify } from './identify.ts'
import { duplicateOf } from './intake.ts'
import { recordAnswer, recordFailure } from './record.ts'

const base64Growth = 4 / 3
/** Progress is told in steps of this share, so that a large file is not a flood of events. */
const progressStep = 0.02

/** What the queue has to know: `again` carries the error that says when and whether the lane goes on. */
export type Outcome = { kind: 'settled' } | { kind: 'again'; error: AppError; concerns: 'file' | 'connection' }

/**
 * Sends one job. Never throws: every end is a recorded status. `signal` aborts at shutdown; what was already
 * on its way is then `unknown`, or queued again where nothing is billed.
 */
export async function extractJob(context: Context, job: Job, route: Route, signal: AbortSignal): Promise<Outcome> {
  const known = await ensureIdentified(context, job)
  if (known === null) return { kind: 'settled' }
  if (known instanceof AppError) return { kind: 'again', error: known, concerns: 'file' }

  const way = wayFor(known, route)
  if (way instanceof AppError) {
    settle(context, known.id, 'fail', way)
    return { kind: 'settled' }
  }
  const attempt = openAttempt(context, known, route, way)
  if (attempt === null) return { kind: 'settled' }

  let bytesSent = 0
  let shown = 0
  try {
    const answer = await route.extractor.send({
      file: { path: known.path, name: known.name, sizeBytes: known.sizeBytes, mtimeMs: known.mtimeMs, sha256: known.sha256 },
      params: known.agentReference === null ? context.tables.schemas.elementsOf(known.schemaVersionId) : null,
      agentReference: known.agentReference,
      callback: way.callback,
      signal,
      onSent: (bytes) => {
        bytesSent = bytes
        const share = Math.min(1, bytes / (known.sizeBytes * base64Growth))
        if (share - shown < progressStep) return
        shown = share
        context.emit('job.progress', { id: known.id, sent: share })
      },
    })
    return answered(context, known, attempt, route, answer)
  } catch (error) {
    return refused(context, attempt, route, toAppError(error), { httpStatus: null, bytesSent })
  }
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

/** The job with its content known; null when that settled it; the error when the file cannot be read for now. */
async function ensureIdentified(context: Context, job: Job): Promise<Job | AppError | null> {
  if (job.sha256 !== null) return job
  const { tables } = context
  try {
    const identity = await identify(job.path, job.name)
    tables.jobs.replaceContent(job.id, identity.sizeBytes, identity.mtimeMs, identity.sha256)
    const twin = tables.jobs.findTwin(identity.sha256, job.schemaVersionId, job.connectionId, job.agentReference)
    if (twin === null || twin.id === job.id) return tables.jobs.get(job.id)!
    const duplicate = duplicateOf(twin)
    settle(context, job.id, 'skip', new AppError(duplicate.code, duplicate.details))
    return null
  } catch (error) {
    const problem = toAppError(error)
    if (problem.policy === 'retry-later') return problem
    settle(context, job.id, problem.policy === 'skip' ? 'skip' : 'fail', problem)
    return null
  }
}

function settle(context: Context, id: number, event: 'skip' | 'fail', error: AppError): void {
  const status = context.tables.jobs.apply(id, event, { reason: { code: error.code, details: error.details } }, context.now())
  if (status !== null) context.emit('job.changed', { id, status })
}

function openAttempt(context: Context, job: Job, route: Route, way: Way): Attempt | null {
  const { tables } = context
  const attempt = tables.together(() => {
    // A person may have cancelled it since it was picked.
    if (tables.jobs.apply(job.id, 'submit', { tries: job.tries }, context.now()) === null) return null
    return tables.attempts.get(tables.attempts.open(job.id, way.mode, route.host, way.token, context.now()))
  })
  if (attempt !== null) context.emit('job.changed', { id: job.id, status: 'submitting' })
  return attempt
}

function answered(context: Context, job: Job, attempt: Attempt, route: Route, answer: HttpAnswer): Outcome {
  const seen = { httpStatus: answer.status, bytesSent: answer.bytesSent }
  const raw = {
    attemptId: attempt.id,
    source: 'response' as const,
    httpStatus: answer.status,
    contentType: answer.contentType,
    body: answer.body,
  }
  const refusal = refusalOf(answer, route.host, job.agentReference)
  // 422 and the like from a service that speaks our codes is a failed extraction, read like any other.
  if (refusal === null || refusal.code === 'service_rejected') {
    if (refusal !== null && !saysWhy(answer)) return refused(context, attempt, route, refusal, seen)
    recordAnswer(context, attempt, raw, answer.bytesSent)
    return { kind: 'settled' }
  }
  if (refusal.policy === 'unknown' || refusal.policy === 'fail') context.tables.attempts.storeAnswer(raw, context.now())
  return refused(context, attempt, route, refusal, seen)
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

function refused(
  context: Context,
  attempt: Attempt,
  route: Route,
  error: AppError,
  seen: { httpStatus: number | null; bytesSent: number },
): Outcome {
  const policy = error.policy
  if (policy === 'unknown' && route.bills) {
    recordFailure(context, attempt, error, 'lost', seen)
    return { kind: 'settled' }
  }
  if (policy === 'fail' || policy === 'skip' || policy === 'report') {
    recordFailure(context, attempt, error, 'failed', seen)
    return { kind: 'settled' }
  }
  const tries = context.tables.jobs.get(attempt.jobId)!.tries + 1
  recordFailure(context, attempt, error, 'returned', seen, { tries })
  const concerns = error.code === 'file_unreadable' || error.code === 'file_changed' ? 'file' : 'connection'
  return { kind: 'again', error, concerns }
}

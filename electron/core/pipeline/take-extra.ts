// enters: a document of which a person wants something else extracted as well
// leaves: a job of its own for that, beside the first one: `queued`, or `skipped` as a copy of one that was asked the same
import { AppError, toAppError } from '../../../shared/errors.ts'
import { isWithoutResult } from '../../../shared/job.ts'
import type { Job, Question } from '../db/jobs.ts'
import { fileError } from '../platform/upload.ts'
import { restore } from './bin.ts'
import type { Context } from './context.ts'
import { offlineOr } from './extract.ts'
import { identify } from './identify.ts'
import type { Identity } from './identify.ts'
import { candidateAt, duplicateOf, refuseByName } from './intake.ts'

/** `known`: the same was asked of this very file, and its job is the answer. */
export type Extra = { kind: 'queued' | 'linked' | 'known'; id: number }

type Books = Pick<Context, 'tables' | 'files'>

/**
 * The version of its file that a document stands for, if that can be sent. It is read only where it may be another one. Throws
 * what keeps it from being sent: the reasons of intake, `file_missing`, `file_replaced`, `folder_offline`, `file_unreadable`.
 */
export async function versionOf(context: Books, job: Job): Promise<Identity> {
  const refusal = job.reasonCode === 'own_export' ? { code: job.reasonCode, details: {} } : null
  if (refusal !== null) throw new AppError(refusal.code, refusal.details)
  try {
    requireStill(context, job)
    const stats = await context.files.lstat(job.path).catch((error: unknown) => Promise.reject(fileError(error, job.name)))
    const candidate = candidateAt(job.path, stats)
    const refused = refuseByName(job.name, candidate)
    if (refused !== null) throw new AppError(refused.code, refused.details)
    const { sizeBytes, mtimeMs, sha256 } = job
    if (sha256 !== null && candidate.sizeBytes === sizeBytes && candidate.mtimeMs === mtimeMs) return { sizeBytes, mtimeMs, sha256 }
    const identity = await identify(context.files, job.path, job.name)
    if (sha256 !== null && !identity.sha256.equals(sha256)) throw new AppError('file_replaced')
    return identity
  } catch (error) {
    throw await offlineOr(context, job, toAppError(error))
  }
}

/** Its file may be on the way to its folder of outcomes. */
function requireStill({ tables }: Pick<Context, 'tables'>, job: Job): void {
  if (tables.places.isMoving(job)) throw new AppError('file_unreadable', { file: job.name, detail: 'EBUSY' })
}

/**
 * Makes the job, in a transaction of the caller. What was asked before is not asked again: of this file its job stands for it,
 * sent once more only where it ended and nothing can have been billed; of another file with the same content it is a copy.
 * What a person put into the bin is wanted again.
 */
export function storeExtra({ tables, now, emit }: Pick<Context, 'tables' | 'now' | 'emit'>, job: Job, version: Identity, asked: Omit<Question, 'agentReference'>): Extra {
  requireStill({ tables }, job)
  const question = { ...asked, agentReference: null, sha256: version.sha256 }
  const twin = tables.jobs.findTwin(question)
  const here = twin !== null && twin.folderId === job.folderId && twin.path === job.path ? twin : tables.jobs.extraAt(job, question)
  if (here !== null) {
    const isFree = isWithoutResult(here.status) && twin === null && !tables.attempts.mayBeBilled(here.id)
    if (here.inBin) restore({ tables, now, emit }, here)
    if (isFree) tables.jobs.apply(here.id, 'resubmit', {}, now())
    const { status } = tables.jobs.get(here.id)!
    const goes = status === 'queued' && here.status !== status
    if (goes) emit('job.changed', { id: here.id, status })
    return { kind: goes ? 'queued' : 'known', id: here.id }
  }
  const id = tables.jobs.insert(
    {
      ...asked,
      ...version,
      folderId: job.folderId,
      agentReference: null,
      mode: 'auto',
      path: job.path,
      name: job.name,
      extra: true,
      status: twin === null ? 'queued' : 'skipped',
      reason: twin === null ? null : duplicateOf({ tables }, twin),
      originalJobId: twin?.id ?? null,
    },
    now(),
  )
  emit('job.changed', { id, status: twin === null ? 'queued' : 'skipped' })
  return { kind: twin === null ? 'queued' : 'linked', id }
}

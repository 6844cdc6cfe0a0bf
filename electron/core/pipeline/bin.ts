// enters: a document that a person wants out of sight, or back
// leaves: the same document in the bin or in the lists again; its file, its result and its attempts are where they were
import type { Job } from '../db/jobs.ts'
import { assess } from './assess.ts'
import type { Context } from './context.ts'
import { releaseCopies } from './intake.ts'

type Books = Pick<Context, 'tables' | 'now' | 'emit'>

/**
 * Puts a document into the bin; false (and nothing changed) while a service has it, since its answer is to be seen. What was to be
 * sent is not. In a transaction of the caller.
 */
export function moveToBin(context: Books, job: Job): boolean {
  const { tables, now } = context
  if (job.status === 'submitting' || job.status === 'waiting') return false
  if (job.inBin) return true
  const isWithdrawn = job.status === 'queued'
  if (isWithdrawn) tables.jobs.apply(job.id, 'cancel', { reason: { code: 'binned', details: {} } }, now())
  tables.jobs.setInBin(job.id, true)
  // What was taken for copies of it would wait for nothing.
  if (isWithdrawn && !tables.attempts.wasSent(job.id)) releaseCopies(context, job.id)
  tell(context, job.id)
  return true
}

/** Takes a document out of the bin; what waited for its turn when it was put there waits for it again. As `moveToBin`. */
export function restore(context: Books, job: Job): void {
  const { tables, now } = context
  if (!job.inBin) return
  tables.jobs.setInBin(job.id, false)
  const wasQueued = job.status === 'cancelled' && job.reasonCode === 'binned'
  if ((wasQueued && hasWay(context, job) && !tables.attempts.mayBeBilled(job.id)) || isCopyOfAnother(context, job)) tables.jobs.apply(job.id, 'resubmit', {}, now())
  tell(context, job.id)
}

/** Where it would go may be gone. */
function hasWay({ tables }: Books, job: Job): boolean {
  const connectionId = job.extra ? job.connectionId : tables.folders.get(job.folderId)?.connectionId
  return tables.connections.list().some(({ id }) => id === connectionId)
}

/** Its original stands for other content by now: it is looked at anew, as it would have been. */
function isCopyOfAnother({ tables }: Books, job: Job): boolean {
  const original = job.status === 'skipped' && job.originalJobId !== null ? tables.jobs.get(job.originalJobId) : null
  return original !== null && (original.sha256 === null || job.sha256 === null || !original.sha256.equals(job.sha256))
}

function tell(context: Books, id: number): void {
  // Another document may be the first with a value now.
  if (context.tables.reviews.sharing(id).length > 0) assess(context, id)
  context.emit('job.changed', { id, status: context.tables.jobs.get(id)!.status })
}

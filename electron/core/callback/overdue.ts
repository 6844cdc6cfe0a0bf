import { AppError } from '../../../shared/errors.ts'
import type { Awaited } from '../db/callbacks.ts'
import type { Context } from '../pipeline/context.ts'
import { recordFailure } from '../pipeline/record.ts'

/**
 * In so many looks in a row a result has to be missing before it is given up: after a start, after a sleep, and when the
 * clock jumped, what waits in a mailbox or with the service has this time to come.
 */
const looksBeforeLost = 10

/**
 * Looks after documents whose result is to come later. After a day one is named overdue, and goes on waiting; the label
 * follows the clock, also back. After thirty days its outcome is unknown. A result that comes then is taken all the same.
 */
export class OverduePatrol {
  readonly #context: Context
  /** job → how often in a row its result was found missing for good. */
  #missing = new Map<number, number>()

  constructor(context: Context) {
    this.#context = context
  }

  /** True when something changed. */
  look(): boolean {
    return this.#label() + this.#giveUp() > 0
  }

  /** The number of documents whose label changed. */
  #label(): number {
    const { tables, timings, now, emit } = this.#context
    const until = now() - timings.overdueMs
    const [late, early] = [tables.callbacks.newlyOverdue(until), tables.callbacks.noLongerOverdue(until)]
    if (late.length + early.length === 0) return 0
    tables.together(() => {
      for (const { jobId } of late) tables.jobs.apply(jobId, 'overdue', { reason: { code: 'callback_overdue', details: {} } }, now())
      for (const { jobId } of early) tables.jobs.apply(jobId, 'overdue', { reason: null }, now())
    })
    for (const { jobId } of [...late, ...early]) emit('job.changed', { id: jobId, status: 'waiting' })
    return late.length + early.length
  }

  /** The number of documents that were given up. */
  #giveUp(): number {
    const { tables, timings, now } = this.#context
    const awaited = tables.callbacks.awaitedSince(now() - timings.callbackWindowMs)
    const looks = new Map(awaited.map(({ jobId }) => [jobId, (this.#missing.get(jobId) ?? 0) + 1]))
    const lost = awaited.filter(({ jobId }) => looks.get(jobId)! >= looksBeforeLost)
    this.#missing = looks
    for (const each of lost) this.#lose(each)
    return lost.length
  }

  #lose({ attemptId, jobId, bills }: Awaited): void {
    const { tables, now, emit } = this.#context
    this.#missing.delete(jobId)
    const attempt = tables.attempts.get(attemptId)
    if (bills) {
      recordFailure(this.#context, attempt, new AppError('callback_missing'), 'lost', { httpStatus: attempt.httpStatus, bytesSent: attempt.bytesSent, tokens: null })
      return
    }
    // Nothing is billed here, so it is simply sent again.
    const status = tables.together(() => {
      tables.attempts.settle(attemptId, 'returned', now())
      return tables.jobs.apply(jobId, 'resubmit', {}, now())
    })
    if (status !== null) emit('job.changed', { id: jobId, status })
  }
}

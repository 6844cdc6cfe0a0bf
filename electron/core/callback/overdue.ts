import * as z from 'zod'
import { AppError } from '../../../shared/domain/errors.ts'
import type { Awaited } from '../db/tables/callbacks.ts'
import type { Context } from '../pipeline/context.ts'
import { recordFailure } from '../pipeline/answers/end-attempt.ts'

/**
 * Attempt → for how long, in ms in which Sheaf ran, its result was missing for good. Kept: an office runs for hours,
 * not for days.
 */
const missingDurations = z.record(z.string(), z.number())

/**
 * Looks after documents whose result is to come later. After a day one is named overdue, and goes on waiting; the label
 * follows the clock, also back. After thirty days its outcome is unknown, but only once Sheaf ran for another day and
 * nothing came: whatever a clock says, what waits in a mailbox or with the service has this time to come. A result that
 * comes even later is taken all the same.
 */
export class OverdueCheck {
  readonly #context: Context
  #checkedAt = performance.now()

  constructor(context: Context) {
    this.#context = context
  }

  /** To be called every `timings.callbackCheckMs`; `canArrive`: results find us now. True when something changed. */
  run(canArrive: boolean): boolean {
    // On some systems this clock goes on while the computer sleeps.
    const passedMs = Math.min(performance.now() - this.#checkedAt, this.#context.timings.callbackCheckMs)
    this.#checkedAt = performance.now()
    return this.#label() + (canArrive ? this.#giveUp(passedMs) : 0) > 0
  }

  /** The number of documents whose label changed. */
  #label(): number {
    const { tables, timings, now, emit } = this.#context
    const until = now() - timings.overdueMs
    const [late, early] = [tables.callbacks.newlyOverdue(until), tables.callbacks.noLongerOverdue(until)]
    if (late.length + early.length === 0) return 0
    tables.transaction(() => {
      for (const { documentId } of late)
        tables.documents.apply(documentId, 'annotate', { reason: { code: 'callback_overdue', details: {} } }, now())
      for (const { documentId } of early) tables.documents.apply(documentId, 'annotate', { reason: null }, now())
    })
    for (const { documentId } of [...late, ...early]) emit('document.changed', { id: documentId, status: 'waiting' })
    return late.length + early.length
  }

  /** The number of documents that were given up. */
  #giveUp(passedMs: number): number {
    const { tables, timings, now } = this.#context
    const awaited = tables.callbacks.awaitedSince(now() - timings.callbackWindowMs)
    const before = missingDurations.safeParse(tables.callbacks.setting('callbacksMissing')).data ?? {}
    if (awaited.length === 0 && Object.keys(before).length === 0) return 0
    const missingMs = ({ attemptId }: Awaited): number => (before[attemptId] ?? 0) + passedMs
    const lost = awaited.filter((each) => missingMs(each) >= timings.callbackMissingMs)
    for (const each of lost) this.#lose(each)
    const stillAwaited = awaited.filter((each) => !lost.includes(each))
    tables.callbacks.setSetting(
      'callbacksMissing',
      Object.fromEntries(stillAwaited.map((each) => [each.attemptId, missingMs(each)])),
    )
    return lost.length
  }

  #lose({ attemptId, documentId, bills }: Awaited): void {
    const { tables, now, emit } = this.#context
    const attempt = tables.attempts.get(attemptId)
    if (bills) {
      recordFailure(this.#context, attempt, new AppError('callback_missing'), 'lost', {
        httpStatus: attempt.httpStatus,
        bytesSent: attempt.bytesSent,
        tokens: null,
      })
      return
    }
    // Nothing is billed here, so it is simply sent again.
    const status = tables.transaction(() => {
      tables.attempts.settle(attemptId, 'returned', now())
      return tables.documents.apply(documentId, 'requeue', {}, now())
    })
    if (status !== null) emit('document.changed', { id: documentId, status })
  }
}

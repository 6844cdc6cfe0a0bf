// enters: due rows of the jobs table
// leaves: as many of them in `extract` at once as there are slots; refusals come back as rows with a later time
import PQueue from 'p-queue'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Route } from '../platform/connect.ts'
import type { Context } from './context.ts'
import { extractJob } from './extract.ts'
import type { Outcome } from './extract.ts'

const firstDelayMs = 1000
const longestDelayMs = 5 * 60_000
/** How long a stop waits for documents that are with a service that bills. */
const graceMs = 20_000

export type Progress = { settled: number; total: number; msLeft: number | null }

type Lane = {
  /** p-queue only limits what runs now; what waits is in the table. */
  slots: PQueue
  failures: number
  timer: NodeJS.Timeout | null
}

/** Exponential back-off for the n-th refusal in a row, in ms. */
export function delayAfter(tries: number): number {
  return Math.min(firstDelayMs * 2 ** Math.max(0, tries - 1), longestDelayMs)
}

/** Runs queued jobs, one lane for each connection. Retries and pauses are rows, so they survive a restart. */
export class Queue {
  readonly #context: Context
  readonly #routeTo: (connectionId: number) => Promise<Route>
  readonly #concurrency: () => number
  readonly #lanes = new Map<number, Lane>()
  readonly #running = new Set<number>()
  readonly #abort = new AbortController()
  #paused = false
  #stopped = false
  #batch: { startedAt: number; settled: number } | null = null
  #onlyFolder: number | null = null

  constructor(context: Context, routeTo: (connectionId: number) => Promise<Route>, concurrency: () => number) {
    this.#context = context
    this.#routeTo = routeTo
    this.#concurrency = concurrency
  }

  get paused(): boolean {
    return this.#paused
  }

  pause(): void {
    this.#paused = true
    this.#context.emit('app.changed', {})
  }

  resume(): void {
    this.#paused = false
    this.wake()
    this.#context.emit('app.changed', {})
  }

  /** Looks for due rows: called whenever something was queued, lifted or finished. */
  wake(): void {
    if (this.#paused || this.#stopped) return
    for (const connectionId of this.#context.tables.jobs.connectionsWithQueue()) this.#topUp(connectionId)
  }

  /** How far the batch is that began when the queue was last idle; null when nothing is open. */
  progress(): Progress | null {
    const open = this.#context.tables.jobs.openCount()
    if (open === 0 || this.#batch === null) return null
    const { settled, startedAt } = this.#batch
    const msLeft = settled === 0 ? null : ((this.#context.now() - startedAt) / settled) * open
    return { settled, total: settled + open, msLeft }
  }

  /** True when nothing runs. Queued rows may be left: paused, or due later. */
  get idle(): boolean {
    return this.#running.size === 0
  }

  /** Works for one folder only: a command in a terminal does not start what the window has left open. */
  restrictTo(folderId: number): void {
    this.#onlyFolder = folderId
  }

  /** Refusals in a row of a connection since something last went through. */
  failuresOf(connectionId: number): number {
    return this.#lanes.get(connectionId)?.failures ?? 0
  }

  /** Takes no more jobs, gives running ones a little time to end, then breaks them off. */
  async stop(options: { atOnce: boolean }): Promise<void> {
    this.#stopped = true
    for (const lane of this.#lanes.values()) if (lane.timer !== null) clearTimeout(lane.timer)
    const ended = Promise.all([...this.#lanes.values()].map((lane) => lane.slots.onIdle()))
    if (options.atOnce) this.#abort.abort()
    const timer = setTimeout(() => this.#abort.abort(), graceMs)
    await ended
    clearTimeout(timer)
  }

  #lane(connectionId: number): Lane {
    let lane = this.#lanes.get(connectionId)
    if (lane === undefined) {
      lane = { slots: new PQueue({ concurrency: this.#concurrency() }), failures: 0, timer: null }
      this.#lanes.set(connectionId, lane)
    }
    lane.slots.concurrency = this.#concurrency()
    return lane
  }

  #topUp(connectionId: number): void {
    const { tables, now } = this.#context
    const connection = tables.connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null) return
    const lane = this.#lane(connectionId)
    if (connection.pausedUntil !== null && connection.pausedUntil > now()) {
      this.#wakeAt(connectionId, connection.pausedUntil)
      return
    }
    const free = lane.slots.concurrency - lane.slots.pending - lane.slots.size
    if (free > 0) {
      // Jobs that are being identified are still `queued` rows: leave them out.
      const due = tables.jobs.due(connectionId, now(), this.#onlyFolder, free + this.#running.size)
      for (const job of due.filter(({ id }) => !this.#running.has(id)).slice(0, free)) {
        this.#running.add(job.id)
        this.#batch ??= { startedAt: now(), settled: 0 }
        void lane.slots.add(() => this.#run(connectionId, job.id))
      }
    }
    const next = tables.jobs.nextDueAt(connectionId)
    if (next !== null && next > now()) this.#wakeAt(connectionId, next)
  }

  #wakeAt(connectionId: number, at: number): void {
    const lane = this.#lane(connectionId)
    if (lane.timer !== null) clearTimeout(lane.timer)
    const delayMs = Math.min(Math.max(at - this.#context.now(), 10), longestDelayMs)
    lane.timer = setTimeout(() => this.wake(), delayMs)
  }

  async #run(connectionId: number, jobId: number): Promise<void> {
    const { tables } = this.#context
    try {
      const job = tables.jobs.get(jobId)
      if (this.#stopped || this.#paused || job === null || job.status !== 'queued') return
      const route = await this.#routeTo(connectionId)
      this.#settle(connectionId, jobId, await extractJob(this.#context, job, route, this.#abort.signal))
    } catch (error) {
      this.#stumble(connectionId, jobId, error)
    } finally {
      this.#running.delete(jobId)
      this.#endBatch()
      queueMicrotask(() => this.wake())
    }
  }

  #settle(connectionId: number, jobId: number, outcome: Outcome): void {
    const lane = this.#lane(connectionId)
    if (outcome.kind === 'settled') {
      lane.failures = 0
      if (this.#batch !== null) this.#batch.settled += 1
      return
    }
    this.#again(connectionId, jobId, outcome.error, outcome.concerns)
  }

  #again(connectionId: number, jobId: number, error: AppError, concerns: 'file' | 'connection'): void {
    const { tables, now, emit } = this.#context
    const job = tables.jobs.get(jobId)
    const lane = this.#lane(connectionId)
    const reason = { code: error.code, details: error.details }
    if (concerns === 'file') {
      const tries = (job?.tries ?? 0) + 1
      tables.jobs.apply(jobId, 'return', { reason, tries, notBefore: now() + delayAfter(tries) }, now())
    } else if (error.policy === 'pause-connection') {
      tables.connections.pause(connectionId, error.code, error.details)
      emit('connections.changed', {})
    } else {
      // Everything for this connection waits, so that 5,000 files are not 5,000 refusals.
      lane.failures += 1
      const until = now() + (error.retryAfterMs ?? delayAfter(lane.failures))
      const current = tables.connections.get(connectionId)?.pausedUntil ?? 0
      tables.connections.pauseUntil(connectionId, Math.max(until, current))
      emit('connections.changed', {})
    }
    emit('job.changed', { id: jobId, status: 'queued' })
  }

  /** What no stage expected, a full disk above all: no durable attempt, no send. The queue stops and says so. */
  #stumble(connectionId: number, jobId: number, error: unknown): void {
    const full = error instanceof Error && 'code' in error && (error.code === 'SQLITE_FULL' || error.code === 'SQLITE_READONLY' || error.code === 'ENOSPC')
    if (full) {
      this.pause()
      return
    }
    const problem = error instanceof AppError ? error : toAppError(error)
    if (problem.policy === 'report' && problem.code !== 'service_not_started') {
      const reason = { code: problem.code, details: problem.details }
      const status = this.#context.tables.jobs.apply(jobId, 'fail', { reason }, this.#context.now())
      if (status !== null) this.#context.emit('job.changed', { id: jobId, status })
      return
    }
    this.#again(connectionId, jobId, problem, 'connection')
  }

  #endBatch(): void {
    if (this.#running.size === 0 && this.#context.tables.jobs.openCount() === 0) this.#batch = null
    this.#context.emit('app.changed', {})
  }
}

/**
 * What a restart finds in `submitting`: the process ended while a request was on its way. Where nothing is billed
 * it is sent again; elsewhere the outcome is unknown, unless the answer was already stored.
 */
export function recoverInterrupted(context: Context): void {
  const { tables, now } = context
  for (const job of tables.jobs.withStatus('submitting')) {
    const attempt = tables.attempts.ofJob(job.id)[0]
    const bills = tables.connections.get(job.connectionId)?.kind === 'platform'
    tables.together(() => {
      if (attempt !== undefined && attempt.outcome === 'open') tables.attempts.settle(attempt.id, bills ? 'lost' : 'returned', now())
      tables.jobs.apply(job.id, bills ? 'lose' : 'return', { reason: bills ? { code: 'interrupted', details: {} } : null }, now())
    })
  }
}

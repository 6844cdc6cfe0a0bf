// enters: due rows of the jobs table
// leaves: as many of them in `extract` at once as there are slots; refusals come back as rows with a later time
import PQueue from 'p-queue'
import type { StorageTrouble } from '../../../shared/contract-reliability.ts'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Job } from '../db/jobs.ts'
import type { Route } from '../platform/connect.ts'
import type { Context } from './context.ts'
import { retryDelayMs } from '../platform/timings.ts'
import { extractJob, isStorageTrouble } from './extract.ts'
import type { Outcome } from './extract.ts'

/** The clock went another way than time did: it was set, or the computer slept. */
const jumpMs = 60_000
/** After so many lost answers in a row the lane pauses. */
const mostLosses = 3

export type Progress = { settled: number; total: number; msLeft: number | null }

type Lane = {
  /** p-queue only limits what runs now; what waits is in the table. */
  slots: PQueue
  failures: number
  /** Answers lost in a row. */
  losses: number
  /** After a jump of the clock or a refusal one document goes first; the others follow once it is through. */
  probes: boolean
  /** The pause that was asked for in this run, also by a clock that nobody sets (`performance.now()`). */
  pause: { until: number; endsAt: number } | null
  timer: NodeJS.Timeout | null
}

/** The way to a connection; its version is another one once its address or credentials were changed. */
export type Routes = { routeTo: (connectionId: number) => Promise<Route>; versionOf: (connectionId: number) => number }

/** What was sent, or was about to be, when the service refused it. */
type Sending = { connectionId: number; version: number; job: Job }

/** Runs queued jobs, one lane for each connection. Retries and pauses are rows, so they survive a restart. */
export class Queue {
  readonly #context: Context
  readonly #routes: Routes
  readonly #concurrency: () => number
  readonly #probeStorage: () => void
  readonly #lanes = new Map<number, Lane>()
  /** job → its connection, for what is in a lane right now. */
  readonly #running = new Map<number, number>()
  readonly #abort = new AbortController()
  #paused: boolean
  #isPauseStored = true
  #storageTrouble: StorageTrouble | null = null
  #storageTimer: NodeJS.Timeout | null = null
  #stopped = false
  /** The clock's time less that of `performance.now()`: another one once the clock jumped. */
  #clockOffset: number
  #batch: { startedAt: number; settled: number } | null = null
  #onlyFolder: number | null = null
  #held = false

  /** `probeStorage` writes something into the data folder, and throws as long as that is not possible. */
  constructor(context: Context, routes: Routes, concurrency: () => number, probeStorage: () => void) {
    this.#context = context
    this.#routes = routes
    this.#concurrency = concurrency
    this.#probeStorage = probeStorage
    this.#paused = context.tables.settings.isPaused()
    this.#clockOffset = context.now() - performance.now()
  }

  /** Why nothing can be stored, and so nothing is sent; null when it can. Lifted by itself. */
  get storageTrouble(): StorageTrouble | null {
    return this.#storageTrouble
  }

  /** Sends nothing until something can be stored again. */
  holdForStorage(error: unknown): void {
    const trouble = troubleIn(error)
    const isNews = this.#storageTrouble !== trouble
    this.#storageTrouble = trouble
    if (this.#storageTimer === null && !this.#stopped) this.#storageTimer = setTimeout(() => this.#askStorage(), this.#context.timings.storageRetryMs)
    if (isNews) this.#context.emit('app.changed', {})
  }

  #askStorage(): void {
    this.#storageTimer = null
    if (this.#stopped) return
    try {
      this.#probeStorage()
      if (!this.#isPauseStored) this.#storePause()
    } catch (error) {
      this.holdForStorage(error)
      return
    }
    this.#storageTrouble = null
    this.#context.emit('app.changed', {})
    this.wake()
  }

  /** True when the person stopped sending; it stays so over a restart. */
  get paused(): boolean {
    return this.#paused
  }

  pause(): void {
    this.#setPaused(true)
  }

  resume(): void {
    this.#setPaused(false)
    this.wake()
  }

  #setPaused(paused: boolean): void {
    this.#paused = paused
    this.#isPauseStored = false
    this.#whileStorable(() => this.#storePause())
    this.#context.emit('app.changed', {})
  }

  #storePause(): void {
    this.#context.tables.settings.setPaused(this.#paused)
    this.#isPauseStored = true
  }

  #whileStorable(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.holdForStorage(error)
    }
  }

  /** Looks for due rows: called whenever something was queued, lifted or finished. */
  wake(): void {
    if (this.#paused || this.#storageTrouble !== null || this.#stopped) return
    this.#watchClock()
    const wasHeld = this.#held
    this.#held = false
    this.#whileStorable(() => {
      for (const connectionId of this.#context.tables.jobs.connectionsWithQueue()) this.#topUp(connectionId)
    })
    if (this.#held !== wasHeld) this.#context.emit('app.changed', {})
  }

  /** How far the batch is that began when the queue was last idle; null when nothing is open. */
  progress(): Progress | null {
    const open = this.#context.tables.jobs.openCount()
    if (open === 0 || this.#batch === null) return null
    const { settled, startedAt } = this.#batch
    const msLeft = settled === 0 ? null : ((performance.now() - startedAt) / settled) * open
    return { settled, total: settled + open, msLeft }
  }

  /** True when nothing runs. Queued rows may be left: paused, or due later. */
  get idle(): boolean {
    return this.#running.size === 0
  }

  /** True when the daily cap refused a document at the last look: whatever frees room has to wake the queue. */
  get held(): boolean {
    return this.#held
  }

  /**
   * Works for one folder only: a command in a terminal does not start what the window has left open, and the pause there is
   * none here.
   */
  restrictTo(folderId: number): void {
    this.#onlyFolder = folderId
    this.#paused = false
  }

  /** Refusals in a row of a connection since something last went through. */
  failuresOf(connectionId: number): number {
    return this.#lanes.get(connectionId)?.failures ?? 0
  }

  /** Takes no more jobs, gives running ones a little time to end, then breaks them off. */
  async stop(options: { atOnce: boolean }): Promise<void> {
    this.#stopped = true
    for (const lane of this.#lanes.values()) if (lane.timer !== null) clearTimeout(lane.timer)
    if (this.#storageTimer !== null) clearTimeout(this.#storageTimer)
    const ended = Promise.all([...this.#lanes.values()].map((lane) => lane.slots.onIdle()))
    if (options.atOnce) this.#abort.abort()
    const timer = setTimeout(() => this.#abort.abort(), this.#context.timings.graceMs)
    await ended
    clearTimeout(timer)
  }

  #lane(connectionId: number): Lane {
    let lane = this.#lanes.get(connectionId)
    if (lane === undefined) {
      lane = { slots: new PQueue({ concurrency: this.#concurrency() }), failures: 0, losses: 0, probes: false, pause: null, timer: null }
      this.#lanes.set(connectionId, lane)
    }
    lane.slots.concurrency = this.#concurrency()
    return lane
  }

  #topUp(connectionId: number): void {
    const { tables, now, timings } = this.#context
    const connection = tables.connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null) return
    const lane = this.#lane(connectionId)
    const goesOnAt = this.#pauseEnd(lane, connection.pausedUntil)
    if (goesOnAt !== null) {
      this.#wakeAt(connectionId, goesOnAt)
      return
    }
    tables.jobs.forgetFarTimes(connectionId, now() + timings.longestRetryMs, now())
    const inLane = [...this.#running.values()].filter((id) => id === connectionId).length
    const isHeld = this.#begin(connectionId, lane, (lane.probes ? 1 : lane.slots.concurrency) - inLane)
    const lookAgainAt = isHeld ? [this.#context.cap.resumesAt()] : []
    const next = tables.jobs.nextDueAt(connectionId, this.#onlyFolder)
    if (next !== null && next > now()) lookAgainAt.push(next)
    if (lookAgainAt.length > 0) this.#wakeAt(connectionId, Math.min(...lookAgainAt))
  }

  /**
   * Puts up to `free` due jobs into the lane; true when the cap held some back. What it lets go depends on the schema, so
   * one refused job stands for all of its schema, and those behind it have their turn.
   */
  #begin(connectionId: number, lane: Lane, free: number): boolean {
    const { tables, now, cap } = this.#context
    const held = new Set<number>()
    for (let left = free; left > 0; ) {
      // Jobs that are being identified are still `queued` rows: leave them out.
      const limit = left + this.#running.size
      const due = held.size === 0 ? tables.jobs.due(connectionId, now(), this.#onlyFolder, limit) : tables.jobs.dueOfOthers(connectionId, now(), this.#onlyFolder, limit, [...held])
      const refused = due.filter(({ id }) => !this.#running.has(id)).slice(0, left).find((job) => {
        if (!cap.admits(job, this.#running.keys())) return true
        this.#running.set(job.id, connectionId)
        this.#batch ??= { startedAt: performance.now(), settled: 0 }
        left -= 1
        void lane.slots.add(() => this.#run(connectionId, job.id))
        return false
      })
      if (refused === undefined) break
      held.add(tables.schemas.versionOf(refused.schemaVersionId).schemaId)
    }
    if (held.size > 0) this.#held = true
    return held.size > 0
  }

  /**
   * When a paused lane goes on, by the clock; null when it goes on now. Of two clocks the one counts by which less is left:
   * a pause that is longer than any was asked for by a clock that was wrong.
   */
  #pauseEnd(lane: Lane, pausedUntil: number | null): number | null {
    const { now, timings } = this.#context
    if (pausedUntil === null) return null
    const left = pausedUntil - now()
    const leftOfAsked = lane.pause?.until === pausedUntil ? lane.pause.endsAt - performance.now() : left
    if (left <= 0 || left > timings.longestPauseMs || leftOfAsked <= 0) return null
    return now() + Math.min(left, leftOfAsked)
  }

  /** After a jump of the clock much may be due at once: one document of each lane goes first. */
  #watchClock(): void {
    const offset = this.#context.now() - performance.now()
    const jumped = Math.abs(offset - this.#clockOffset) > jumpMs
    this.#clockOffset = offset
    if (jumped) for (const lane of this.#lanes.values()) lane.probes = true
  }

  #wakeAt(connectionId: number, at: number): void {
    const lane = this.#lane(connectionId)
    if (lane.timer !== null) clearTimeout(lane.timer)
    const delayMs = Math.min(Math.max(at - this.#context.now(), 10), this.#context.timings.longestRetryMs)
    lane.timer = setTimeout(() => this.wake(), delayMs)
  }

  async #run(connectionId: number, jobId: number): Promise<void> {
    const job = this.#context.tables.jobs.get(jobId)
    try {
      if (this.#stopped || this.#paused || this.#storageTrouble !== null || job === null || job.status !== 'queued' || job.connectionId !== connectionId) return
      const sending: Sending = { connectionId, version: this.#routes.versionOf(connectionId), job }
      try {
        const route = await this.#routes.routeTo(connectionId)
        this.#settle(sending, await extractJob(this.#context, job, route, this.#abort.signal))
      } catch (error) {
        this.#whileStorable(() => this.#stumble(sending, error))
      }
    } finally {
      this.#running.delete(jobId)
      this.#endBatch()
      queueMicrotask(() => this.wake())
    }
  }

  #settle(sending: Sending, outcome: Outcome): void {
    if (outcome.kind === 'held') return
    if (outcome.kind === 'settled') {
      if (this.#batch !== null) this.#batch.settled += 1
      const lane = this.#lane(sending.connectionId)
      const { status, reasonCode } = this.#context.tables.jobs.get(sending.job.id)!
      if (status === 'unknown' && reasonCode !== null) {
        // Each of them may be billed: a service that answers nothing to anybody is asked with one document at a time, and rarely.
        lane.losses += 1
        if (lane.losses >= mostLosses) this.#pauseFor(sending, new AppError(reasonCode))
        return
      }
      lane.failures = 0
      lane.losses = 0
      lane.probes = false
      return
    }
    this.#again(sending, outcome.error, outcome.concerns)
  }

  #again(sending: Sending, error: AppError, concerns: 'file' | 'connection'): void {
    const { tables, now, emit, timings } = this.#context
    const jobId = sending.job.id
    const job = tables.jobs.get(jobId)
    if (job === null) return
    const reason = { code: error.code, details: error.details }
    if (concerns === 'file') {
      // The content may be another one by the next time.
      if (error.code === 'file_changed') tables.jobs.replaceContent(jobId, job.sizeBytes, job.mtimeMs, null)
      const tries = job.status === 'queued' && job.reasonCode === error.code ? job.tries + 1 : Math.max(1, job.tries)
      tables.jobs.apply(jobId, 'return', { reason, tries, notBefore: now() + retryDelayMs(timings, tries) }, now())
    } else {
      if (job.status === 'queued') tables.jobs.apply(jobId, 'return', { reason, tries: job.tries }, now())
      this.#pauseFor(sending, error)
    }
    emit('job.changed', { id: jobId, status: 'queued' })
  }

  /** What a person corrected since it was sent is not stopped by the refusal of what it was before. */
  #pauseFor({ connectionId, version, job }: Sending, error: AppError): void {
    const { tables, now, emit, timings } = this.#context
    if (this.#routes.versionOf(connectionId) !== version) return
    if (error.policy === 'pause-folder') {
      const folder = tables.folders.get(job.folderId)
      if (folder === null || folder.connectionId !== connectionId || folder.agentReference !== job.agentReference) return
      tables.folders.pause(folder.id)
      emit('folders.changed', {})
      return
    }
    if (error.policy === 'pause-connection') {
      tables.connections.pause(connectionId, error.code, error.details)
    } else {
      // Everything for this connection waits, so that 5,000 files are not 5,000 refusals. Those that were under way
      // together are one refusal.
      const lane = this.#lane(connectionId)
      const current = this.#pauseEnd(lane, tables.connections.get(connectionId)?.pausedUntil ?? null)
      if (current === null) lane.failures += 1
      lane.probes = true
      // Zero, or a date that is over, says nothing about how long to wait.
      const asked = error.retryAfterMs ?? 0
      const delayMs = asked > 0 ? Math.min(Math.max(Math.ceil(asked), timings.firstRetryMs), timings.longestPauseMs) : retryDelayMs(timings, lane.failures)
      const until = now() + delayMs
      if (current === null || until > current) {
        lane.pause = { until, endsAt: performance.now() + delayMs }
        tables.connections.pauseUntil(connectionId, until)
      }
    }
    emit('connections.changed', {})
  }

  /** What no stage expected, a full disk above all: no durable attempt, no send. */
  #stumble(sending: Sending, error: unknown): void {
    if (isStorageTrouble(error)) throw error
    const problem = toAppError(error)
    if (problem.code !== 'internal') {
      this.#again(sending, problem, 'connection')
      return
    }
    const { tables, now, emit } = this.#context
    const jobId = sending.job.id
    const reason = { code: problem.code, details: problem.details }
    const status = tables.jobs.apply(jobId, tables.jobs.get(jobId)?.status === 'submitting' ? 'lose' : 'fail', { reason }, now())
    if (status !== null) emit('job.changed', { id: jobId, status })
  }

  #endBatch(): void {
    if (this.#running.size === 0 && this.#context.tables.jobs.openCount() === 0) this.#batch = null
    this.#context.emit('app.changed', {})
  }
}

function troubleIn(error: unknown): StorageTrouble {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code) ? 'full' : 'read_only'
}

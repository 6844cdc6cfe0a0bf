// enters: due rows of the jobs table
// leaves: as many of them in `extract` at once as there are slots; refusals come back as rows with a later time
import type { StorageTrouble } from '../../../shared/contract-reliability.ts'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Job } from '../db/jobs.ts'
import { isStorageTrouble, troubleIn } from '../db/storage-trouble.ts'
import type { Route } from '../platform/connect.ts'
import type { Context } from './context.ts'
import { retryDelayMs } from '../platform/timings.ts'
import { extractJob } from './extract.ts'
import type { Outcome } from './extract.ts'
import { withdraw } from './intake.ts'
import { Lane } from './lane.ts'
import { recordFailure } from './record.ts'

/** The clock went another way than time did: it was set, or the computer slept. */
const jumpMs = 60_000

export type Progress = { settled: number; total: number; msLeft: number | null }

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
  #pausedAt = 0
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

  /** Sends nothing any more in this run: the database is damaged, and the next start repairs it. */
  holdForRepair(): void {
    this.#storageTrouble = 'damaged'
    this.#context.emit('app.changed', {})
  }

  /** Sends nothing until something can be stored again. */
  holdForStorage(error: unknown): void {
    if (this.#storageTrouble === 'damaged') return
    const trouble = troubleIn(error)
    const isNews = this.#storageTrouble !== trouble
    this.#storageTrouble = trouble
    if (this.#storageTimer === null && !this.#stopped) this.#storageTimer = setTimeout(() => this.#askStorage(), this.#context.timings.storageRetryMs)
    if (isNews) this.#context.emit('app.changed', {})
  }

  #askStorage(): void {
    this.#storageTimer = null
    if (this.#stopped || this.#storageTrouble === 'damaged') return
    try {
      this.#probeStorage()
      if (!this.#isPauseStored) this.#storePause()
    } catch (error) {
      this.#context.onStorageTrouble(error)
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
    // What a batch takes is judged by the time in which it goes on.
    if (paused && !this.#paused) this.#pausedAt = performance.now()
    else if (!paused && this.#paused && this.#batch !== null) this.#batch.startedAt += performance.now() - Math.max(this.#pausedAt, this.#batch.startedAt)
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
      this.#context.onStorageTrouble(error)
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

  /** Refusals in a row of a connection since it last answered. */
  failuresOf(connectionId: number): number {
    return this.#lanes.get(connectionId)?.failures ?? 0
  }

  /** Takes no more jobs, gives running ones a little time to end, then breaks them off. */
  async stop(options: { atOnce: boolean }): Promise<void> {
    this.#stopped = true
    for (const lane of this.#lanes.values()) lane.stopTimer()
    if (this.#storageTimer !== null) clearTimeout(this.#storageTimer)
    const ended = Promise.all([...this.#lanes.values()].map((lane) => lane.onIdle()))
    if (options.atOnce) this.#abort.abort()
    const timer = setTimeout(() => this.#abort.abort(), this.#context.timings.graceMs)
    await ended
    clearTimeout(timer)
  }

  #lane(connectionId: number): Lane {
    let lane = this.#lanes.get(connectionId)
    if (lane === undefined) {
      lane = new Lane(this.#context, this.#concurrency())
      this.#lanes.set(connectionId, lane)
    }
    lane.setConcurrency(this.#concurrency())
    return lane
  }

  #topUp(connectionId: number): void {
    const { tables, now, timings } = this.#context
    const connection = tables.connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null) return
    const lane = this.#lane(connectionId)
    const wake = (): void => this.wake()
    const goesOnAt = lane.pauseEnd(connection.pausedUntil)
    if (goesOnAt !== null) {
      lane.wakeAt(goesOnAt, wake)
      return
    }
    tables.jobs.forgetFarTimes(connectionId, now() + timings.longestRetryMs, now())
    const inLane = [...this.#running.values()].filter((id) => id === connectionId).length
    const isHeld = this.#begin(connectionId, lane, lane.width - inLane)
    const lookAgainAt = isHeld ? [this.#context.cap.resumesAt()] : []
    const next = tables.jobs.nextDueAt(connectionId, this.#onlyFolder)
    if (next !== null && next > now()) lookAgainAt.push(next)
    if (lookAgainAt.length > 0) lane.wakeAt(Math.min(...lookAgainAt), wake)
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
        lane.add(() => this.#run(connectionId, job.id))
        return false
      })
      if (refused === undefined) break
      held.add(tables.schemas.versionOf(refused.schemaVersionId).schemaId)
    }
    if (held.size > 0) this.#held = true
    return held.size > 0
  }

  /** After a jump of the clock much may be due at once: one document of each lane goes first. */
  #watchClock(): void {
    const offset = this.#context.now() - performance.now()
    const jumped = Math.abs(offset - this.#clockOffset) > jumpMs
    this.#clockOffset = offset
    if (jumped) for (const lane of this.#lanes.values()) lane.probe()
  }

  /** Asked before a document is looked at, and again when its request is about to leave: minutes may lie between. */
  #maySend({ connectionId, folderId }: Job): boolean {
    if (this.#stopped || this.#paused || this.#storageTrouble !== null) return false
    const { connections, folders } = this.#context.tables
    const connection = connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null || folders.get(folderId)?.paused === true) return false
    return this.#lane(connectionId).pauseEnd(connection.pausedUntil) === null
  }

  /** Why nothing may go to a connection now that is no document of the queue; null when it may. What is free is not paused. */
  refusalFor(connectionId: number): AppError | null {
    const connection = this.#context.tables.connections.get(connectionId)
    if (connection === null) return new AppError('connection_removed')
    if (this.#storageTrouble !== null) return new AppError(`storage_${this.#storageTrouble}`)
    if (connection.pausedReason !== null) return new AppError(connection.pausedReason.code, connection.pausedReason.details)
    if (connection.kind === 'platform' && this.#paused) return new AppError('sending_paused')
    return this.#lane(connectionId).pauseEnd(connection.pausedUntil) === null ? null : new AppError('rate_limited')
  }

  async #run(connectionId: number, jobId: number): Promise<void> {
    try {
      const job = this.#context.tables.jobs.get(jobId)
      if (job === null || job.status !== 'queued' || job.connectionId !== connectionId || !this.#maySend(job)) return
      const sending: Sending = { connectionId, version: this.#routes.versionOf(connectionId), job }
      try {
        const route = await this.#routes.routeTo(connectionId)
        this.#settle(sending, await extractJob(this.#context, job, route, { mayBegin: () => this.#maySend(job), signal: this.#abort.signal }))
      } catch (error) {
        this.#stumble(sending, error)
      }
    } catch (error) {
      // Not even what went wrong could be written: nothing more is sent, and the process goes on.
      this.#context.onStorageTrouble(error)
    } finally {
      this.#running.delete(jobId)
      this.#whileStorable(() => this.#endBatch())
      queueMicrotask(() => this.wake())
    }
  }

  #settle(sending: Sending, outcome: Outcome): void {
    if (outcome.kind === 'held') return
    if (outcome.kind === 'again') {
      this.#again(sending, outcome.error, outcome.concerns)
      return
    }
    if (this.#batch !== null) this.#batch.settled += 1
    const lane = this.#lane(sending.connectionId)
    if (outcome.kind === 'passed') lane.passed()
    else if (outcome.kind === 'lost' && lane.lost() && !this.#isCorrected(sending)) this.#pauseLane(sending.connectionId, 0)
  }

  #again(sending: Sending, error: AppError, concerns: 'file' | 'connection'): void {
    const { tables, now, emit, timings } = this.#context
    const jobId = sending.job.id
    const job = tables.jobs.get(jobId)
    if (job === null) return
    const reason = { code: error.code, details: error.details }
    if (concerns === 'file') {
      const tries = job.status === 'queued' && job.reasonCode === error.code ? job.tries + 1 : Math.max(1, job.tries)
      tables.jobs.apply(jobId, 'return', { reason, tries, notBefore: now() + retryDelayMs(timings, tries) }, now())
    } else {
      if (job.status === 'queued') tables.jobs.apply(jobId, 'return', { reason, tries: job.tries }, now())
      this.#pauseFor(sending, error)
    }
    emit('job.changed', { id: jobId, status: tables.jobs.get(jobId)!.status })
    // What was queued in its folder was cancelled when a person removed that; this one was under way then.
    const attempt = tables.attempts.ofJob(jobId)[0]
    const removedAt = tables.folders.removedAt(job.folderId) ?? Infinity
    if (attempt?.outcome === 'returned' && attempt.startedAt <= removedAt && attempt.finishedAt! >= removedAt) withdraw(this.#context, jobId)
  }

  #pauseFor(sending: Sending, error: AppError): void {
    const { tables, emit, now } = this.#context
    const { connectionId, job } = sending
    if (this.#isCorrected(sending)) return
    if (error.policy === 'pause-folder') {
      const folder = tables.folders.get(job.folderId)
      if (folder === null || folder.connectionId !== connectionId || folder.agentReference !== job.agentReference) return
      if (tables.folders.list().some(({ id }) => id === folder.id)) tables.folders.pause(folder.id)
      // Nobody sees a folder that is no longer watched, and could let it go on.
      else tables.jobs.apply(job.id, 'fail', { reason: { code: error.code, details: error.details } }, now())
      emit('folders.changed', {})
    } else if (error.policy === 'pause-connection') {
      tables.connections.pause(connectionId, error.code, error.details)
      emit('connections.changed', {})
    } else this.#pauseLane(connectionId, error.retryAfterMs ?? 0)
  }

  #pauseLane(connectionId: number, askedMs: number): void {
    const { tables, emit } = this.#context
    const until = this.#lane(connectionId).refused(askedMs, tables.connections.get(connectionId)?.pausedUntil ?? null)
    if (until !== null) tables.connections.pauseUntil(connectionId, until)
    emit('connections.changed', {})
  }

  /** What a person corrected since it was sent is not stopped by the refusal of what it was before. */
  #isCorrected({ connectionId, version }: Sending): boolean {
    return this.#routes.versionOf(connectionId) !== version
  }

  /** What no stage expected. Throws where that cannot be written either. */
  #stumble(sending: Sending, error: unknown): void {
    // A full disk above all: no durable attempt, no send.
    if (isStorageTrouble(error)) throw error
    const problem = toAppError(error)
    const { tables, now, emit } = this.#context
    const { id, connectionId } = sending.job
    if (tables.jobs.get(id)?.status === 'submitting') {
      const attempt = tables.attempts.ofJob(id)[0]!
      const bills = tables.connections.bills(connectionId)
      const told = problem.policy === 'unknown' ? problem : new AppError('outcome_unread', { detail: problem.details['detail'] ?? problem.code })
      recordFailure(this.#context, attempt, bills ? told : problem, bills ? 'lost' : 'failed', { httpStatus: null, bytesSent: attempt.bytesSent, tokens: null })
      this.#settle(sending, { kind: bills ? 'lost' : 'settled' })
    } else if (problem.code !== 'internal') {
      this.#again(sending, problem, 'connection')
    } else {
      const status = tables.jobs.apply(id, 'fail', { reason: { code: problem.code, details: problem.details } }, now())
      if (status !== null) emit('job.changed', { id, status })
    }
  }

  #endBatch(): void {
    if (this.#running.size === 0 && !this.#context.tables.jobs.anyOpen()) this.#batch = null
    this.#context.emit('app.changed', {})
  }
}

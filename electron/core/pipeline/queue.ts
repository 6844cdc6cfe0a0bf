// enters: due rows of the documents table
// leaves: as many of them in `extract` at once as there are slots; refusals come back as rows with a later time
import type { StorageTrouble } from '../../../shared/contract/storage.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import type { Route } from '../platform/connect.ts'
import { retryDelayMs } from '../timings.ts'
import { recordFailure } from './answers/end-attempt.ts'
import type { Context } from './context.ts'
import { withdraw } from './documents/copies.ts'
import { transition } from './documents/transition.ts'
import { BatchProgress } from './sending/batch-progress.ts'
import type { Progress } from './sending/batch-progress.ts'
import { Lane } from './sending/lane.ts'
import type { Outcome, SendDocument } from './sending/outcome.ts'
import type { StorageHold } from './sending/storage-hold.ts'

type Options = {
  storage: StorageHold
  /** The way to a connection; its version is another one once its address or credentials were changed. */
  routes: { routeTo: (connectionId: number) => Promise<Route>; versionOf: (connectionId: number) => number }
  /** How many documents are with a service at once. */
  concurrency: () => number
  /** The next stage. */
  extract: SendDocument
}

/** What was sent, or was about to be, when the service refused it. */
type Sending = { connectionId: number; version: number; document: StoredDocument }

/** Runs queued documents, one lane for each connection. Retries and pauses are rows, so they survive a restart. */
export class Queue {
  readonly #context: Context
  readonly #options: Options
  readonly #lanes = new Map<number, Lane>()
  /** document → its connection, for what is in a lane right now. */
  readonly #running = new Map<number, number>()
  /** Breaks off what is free, once Sheaf ends. */
  readonly #end = new AbortController()
  /** Breaks off what is billed. */
  readonly #abort = new AbortController()
  readonly #clockJumped: () => boolean
  readonly #batch = new BatchProgress()
  #paused: boolean
  #isPauseStored = true
  #stopped = false
  #isAsleep = false
  #onlyFolder: number | null = null
  #held = false

  constructor(context: Context, options: Options) {
    this.#context = context
    this.#options = options
    this.#paused = context.tables.settings.isPaused()
    this.#clockJumped = jumpDetector(context.now)
    options.storage.onRetry(() => {
      if (!this.#isPauseStored) this.#storePause()
    })
  }

  /** Why nothing can be stored, and so nothing is sent; null when it can. Lifted by itself. */
  get storageTrouble(): StorageTrouble | null {
    return this.#options.storage.trouble
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

  /** The computer goes to sleep: no document begins until `wakeUp`. It is no pause, and a restart forgets it. */
  sleep(): void {
    this.#isAsleep = true
  }

  wakeUp(): void {
    this.#isAsleep = false
    this.wake()
  }

  #setPaused(paused: boolean): void {
    this.#batch.setPaused(paused)
    this.#paused = paused
    this.#isPauseStored = false
    this.#options.storage.guard(() => this.#storePause())
    this.#context.emit('app.changed', {})
  }

  #storePause(): void {
    this.#context.tables.settings.setPaused(this.#paused)
    this.#isPauseStored = true
  }

  get #mayWork(): boolean {
    return !this.#paused && !this.#isAsleep && !this.#stopped && this.storageTrouble === null
  }

  /** Looks for due rows: called whenever something was queued, lifted or finished. */
  wake(): void {
    if (!this.#mayWork) return
    // After a jump of the clock much may be due at once: one document of each lane goes first.
    if (this.#clockJumped()) for (const lane of this.#lanes.values()) lane.probe()
    const wasHeld = this.#held
    this.#held = false
    this.#options.storage.guard(() => {
      for (const connectionId of this.#context.tables.documents.connectionsWithQueue()) this.#topUp(connectionId)
    })
    if (this.#held !== wasHeld) this.#context.emit('app.changed', {})
  }

  /** How far the batch is that began when the queue was last idle; null when nothing is open. */
  progress(): Progress | null {
    return this.#batch.of(this.#context.tables.documents.openCount())
  }

  /** True when nothing runs. Queued rows may be left: paused, or due later. */
  get idle(): boolean {
    return this.#running.size === 0
  }

  /**
   * True while a batch runs: something is on its way, or would go by itself as soon as its service takes more. What
   * waits for a person, for tomorrow or for a callback is no batch.
   */
  get busy(): boolean {
    if (!this.idle) return true
    if (this.#paused || this.#held || this.storageTrouble !== null) return false
    const { tables, now } = this.#context
    return tables.documents
      .connectionsWithQueue()
      .some(
        (id) =>
          tables.connections.get(id)?.pausedReason === null &&
          tables.documents.due(id, now(), this.#onlyFolder, 1).length > 0,
      )
  }

  /** True when the daily cap refused a document at the last look: whatever frees room has to wake the queue. */
  get held(): boolean {
    return this.#held
  }

  /**
   * Works for one folder only: a command in a terminal does not start what the window has left open, and the pause
   * there is none here.
   */
  restrictTo(folderId: number): void {
    this.#onlyFolder = folderId
    this.#paused = false
  }

  /** Refusals in a row of a connection since it last answered. */
  failuresOf(connectionId: number): number {
    return this.#lanes.get(connectionId)?.failures ?? 0
  }

  /**
   * Takes no more documents. Those that are billed have a little time to end unless `atOnce`, then they are broken off;
   * the others at once, since they cost nothing and are read again.
   */
  async stop(options: { atOnce: boolean }): Promise<void> {
    this.#stopped = true
    for (const lane of this.#lanes.values()) lane.stopTimer()
    const ended = Promise.all([...this.#lanes.values()].map((lane) => lane.onIdle()))
    this.#end.abort()
    if (options.atOnce) this.#abort.abort()
    const timer = setTimeout(() => this.#abort.abort(), this.#context.timings.graceMs)
    await ended
    clearTimeout(timer)
  }

  #lane(connectionId: number): Lane {
    let lane = this.#lanes.get(connectionId)
    if (lane === undefined) {
      lane = new Lane(this.#context, this.#options.concurrency())
      this.#lanes.set(connectionId, lane)
    }
    lane.setConcurrency(this.#options.concurrency())
    return lane
  }

  #topUp(connectionId: number): void {
    const { tables, now, timings } = this.#context
    const connection = tables.connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null) return
    const lane = this.#lane(connectionId)
    const wake = (): void => this.wake()
    const goesOnAt = lane.throttleEnd(connection.throttledUntil)
    if (goesOnAt !== null) {
      lane.wakeAt(goesOnAt, wake)
      return
    }
    tables.documents.forgetFarTimes(connectionId, now() + timings.longestRetryMs, now())
    // Looked at once: what becomes due while the lane is filled has to wake the queue as well.
    const lookedAt = now()
    const inLane = [...this.#running.values()].filter((id) => id === connectionId).length
    const isHeld = this.#begin(connectionId, lane, lane.width - inLane)
    const lookAgainAt = isHeld ? [this.#context.cap.resumesAt()] : []
    const next = tables.documents.nextDueAt(connectionId, this.#onlyFolder)
    if (next !== null && next > lookedAt) lookAgainAt.push(next)
    if (lookAgainAt.length > 0) lane.wakeAt(Math.min(...lookAgainAt), wake)
  }

  /**
   * Puts up to `free` due documents into the lane; true when the cap held some back. What it lets go depends on the
   * schema, so one refused document stands for all of its schema, and those behind it have their turn.
   */
  #begin(connectionId: number, lane: Lane, free: number): boolean {
    const { tables, now, cap } = this.#context
    const held = new Set<number>()
    for (let left = free; left > 0; ) {
      // Documents that are being identified are still `queued` rows: leave them out.
      const limit = left + this.#running.size
      const due =
        held.size === 0
          ? tables.documents.due(connectionId, now(), this.#onlyFolder, limit)
          : tables.documents.dueOfOthers(connectionId, now(), this.#onlyFolder, limit, [...held])
      let refused: StoredDocument | null = null
      for (const document of due.filter(({ id }) => !this.#running.has(id)).slice(0, left)) {
        if (!cap.admits(document, this.#running.keys())) {
          refused = document
          break
        }
        this.#running.set(document.id, connectionId)
        this.#batch.begin()
        left -= 1
        lane.add(() => this.#run(connectionId, document.id))
      }
      if (refused === null) break
      held.add(tables.schemas.versionOf(refused.schemaVersionId).schemaId)
    }
    if (held.size > 0) this.#held = true
    return held.size > 0
  }

  /** Asked before a document is looked at, and again when its request is about to leave: minutes may lie between. */
  #maySend({ connectionId, folderId }: StoredDocument): boolean {
    if (!this.#mayWork) return false
    const { connections, folders } = this.#context.tables
    const connection = connections.get(connectionId)
    if (connection === null || connection.pausedReason !== null || folders.get(folderId)?.paused === true) return false
    return this.#lane(connectionId).throttleEnd(connection.throttledUntil) === null
  }

  /**
   * Why nothing may go to a connection now that is no document of the queue; null when it may. What is free is not
   * paused.
   */
  refusalFor(connectionId: number): AppError | null {
    const connection = this.#context.tables.connections.get(connectionId)
    if (connection === null) return new AppError('connection_removed')
    if (this.storageTrouble !== null) return new AppError(`storage_${this.storageTrouble}`)
    if (connection.pausedReason !== null)
      return new AppError(connection.pausedReason.code, connection.pausedReason.details)
    if (connection.kind === 'platform' && this.#paused) return new AppError('sending_paused')
    return this.#lane(connectionId).throttleEnd(connection.throttledUntil) === null
      ? null
      : new AppError('rate_limited')
  }

  async #run(connectionId: number, documentId: number): Promise<void> {
    try {
      const document = this.#context.tables.documents.get(documentId)
      if (
        document === null ||
        document.status !== 'queued' ||
        document.connectionId !== connectionId ||
        !this.#maySend(document)
      )
        return
      const sending: Sending = { connectionId, version: this.#options.routes.versionOf(connectionId), document }
      try {
        const route = await this.#options.routes.routeTo(connectionId)
        this.#handleOutcome(
          sending,
          await this.#options.extract(document, route, {
            mayBegin: () => this.#maySend(document),
            signal: (route.bills ? this.#abort : this.#end).signal,
          }),
        )
      } catch (error) {
        this.#onUnexpected(sending, error)
      }
    } catch (error) {
      // Not even what went wrong could be written: nothing more is sent, and the process goes on.
      this.#options.storage.report(error)
    } finally {
      this.#running.delete(documentId)
      this.#options.storage.guard(() => this.#endBatch())
      queueMicrotask(() => this.wake())
    }
  }

  #handleOutcome(sending: Sending, outcome: Outcome): void {
    if (outcome.kind === 'held') return
    if (outcome.kind === 'again') {
      this.#retry(sending, outcome.error, outcome.concerns)
      return
    }
    this.#batch.settled()
    const lane = this.#lane(sending.connectionId)
    if (outcome.kind === 'passed') lane.passed()
    else if (outcome.kind === 'lost' && lane.lost() && !this.#isCorrected(sending))
      this.#throttle(sending.connectionId, 0)
  }

  #retry(sending: Sending, error: AppError, concerns: 'file' | 'connection'): void {
    const { tables, now, emit, timings } = this.#context
    const documentId = sending.document.id
    const document = tables.documents.get(documentId)
    if (document === null) return
    if (concerns === 'file') {
      const tries =
        document.status === 'queued' && document.reasonCode === error.code
          ? document.tries + 1
          : Math.max(1, document.tries)
      tables.documents.apply(
        documentId,
        'return',
        { reason: error, tries, notBefore: now() + retryDelayMs(timings, tries) },
        now(),
      )
    } else {
      if (document.status === 'queued')
        tables.documents.apply(documentId, 'return', { reason: error, tries: document.tries }, now())
      this.#pauseOrThrottle(sending, error)
    }
    emit('document.changed', { id: documentId, status: tables.documents.get(documentId)!.status })
    // What was queued in its folder was cancelled when a person removed that; this one was under way then.
    const attempt = tables.attempts.ofDocument(documentId)[0]
    const removedAt = tables.folders.removedAt(document.folderId) ?? Infinity
    if (attempt?.outcome === 'returned' && attempt.startedAt <= removedAt && attempt.finishedAt! >= removedAt)
      withdraw(this.#context, documentId)
  }

  #pauseOrThrottle(sending: Sending, error: AppError): void {
    const { tables, emit, now } = this.#context
    const { connectionId, document } = sending
    if (this.#isCorrected(sending)) return
    if (error.policy === 'pause-folder') {
      const folder = tables.folders.get(document.folderId)
      if (folder === null || folder.connectionId !== connectionId || folder.agentReference !== document.agentReference)
        return
      if (tables.folders.list().some(({ id }) => id === folder.id)) tables.folders.pause(folder.id)
      // Nobody sees a folder that is no longer watched, and could let it go on.
      else tables.documents.apply(document.id, 'fail', { reason: error }, now())
      emit('folders.changed', {})
    } else if (error.policy === 'pause-connection') {
      tables.connections.pause(connectionId, error.code, error.details)
      emit('connections.changed', {})
    } else this.#throttle(connectionId, error.retryAfterMs ?? 0)
  }

  #throttle(connectionId: number, askedMs: number): void {
    const { tables, emit } = this.#context
    const until = this.#lane(connectionId).refused(
      askedMs,
      tables.connections.get(connectionId)?.throttledUntil ?? null,
    )
    if (until !== null) tables.connections.throttleUntil(connectionId, until)
    emit('connections.changed', {})
  }

  /** What a person corrected since it was sent is not stopped by the refusal of what it was before. */
  #isCorrected({ connectionId, version }: Sending): boolean {
    return this.#options.routes.versionOf(connectionId) !== version
  }

  /** What no stage expected. Throws where that cannot be written either. */
  #onUnexpected(sending: Sending, error: unknown): void {
    // A full disk above all: no durable attempt, no send.
    if (isStorageTrouble(error)) throw error
    const problem = toAppError(error)
    const { tables } = this.#context
    const { id, connectionId } = sending.document
    const status = tables.documents.get(id)?.status
    // Nothing was sent yet, and the next start begins with it: why it did not leave at the end says nothing.
    if (this.#stopped && status === 'queued') return
    if (status === 'submitting') {
      const attempt = tables.attempts.ofDocument(id)[0]!
      const bills = tables.connections.bills(connectionId)
      const lost =
        problem.policy === 'unknown'
          ? problem
          : new AppError('outcome_unread', { detail: problem.details['detail'] ?? problem.code })
      recordFailure(this.#context, attempt, bills ? lost : problem, bills ? 'lost' : 'failed', {
        httpStatus: null,
        bytesSent: attempt.bytesSent,
        tokens: null,
      })
      this.#handleOutcome(sending, { kind: bills ? 'lost' : 'ended' })
    } else if (problem.code !== 'internal') {
      this.#retry(sending, problem, 'connection')
    } else {
      transition(this.#context, id, 'fail', { reason: problem })
    }
  }

  #endBatch(): void {
    if (this.#running.size === 0 && !this.#context.tables.documents.anyOpen()) this.#batch.end()
    this.#context.emit('app.changed', {})
  }
}

/** The clock went another way than time did: it was set, or the computer slept. */
const jumpMs = 60_000

/** Says whether the clock jumped since it was last asked: against `performance.now()`, which nobody can set. */
function jumpDetector(now: () => number): () => boolean {
  let offset = now() - performance.now()
  return () => {
    const before = offset
    offset = now() - performance.now()
    return Math.abs(offset - before) > jumpMs
  }
}

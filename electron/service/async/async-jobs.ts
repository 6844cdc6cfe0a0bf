import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { ControlOutput } from '../../../shared/wire/service-control.ts'
import type { ServiceDatabase } from '../database.ts'
import { runExtraction } from '../extraction-run.ts'
import type { Engine } from '../extraction-run.ts'
import { failurePayload } from '../http/http-error.ts'
import type { ExtractionRequest } from '../http/extraction-request.ts'
import { flushFolder } from '../../system/flush-folder.ts'
import type { Slots } from '../slots.ts'
import { PendingWork } from '../pending-work.ts'
import type { ExtractionOrigin, UsageLedger } from '../access/usage-ledger.ts'
import { JobTable } from './job-table.ts'
import type { Delivery, Excluded } from './job-table.ts'
import { privateAddress } from './callback-policy.ts'
import { delayAfter, failureOf, mayBeSentTo, postWebhook } from './webhook.ts'
import type { WebhookPolicy } from './webhook.ts'

/** So often a document is read that cannot be read for a moment. */
const maxTries = 3
/**
 * So often the process may die while it reads a document. Why it died cannot be known, but after that its documents are
 * read one at a time: one that ends the process is alone with it then, and others are not blamed for it.
 */
const maxStarts = 5
const maxDeliveriesAtOnce = 8
/** So that receivers that are slow do not hold up the webhooks of everybody. */
const maxDeliveriesToOrigin = 2
const maxTimerMs = 60_000
const storageRetryMs = 1000
const readingRetryMs = 1000

/**
 * What an extraction ended with: the webhook's body, and what counts the use together with it; null when the service
 * stopped or the job was removed.
 */
type Outcome = { payload: string; count: () => void } | 'retry' | null

/**
 * Asynchronous extraction (spec, «States and transitions»): started → success or error, then the
 * webhook until it is delivered. Rows and files are the queue; this object only says what runs now.
 */
export class AsyncJobs {
  readonly #table: JobTable
  readonly #directory: string
  readonly #engine: Engine
  readonly #slots: Slots
  readonly #usage: UsageLedger
  readonly #policy: WebhookPolicy
  readonly #stopping = new AbortController()
  readonly #running = new PendingWork()
  /** The origin of each callback under way. */
  readonly #delivering = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null

  constructor(options: {
    db: ServiceDatabase
    directory: string
    engine: Engine
    slots: Slots
    usage: UsageLedger
    policy: WebhookPolicy
  }) {
    this.#table = new JobTable(options.db)
    this.#directory = options.directory
    this.#engine = options.engine
    this.#slots = options.slots
    this.#usage = options.usage
    this.#policy = options.policy
  }

  /**
   * The jobs that an earlier process left unfinished; files that belong to none are removed. To be called before
   * anything can be accepted: the file of a new job is there before its row.
   */
  async unfinishedJobs(): Promise<string[]> {
    const ids = this.#table.startedIds()
    const known = new Set(ids)
    for (const name of await readdir(this.#directory)) {
      if (!known.has(name)) await rm(join(this.#directory, name), { force: true })
    }
    return ids
  }

  /** Resumes what an earlier process left: these jobs, and every webhook that nobody took. */
  resume(unfinished: readonly string[]): void {
    void this.#running.track(this.#resumeJobs(unfinished))
    this.#table.makeAllDue(Date.now())
    this.#deliverDue()
  }

  /** First, and alone, those that were being read when the process died. */
  async #resumeJobs(unfinished: readonly string[]): Promise<void> {
    const begun = new Set(this.#table.begunIds())
    for (const id of unfinished) if (begun.has(id)) await this.#process(id).catch(() => undefined)
    if (this.#stopping.signal.aborted) return
    for (const id of unfinished) if (!begun.has(id)) this.#schedule(id)
  }

  /** Stores the job durably and begins it. Once this returns, a crash loses nothing. */
  async accept(request: ExtractionRequest, origin: ExtractionOrigin, withSources: boolean): Promise<string> {
    const { id, path, fileName, kind, schema, callback } = request
    const target = this.#pathOf(id)
    await rename(path, target)
    try {
      await flushFolder(dirname(target))
      this.#table.insert({ extractId: id, fileName, kind, schema, callback, origin, withSources })
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
    this.#schedule(id)
    return id
  }

  /** Jobs whose webhook nobody has taken yet; a callback is shown without its query, which may carry a token. */
  list(): ControlOutput<'deliveries.list'>['deliveries'] {
    return this.#table.list().map((job) => {
      const { origin, pathname } = new URL(job.callback)
      return { ...job, callback: `${origin}${pathname}` }
    })
  }

  /**
   * Tries a webhook at once, also one that was given up. Throws `not_found`, or `invalid_input` while its document is
   * being read.
   */
  retry(extractId: string): void {
    const state = this.#table.stateOf(extractId)
    if (state === null) throw new AppError('not_found', { what: `delivery ${extractId}` })
    if (state === 'started') throw new AppError('invalid_input', { problem: 'its document is not extracted yet' })
    this.#table.makeDue(extractId, Date.now())
    this.#deliverDue()
  }

  /** Forgets a job with its values. Throws `not_found`. */
  async remove(extractId: string): Promise<void> {
    if (!this.#table.remove(extractId)) throw new AppError('not_found', { what: `delivery ${extractId}` })
    await rm(this.#pathOf(extractId), { force: true })
  }

  /** Stops tries and waits at most `graceMs` for what runs; unfinished jobs stay stored. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the service is closing'))
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running.drain(graceMs)
  }

  #pathOf(extractId: string): string {
    return join(this.#directory, extractId)
  }

  #schedule(extractId: string): void {
    void this.#running.track(this.#process(extractId))
  }

  async #process(extractId: string): Promise<void> {
    const { signal } = this.#stopping
    const extract = (): Promise<Outcome> => this.#slots.run(() => this.#extract(extractId), 'background', signal)
    let finished = await extract()
    while (finished === 'retry') {
      await setTimeout(readingRetryMs, undefined, { signal })
      finished = await extract()
    }
    if (finished === null) return
    const { payload, count } = finished
    await this.#retryUntilStored(() => this.#table.finish(extractId, payload, Date.now(), count))
    this.#deliverDue()
    // A file that cannot be removed now is one that belongs to no job at the next start.
    await rm(this.#pathOf(extractId), { force: true }).catch(() => undefined)
  }

  async #extract(extractId: string): Promise<Outcome> {
    const job = await this.#retryUntilStored(() => this.#table.start(extractId))
    if (!job) return null
    try {
      if (job.starts > maxStarts)
        throw new AppError('file_too_complex', { detail: 'the service stopped while reading it, several times' })
      const finished = await runExtraction(this.#engine, this.#pathOf(extractId), job)
      const payload = JSON.stringify({ status: 'success', extract_id: extractId, ...finished.outcome })
      return { payload, count: () => this.#usage.recordExtraction(job.origin, finished) }
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        if (job.starts < maxTries && isTransient(error)) return 'retry'
        return { payload: JSON.stringify(failurePayload(extractId, error)), count: () => undefined }
      }
      // A reader that was stopped while it worked says nothing about the document: the next start tries again.
      this.#table.undoStart(extractId)
      return null
    }
  }

  /** Repeats what a full disk refuses: a result that was computed must not be lost, nor a webhook sent for ever. */
  async #retryUntilStored<T>(store: () => T): Promise<T> {
    for (;;) {
      try {
        return store()
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error
        await setTimeout(storageRetryMs, undefined, { signal: this.#stopping.signal })
      }
    }
  }

  #deliverDue(): void {
    if (this.#stopping.signal.aborted) return
    try {
      while (this.#delivering.size < maxDeliveriesAtOnce) {
        const delivery = this.#table.nextDue(Date.now(), this.#busy())
        if (delivery === null) break
        this.#delivering.set(delivery.extractId, delivery.origin)
        void this.#running.track(this.#deliver(delivery))
      }
      this.#scheduleNext()
    } catch {
      // A database that cannot be read for a moment must end neither the deliveries nor the process.
      this.#setTimer(storageRetryMs)
    }
  }

  #busy(): Excluded {
    const busy = Map.groupBy(this.#delivering.values(), (origin) => origin)
    const full = [...busy].filter(([, deliveries]) => deliveries.length >= maxDeliveriesToOrigin)
    return { extractIds: [...this.#delivering.keys()], origins: full.map(([origin]) => origin) }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { extractId, callback, payload, tries, dueSince } = delivery
    try {
      if (!mayBeSentTo(callback, this.#policy)) {
        await this.#retryUntilStored(() => this.#table.abandon(extractId, privateAddress))
        return
      }
      // Whatever comes of it is a try: what only ended with an error would be tried again at once, and for ever.
      const failure = await postWebhook(callback, payload, this.#policy, this.#stopping.signal).catch(failureOf)
      if (this.#stopping.signal.aborted && failure !== null) return
      const nextTryAt = Date.now() + delayAfter(tries + 1, this.#policy)
      await this.#retryUntilStored(() => {
        if (failure === null) this.#table.remove(extractId)
        else
          this.#table.postpone(extractId, nextTryAt > dueSince + this.#policy.giveUpAfterMs ? null : nextTryAt, failure)
      })
    } finally {
      this.#delivering.delete(extractId)
      this.#deliverDue()
    }
  }

  #scheduleNext(): void {
    const next = this.#delivering.size < maxDeliveriesAtOnce ? this.#table.nextDeliveryAt(this.#busy()) : null
    // At most a minute, since a timer does not count the time a computer sleeps.
    this.#setTimer(next === null ? null : Math.min(Math.max(next - Date.now(), 0), maxTimerMs))
  }

  #setTimer(waitMs: number | null): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = waitMs === null ? null : globalThis.setTimeout(() => this.#deliverDue(), waitMs)
  }
}

/** True for a failure that says nothing about the document: the disk could not be read, or the reader ended. */
function isTransient(error: unknown): boolean {
  const { code } = toAppError(error)
  return code === 'file_unreadable' || code === 'internal'
}

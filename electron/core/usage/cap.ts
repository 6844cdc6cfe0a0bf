import type { CapState } from '../../../shared/contract-platform.ts'
import type { Job } from '../db/jobs.ts'
import type { Tables } from '../db/tables.ts'
import { nextMidnight, startOfDay } from './days.ts'

/** An answer that did not come within a day does not come: nothing is reserved for it any more. */
const reservedForMs = 24 * 60 * 60_000

type Clock = { tables: Tables; now: () => number }

/**
 * What the person lets go to connections that bill on one day. It is kept before it would be passed: tokens are known only
 * when a result comes, so what is under way reserves as much as the largest of its schema's last results took.
 */
export class DailyCap {
  readonly #tables: Tables
  readonly #now: () => number

  constructor({ tables, now }: Clock) {
    this.#tables = tables
    this.#now = now
  }

  /**
   * True when the job may begin now. `picked` are jobs about to begin that have no attempt yet. Until a first result of a
   * connection was measured, its documents go one at a time while there is a cap of tokens.
   */
  admits(job: Job, picked: Iterable<number> = []): boolean {
    const { dailyDocumentCap, dailyTokenCap } = this.#tables.settings.get()
    if (dailyDocumentCap === null && dailyTokenCap === null) return true
    if (!this.#bills(job.connectionId)) return true
    const alongside = [...picked].flatMap((id) => this.#tables.jobs.get(id) ?? []).filter((other) => other.status === 'queued' && this.#bills(other.connectionId))
    if (dailyDocumentCap !== null && this.#begun() + alongside.length + 1 > dailyDocumentCap) return false
    return dailyTokenCap === null || this.#fits(job, alongside, dailyTokenCap)
  }

  /** Where the cap stands. `held` counts what it holds back for certain, not what only waits for something under way. */
  state(): CapState {
    const { dailyDocumentCap: documentCap, dailyTokenCap: tokenCap } = this.#tables.settings.get()
    const documentsToday = this.#begun()
    const tokensToday = this.#tables.usage.tokensSince(startOfDay(this.#now()))
    const held = documentCap === null && tokenCap === null ? 0 : this.#held(documentsToday, documentCap, tokensToday, tokenCap)
    return { documentsToday, tokensToday, documentCap, tokenCap, held, resumesAt: held > 0 ? nextMidnight(this.#now()) : null }
  }

  /** When the queue has to look again after `admits` refused. */
  resumesAt(): number {
    return nextMidnight(this.#now())
  }

  #held(documentsToday: number, documentCap: number | null, tokensToday: number, tokenCap: number | null): number {
    const queued = this.#tables.usage.queued()
    if (queued === 0) return 0
    const overDocuments = documentCap === null ? 0 : Math.max(0, queued - Math.max(0, documentCap - documentsToday))
    if (overDocuments === queued || tokenCap === null) return overDocuments
    const spoken = tokensToday + this.#reserved({ onlyLost: true })
    const isFull = this.#nextQueued().every((job) => spoken + Math.max(1, this.#reservationOf(job) ?? 0) > tokenCap)
    return isFull ? queued : overDocuments
  }

  /** The one that is next of each connection that bills and is not paused. */
  #nextQueued(): Job[] {
    const connections = this.#tables.connections.list().filter(({ kind, pausedReason }) => kind === 'platform' && pausedReason === null)
    return connections.flatMap(({ id }) => this.#tables.jobs.due(id, Number.MAX_SAFE_INTEGER, null, 1))
  }

  /** Tokens that the next document of a schema may take on a connection; null while none has been measured there. */
  reservation(connectionId: number, schemaId: number): number | null {
    const ofSchema = this.#tables.usage.measured(connectionId, schemaId)
    if (ofSchema.documents > 0) return ofSchema.largest
    const ofConnection = this.#tables.usage.measured(connectionId, null)
    return ofConnection.documents > 0 ? ofConnection.largest : null
  }

  #fits(job: Job, alongside: Job[], tokenCap: number): boolean {
    const spoken = this.#tables.usage.tokensSince(startOfDay(this.#now())) + this.#reserved({ onlyLost: false })
    const own = this.#reservationOf(job)
    if (own === null) {
      // The first one tells how much a document takes: nothing else until then.
      return spoken < tokenCap && !alongside.some((other) => other.connectionId === job.connectionId) && !this.#isBusy(job.connectionId)
    }
    const picked = alongside.reduce((sum, other) => sum + (this.#reservationOf(other) ?? 0), 0)
    return spoken + picked + own <= tokenCap
  }

  #reservationOf(job: Job): number | null {
    return this.reservation(job.connectionId, this.#tables.schemas.versionOf(job.schemaVersionId).schemaId)
  }

  /** Of documents whose tokens are not known yet: under way, or lost and perhaps billed. */
  #reserved({ onlyLost }: { onlyLost: boolean }): number {
    return this.#unmeasured(onlyLost).reduce((sum, { connectionId, schemaId, documents }) => sum + documents * (this.reservation(connectionId, schemaId) ?? 0), 0)
  }

  #isBusy(connectionId: number): boolean {
    return this.#unmeasured(false).some((row) => row.connectionId === connectionId && row.underWay)
  }

  #unmeasured(onlyLost: boolean): ReturnType<Tables['usage']['unmeasured']> {
    const now = this.#now()
    return this.#tables.usage.unmeasured(now - reservedForMs, startOfDay(now)).filter(({ underWay }) => !onlyLost || !underWay)
  }

  #begun(): number {
    return this.#tables.usage.begunSince(startOfDay(this.#now()))
  }

  #bills(connectionId: number): boolean {
    return this.#tables.connections.get(connectionId)?.kind === 'platform'
  }
}

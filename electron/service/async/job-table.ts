import type { FileKind } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { ControlOutput } from '../../../shared/wire/service-control.ts'
import type { ServiceDatabase } from '../database.ts'
import type { ExtractionTask } from '../extraction-run.ts'
import type { ExtractionOrigin, UsageChannel } from '../access/usage-ledger.ts'

type AsyncJob = ExtractionTask & {
  extractId: string
  callback: string
  origin: ExtractionOrigin
  starts: number
}

/** `dueSince`: the end of the extraction, or when it was last made due again. */
export type Delivery = {
  extractId: string
  callback: string
  origin: string
  payload: string
  tries: number
  dueSince: number
}

/** Deliveries that are not to be started: those under way, and all to origins that have enough of them. */
export type Excluded = { extractIds: readonly string[]; origins: readonly string[] }

type StoredJob = {
  extractId: string
  state: ControlOutput<'deliveries.list'>['deliveries'][number]['state']
  callback: string
  fileName: string
  tries: number
  nextTryAt: number | null
  finishedAt: number | null
  lastFailure: string | null
}

type JobRow = {
  extract_id: string
  file_name: string
  kind: FileKind
  schema: string
  with_sources: number
  callback: string
  organization_id: string
  client_id: string
  agent: string
  channel: UsageChannel
  starts: number
}
const notExcluded =
  'callback_origin not in (select value from json_each(?)) and extract_id not in (select value from json_each(?))'

/**
 * The SQL of asynchronous jobs. `started` waits for extraction, `delivering` for its webhook, `undelivered` for the
 * next start of the service or a person; only what was delivered, or what a person removed, is deleted.
 */
export class JobTable {
  readonly #db: ServiceDatabase

  constructor(db: ServiceDatabase) {
    this.#db = db
  }

  insert(job: Omit<AsyncJob, 'starts'>): void {
    const { organizationId, clientId, agent, channel } = job.origin
    this.#db
      .prepare(
        `insert into async_jobs (extract_id, status, file_name, kind, schema, with_sources, callback, callback_origin, organization_id, client_id, agent, channel, created_at)
         values (?, 'started', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        job.extractId,
        job.fileName,
        job.kind,
        JSON.stringify(job.schema),
        job.withSources ? 1 : 0,
        job.callback,
        new URL(job.callback).origin,
        organizationId,
        clientId,
        agent,
        channel,
        Date.now(),
      )
  }

  startedIds(): string[] {
    return this.#db
      .prepare<[], string>(`select extract_id from async_jobs where status = 'started' order by created_at, rowid`)
      .pluck()
      .all()
  }

  /** Of `startedIds` those whose document was being read when a process died. */
  begunIds(): string[] {
    return this.#db
      .prepare<[], string>(`select extract_id from async_jobs where status = 'started' and starts > 0`)
      .pluck()
      .all()
  }

  /** Every job that is not done with, the oldest first. */
  list(): StoredJob[] {
    return this.#db
      .prepare<[], StoredJob>(
        `select extract_id as extractId, status as state, callback, file_name as fileName, tries, next_try_at as nextTryAt,
           finished_at as finishedAt, last_failure as lastFailure
         from async_jobs order by created_at, rowid`,
      )
      .all()
  }

  /** Null when there is no such job (any more). */
  stateOf(extractId: string): StoredJob['state'] | null {
    return (
      this.#db
        .prepare<[string], StoredJob['state']>('select status from async_jobs where extract_id = ?')
        .pluck()
        .get(extractId) ?? null
    )
  }

  /** Counts the start before the work, so that a document that kills the process is not tried for ever. */
  start(extractId: string): AsyncJob | null {
    const row = this.#db
      .prepare<[string], JobRow>(
        `update async_jobs set starts = starts + 1 where extract_id = ? and status = 'started'
         returning extract_id, file_name, kind, schema, with_sources, callback, organization_id, client_id, agent, channel, starts`,
      )
      .get(extractId)
    if (!row) return null
    return {
      extractId: row.extract_id,
      fileName: row.file_name,
      kind: row.kind,
      schema: JSON.parse(row.schema) as SchemaElement[],
      withSources: row.with_sources === 1,
      callback: row.callback,
      origin: { organizationId: row.organization_id, clientId: row.client_id, agent: row.agent, channel: row.channel },
      starts: row.starts,
    }
  }

  /** Takes a start back that ended with the service: the document is not to blame for it. */
  undoStart(extractId: string): void {
    this.#db.prepare('update async_jobs set starts = starts - 1 where extract_id = ? and starts > 0').run(extractId)
  }

  /**
   * Stores the webhook's body in the same step that ends the extraction, together with what `alongside` writes. Nothing
   * of it happens when the job was removed meanwhile.
   */
  finish(extractId: string, payload: string, now: number, alongside: () => void): void {
    const store = this.#db.transaction(() => {
      const { changes } = this.#db
        .prepare(
          `update async_jobs set status = 'delivering', payload = ?, next_try_at = ?, due_since = ?, finished_at = ? where extract_id = ? and status = 'started'`,
        )
        .run(payload, now, now, now, extractId)
      if (changes > 0) alongside()
    })
    store.immediate()
  }

  /**
   * The next that is due; null when there is none. What was never tried comes first: receivers that are gone must not
   * hold up the others.
   */
  nextDue(now: number, excluded: Excluded): Delivery | null {
    return (
      this.#db
        .prepare<[number, string, string], Delivery>(
          `select extract_id as extractId, callback, callback_origin as origin, payload, tries, due_since as dueSince from async_jobs
           where status = 'delivering' and next_try_at <= ? and ${notExcluded} order by tries > 0, next_try_at limit 1`,
        )
        .get(now, JSON.stringify(excluded.origins), JSON.stringify(excluded.extractIds)) ?? null
    )
  }

  nextDeliveryAt(excluded: Excluded): number | null {
    return (
      this.#db
        .prepare<[string, string], number | null>(
          `select min(next_try_at) from async_jobs where status = 'delivering' and ${notExcluded}`,
        )
        .pluck()
        .get(JSON.stringify(excluded.origins), JSON.stringify(excluded.extractIds)) ?? null
    )
  }

  /** After a try that failed. Without a next one it is tried no more by itself, and kept. */
  postpone(extractId: string, nextTryAt: number | null, failure: string): void {
    this.#db
      .prepare(
        'update async_jobs set status = ?, tries = tries + 1, next_try_at = ?, last_failure = ? where extract_id = ?',
      )
      .run(nextTryAt === null ? 'undelivered' : 'delivering', nextTryAt, failure, extractId)
  }

  /** It may not be sent at all: kept as undelivered. */
  abandon(extractId: string, failure: string): void {
    this.#db
      .prepare(
        `update async_jobs set status = 'undelivered', next_try_at = null, last_failure = ? where extract_id = ?`,
      )
      .run(failure, extractId)
  }

  /**
   * At every start: everything that nobody took is tried at once and has its whole time again, whatever the clock did
   * meanwhile.
   */
  makeAllDue(now: number): void {
    this.#db
      .prepare(
        `update async_jobs set status = 'delivering', next_try_at = ?, due_since = ? where status in ('delivering', 'undelivered')`,
      )
      .run(now, now)
  }

  makeDue(extractId: string, now: number): void {
    this.#db
      .prepare(
        `update async_jobs set status = 'delivering', next_try_at = ?, due_since = ? where extract_id = ? and status in ('delivering', 'undelivered')`,
      )
      .run(now, now, extractId)
  }

  /** True when there was such a job. */
  remove(extractId: string): boolean {
    return this.#db.prepare('delete from async_jobs where extract_id = ?').run(extractId).changes > 0
  }
}

import type { FileKind } from '../../../shared/document.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { ServiceDatabase } from '../database.ts'
import type { ExtractionTask } from '../extraction-run.ts'

export type AsyncJob = ExtractionTask & { extractId: string; callback: string; starts: number }

export type Delivery = { extractId: string; callback: string; payload: string; tries: number; finishedAt: number }

type JobRow = { extract_id: string; file_name: string; kind: FileKind; schema: string; with_sources: number; callback: string; starts: number }
type DeliveryRow = { extract_id: string; callback: string; payload: string; tries: number; finished_at: number }

/** The SQL of asynchronous jobs. `started` waits for extraction, `delivering` for its webhook; delivered jobs are deleted. */
export class JobTable {
  readonly #db: ServiceDatabase

  constructor(db: ServiceDatabase) {
    this.#db = db
  }

  insert(job: Omit<AsyncJob, 'starts'>): void {
    this.#db
      .prepare(
        `insert into async_jobs (extract_id, status, file_name, kind, schema, with_sources, callback, created_at)
         values (?, 'started', ?, ?, ?, ?, ?, ?)`,
      )
      .run(job.extractId, job.fileName, job.kind, JSON.stringify(job.schema), job.withSources ? 1 : 0, job.callback, Date.now())
  }

  startedIds(): string[] {
    return this.#db.prepare<[], string>(`select extract_id from async_jobs where status = 'started' order by created_at, rowid`).pluck().all()
  }

  /** Counts the start before the work, so that a document that kills the process is not tried for ever. */
  start(extractId: string): AsyncJob | null {
    const row = this.#db
      .prepare<[string], JobRow>(
        `update async_jobs set starts = starts + 1 where extract_id = ? and status = 'started'
         returning extract_id, file_name, kind, schema, with_sources, callback, starts`,
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
      starts: row.starts,
    }
  }

  /** The service was stopped in an orderly way, which the document is not to blame for. */
  takeBackStart(extractId: string): void {
    this.#db.prepare('update async_jobs set starts = starts - 1 where extract_id = ? and starts > 0').run(extractId)
  }

  /** Stores the webhook's body in the same step that ends the extraction. */
  finish(extractId: string, payload: string, now: number): void {
    this.#db
      .prepare(`update async_jobs set status = 'delivering', payload = ?, next_try_at = ?, finished_at = ? where extract_id = ? and status = 'started'`)
      .run(payload, now, now, extractId)
  }

  dueDeliveries(now: number, limit: number, except: ReadonlySet<string>): Delivery[] {
    return this.#db
      .prepare<[number, string, number], DeliveryRow>(
        `select extract_id, callback, payload, tries, finished_at from async_jobs
         where status = 'delivering' and next_try_at <= ? and extract_id not in (select value from json_each(?))
         order by next_try_at limit ?`,
      )
      .all(now, JSON.stringify([...except]), limit)
      .map((row) => ({ extractId: row.extract_id, callback: row.callback, payload: row.payload, tries: row.tries, finishedAt: row.finished_at }))
  }

  nextDeliveryAt(except: ReadonlySet<string>): number | null {
    return (
      this.#db
        .prepare<[string], number | null>(
          `select min(next_try_at) from async_jobs where status = 'delivering' and extract_id not in (select value from json_each(?))`,
        )
        .pluck()
        .get(JSON.stringify([...except])) ?? null
    )
  }

  postpone(extractId: string, nextTryAt: number): void {
    this.#db.prepare('update async_jobs set tries = tries + 1, next_try_at = ? where extract_id = ?').run(nextTryAt, extractId)
  }

  /** After a restart everything undelivered is tried at once, whatever the clock did meanwhile. */
  makeAllDue(now: number): void {
    this.#db.prepare(`update async_jobs set next_try_at = ? where status = 'delivering'`).run(now)
  }

  /** The receiver never took it: the values are dropped, the row tells that the job was there. */
  abandon(extractId: string): void {
    this.#db.prepare(`update async_jobs set status = 'abandoned', payload = null, next_try_at = null where extract_id = ?`).run(extractId)
  }

  remove(extractId: string): void {
    this.#db.prepare('delete from async_jobs where extract_id = ?').run(extractId)
  }
}

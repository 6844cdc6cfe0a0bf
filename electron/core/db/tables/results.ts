import type { Doubt, ExtractedRecord, FieldSource, PlainValue } from '../../../../shared/domain/result.ts'
import type { Flag } from '../../../../shared/domain/review.ts'
import { countOf } from './columns.ts'
import type { Database } from '../open.ts'
import { SelectedResults } from './selected-results.ts'

export type SummaryValue = { name: string; value: PlainValue }

type NewResult = {
  documentId: number
  answerId: number
  records: ExtractedRecord[]
  sources: FieldSource[] | null
  doubts: Doubt[]
  summary: SummaryValue[]
  durationMs: number | null
  tokensConsumed: number | null
}

/** As many documents as show what is usual, looked for among so many ids: both bound what the check of one costs. */
const [maxSummaries, summaryReach] = [50, 5000]

/** Megabytes that nobody asked for within this time are not kept. */
const keptMs = 10_000

/**
 * The values of a column of JSON. The last one is kept for a while: whoever corrects a document reads the same
 * megabytes several times for each value.
 */
function jsonColumn<T extends object>(): { read: (text: string) => T; write: (value: T) => string } {
  let last: { text: string; value: T } | null = null
  let timer: NodeJS.Timeout | null = null
  const kept = (pair: { text: string; value: T }): typeof pair => {
    last = pair
    timer ??= setTimeout(() => {
      last = null
      timer = null
    }, keptMs).unref()
    timer.refresh()
    return pair
  }
  return {
    read: (text) => kept(last?.text === text ? last : { text, value: JSON.parse(text) as T }).value,
    write: (value) => kept({ text: JSON.stringify(value), value }).text,
  }
}

function prepare(db: Database) {
  return {
    insert: db.prepare(`
    INSERT INTO results (document_id, answer_id, records, sources, doubts, record_count, summary, duration_ms, tokens_consumed, created_at)
    VALUES (@documentId, @answerId, @records, @sources, @doubts, @recordCount, @summary, @durationMs, @tokensConsumed, @now)`),
    recordsOf: db.prepare<[number], string>('SELECT records FROM results WHERE id = ?').pluck(),
    correctedOf: db.prepare<[number], string | null>('SELECT corrected FROM results WHERE id = ?').pluck(),
    sourcesOf: db.prepare<[number], string | null>('SELECT sources FROM results WHERE id = ?').pluck(),
    doubtsOf: db.prepare<[number], string>('SELECT doubts FROM results WHERE id = ?').pluck(),
    // The newest of a stretch of ids, not of the whole table: in a large one another schema may have all of the last
    // ones.
    summariesBefore: db
      .prepare<[{ schemaId: number; documentId: number; limit: number; reach: number }], string>(`
    SELECT r.summary FROM documents j JOIN results r ON r.id = j.result_id
    WHERE j.id < @documentId AND j.id >= @documentId - @reach AND j.status = 'done' AND j.in_bin = 0
      AND j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId) ORDER BY j.id DESC LIMIT @limit`)
      .pluck(),
    lastOf: db
      .prepare<[{ schemaId: number; limit: number; reach: number }], number>(`
    SELECT id FROM documents WHERE id > (SELECT coalesce(max(id), 0) FROM documents) - @reach AND status = 'done' AND in_bin = 0
      AND result_id IS NOT NULL
      AND schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId) ORDER BY id DESC LIMIT @limit`)
      .pluck(),
    answerOf: db.prepare<[number], { answer_id: number }>('SELECT answer_id FROM results WHERE id = ?'),
    setCorrected: db.prepare<[{ id: number; corrected: string | null; summary: string; flags: string }]>(
      'UPDATE results SET corrected = @corrected, summary = @summary, flags = @flags WHERE id = @id',
    ),
  }
}

/** Results of documents, and the documents that exports are made of. */
export class ResultsTable extends SelectedResults {
  readonly #sql: ReturnType<typeof prepare>
  readonly #extracted = jsonColumn<ExtractedRecord[]>()
  readonly #corrected = jsonColumn<ExtractedRecord[]>()

  constructor(db: Database) {
    super(db)
    this.#sql = prepare(db)
  }

  insert(result: NewResult, now: number): number {
    const { lastInsertRowid } = this.#sql.insert.run({
      documentId: result.documentId,
      answerId: result.answerId,
      records: this.#extracted.write(result.records),
      sources: result.sources === null ? null : JSON.stringify(result.sources),
      doubts: JSON.stringify(result.doubts),
      recordCount: result.records.length,
      summary: JSON.stringify(result.summary),
      durationMs: countOf(result.durationMs),
      tokensConsumed: countOf(result.tokensConsumed),
      now,
    })
    return Number(lastInsertRowid)
  }

  /** The answer that a result was read from. */
  answerOf(id: number): number {
    return this.#sql.answerOf.get(id)!.answer_id
  }

  /**
   * `extracted`: as the service gave them; `records`: with what persons corrected. Megabytes each, so only what is
   * asked for is read; nobody changes it in place.
   */
  get(id: number): {
    readonly extracted: ExtractedRecord[]
    readonly records: ExtractedRecord[]
    readonly sources: FieldSource[] | null
    readonly doubts: Doubt[]
  } {
    const [sql, extracted, corrected] = [this.#sql, this.#extracted, this.#corrected]
    return {
      get extracted() {
        return extracted.read(sql.recordsOf.get(id)!)
      },
      get records() {
        const text = sql.correctedOf.get(id)!
        return text === null ? this.extracted : corrected.read(text)
      },
      get sources() {
        return JSON.parse(sql.sourcesOf.get(id) ?? 'null') as FieldSource[] | null
      },
      get doubts() {
        return JSON.parse(sql.doubtsOf.get(id)!) as Doubt[]
      },
    }
  }

  /** The last documents of a schema with a result, looked for among the newest: so many at most, the newest first. */
  lastOf(schemaId: number, limit: number): number[] {
    return this.#sql.lastOf.all({ schemaId, limit, reach: summaryReach })
  }

  /** What lists show of the last documents of a schema before one, the newest first: fifty at most. */
  summariesBefore(schemaId: number, documentId: number): SummaryValue[][] {
    const bounds = { limit: maxSummaries, reach: summaryReach }
    return this.#sql.summariesBefore
      .all({ schemaId, documentId, ...bounds })
      .map((summary) => JSON.parse(summary) as SummaryValue[])
  }

  /**
   * Stores what the records became, how the list shows them, and their flags; null: as the service said. All at once:
   * the database writes the megabytes of a row again for each change of it.
   */
  setCorrected(id: number, records: ExtractedRecord[] | null, summary: SummaryValue[], flags: Flag[]): void {
    this.#sql.setCorrected.run({
      id,
      corrected: records === null ? null : this.#corrected.write(records),
      summary: JSON.stringify(summary),
      flags: JSON.stringify(flags),
    })
  }
}

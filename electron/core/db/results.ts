import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'
import { countOf } from './count-of.ts'
import type { Database } from './open.ts'
import { selectedResults } from './selected-results.ts'

export type SummaryValue = { name: string; value: string | number | boolean | null }

export type NewResult = {
  jobId: number
  answerId: number
  records: ExtractedRecord[]
  sources: FieldSource[] | null
  summary: SummaryValue[]
  durationMs: number | null
  tokensConsumed: number | null
}

/** Results of jobs, and the documents that exports are made of. */
export function resultsTable(db: Database) {
  const insert = db.prepare(`
    INSERT INTO results (job_id, answer_id, records, sources, record_count, summary, duration_ms, tokens_consumed, created_at)
    VALUES (@jobId, @answerId, @records, @sources, @recordCount, @summary, @durationMs, @tokensConsumed, @now)`)
  const byId = db.prepare<[number], { records: string; sources: string | null; corrected: string | null }>('SELECT records, sources, corrected FROM results WHERE id = ?')
  const answerOf = db.prepare<[number], { answer_id: number }>('SELECT answer_id FROM results WHERE id = ?')
  const selections = selectedResults(db)

  return {
    insert(result: NewResult, now: number): number {
      const { lastInsertRowid } = insert.run({
        jobId: result.jobId,
        answerId: result.answerId,
        records: JSON.stringify(result.records),
        sources: result.sources === null ? null : JSON.stringify(result.sources),
        recordCount: result.records.length,
        summary: JSON.stringify(result.summary),
        durationMs: countOf(result.durationMs),
        tokensConsumed: countOf(result.tokensConsumed),
        now,
      })
      return Number(lastInsertRowid)
    },
    /** The answer that a result was read from. */
    answerOf: (id: number): number => answerOf.get(id)!.answer_id,
    /** `said`: as the service gave them; `records`: with what persons corrected. Megabytes each, so only what is asked for is parsed. */
    get(id: number): { readonly said: ExtractedRecord[]; readonly records: ExtractedRecord[]; readonly sources: FieldSource[] | null } {
      const row = byId.get(id)!
      return {
        get said() {
          return JSON.parse(row.records) as ExtractedRecord[]
        },
        get records() {
          return JSON.parse(row.corrected ?? row.records) as ExtractedRecord[]
        },
        get sources() {
          return row.sources === null ? null : (JSON.parse(row.sources) as FieldSource[])
        },
      }
    },
    ...selections,
  }
}

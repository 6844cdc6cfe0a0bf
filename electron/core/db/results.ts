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

/** Parses a text, or gives what it parsed last when that was the same one: a correction reads the same megabytes several times. What nobody else holds is not kept. */
function parsedOnce<T extends object>(): (text: string) => T {
  let last: WeakRef<{ text: string; value: T }> | null = null
  return (text) => {
    const known = last?.deref()
    if (known?.text === text) return known.value
    const parsed = { text, value: JSON.parse(text) as T }
    last = new WeakRef(parsed)
    return parsed.value
  }
}

/** Results of jobs, and the documents that exports are made of. */
export function resultsTable(db: Database) {
  const insert = db.prepare(`
    INSERT INTO results (job_id, answer_id, records, sources, record_count, summary, duration_ms, tokens_consumed, created_at)
    VALUES (@jobId, @answerId, @records, @sources, @recordCount, @summary, @durationMs, @tokensConsumed, @now)`)
  const byId = db.prepare<[number], { records: string; sources: string | null; corrected: string | null }>('SELECT records, sources, corrected FROM results WHERE id = ?')
  const answerOf = db.prepare<[number], { answer_id: number }>('SELECT answer_id FROM results WHERE id = ?')
  const selections = selectedResults(db)
  const saidIn = parsedOnce<ExtractedRecord[]>()
  const correctedIn = parsedOnce<ExtractedRecord[]>()

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
    /** `said`: as the service gave them; `records`: with what persons corrected. Megabytes each, so only what is asked for is parsed; nobody changes it in place. */
    get(id: number): { readonly said: ExtractedRecord[]; readonly records: ExtractedRecord[]; readonly sources: FieldSource[] | null } {
      const row = byId.get(id)!
      return {
        get said() {
          return saidIn(row.records)
        },
        get records() {
          return row.corrected === null ? saidIn(row.records) : correctedIn(row.corrected)
        },
        get sources() {
          return row.sources === null ? null : (JSON.parse(row.sources) as FieldSource[])
        },
      }
    },
    ...selections,
  }
}

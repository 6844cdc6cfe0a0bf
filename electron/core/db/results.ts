import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'
import type { Flag } from '../../../shared/review.ts'
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

/** Megabytes that nobody asked for within this time are not kept. */
const keptMs = 10_000

/** The values of a column of JSON. The last one is kept for a while: whoever corrects a document reads the same megabytes several times for each value. */
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

/** Results of jobs, and the documents that exports are made of. */
export function resultsTable(db: Database) {
  const insert = db.prepare(`
    INSERT INTO results (job_id, answer_id, records, sources, record_count, summary, duration_ms, tokens_consumed, created_at)
    VALUES (@jobId, @answerId, @records, @sources, @recordCount, @summary, @durationMs, @tokensConsumed, @now)`)
  const recordsOf = db.prepare<[number], string>('SELECT records FROM results WHERE id = ?').pluck()
  const correctedOf = db.prepare<[number], string | null>('SELECT corrected FROM results WHERE id = ?').pluck()
  const sourcesOf = db.prepare<[number], string | null>('SELECT sources FROM results WHERE id = ?').pluck()
  const answerOf = db.prepare<[number], { answer_id: number }>('SELECT answer_id FROM results WHERE id = ?')
  const selections = selectedResults(db)
  const setCorrected = db.prepare<[{ id: number; corrected: string | null; summary: string; flags: string }]>('UPDATE results SET corrected = @corrected, summary = @summary, flags = @flags WHERE id = @id')
  const said = jsonColumn<ExtractedRecord[]>()
  const corrected = jsonColumn<ExtractedRecord[]>()

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
    /** `said`: as the service gave them; `records`: with what persons corrected. Megabytes each, so only what is asked for is read; nobody changes it in place. */
    get: (id: number): { readonly said: ExtractedRecord[]; readonly records: ExtractedRecord[]; readonly sources: FieldSource[] | null } => ({
      get said() {
        return said.read(recordsOf.get(id)!)
      },
      get records() {
        const text = correctedOf.get(id)!
        return text === null ? this.said : corrected.read(text)
      },
      get sources() {
        const text = sourcesOf.get(id)!
        return text === null ? null : (JSON.parse(text) as FieldSource[])
      },
    }),
    /**
     * Stores what the records became, how the list shows them, and their flags; null: as the service said. All at once: the
     * database writes the megabytes of a row again for each change of it.
     */
    setCorrected(id: number, records: ExtractedRecord[] | null, summary: SummaryValue[], flags: Flag[]): void {
      setCorrected.run({ id, corrected: records === null ? null : corrected.write(records), summary: JSON.stringify(summary), flags: JSON.stringify(flags) })
    },
    ...selections,
  }
}

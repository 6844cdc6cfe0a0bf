import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'
import type { ReviewState } from '../../../shared/review.ts'
import { countOf } from './count-of.ts'
import type { Database } from './open.ts'

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

/**
 * Where documents of an export come from: a schema, and optionally one folder or some jobs, some states of their check, and a
 * time in which they were received or approved (epoch ms, the end not included).
 */
export type ResultSelection = {
  schemaId: number
  folderId: number | null
  jobIds: number[] | null
  reviews?: ReviewState[]
  period?: { by: 'received' | 'approved'; from: number | null; to: number | null }
}

/** A document as an export has it. Times are epoch ms; null while nobody approved it. */
export type ResultDocument = {
  fileName: string
  records: ExtractedRecord[]
  about: { folderName: string; receivedAt: number; approvedAt: number | null; approvedBy: string | null }
}

type DocumentRow = { id: number; name: string; records: string; folder_name: string; created_at: number; approved_at: number | null; approved_by: string | null }

/** Results of jobs and the exports made of them. */
export function resultsTable(db: Database) {
  const insert = db.prepare(`
    INSERT INTO results (job_id, answer_id, records, sources, record_count, summary, duration_ms, tokens_consumed, created_at)
    VALUES (@jobId, @answerId, @records, @sources, @recordCount, @summary, @durationMs, @tokensConsumed, @now)`)
  const byId = db.prepare<[number], { records: string; sources: string | null; corrected: string | null }>('SELECT records, sources, corrected FROM results WHERE id = ?')
  const answerOf = db.prepare<[number], { answer_id: number }>('SELECT answer_id FROM results WHERE id = ?')
  const chosen = (job: string): string =>
    `(@folderId IS NULL OR ${job}.folder_id = @folderId) AND (@jobIds IS NULL OR ${job}.id IN (SELECT value FROM json_each(@jobIds)))`
  // The last approval of a document, or of the one that it is a copy of, as long as it counts.
  const approval = (column: string): string => `(SELECT e.${column} FROM review_entries e
    WHERE iif(j.status = 'done', j.review, o.review) = 'approved' AND e.job_id = iif(j.status = 'done', j.id, o.id) AND e.kind = 'approve' ORDER BY e.id DESC LIMIT 1)`
  // A duplicate stands for its original where that one is not chosen itself: once, however many copies there are.
  const selection = `
    FROM jobs j JOIN schema_versions v ON v.id = j.schema_version_id LEFT JOIN jobs o ON o.id = j.original_job_id
    JOIN results r ON r.id = coalesce(j.result_id, o.result_id)
    WHERE v.schema_id = @schemaId AND ${chosen('j')} AND (j.status = 'done' OR (
      j.status = 'skipped' AND j.reason_code = 'duplicate' AND o.status = 'done' AND NOT (${chosen('o')})
      AND NOT EXISTS (SELECT 1 FROM jobs d WHERE d.original_job_id = j.original_job_id AND d.id < j.id AND ${chosen('d')})))
      AND (@reviews IS NULL OR iif(j.status = 'done', j.review, o.review) IN (SELECT value FROM json_each(@reviews)))
      AND (@by IS NULL OR (iif(@by = 'received', j.created_at, ${approval('created_at')}) >= @from AND iif(@by = 'received', j.created_at, ${approval('created_at')}) < @to))`
  const page = db.prepare<[Record<string, unknown>], DocumentRow>(
    `SELECT j.id, j.name, coalesce(r.corrected, r.records) AS records, (SELECT f.name FROM folders f WHERE f.id = j.folder_id) AS folder_name,
      j.created_at, ${approval('created_at')} AS approved_at, ${approval('person')} AS approved_by ${selection} AND j.id > @after ORDER BY j.id LIMIT 200`,
  )
  const count = db.prepare<[Record<string, unknown>], { documents: number }>(`SELECT count(*) AS documents ${selection}`)
  const parameters = (selected: ResultSelection): Record<string, unknown> => ({
    schemaId: selected.schemaId,
    folderId: selected.folderId,
    jobIds: selected.jobIds === null ? null : JSON.stringify(selected.jobIds),
    reviews: selected.reviews === undefined || selected.reviews.length === 0 ? null : JSON.stringify(selected.reviews),
    by: selected.period?.by ?? null,
    from: selected.period?.from ?? Number.MIN_SAFE_INTEGER,
    to: selected.period?.to ?? Number.MAX_SAFE_INTEGER,
  })

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
    /** `said`: as the service gave them; `records`: with what persons corrected. */
    get(id: number): { said: ExtractedRecord[]; records: ExtractedRecord[]; sources: FieldSource[] | null } {
      const row = byId.get(id)!
      return {
        said: JSON.parse(row.records) as ExtractedRecord[],
        records: JSON.parse(row.corrected ?? row.records) as ExtractedRecord[],
        sources: row.sources === null ? null : (JSON.parse(row.sources) as FieldSource[]),
      }
    },
    /**
     * Documents in the order they were received. Read in pages, since the pipeline goes on writing
     * between them and a connection with an open cursor cannot.
     */
    *documents(selected: ResultSelection): Generator<ResultDocument> {
      for (let after = 0; ; ) {
        const rows = page.all({ ...parameters(selected), after })
        for (const row of rows) {
          const about = { folderName: row.folder_name, receivedAt: row.created_at, approvedAt: row.approved_at, approvedBy: row.approved_by }
          yield { fileName: row.name, records: JSON.parse(row.records) as ExtractedRecord[], about }
        }
        const last = rows.at(-1)
        if (last === undefined) return
        after = last.id
      }
    },
    count: (selected: ResultSelection): number => count.get(parameters(selected))!.documents,
  }
}

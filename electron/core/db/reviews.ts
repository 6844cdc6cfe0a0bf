import type { ReviewState } from '../../../shared/job.ts'
import { isSameJson } from '../../../shared/pointer.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import { withCorrections } from '../../../shared/review.ts'
import type { Correction, FieldPath, Flag } from '../../../shared/review.ts'
import type { ReviewDetails } from './journal.ts'
import type { Journaling } from './journaling.ts'
import type { Database } from './open.ts'

/** Who did it, and when (epoch ms). */
export type Hand = { person: string; at: number }

export type StoredCorrection = Correction & Hand

type EntryRow = { kind: 'correct' | 'confirm' | 'approve' | 'reopen'; pointer: string | null; said: string | null; value: string | null; person: string; created_at: number }

const correctionsSql = "SELECT kind, pointer, said, value, person, created_at FROM review_entries WHERE job_id = ? AND kind = 'correct' ORDER BY id"

/** What becomes of the records of a document by what persons corrected, as it is stored: null where nothing differs. */
export function storedCorrections(db: Database, jobId: number, records: ExtractedRecord[]): string | null {
  const corrected = withCorrections(records, db.prepare<[number], EntryRow>(correctionsSql).all(jobId).map(correctionOf))
  return isSameJson(corrected, records) ? null : JSON.stringify(corrected)
}

/** The check of results: what persons corrected, confirmed and approved, the flags that are left, and values that must be unique. */
export function reviewsTable(db: Database, journaled: Pick<Journaling, 'reviewed'>) {
  const insert = db.prepare<[Record<string, unknown>]>(`
    INSERT INTO review_entries (job_id, kind, pointer, said, value, batch, person, created_at)
    VALUES (@jobId, @kind, @pointer, @said, @value, @batch, @person, @at)`)
  const corrections = db.prepare<[number], EntryRow>(correctionsSql)
  const confirmations = db.prepare<[number], { value: string }>("SELECT value FROM review_entries WHERE job_id = ? AND kind = 'confirm' ORDER BY id")
  const lastWord = db.prepare<[number], EntryRow>(
    "SELECT kind, pointer, said, value, person, created_at FROM review_entries WHERE job_id = ? AND kind IN ('approve', 'reopen') ORDER BY id DESC LIMIT 1",
  )
  const newBatch = db.prepare<[], { batch: number }>('SELECT coalesce(max(batch), 0) + 1 AS batch FROM review_entries WHERE batch IS NOT NULL')
  const ofBatch = db.prepare<[number, number], { id: number; job_id: number }>(`
    SELECT e.id, e.job_id FROM review_entries e WHERE e.batch = ? AND e.id > ? AND e.kind = 'approve'
      AND NOT EXISTS (SELECT 1 FROM review_entries later WHERE later.job_id = e.job_id AND later.id > e.id AND later.kind IN ('approve', 'reopen')) ORDER BY e.id LIMIT 500`)
  const setFlags = db.prepare<[{ id: number; flags: string }]>('UPDATE results SET flags = @flags WHERE id = @id AND flags <> @flags')
  const setReview = db.prepare<[{ id: number; review: ReviewState; flags: number }]>("UPDATE jobs SET review = @review, flag_count = @flags WHERE id = @id AND status = 'done'")
  const flags = db.prepare<[number], { flags: string }>('SELECT flags FROM results WHERE id = ?')
  const stateOf = db.prepare<[number], { review: ReviewState | null }>('SELECT review FROM jobs WHERE id = ?')
  const ready = db.prepare<[{ after: number; folderId: number | null; schemaId: number | null; last: number }], { id: number }>(`
    SELECT j.id FROM jobs j INDEXED BY jobs_review WHERE j.review = 'ready' AND j.in_bin = 0 AND j.id > @after AND j.id <= @last
      AND (@folderId IS NULL OR j.folder_id = @folderId)
      AND (@schemaId IS NULL OR j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId)) ORDER BY j.id LIMIT 500`)
  const unapproved = db.prepare<[number, number], { id: number }>(`
    SELECT j.id FROM jobs j WHERE j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = ?) AND j.review IN ('ready', 'flagged')
      AND j.id > ? ORDER BY j.id LIMIT 100`)
  const forgetValues = db.prepare<[number]>('DELETE FROM unique_values WHERE job_id = ?')
  const addValue = db.prepare<[number, string, string, number]>('INSERT INTO unique_values (schema_id, fields, value, job_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const firstWith = db.prepare<[number, string, string, number], { id: number; name: string; created_at: number }>(`
    SELECT j.id, j.name, j.created_at FROM unique_values u JOIN jobs j ON j.id = u.job_id
    WHERE u.schema_id = ? AND u.fields = ? AND u.value = ? AND u.job_id < ? AND j.status = 'done' AND j.in_bin = 0 ORDER BY u.job_id LIMIT 1`)
  const othersWith = db.prepare<[number, string, string, number], { job_id: number }>(
    'SELECT job_id FROM unique_values WHERE schema_id = ? AND fields = ? AND value = ? AND job_id > ? ORDER BY job_id LIMIT 100',
  )
  const valuesOf = db.prepare<[number], { schema_id: number; fields: string; value: string }>('SELECT schema_id, fields, value FROM unique_values WHERE job_id = ?')
  const lastJob = db.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM jobs')

  type NewEntry = { jobId: number; kind: EntryRow['kind']; pointer?: string; said?: unknown; value?: unknown; batch?: number }
  /** Written into the journal first, so that it outlives the database. */
  const add = (entries: NewEntry[], { person, at }: Hand): void => {
    const json = (each: unknown): string | null => (each === undefined ? null : JSON.stringify(each))
    const rows = entries.map(({ jobId, kind, pointer = null, said, value, batch = null }) => {
      const details: ReviewDetails = { kind, pointer, said: json(said), value: json(value), batch, person, at }
      return { jobId, details }
    })
    journaled.reviewed(rows)
    for (const { jobId, details } of rows) insert.run({ jobId, ...details })
  }

  return {
    correct: (jobId: number, corrections: Correction[], hand: Hand): void => add(corrections.map((correction) => ({ jobId, kind: 'correct', ...correction })), hand),
    /** The values at these places are right in spite of their flags. */
    confirm: (jobId: number, places: { pointer: string; flags: Flag[] }[], hand: Hand): void =>
      add(places.map(({ pointer, flags: value }) => ({ jobId, kind: 'confirm', pointer, value })), hand),
    approve: (jobIds: number[], batch: number, hand: Hand): void => add(jobIds.map((jobId) => ({ jobId, kind: 'approve', batch })), hand),
    reopen: (jobIds: number[], hand: Hand): void => add(jobIds.map((jobId) => ({ jobId, kind: 'reopen' })), hand),
    /** Those of the places that are asked for. */
    corrections: (jobId: number, isAsked: (pointer: string) => boolean = () => true): StoredCorrection[] => corrections.all(jobId).filter(({ pointer }) => isAsked(pointer!)).map(correctionOf),
    /** All flags that a person said are none. */
    confirmed: (jobId: number): Flag[] => confirmations.all(jobId).flatMap(({ value }) => JSON.parse(value) as Flag[]),
    /** Who approved it last; null where nobody did, or somebody took that back. */
    approval(jobId: number): Hand | null {
      const row = lastWord.get(jobId)
      return row?.kind === 'approve' ? { person: row.person, at: row.created_at } : null
    },
    newBatch: (): number => newBatch.get()!.batch,
    /** Approvals of a batch that still are the last word, by id. */
    *approvedIn(batch: number): Generator<number[]> {
      for (let rows = ofBatch.all(batch, 0); rows.length > 0; rows = ofBatch.all(batch, rows.at(-1)!.id)) yield rows.map((row) => row.job_id)
    },
    state: (jobId: number): ReviewState | null => stateOf.get(jobId)?.review ?? null,
    flags: (resultId: number): Flag[] => JSON.parse(flags.get(resultId)!.flags) as Flag[],
    setReview(jobId: number, resultId: number, review: ReviewState, flags: Flag[]): void {
      setFlags.run({ id: resultId, flags: JSON.stringify(flags) })
      setReview.run({ id: jobId, review, flags: flags.length })
    },
    /** Pages of documents that need no look and wait for approval, as they are at the first call. */
    *ready(filter: { folderId: number | null; schemaId: number | null }): Generator<number[]> {
      const last = lastJob.get()!.id
      for (let rows = ready.all({ ...filter, after: 0, last }); rows.length > 0; rows = ready.all({ ...filter, after: rows.at(-1)!.id, last })) yield rows.map((row) => row.id)
    },
    /** At most 100 documents of a schema after an id that nobody approved. */
    unapproved: (schemaId: number, after: number): number[] => unapproved.all(schemaId, after).map((row) => row.id),
    /** The values of a document that no other one may have; those that it had are forgotten. */
    setUnique(jobId: number, schemaId: number, values: { fields: FieldPath[]; value: string }[]): void {
      forgetValues.run(jobId)
      for (const { fields, value } of values) addValue.run(schemaId, JSON.stringify(fields), value, jobId)
    },
    /** The first document before this one with the value, and not in the bin. */
    firstWith(schemaId: number, fields: FieldPath[], value: string, jobId: number): { jobId: number; name: string; at: number } | null {
      const row = firstWith.get(schemaId, JSON.stringify(fields), value, jobId)
      return row === undefined ? null : { jobId: row.id, name: row.name, at: row.created_at }
    },
    /** Later documents that share a unique value with this one. */
    sharing: (jobId: number): number[] => [
      ...new Set(valuesOf.all(jobId).flatMap(({ schema_id, fields, value }) => othersWith.all(schema_id, fields, value, jobId).map((row) => row.job_id))),
    ],
  }
}

function correctionOf(row: EntryRow): StoredCorrection {
  return { pointer: row.pointer!, said: JSON.parse(row.said ?? 'null') as unknown, value: JSON.parse(row.value ?? 'null') as unknown, person: row.person, at: row.created_at }
}

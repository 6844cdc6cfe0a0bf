import { reviewStates } from '../../../shared/job.ts'
import type { ReviewState } from '../../../shared/job.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import { firstAt } from './first-at.ts'
import type { Database } from './open.ts'

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

/** The first documents of a selection by their ids; `isAll`: there are no others. */
export type FirstResults = { ids: number[]; isAll: boolean }

type DocumentRow = { id: number; name: string; records: string; folder_name: string; created_at: number; approved_at: number | null; approved_by: string | null }
type Statement = { sql: string; parameters: (string | number)[] }

const pageLength = 200
/** Of what could be in a period so many are asked whether they are. */
const mostAsked = 20_000
/** Up to so many documents of its schema, a period is looked for by asking each of them. */
const mostAskedEach = 20_000
/** To see which fields the results of a version have. */
const mostOfVersion = 50

/** Documents with results as exports take them, in the order they were received. */
export function selectedResults(db: Database) {
  const isChosen = (job: string): string =>
    `${job}.in_bin = 0 AND (@folderId IS NULL OR ${job}.folder_id = @folderId) AND (@jobIds IS NULL OR ${job}.id IN (SELECT value FROM json_each(@jobIds)))`
  // The last approval of a document, or of the one that it is a copy of, as long as it counts.
  const approval = (column: string): string => `(SELECT e.${column} FROM review_entries e
    WHERE iif(j.status = 'done', j.review, o.review) = 'approved' AND e.job_id = iif(j.status = 'done', j.id, o.id) AND e.kind = 'approve' ORDER BY e.id DESC LIMIT 1)`
  // Of some jobs those that belong to it. A duplicate stands for its original where that one is not chosen itself: once, however
  // many copies there are.
  const selected = `
    FROM json_each(@ids) i CROSS JOIN jobs j ON j.id = i.value CROSS JOIN schema_versions v ON v.id = j.schema_version_id
    LEFT JOIN jobs o ON o.id = j.original_job_id JOIN results r ON r.id = coalesce(j.result_id, o.result_id)
    WHERE v.schema_id = @schemaId AND ${isChosen('j')} AND (j.status = 'done' OR (
      j.status = 'skipped' AND j.reason_code = 'duplicate' AND o.status = 'done' AND NOT (${isChosen('o')})
      AND NOT EXISTS (SELECT 1 FROM jobs d WHERE d.original_job_id = j.original_job_id AND d.id < j.id AND ${isChosen('d')})))
      AND (@reviews IS NULL OR iif(j.status = 'done', j.review, o.review) IN (SELECT value FROM json_each(@reviews)))
      AND (@by IS NULL OR (iif(@by = 'received', j.created_at, ${approval('created_at')}) >= @from AND iif(@by = 'received', j.created_at, ${approval('created_at')}) < @to))
    ORDER BY j.id`
  const idsAmong = db.prepare<[Record<string, unknown>], { id: number }>(`SELECT j.id ${selected}`)
  const documentsAmong = db.prepare<[Record<string, unknown>], DocumentRow>(
    `SELECT j.id, j.name, coalesce(r.corrected, r.records) AS records, (SELECT f.name FROM folders f WHERE f.id = j.folder_id) AS folder_name,
      j.created_at, ${approval('created_at')} AS approved_at, ${approval('person')} AS approved_by ${selected}`,
  )
  const versions = db.prepare<[number], { id: number }>('SELECT id FROM schema_versions WHERE schema_id = ? ORDER BY id')
  const counted = db.prepare<[Record<string, unknown>], { documents: number }>(`
    SELECT coalesce(sum(results), 0) AS documents FROM job_counts WHERE status = 'done' AND (@folderId IS NULL OR folder_id = @folderId)
      AND schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId)
      AND (@reviews IS NULL OR review IN (SELECT value FROM json_each(@reviews)))`)
  const copiesOfBinned = db.prepare<[{ from: number; to: number; versionIds: string }], { id: number }>(`
    SELECT c.id FROM jobs o INDEXED BY jobs_in_bin CROSS JOIN jobs c INDEXED BY jobs_original ON c.original_job_id = o.id
    WHERE o.in_bin = 1 AND c.in_bin = 0 AND c.status = 'skipped' AND c.id >= @from AND c.id < @to
      AND c.schema_version_id IN (SELECT value FROM json_each(@versionIds)) ORDER BY c.id`)
  const firstJobAt = firstAt(db, 'jobs')
  const firstEntryAt = firstAt(db, 'review_entries')
  const approvedBetween = db.prepare<[number, number, number], { id: number }>(`
    SELECT job_id AS id FROM review_entries WHERE id >= ? AND id < ? AND kind = 'approve' LIMIT ?`)
  const withCopies = db.prepare<[{ ids: string }], { id: number }>(`
    SELECT value AS id FROM json_each(@ids) UNION SELECT id FROM jobs WHERE original_job_id IN (SELECT value FROM json_each(@ids)) ORDER BY 1`)

  const parameters = (selection: ResultSelection): Record<string, unknown> => ({
    schemaId: selection.schemaId,
    folderId: selection.folderId,
    jobIds: selection.jobIds === null ? null : JSON.stringify(selection.jobIds),
    reviews: selection.reviews === undefined || selection.reviews.length === 0 ? null : JSON.stringify(selection.reviews),
    by: selection.period?.by ?? null,
    from: selection.period?.from ?? Number.MIN_SAFE_INTEGER,
    to: selection.period?.to ?? Number.MAX_SAFE_INTEGER,
  })
  const isIn = (selection: ResultSelection): ((ids: readonly number[]) => number[]) => {
    const asked = parameters(selection)
    return (ids) => idsAmong.all({ ...asked, ids: JSON.stringify(ids) }).map(({ id }) => id)
  }

  /** Jobs that could be of a selection, 200 at a time, read from the index that begins with their state. */
  function* candidates(selection: ResultSelection, { versionIds = versions.all(selection.schemaId).map(({ id }) => id), onlyCopies = false, from = 0, to = Number.MAX_SAFE_INTEGER } = {}): Generator<number[]> {
    if (selection.jobIds !== null) {
      const ids = selection.jobIds.toSorted((a, b) => a - b)
      for (let at = 0; at < ids.length; at += pageLength) yield ids.slice(at, at + pageLength)
      return
    }
    const { folderId } = selection
    const part = (index: string, column: string, state: string): Statement => ({
      sql: `SELECT id FROM (SELECT id FROM jobs INDEXED BY ${index} WHERE ${column} = ? AND id > ? AND id < ? AND in_bin = 0 AND schema_version_id IN (SELECT value FROM json_each(?))
        ${folderId === null ? '' : 'AND folder_id = ?'} ORDER BY id LIMIT ${pageLength})`,
      parameters: [state, 0, to, JSON.stringify(versionIds), ...(folderId === null ? [] : [folderId])],
    })
    const reviews = selection.period?.by === 'approved' ? (['approved'] as const) : (selection.reviews ?? [])
    const done = reviews.length === 0 || reviews.length === reviewStates.length ? [part('jobs_status', 'status', 'done')] : reviews.map((review) => part('jobs_review', 'review', review))
    const parts = [...(onlyCopies ? [] : done), ...(folderId === null ? [] : [part('jobs_status', 'status', 'skipped')])]
    // Where no folder is chosen an original stands for its copies, unless it is in the bin.
    const copies = folderId === null ? copiesOfBinned.all({ from, to, versionIds: JSON.stringify(versionIds) }).map(({ id }) => id) : []
    if (parts.length === 0) {
      if (copies.length > 0) yield copies
      return
    }
    const page = db.prepare<unknown[], { id: number }>(`${parts.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id LIMIT ${pageLength}`)
    for (let after = from - 1; ; ) {
      const ids = page.all(parts.flatMap((each) => [each.parameters[0], after, ...each.parameters.slice(2)])).map(({ id }) => id)
      const last = ids.length < pageLength ? Infinity : ids.at(-1)!
      while (copies.length > 0 && copies[0]! <= last) ids.push(copies.shift()!)
      if (ids.length === 0) return
      yield ids
      if (last === Infinity) return
      after = last
    }
  }

  const count = (selection: ResultSelection): number => {
    const among = isIn(selection)
    let found = 0
    const isCounted = selection.jobIds === null && selection.period === undefined
    for (const ids of candidates(selection, { onlyCopies: isCounted })) found += among(ids).length
    return isCounted ? found + counted.get(parameters(selection))!.documents : found
  }

  /** Where a period is to be looked for among many documents. */
  const candidatesIn = (selection: ResultSelection): Generator<number[]> => {
    const { period, ...always } = selection
    if (period === undefined || selection.jobIds !== null || count(always) <= mostAskedEach) return candidates(selection)
    const first = period.by === 'received' ? firstJobAt : firstEntryAt
    const from = period.from === null ? 0 : first(period.from)
    const to = period.to === null ? Number.MAX_SAFE_INTEGER : first(period.to)
    if (period.by === 'received') return candidates(selection, { from, to })
    const approved = approvedBetween.all(from, to, mostAsked + pageLength)
    const jobIds = withCopies.all({ ids: JSON.stringify(approved.map(({ id }) => id)) }).map(({ id }) => id)
    return candidates({ ...selection, jobIds })
  }

  const read = (selection: ResultSelection, ids: readonly number[]): ResultDocument[] =>
    documentsAmong.all({ ...parameters(selection), ids: JSON.stringify(ids) }).map((row) => ({
      fileName: row.name,
      records: JSON.parse(row.records) as ExtractedRecord[],
      about: { folderName: row.folder_name, receivedAt: row.created_at, approvedAt: row.approved_at, approvedBy: row.approved_by },
    }))

  return {
    /** All of them. Read in pages, since the pipeline goes on writing between them and a connection with an open cursor cannot. */
    *documents(selection: ResultSelection): Generator<ResultDocument> {
      for (const ids of candidates(selection)) yield* read(selection, ids)
    },
    count,
    /**
     * At most so many of them, for a look that does not take longer the more documents there are. Among more than 20,000, a
     * period is looked for where its time begins: what was received or approved while the computer's clock was wrong can be missing.
     */
    first(selection: ResultSelection, most: number): FirstResults {
      const among = isIn(selection)
      const found: number[] = []
      let asked = 0
      for (const ids of candidatesIn(selection)) {
        if (found.length > most || asked >= mostAsked) return { ids: found.slice(0, most), isAll: false }
        for (const id of among(ids)) found.push(id)
        asked += ids.length
      }
      return { ids: found.slice(0, most), isAll: found.length <= most }
    },
    /** Those of a selection that have these ids. */
    *documentsOf(selection: ResultSelection, ids: readonly number[]): Generator<ResultDocument> {
      for (let at = 0; at < ids.length; at += pageLength) yield* read(selection, ids.slice(at, at + pageLength))
    },
    /** A few documents of each version of the schema, oldest first: they show which fields there are. */
    *documentsOfVersions(selection: ResultSelection): Generator<ResultDocument> {
      for (const { id } of versions.all(selection.schemaId)) {
        for (const ids of candidates(selection, { versionIds: [id] })) {
          yield* read(selection, ids.slice(0, mostOfVersion))
          break
        }
      }
    },
  }
}

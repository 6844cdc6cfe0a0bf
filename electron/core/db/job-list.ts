import { jobStatuses, reviewStates } from '../../../shared/job.ts'
import type { JobStatus, ReviewState } from '../../../shared/job.ts'
import type { JobCounts, JobFilter, JobRow } from '../../../shared/contract-jobs.ts'
import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import { mayBeBilledSql } from './attempts.ts'
import { firstAt } from './first-at.ts'
import type { SummaryValue } from './results.ts'
import type { Database } from './open.ts'
import { hitsOf } from './search-hit.ts'
import type { Found } from './search-hit.ts'
import { searchTerms } from './search-terms.ts'
import { matchOf, wantedBy } from './search-words.ts'
import type { Wanted } from './search-words.ts'

type Row = {
  id: number
  name: string
  path: string
  size_bytes: number
  folder_id: number
  folder_name: string
  folder_paused: number
  stopped_code: ErrorCode | null
  stopped_details: string | null
  schema_id: number
  schema_name: string
  status: JobStatus
  reason_code: ErrorCode | null
  reason_details: string | null
  not_before: number
  original_job_id: number | null
  created_at: number
  finished_at: number | null
  summary: string | null
  record_count: number | null
  duration_ms: number | null
  tokens_consumed: number | null
  may_be_billed: number
  review: ReviewState | null
  flag_count: number
  is_local: number
  in_bin: number
}

export type JobSort = 'receivedAt' | 'name' | 'status' | 'sizeBytes' | 'finishedAt'

/** Each order, and the index that holds it together with folder and schema. Documents are received in the order of their ids, whatever the clock says. */
const orders: Record<JobSort, { by: string; index: string }> = {
  receivedAt: { by: 'id', index: 'jobs_received' },
  name: { by: 'name COLLATE NOCASE', index: 'jobs_name' },
  status: { by: 'status', index: 'jobs_status' },
  sizeBytes: { by: 'size_bytes', index: 'jobs_size' },
  finishedAt: { by: 'finished_at', index: 'jobs_finished' },
}

/** A search lists at most so many documents, the newest ones. */
const mostFound = 10_000
/** Of what a search finds in any state the newest are looked at for the state that is asked for. */
const mostLookedAt = 100_000

export type JobPage = { rows: JobRow[]; total: number; more: boolean }
export type Counted = { counts: JobCounts; more: boolean }
type Order = { sort: JobSort; descending: boolean }
type Span = { offset: number; limit: number }
type Condition = { sql: string; parameters: (string | number)[] }

/** Jobs as the window lists them: searched, filtered, sorted, a page at a time. */
export function jobList(db: Database) {
  const termsOf = searchTerms(db)
  // A duplicate shows the values of the document that it repeats.
  const byId = db.prepare<[number], Row>(`
    SELECT j.id, j.name, j.path, j.size_bytes, j.folder_id, f.name AS folder_name, f.paused AS folder_paused,
      c.paused_code AS stopped_code, c.paused_details AS stopped_details, s.id AS schema_id,
      s.name AS schema_name, j.status, j.reason_code, j.reason_details, j.not_before, j.original_job_id, j.created_at,
      j.finished_at, r.summary, r.record_count, r.duration_ms, r.tokens_consumed, ${mayBeBilledSql('j.id')} AS may_be_billed, j.review, j.flag_count, j.in_bin,
      c.kind = 'local' AS is_local
    FROM jobs j JOIN folders f ON f.id = j.folder_id JOIN connections c ON c.id = j.connection_id JOIN schema_versions v ON v.id = j.schema_version_id
    JOIN schemas s ON s.id = v.schema_id LEFT JOIN jobs o ON o.id = j.original_job_id
    LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id) WHERE j.id = ?`)
  const brief = db.prepare<[number], Pick<Row, 'status' | 'reason_code' | 'reason_details' | 'may_be_billed' | 'review'>>(
    `SELECT status, review, reason_code, reason_details, ${mayBeBilledSql('j.id')} AS may_be_billed FROM jobs j WHERE j.id = ?`,
  )
  const indexed = db.prepare<[number], Found>(`
    SELECT j.name, j.path, coalesce(r.corrected, r.records) AS records, x.text FROM jobs j LEFT JOIN jobs o ON o.id = j.original_job_id
    LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id) LEFT JOIN job_texts x ON x.job_id = j.id WHERE j.id = ?`)
  const versions = db.prepare<[number], { id: number }>('SELECT id FROM schema_versions WHERE schema_id = ?')
  const versionsOf = (schemaId: number): number[] => {
    const ids = versions.all(schemaId).map(({ id }) => id)
    // Of a schema that there is not: no version has this id.
    return ids.length === 0 ? [0] : ids
  }

  const among = (column: string, values: (string | number)[]): Condition => ({ sql: `${column} IN (${values.map(() => '?').join(', ')})`, parameters: values })
  const where = (conditions: Condition[]): Condition => ({
    sql: conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  })
  const firstIdAt = firstAt(db, 'jobs')
  const inStates = (of: 'j' | 'jobs', { statuses, reviews }: JobFilter): Condition[] => [
    ...(statuses.length === 0 ? [] : [among(`${of}.status`, statuses)]),
    ...(reviews.length === 0 ? [] : [among(`${of}.review`, reviews)]),
  ]
  /** The ids that were received in the filter's span of time; nothing when it has none. */
  const span = (column: 'id' | 'rowid', { receivedFrom, receivedBefore }: JobFilter): Condition[] => [
    ...(receivedFrom === null ? [] : [{ sql: `${column} >= ?`, parameters: [firstIdAt(receivedFrom)] }]),
    ...(receivedBefore === null ? [] : [{ sql: `${column} < ?`, parameters: [firstIdAt(receivedBefore)] }]),
  ]
  const rooms = ({ folderId, schemaId }: JobFilter): Condition[] => [
    ...(folderId === null ? [] : [among('folder_id', [folderId])]),
    ...(schemaId === null ? [] : [among('schema_version_id', versionsOf(schemaId))]),
  ]
  const firstBinned = db.prepare<[], { any: number }>('SELECT EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_in_bin WHERE in_bin = 1) AS any')
  const isBinEmpty = (): boolean => firstBinned.get()!.any === 0
  /** Of what is not in the bin, whatever the filter says of that. Without a bin nothing has to be asked of each row that is passed over. */
  const narrowed = (filter: JobFilter): Condition[] => [...(isBinEmpty() ? [] : [{ sql: 'in_bin = 0', parameters: [] }]), ...rooms(filter), ...span('id', filter)]
  const binned = (filter: JobFilter): Condition[] => [{ sql: 'in_bin = 1', parameters: [] }, ...rooms(filter), ...span('id', filter)]
  type CountRow = { status: JobStatus | 'bin'; review: ReviewState | ''; jobs: number }
  const countsOf = (rows: readonly CountRow[]): JobCounts => {
    const counts = Object.fromEntries([...jobStatuses, ...reviewStates, 'bin'].map((state) => [state, 0])) as JobCounts
    for (const { status, review, jobs } of rows) {
      counts[status] += jobs
      if (review !== '') counts[review] += jobs
    }
    return counts
  }

  const counted = (filter: JobFilter): JobCounts => {
    if (filter.receivedFrom === null && filter.receivedBefore === null) {
      const { sql, parameters } = where(rooms(filter))
      return countsOf(db.prepare<unknown[], CountRow>(`SELECT status, review, sum(jobs) AS jobs FROM job_counts ${sql} GROUP BY status, review`).all(...parameters))
    }
    const counts = countsOf([])
    for (const { column, index, states } of [
      { column: 'status', index: 'jobs_status', states: jobStatuses },
      { column: 'review', index: 'jobs_review', states: reviewStates },
    ] as const) {
      const { sql, parameters } = where([among(column, [...states]), ...narrowed(filter)])
      const rows = db.prepare<unknown[], { state: JobStatus | ReviewState; jobs: number }>(`SELECT ${column} AS state, count(*) AS jobs FROM jobs INDEXED BY ${index} ${sql} GROUP BY ${column}`).all(...parameters)
      for (const { state, jobs } of rows) counts[state] = jobs
    }
    const inBin = where(binned(filter))
    counts.bin = db.prepare<unknown[], { jobs: number }>(`SELECT count(*) AS jobs FROM jobs INDEXED BY jobs_in_bin ${inBin.sql}`).get(...inBin.parameters)!.jobs
    return counts
  }

  /** What a list shows: statuses, or states of the check of what is done. `index`: the one that begins with that. */
  type Shown = { column: 'status'; index: 'jobs_status'; states: readonly JobStatus[] } | { column: 'review'; index: 'jobs_review'; states: readonly ReviewState[] }
  const shownBy = ({ statuses, reviews }: JobFilter): Shown => {
    const among = statuses.length === 0 ? jobStatuses : jobStatuses.filter((status) => statuses.includes(status))
    if (reviews.length === 0) return { column: 'status', index: 'jobs_status', states: among }
    return { column: 'review', index: 'jobs_review', states: among.includes('done') ? reviewStates.filter((state) => reviews.includes(state)) : [] }
  }

  /** The ids of a list in its order, as a statement without its end. `isMost`: it shows more documents than it leaves out. */
  const idsIn = (filter: JobFilter, { sort, descending }: Order, { column, index: byState, states }: Shown, isMost: boolean): Condition => {
    const { by, index } = orders[sort]
    const direction = descending ? 'DESC' : 'ASC'
    const order = `ORDER BY ${by === 'id' ? '' : `${by} ${direction}, `}id ${direction}`
    const inRooms = where(narrowed(filter))
    if (states.length === jobStatuses.length) return { sql: `SELECT id FROM jobs INDEXED BY ${index} ${inRooms.sql} ${order}`, parameters: inRooms.parameters }
    const ofStates = (of: readonly string[]): Condition => {
      const { sql, parameters } = where([among(column, [...of]), ...narrowed(filter)])
      return { sql: `SELECT id FROM jobs INDEXED BY ${byState} ${sql}`, parameters }
    }
    if (sort === 'status' && column === 'status') {
      const { sql, parameters } = ofStates(states)
      return { sql: `${sql} ${order}`, parameters }
    }
    if (sort === 'receivedAt' || sort === 'status') {
      // Each state by itself is in order: they are merged, not sorted.
      const parts = states.map((state) => ofStates([state]))
      return { sql: `${parts.map(({ sql }) => sql).join(' UNION ALL ')} ${order}`, parameters: parts.flatMap(({ parameters }) => parameters) }
    }
    // The state changes often, so it is in no other index: the fewer ids of both sides are gathered first.
    const isLess = isMost && column === 'status'
    const gathered = ofStates(isLess ? jobStatuses.filter((status) => !states.includes(status)) : states)
    const { sql, parameters } = where([{ sql: `+id ${isLess ? 'NOT IN' : 'IN'} (${gathered.sql})`, parameters: gathered.parameters }, ...narrowed(filter)])
    return { sql: `SELECT id FROM jobs INDEXED BY ${index} ${sql} ${order}`, parameters }
  }

  /** What is in the bin is little beside the rest: it is gathered and sorted. */
  const listedInBin = (filter: JobFilter, { sort, descending }: Order, offset: number, limit: number): { ids: number[]; total: number } => {
    const { sql, parameters } = where([...binned(filter), ...inStates('jobs', filter)])
    const direction = descending ? 'DESC' : 'ASC'
    const from = `FROM jobs INDEXED BY jobs_in_bin ${sql}`
    const rows = db.prepare<unknown[], { id: number }>(`SELECT id ${from} ORDER BY ${orders[sort].by} ${direction}, id ${direction} LIMIT ? OFFSET ?`).all(...parameters, limit, offset)
    return { ids: rows.map(({ id }) => id), total: db.prepare<unknown[], { jobs: number }>(`SELECT count(*) AS jobs ${from}`).get(...parameters)!.jobs }
  }

  const listed = (filter: JobFilter, order: Order, offset: number, limit: number): { ids: number[]; total: number } => {
    const counts = counted(filter)
    const shown = shownBy(filter)
    const sumOf = (states: readonly (JobStatus | ReviewState)[]): number => states.reduce((sum, state) => sum + counts[state], 0)
    const total = sumOf(shown.states)
    const end = Math.min(total, offset + limit)
    if (end <= offset) return { ids: [], total }
    // What stands nearer to the end is found sooner from there.
    const isNearEnd = offset > total - end
    const { sql, parameters } = idsIn(filter, isNearEnd ? { ...order, descending: !order.descending } : order, shown, total * 2 > sumOf(jobStatuses))
    const rows = db.prepare<unknown[], { id: number }>(`${sql} LIMIT ? OFFSET ?`).all(...parameters, end - offset, isNearEnd ? total - end : offset)
    const ids = rows.map(({ id }) => id)
    return { ids: isNearEnd ? ids.reverse() : ids, total }
  }

  /** The jobs that a search finds, the newest first, as a subquery `hits (id)` of at most `limit` rows. */
  const hits = (wanted: Wanted, filter: JobFilter, limit: number): Condition => {
    const { folderId, schemaId, inBin } = filter
    // Looked up for each hit: the bin may be large, and the index of words does not know it.
    const isBinned = 'EXISTS (SELECT 1 FROM jobs b INDEXED BY jobs_in_bin WHERE b.in_bin = 1 AND b.id = job_search.rowid)'
    const kept: Condition[] = inBin || isBinEmpty() ? [] : [{ sql: `NOT ${isBinned}`, parameters: [] }]
    const scopes = [...(folderId === null ? [] : [[`f${folderId}`]]), ...(schemaId === null ? [] : [versionsOf(schemaId).map((id) => `v${id}`)])]
    const { sql, parameters } = where([{ sql: 'job_search MATCH ?', parameters: [matchOf(wanted, scopes, termsOf)] }, ...span('rowid', filter), ...kept])
    if (!inBin) return { sql: `WITH hits AS MATERIALIZED (SELECT rowid AS id FROM job_search ${sql} ORDER BY rowid DESC LIMIT ?)`, parameters: [...parameters, limit] }
    const looked = `SELECT rowid FROM job_search ${sql} ORDER BY rowid DESC LIMIT ${mostLookedAt}`
    return { sql: `WITH hits AS MATERIALIZED (SELECT rowid AS id FROM (${looked}) AS job_search WHERE ${isBinned} LIMIT ?)`, parameters: [...parameters, limit] }
  }

  const found = (wanted: Wanted, filter: JobFilter, { sort, descending }: Order): { ids: number[]; more: boolean } => {
    const ofStates = where(inStates('j', filter))
    const looked = hits(wanted, filter, ofStates.sql === '' ? mostFound + 1 : mostLookedAt)
    const direction = descending ? 'DESC' : 'ASC'
    const isById = ofStates.sql === '' && sort === 'receivedAt'
    const rows = db
      .prepare<unknown[], { id: number; looked: number }>(isById ? `${looked.sql} SELECT id, 0 AS looked FROM hits ORDER BY id ${direction} LIMIT ?` : `
        ${looked.sql} SELECT id, (SELECT count(*) FROM hits) AS looked FROM (
          SELECT j.id, j.${orders[sort].by} AS place FROM hits CROSS JOIN jobs j ON j.id = hits.id ${ofStates.sql} ORDER BY hits.id DESC LIMIT ?)
        ORDER BY place ${direction}, id ${direction}`)
      .all(...looked.parameters, ...ofStates.parameters, mostFound + 1)
    const ids = rows.map(({ id }) => id)
    if (ids.length <= mostFound) return { ids, more: ofStates.sql !== '' && rows[0]?.looked === mostLookedAt }
    const oldest = ids.reduce((least, id) => Math.min(least, id))
    return { ids: ids.filter((id) => id !== oldest), more: true }
  }

  const idsOf = (filter: JobFilter, { offset, limit, ...order }: Order & Span): { ids: number[]; total: number; more: boolean; wanted: Wanted | null } => {
    if (filter.search.trim() === '') return { ...(filter.inBin ? listedInBin : listed)(filter, order, offset, limit), more: false, wanted: null }
    const wanted = wantedBy(filter.search)
    if (wanted === null) return { ids: [], total: 0, more: false, wanted }
    const { ids, more } = found(wanted, filter, order)
    return { ids: ids.slice(offset, offset + limit), total: ids.length, more, wanted }
  }

  return {
    /** Of a search the newest 10,000 documents are listed; `more`: there are others. */
    list(filter: JobFilter, order: Order & Span): JobPage {
      const { ids, total, more, wanted } = idsOf(filter, order)
      const hitIn = wanted === null ? null : hitsOf(wanted)
      const rows = ids.map((id) => ({ ...fromRow(byId.get(id)!), hit: hitIn?.(indexed.get(id)!) ?? null }))
      return { rows, total, more }
    },
    /** The same list with little of each row, for thousands of them. */
    selectable(filter: JobFilter, order: Order & Span): Pick<JobRow, 'id' | 'status' | 'mayBeBilled' | 'reason' | 'review'>[] {
      return idsOf(filter, order).ids.map((id) => {
        const row = brief.get(id)!
        return { id, status: row.status, mayBeBilled: row.may_be_billed === 1, reason: reasonIn(row), review: row.review }
      })
    },
    /** Under a search of the newest 10,000 documents that it finds; `more`: there are others. Whether the filter is of the bin does not matter. */
    counts(filter: JobFilter): Counted {
      if (filter.search.trim() === '') return { counts: counted(filter), more: false }
      const wanted = wantedBy(filter.search)
      if (wanted === null) return { counts: countsOf([]), more: false }
      const { sql, parameters } = hits(wanted, { ...filter, inBin: false }, mostFound + 1)
      const rows = db
        .prepare<unknown[], CountRow & { looked: number }>(`
          ${sql} SELECT j.status, coalesce(j.review, '') AS review, count(*) AS jobs, (SELECT count(*) FROM hits) AS looked FROM hits CROSS JOIN jobs j ON j.id = hits.id
          WHERE hits.id > iif((SELECT count(*) FROM hits) > ?, (SELECT min(id) FROM hits), 0) GROUP BY j.status, j.review`)
        .all(...parameters, mostFound)
      const counts = countsOf(rows)
      if (!isBinEmpty()) {
        const inBin = hits(wanted, { ...filter, inBin: true }, mostFound)
        counts.bin = db.prepare<unknown[], { jobs: number }>(`${inBin.sql} SELECT count(*) AS jobs FROM hits`).get(...inBin.parameters)!.jobs
      }
      return { counts, more: rows[0] !== undefined && rows[0].looked > mostFound }
    },
    get(id: number): JobRow | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
  }
}

function reasonIn({ reason_code, reason_details }: Pick<Row, 'reason_code' | 'reason_details'>): JobRow['reason'] {
  return reason_code === null ? null : { code: reason_code, details: JSON.parse(reason_details ?? '{}') as ErrorDetails }
}

/** Nothing is wrong with the document itself: its connection waits for a person, or a person paused its folder. */
function heldUpIn(row: Row): JobRow['reason'] {
  if (row.stopped_code !== null) return reasonIn({ reason_code: row.stopped_code, reason_details: row.stopped_details })
  return row.folder_paused === 1 && row.reason_code === null ? { code: 'folder_paused', details: {} } : null
}

function fromRow(row: Row): JobRow {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    sizeBytes: row.size_bytes,
    folderId: row.folder_id,
    folderName: row.folder_name,
    schemaId: row.schema_id,
    schemaName: row.schema_name,
    status: row.status,
    reason: (row.status === 'queued' ? heldUpIn(row) : null) ?? reasonIn(row),
    sent: null,
    notBefore: row.status === 'queued' && row.not_before > 0 ? row.not_before : null,
    values: row.summary === null ? [] : (JSON.parse(row.summary) as SummaryValue[]),
    recordCount: row.record_count ?? 0,
    receivedAt: row.created_at,
    finishedAt: row.finished_at,
    durationMs: row.duration_ms,
    tokensConsumed: row.tokens_consumed,
    originalJobId: row.original_job_id,
    mayBeBilled: row.may_be_billed === 1,
    review: row.review,
    flagCount: row.flag_count,
    inBin: row.in_bin === 1,
    local: row.is_local === 1,
    hit: null,
  }
}

import { jobStatuses } from '../../../shared/job.ts'
import type { JobStatus } from '../../../shared/job.ts'
import type { JobCounts, JobFilter, JobRow } from '../../../shared/contract.ts'
import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import { reviewStates } from '../../../shared/review.ts'
import type { ReviewState } from '../../../shared/review.ts'
import { mayBeBilledSql } from './attempts.ts'
import type { SummaryValue } from './results.ts'
import type { Database } from './open.ts'

type Row = {
  id: number
  name: string
  path: string
  size_bytes: number
  folder_id: number
  folder_name: string
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
}

export type JobSort = 'receivedAt' | 'name' | 'status' | 'sizeBytes' | 'finishedAt'

const orders: Record<JobSort, string> = {
  receivedAt: 'j.created_at',
  name: 'j.name COLLATE NOCASE',
  status: 'j.status',
  sizeBytes: 'j.size_bytes',
  finishedAt: 'j.finished_at',
}

function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * How a value that is searched as it is printed or shown may be kept: numbers with a decimal point and no grouping,
 * dates as YYYY-MM-DD, codes without or with spaces in fours (IBAN, ISO 13616).
 */
export function spellings(search: string): string[] {
  const found = new Set([search])
  const date = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(search)
  if (date !== null) {
    const [day, month, year] = [date[1]!.padStart(2, '0'), date[2]!.padStart(2, '0'), date[3]!]
    found.add(`${year}-${month}-${day}`).add(`${year}-${day}-${month}`)
  } else if (/^-?[\d.,'\u00a0\u202f ]*\d$/.test(search)) {
    const bare = search.replace(/['\u00a0\u202f ]/g, '')
    const last = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
    const decimals = last < 0 ? '' : bare.slice(last + 1).replace(/0+$/, '')
    const whole = (last < 0 ? bare : bare.slice(0, last)).replace(/[.,]/g, '')
    found.add(decimals === '' ? whole : `${whole}.${decimals}`)
    found.add(bare.replace(/[.,]/g, ''))
  } else if (/^[a-z]{2}\d{2}[a-z\d ]{8,}$/i.test(search)) {
    const bare = search.replaceAll(' ', '')
    found.add(bare).add(bare.replace(/(.{4})(?=.)/g, '$1 '))
  }
  return [...found]
}

/** Jobs as the window lists them: searched, filtered, sorted, a page at a time. */
export function jobList(db: Database) {
  // A duplicate shows the values of the document that it repeats.
  const from = `
    FROM jobs j JOIN folders f ON f.id = j.folder_id JOIN schema_versions v ON v.id = j.schema_version_id
    JOIN schemas s ON s.id = v.schema_id LEFT JOIN jobs o ON o.id = j.original_job_id
    LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id)`
  const columns = `j.id, j.name, j.path, j.size_bytes, j.folder_id, f.name AS folder_name, s.id AS schema_id,
    s.name AS schema_name, j.status, j.reason_code, j.reason_details, j.not_before, j.original_job_id, j.created_at,
    j.finished_at, r.summary, r.record_count, r.duration_ms, r.tokens_consumed, ${mayBeBilledSql('j.id')} AS may_be_billed, j.review, j.flag_count`
  const byId = db.prepare<[number], Row>(`SELECT ${columns} ${from} WHERE j.id = ?`)

  const where = (filter: JobFilter, withStatuses: boolean): { sql: string; parameters: (string | number)[] } => {
    const parts: string[] = []
    const parameters: (string | number)[] = []
    const search = filter.search.trim()
    if (search !== '') {
      const values = spellings(search).map(patternOf)
      parts.push(`(j.path LIKE ? ESCAPE '\\' OR ${values.map(() => "r.records LIKE ? ESCAPE '\\'").join(' OR ')})`)
      parameters.push(patternOf(search), ...values)
    }
    if (withStatuses && filter.statuses.length > 0) {
      parts.push(`j.status IN (${filter.statuses.map(() => '?').join(', ')})`)
      parameters.push(...filter.statuses)
    }
    if (withStatuses && filter.reviews.length > 0) {
      parts.push(`j.review IN (${filter.reviews.map(() => '?').join(', ')})`)
      parameters.push(...filter.reviews)
    }
    if (filter.folderId !== null) {
      parts.push('j.folder_id = ?')
      parameters.push(filter.folderId)
    }
    if (filter.schemaId !== null) {
      parts.push('v.schema_id = ?')
      parameters.push(filter.schemaId)
    }
    return { sql: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, parameters }
  }

  const needsJoins = (filter: JobFilter): boolean => filter.search.trim() !== '' || filter.schemaId !== null

  return {
    list(filter: JobFilter, order: { sort: JobSort; descending: boolean; offset: number; limit: number }): { rows: JobRow[]; total: number } {
      const { sql, parameters } = where(filter, true)
      const direction = order.descending ? 'DESC' : 'ASC'
      const rows = db
        .prepare<unknown[], Row>(
          `SELECT ${columns} ${from} ${sql} ORDER BY ${orders[order.sort]} ${direction}, j.id ${direction} LIMIT ? OFFSET ?`,
        )
        .all(...parameters, order.limit, order.offset)
      const total = db.prepare<unknown[], { total: number }>(`SELECT count(*) AS total ${needsJoins(filter) ? from : 'FROM jobs j'} ${sql}`).get(...parameters)!.total
      return { rows: rows.map(fromRow), total }
    },
    counts(filter: JobFilter): JobCounts {
      const { sql, parameters } = where(filter, false)
      // Over everything the index alone answers; the joins are only for what is searched in them.
      const source = needsJoins(filter) ? from : 'FROM jobs j'
      const counts = Object.fromEntries([...jobStatuses, ...reviewStates].map((state) => [state, 0])) as JobCounts
      const rows = db
        .prepare<unknown[], { status: JobStatus; review: ReviewState | null; jobs: number }>(`SELECT j.status, j.review, count(*) AS jobs ${source} ${sql} GROUP BY j.status, j.review`)
        .all(...parameters)
      for (const { status, review, jobs } of rows) {
        counts[status] += jobs
        if (review !== null) counts[review] += jobs
      }
      return counts
    },
    get(id: number): JobRow | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
  }
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
    reason:
      row.reason_code === null
        ? null
        : { code: row.reason_code, details: JSON.parse(row.reason_details ?? '{}') as ErrorDetails },
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
  }
}

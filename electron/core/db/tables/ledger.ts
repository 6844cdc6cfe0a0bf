import type { LedgerHost, LedgerRow } from '../../../../shared/contract/ledger.ts'
import type { Database } from '../open.ts'

type Row = {
  at: number
  host: string
  document_id: number | null
  name: string | null
  bytes: number | null
  size_bytes: number | null
}
type Span = { from: number; until: number }
/** How often attempts ended in one way. */
type OutcomeCount = {
  mode: string
  outcome: string
  code: string | null
  httpStatus: number | null
  times: number
}

/**
 * True for a host of a URL (lower case, perhaps with a port) that is this computer: 127.0.0.0/8, ::1, localhost and
 * names below it (RFC 6761, 6.3).
 */
const isHere = (host: string): string => `(
  (${host} GLOB '127.*' AND ${host} NOT GLOB '*[a-z]*') OR ${host} IN ('localhost', '[::1]') OR ${host} GLOB 'localhost:*' OR ${host} GLOB '*.localhost'
  OR ${host} GLOB '*.localhost:*' OR ${host} GLOB '[[]::1]:*')`

function prepare(db: Database) {
  // Most attempts may be of this computer's own service: the index says so without a look at each.
  const elsewhere = (
    table: 'attempts' | 'trials',
  ): string => `${table} t INDEXED BY ${table}_started WHERE t.started_at >= @from AND t.started_at < @until
    AND (t.connection_id IS NULL OR t.connection_id NOT IN (SELECT id FROM connections WHERE kind = 'local'))
    AND NOT ${isHere('t.host')} AND NOT (t.outcome = 'returned' AND t.bytes_sent = 0)`
  const exchangesElsewhere = 'exchanges e WHERE e.created_at >= @from AND e.created_at < @until AND e.host IS NOT NULL'
  // Of each kind the newest first, so that only so many are looked at.
  const documents = (table: 'attempts' | 'trials'): string => `
    SELECT * FROM (SELECT t.started_at AS at, t.host, t.document_id, (SELECT name FROM documents WHERE id = t.document_id) AS name,
      nullif(t.bytes_sent, 0) AS bytes, (SELECT size_bytes FROM documents WHERE id = t.document_id) AS size_bytes
      FROM ${elsewhere(table)} ORDER BY t.started_at DESC LIMIT @limit)`
  return {
    hosts: db.prepare<[Span], LedgerHost>(`
    SELECT host, sum(documents) AS documents, sum(questions) AS questions, sum(bytes) AS bytes FROM (
      SELECT t.host, count(*) AS documents, 0 AS questions, sum(t.bytes_sent) AS bytes FROM ${elsewhere('attempts')} GROUP BY t.host
      UNION ALL SELECT t.host, count(*), 0, sum(t.bytes_sent) FROM ${elsewhere('trials')} GROUP BY t.host
      UNION ALL SELECT e.host, 0, count(*), sum(e.bytes_sent) FROM ${exchangesElsewhere} GROUP BY e.host)
    GROUP BY host ORDER BY bytes DESC, host`),
    bytes: db.prepare<[Span], { bytes: number }>(`
    SELECT (SELECT coalesce(sum(t.bytes_sent), 0) FROM ${elsewhere('attempts')}) + (SELECT coalesce(sum(t.bytes_sent), 0) FROM ${elsewhere('trials')})
      + (SELECT coalesce(sum(e.bytes_sent), 0) FROM ${exchangesElsewhere}) AS bytes`),
    rows: db.prepare<[Span & { limit: number }], Row>(`
    ${documents('attempts')} UNION ALL ${documents('trials')}
    UNION ALL SELECT * FROM (SELECT e.created_at, e.host, NULL, NULL, e.bytes_sent, NULL FROM ${exchangesElsewhere} ORDER BY e.created_at DESC LIMIT @limit)
    ORDER BY at DESC LIMIT @limit`),
    outcomes: db.prepare<[number], OutcomeCount>(`
    SELECT mode, outcome, error_code AS code, http_status AS httpStatus, count(*) AS times FROM attempts WHERE started_at >= ?
    GROUP BY mode, outcome, error_code, http_status ORDER BY times DESC, mode, outcome, error_code, http_status`),
  }
}

/**
 * What went to other computers: attempts and trials of documents, and what `exchanges` keeps of questions, chats and
 * drafts.
 */
export class LedgerTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Bytes that left since a time. */
  bytesSince(from: number): number {
    return this.#sql.bytes.get({ from, until: Number.MAX_SAFE_INTEGER })!.bytes
  }

  /** Where what left from `from` until before `until` went, the most first. */
  hosts(span: Span): LedgerHost[] {
    return this.#sql.hosts.all(span)
  }

  /** The newest of it, at most `limit`. */
  rows(span: Span, limit: number): LedgerRow[] {
    return this.#sql.rows.all({ ...span, limit }).map((row) => ({
      at: row.at,
      host: row.host,
      document: row.document_id === null ? null : { documentId: row.document_id, name: row.name ?? '' },
      bytes: row.bytes,
      sizeBytes: row.size_bytes,
    }))
  }

  /** How the attempts since a time ended, wherever they went. */
  outcomes(since: number): OutcomeCount[] {
    return this.#sql.outcomes.all(since)
  }
}

import { createHash } from 'node:crypto'
import { hashToken } from './attempts.ts'
import type { Kept } from './attempts.ts'
import type { WriteAhead } from './write-ahead.ts'
import { found } from './columns.ts'
import type { Database } from '../open.ts'
import { SettingValues } from '../setting-values.ts'

/** A callback whose token is ours and whose attempt this database does not know (yet). */
type UnmatchedCallback = { id: number; attemptId: number; contentType: string | null; body: Buffer }

/** An attempt that was accepted and whose document waits for its result. */
export type Awaited = { attemptId: number; documentId: number; bills: boolean }

/** What is kept of the way back: one JSON value for each key. */
type CallbackSetting = 'callbackRoute' | 'mailbox' | 'callbacksMissing'

// Only the newest attempt of a document says how long the document has been waiting.
const awaited = `
  SELECT a.id AS attemptId, a.document_id AS documentId, c.kind = 'platform' AS bills
  FROM attempts a INDEXED BY attempts_accepted JOIN documents j ON j.id = a.document_id LEFT JOIN connections c ON c.id = a.connection_id
  WHERE a.outcome = 'accepted' AND j.status = 'waiting' AND a.id = (SELECT max(id) FROM attempts WHERE document_id = a.document_id)`

// A request that is under way, or whose answer was lost, may have been taken: its result comes to the same address. By
// what waits and by what is new, since old attempts that are over may be a million.
const open = "a.token_hash IS NOT NULL AND a.outcome IN ('open', 'accepted', 'lost')"
const mayStillCome = `
  WITH coming AS (
    SELECT a.id, a.document_id, a.connection_id, j.status FROM documents j INDEXED BY documents_status CROSS JOIN attempts a ON a.document_id = j.id
    WHERE j.status IN ('submitting', 'waiting') AND ${open}
    UNION ALL
    SELECT a.id, a.document_id, a.connection_id, j.status FROM attempts a INDEXED BY attempts_started CROSS JOIN documents j ON j.id = a.document_id
    WHERE a.started_at > ? AND ${open})`

type AwaitedRow = { attemptId: number; documentId: number; bills: number | null }

function prepare(db: Database) {
  return {
    insertStray: db.prepare<[Buffer, number, string | null, Buffer, Buffer]>(`
    INSERT INTO stray_answers (token_hash, received_at, content_type, body, body_sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`),
    knownStrays: db.prepare<[], { id: number; attempt_id: number; content_type: string | null; body: Buffer }>(`
    SELECT s.id, a.id AS attempt_id, s.content_type, s.body FROM stray_answers s JOIN attempts a ON a.token_hash = s.token_hash ORDER BY s.id LIMIT 1`),
    straysKept: db.prepare<[Buffer], Kept>(
      'SELECT count(*) AS answers, coalesce(sum(length(body)), 0) AS bytes FROM stray_answers WHERE token_hash = ?',
    ),
    removeStray: db.prepare<[number]>('DELETE FROM stray_answers WHERE id = ?'),
    newlyOverdue: db.prepare<[number], AwaitedRow>(
      `${awaited} AND a.started_at <= ? AND coalesce(j.reason_code, '') NOT IN ('callback_overdue', 'callback_other_number')`,
    ),
    noLongerOverdue: db.prepare<[number], AwaitedRow>(
      `${awaited} AND a.started_at > ? AND j.reason_code = 'callback_overdue'`,
    ),
    startedBefore: db.prepare<[number], AwaitedRow>(`${awaited} AND a.started_at <= ?`),
    overdue: db.prepare<[], { documents: number }>(
      "SELECT count(*) AS documents FROM documents WHERE status = 'waiting' AND reason_code = 'callback_overdue'",
    ),
    anyAwaited: db.prepare<[number, number], { id: number }>(
      `${mayStillCome} SELECT id FROM coming WHERE id <= ? LIMIT 1`,
    ),
    awaitedElsewhere: db.prepare<[number], { documents: number }>(`
    ${mayStillCome} SELECT count(DISTINCT document_id) AS documents FROM coming
    WHERE status <> 'done' AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.id = connection_id AND c.kind = 'local')`),
    newestAttempt: db.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM attempts'),
    awaitedBy: db.prepare<[string, string, number], { id: number }>(
      "SELECT id FROM attempts WHERE outcome = 'accepted' AND extract_id = ? AND host = ? AND id <> ? LIMIT 1",
    ),
    release: db.prepare<[]>(
      "UPDATE documents SET not_before = 0 WHERE status = 'queued' AND reason_code = 'no_callback'",
    ),
    settings: new SettingValues(db),
  }
}

/** Callbacks that nobody here asked for, results that are waited for, and how callbacks find their way. */
export class CallbacksTable {
  readonly #writeAhead: WriteAhead
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database, writeAhead: WriteAhead) {
    this.#writeAhead = writeAhead
    this.#sql = prepare(db)
  }

  /** Durable once this returns; the same bytes again for the same token are kept once. */
  storeUnmatched(token: string, contentType: string | null, body: Buffer, now: number): void {
    const tokenHash = hashToken(token)
    const sha256 = createHash('sha256').update(body).digest()
    const details = { source: 'callback', receivedAt: now, httpStatus: null, contentType, complete: 1 }
    this.#writeAhead.strayed(tokenHash, { details, body, sha256 }, () => {
      this.#sql.insertStray.run(tokenHash, now, contentType, body, sha256)
    })
  }

  /** What is kept for a token already. */
  unmatchedKept(token: string): Kept {
    return this.#sql.straysKept.get(hashToken(token))!
  }

  /** The oldest one whose attempt is known now; null when there is none. One at a time: a body can be large. */
  nextMatched(): UnmatchedCallback | null {
    return found(this.#sql.knownStrays.get(), (row) => ({
      id: row.id,
      attemptId: row.attempt_id,
      contentType: row.content_type,
      body: row.body,
    }))
  }

  removeUnmatched(id: number): void {
    this.#sql.removeStray.run(id)
  }

  /** Begun by then, and neither named overdue nor with a result that needs a person. */
  newlyOverdue(until: number): Awaited[] {
    return this.#sql.newlyOverdue.all(until).map(this.#fromRow)
  }

  /** Begun later, and yet named overdue: the clock was set back. */
  noLongerOverdue(until: number): Awaited[] {
    return this.#sql.noLongerOverdue.all(until).map(this.#fromRow)
  }

  awaitedSince(until: number): Awaited[] {
    return this.#sql.startedBefore.all(until).map(this.#fromRow)
  }

  overdueCount(): number {
    return this.#sql.overdue.get()!.documents
  }

  /** Documents without a result, one of whose attempts is as `isAnyAwaited` says, with a service elsewhere. */
  awaitedCount(since: number): number {
    return this.#sql.awaitedElsewhere.get(since)!.documents
  }

  /**
   * Whether a result may still come for an attempt up to this one: its document waits for it, or it began after
   * `since` and nobody knows how it ended.
   */
  isAnyAwaited(since: number, upTo: number = Number.MAX_SAFE_INTEGER): boolean {
    return this.#sql.anyAwaited.get(since, upTo) !== undefined
  }

  newestAttempt(): number {
    return this.#sql.newestAttempt.get()!.id
  }

  /** Whether the result with this number is the one that another attempt at the same service waits for. */
  isAwaitedByAnother(extractId: string, host: string, attemptId: number): boolean {
    return this.#sql.awaitedBy.get(extractId, host, attemptId) !== undefined
  }

  /** Documents that wait for a way back may go at once. */
  releaseWaiting(): void {
    this.#sql.release.run()
  }

  setting(key: CallbackSetting): unknown {
    return this.#sql.settings.read(key)
  }

  setSetting(key: CallbackSetting, value: unknown): void {
    this.#sql.settings.write(key, value)
  }

  #fromRow(row: AwaitedRow): Awaited {
    return { ...row, bills: row.bills !== 0 }
  }
}

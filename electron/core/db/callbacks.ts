import { createHash } from 'node:crypto'
import { hashToken } from './attempts.ts'
import type { Kept } from './attempts.ts'
import type { Journaling } from './journaling.ts'
import type { Database } from './open.ts'

/** A callback whose token is ours and whose attempt this database does not know (yet). */
export type StrayAnswer = { id: number; attemptId: number; contentType: string | null; body: Buffer }

/** An attempt that was accepted and whose job waits for its result. */
export type Awaited = { attemptId: number; jobId: number; bills: boolean }

/** What is kept of the way back: one JSON value for each key. */
export type CallbackSetting = 'callbackWay' | 'mailbox' | 'callbacksMissing'

// Only the newest attempt of a job says how long the job has been waiting.
const awaited = `
  SELECT a.id AS attemptId, a.job_id AS jobId, c.kind = 'platform' AS bills
  FROM attempts a INDEXED BY attempts_accepted JOIN jobs j ON j.id = a.job_id LEFT JOIN connections c ON c.id = a.connection_id
  WHERE a.outcome = 'accepted' AND j.status = 'waiting' AND a.id = (SELECT max(id) FROM attempts WHERE job_id = a.job_id)`

// A request that is under way, or whose answer was lost, may have been taken: its result comes to the same address. By what
// waits and by what is new, since old attempts that are over may be a million.
const open = "a.token_hash IS NOT NULL AND a.outcome IN ('open', 'accepted', 'lost')"
const mayStillCome = `
  WITH coming AS (
    SELECT a.id, a.job_id, a.connection_id, j.status FROM jobs j INDEXED BY jobs_status CROSS JOIN attempts a ON a.job_id = j.id
    WHERE j.status IN ('submitting', 'waiting') AND ${open}
    UNION ALL
    SELECT a.id, a.job_id, a.connection_id, j.status FROM attempts a INDEXED BY attempts_started CROSS JOIN jobs j ON j.id = a.job_id
    WHERE a.started_at > ? AND ${open})`

/** Callbacks that nobody here asked for, results that are waited for, and how callbacks find their way. */
export function callbacksTable(db: Database, journaling: Journaling) {
  const insertStray = db.prepare<[Buffer, number, string | null, Buffer, Buffer]>(`
    INSERT INTO stray_answers (token_hash, received_at, content_type, body, body_sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const knownStrays = db.prepare<[], { id: number; attempt_id: number; content_type: string | null; body: Buffer }>(`
    SELECT s.id, a.id AS attempt_id, s.content_type, s.body FROM stray_answers s JOIN attempts a ON a.token_hash = s.token_hash ORDER BY s.id LIMIT 1`)
  const straysKept = db.prepare<[Buffer], Kept>('SELECT count(*) AS answers, coalesce(sum(length(body)), 0) AS bytes FROM stray_answers WHERE token_hash = ?')
  const removeStray = db.prepare<[number]>('DELETE FROM stray_answers WHERE id = ?')
  type AwaitedRow = { attemptId: number; jobId: number; bills: number | null }
  const newlyOverdue = db.prepare<[number], AwaitedRow>(`${awaited} AND a.started_at <= ? AND coalesce(j.reason_code, '') NOT IN ('callback_overdue', 'callback_other_number')`)
  const noLongerOverdue = db.prepare<[number], AwaitedRow>(`${awaited} AND a.started_at > ? AND j.reason_code = 'callback_overdue'`)
  const startedBefore = db.prepare<[number], AwaitedRow>(`${awaited} AND a.started_at <= ?`)
  const overdue = db.prepare<[], { jobs: number }>("SELECT count(*) AS jobs FROM jobs WHERE status = 'waiting' AND reason_code = 'callback_overdue'")
  const anyAwaited = db.prepare<[number, number], { id: number }>(`${mayStillCome} SELECT id FROM coming WHERE id <= ? LIMIT 1`)
  const awaitedElsewhere = db.prepare<[number], { jobs: number }>(`
    ${mayStillCome} SELECT count(DISTINCT job_id) AS jobs FROM coming
    WHERE status <> 'done' AND NOT EXISTS (SELECT 1 FROM connections c WHERE c.id = connection_id AND c.kind = 'local')`)
  const newestAttempt = db.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM attempts')
  const awaitedBy = db.prepare<[string, string, number], { id: number }>(
    "SELECT id FROM attempts WHERE outcome = 'accepted' AND extract_id = ? AND host = ? AND id <> ? LIMIT 1",
  )
  const release = db.prepare<[]>("UPDATE jobs SET not_before = 0 WHERE status = 'queued' AND reason_code = 'no_callback'")
  const select = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
  const upsert = db.prepare<[string, string]>('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
  const fromRow = (row: AwaitedRow): Awaited => ({ ...row, bills: row.bills !== 0 })

  return {
    /** Durable once this returns; the same bytes again for the same token are kept once. */
    storeStray(token: string, contentType: string | null, body: Buffer, now: number): void {
      const tokenHash = hashToken(token)
      const sha256 = createHash('sha256').update(body).digest()
      journaling.strayed(tokenHash, contentType, body, sha256, now, () => void insertStray.run(tokenHash, now, contentType, body, sha256))
    },
    /** What is kept for a token already. */
    straysKept: (token: string): Kept => straysKept.get(hashToken(token))!,
    /** The oldest one whose attempt is known now; null when there is none. One at a time: a body can be large. */
    nextKnownStray(): StrayAnswer | null {
      const row = knownStrays.get()
      return row === undefined ? null : { id: row.id, attemptId: row.attempt_id, contentType: row.content_type, body: row.body }
    },
    removeStray: (id: number): void => void removeStray.run(id),
    /** Begun by then, and neither named overdue nor with a result that needs a person. */
    newlyOverdue: (until: number): Awaited[] => newlyOverdue.all(until).map(fromRow),
    /** Begun later, and yet named overdue: the clock was set back. */
    noLongerOverdue: (until: number): Awaited[] => noLongerOverdue.all(until).map(fromRow),
    awaitedSince: (until: number): Awaited[] => startedBefore.all(until).map(fromRow),
    overdueCount: (): number => overdue.get()!.jobs,
    /** Documents without a result, one of whose attempts is as `isAnyAwaited` says, with a service elsewhere. */
    awaitedCount: (since: number): number => awaitedElsewhere.get(since)!.jobs,
    /**
     * Whether a result may still come for an attempt up to this one: its document waits for it, or it began after `since`
     * and nobody knows how it ended.
     */
    isAnyAwaited: (since: number, upTo: number = Number.MAX_SAFE_INTEGER): boolean => anyAwaited.get(since, upTo) !== undefined,
    newestAttempt: (): number => newestAttempt.get()!.id,
    /** Whether the result with this number is the one that another attempt at the same service waits for. */
    isAwaitedByAnother: (extractId: string, host: string, attemptId: number): boolean => awaitedBy.get(extractId, host, attemptId) !== undefined,
    /** Documents that wait for a way back may go at once. */
    releaseWaiting: (): void => void release.run(),
    setting(key: CallbackSetting): unknown {
      const row = select.get(key)
      return row === undefined ? null : JSON.parse(row.value)
    },
    setSetting: (key: CallbackSetting, value: unknown): void => void upsert.run(key, JSON.stringify(value)),
  }
}

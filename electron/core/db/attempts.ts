import { createHash } from 'node:crypto'
import type { ErrorCode } from '../../../shared/errors.ts'
import { countOf } from './count-of.ts'
import type { Database } from './open.ts'

export type AttemptOutcome = 'open' | 'accepted' | 'succeeded' | 'failed' | 'returned' | 'lost'

export type Attempt = {
  id: number
  jobId: number
  mode: 'sync' | 'async'
  host: string
  extractId: string | null
  startedAt: number
  finishedAt: number | null
  outcome: AttemptOutcome
  httpStatus: number | null
  bytesSent: number
}

type Row = {
  id: number
  job_id: number
  mode: 'sync' | 'async'
  host: string
  extract_id: string | null
  started_at: number
  finished_at: number | null
  outcome: AttemptOutcome
  http_status: number | null
  bytes_sent: number
}

type AnswerRow = { attempt_id: number; source: 'response' | 'callback'; http_status: number | null; content_type: string | null; body: Buffer }

/** What came over the wire for one attempt, as bytes. */
export type NewAnswer = {
  attemptId: number
  source: 'response' | 'callback'
  httpStatus: number | null
  contentType: string | null
  body: Buffer
}

/** The token of a callback address is kept as its SHA-256 only. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Attempts to have a job extracted, and the raw answers to them. */
export function attemptsTable(db: Database) {
  const insert = db.prepare<[string, string, Buffer | null, number, number]>(
    `INSERT INTO attempts (job_id, mode, host, token_hash, started_at, outcome, connection_id, schema_id)
     SELECT j.id, ?, ?, ?, ?, 'open', j.connection_id, v.schema_id FROM jobs j JOIN schema_versions v ON v.id = j.schema_version_id WHERE j.id = ?`,
  )
  const byId = db.prepare<[number], Row>('SELECT * FROM attempts WHERE id = ?')
  const ofJob = db.prepare<[number], Row>('SELECT * FROM attempts WHERE job_id = ? ORDER BY id DESC')
  const byToken = db.prepare<[Buffer], Row>('SELECT * FROM attempts WHERE token_hash = ?')
  // A failure that is followed by a result may have named tokens as well: both were consumed.
  const finish = db.prepare<[Record<string, unknown>]>(
    `UPDATE attempts SET outcome = @outcome, http_status = @httpStatus, error_code = @code, bytes_sent = @bytesSent, finished_at = @now,
      tokens = coalesce(tokens + @tokens, @tokens, tokens) WHERE id = @id`,
  )
  const accept = db.prepare<[string | null, number, number, number]>(
    "UPDATE attempts SET outcome = 'accepted', extract_id = ?, http_status = ?, bytes_sent = ? WHERE id = ?",
  )
  const setOutcome = db.prepare<[string, number, number]>('UPDATE attempts SET outcome = ?, finished_at = ? WHERE id = ?')
  const insertAnswer = db.prepare<[number, string, number, number | null, string | null, Buffer, Buffer]>(`
    INSERT INTO answers (attempt_id, source, received_at, http_status, content_type, body, body_sha256)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
  const sameAnswer = db.prepare<[number, string, Buffer], { id: number }>(
    'SELECT id FROM answers WHERE attempt_id = ? AND source = ? AND body_sha256 = ?',
  )
  const answersOf = db.prepare<[number], AnswerRow>(
    'SELECT attempt_id, source, http_status, content_type, body FROM answers WHERE attempt_id = ? ORDER BY id',
  )
  const bytesSince = db.prepare<[number], { bytes: number | null }>(`
    SELECT sum(bytes_sent) AS bytes FROM attempts WHERE started_at >= ? AND host NOT LIKE '127.0.0.1%'
      AND host NOT LIKE 'localhost%' AND host NOT LIKE '[::1]%'`)

  return {
    /** Committed before the first byte leaves: after a crash it is known that something may have been sent. */
    open: (jobId: number, mode: 'sync' | 'async', host: string, token: string | null, now: number): number =>
      Number(insert.run(mode, host, token === null ? null : hashToken(token), now, jobId).lastInsertRowid),
    get(id: number): Attempt {
      return fromRow(byId.get(id)!)
    },
    ofJob: (jobId: number): Attempt[] => ofJob.all(jobId).map(fromRow),
    findByToken(token: string): Attempt | null {
      const row = byToken.get(hashToken(token))
      return row === undefined ? null : fromRow(row)
    },
    accept: (id: number, extractId: string | null, httpStatus: number, bytesSent: number): void =>
      void accept.run(extractId, httpStatus, bytesSent, id),
    /** `tokens` is what the answer named; null where it named none. */
    finish(id: number, outcome: AttemptOutcome, seen: { httpStatus: number | null; code: ErrorCode | null; bytesSent: number; tokens: number | null }, now: number): void {
      finish.run({ ...seen, tokens: countOf(seen.tokens), outcome, now, id })
    },
    settle: (id: number, outcome: AttemptOutcome, now: number): void => void setOutcome.run(outcome, now, id),
    /** Stores the bytes and returns their id; the same bytes again for the same attempt are the same answer. */
    storeAnswer(answer: NewAnswer, now: number): number {
      const sha256 = createHash('sha256').update(answer.body).digest()
      const { changes, lastInsertRowid } = insertAnswer.run(
        answer.attemptId,
        answer.source,
        now,
        answer.httpStatus,
        answer.contentType,
        answer.body,
        sha256,
      )
      return changes === 0 ? sameAnswer.get(answer.attemptId, answer.source, sha256)!.id : Number(lastInsertRowid)
    },
    /** What was stored for an attempt, oldest first. */
    answers: (attemptId: number): NewAnswer[] =>
      answersOf.all(attemptId).map((row) => ({
        attemptId: row.attempt_id,
        source: row.source,
        httpStatus: row.http_status,
        contentType: row.content_type,
        body: row.body,
      })),
    /** Bytes sent to other hosts than this computer since a time. */
    bytesSentSince: (since: number): number => bytesSince.get(since)?.bytes ?? 0,
  }
}

function fromRow(row: Row): Attempt {
  return {
    id: row.id,
    jobId: row.job_id,
    mode: row.mode,
    host: row.host,
    extractId: row.extract_id,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    httpStatus: row.http_status,
    bytesSent: row.bytes_sent,
  }
}

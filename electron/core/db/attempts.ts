import { createHash, randomBytes } from 'node:crypto'
import type { ErrorCode } from '../../../shared/errors.ts'
import { countOf } from './count-of.ts'
import type { Journaling } from './journaling.ts'
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
  /** The attempt that this one repeats although it may have been billed, and who approved that. */
  resendOf: number | null
  approved: 'person' | 'setting' | null
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
  error_code: ErrorCode | null
  bytes_sent: number
  resend_of: number | null
  approved: 'person' | 'setting' | null
}

type AnswerRow = { id: number; attempt_id: number; source: 'response' | 'callback'; http_status: number | null; content_type: string | null; body: Buffer; complete: number }

/** What came over the wire for one attempt, as bytes. */
export type NewAnswer = {
  attemptId: number
  source: 'response' | 'callback'
  httpStatus: number | null
  contentType: string | null
  body: Buffer
  /** False when the connection broke before all of it was here. */
  complete: boolean
}

/** How many bodies are stored, and how large they are together. */
export type Kept = { answers: number; bytes: number }

export type StoredAnswer = NewAnswer & { id: number }

/** An attempt that repeats an earlier one which may have been billed, and who approved that; null where nothing is billed. */
export type Resend = { of: number; approved: 'person' | 'setting' | null }

/** The token of a callback address is kept as its SHA-256 only. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The same bytes again for the same attempt are the same answer; one whose bytes were damaged here has them back, to be read. */
export const sameAgainSql = `ON CONFLICT (attempt_id, source, body_sha256) DO UPDATE
  SET body = excluded.body, damaged = 0, unread = 1 WHERE damaged = 1`

/** 1 where the newest attempt of the job on a connection that bills has no answer, else 0. */
export const mayBeBilledSql = (jobId: 'j.id' | '@id' | '?'): string => `
  coalesce((SELECT a.outcome IN ('open', 'accepted', 'lost') FROM attempts a LEFT JOIN connections c ON c.id = a.connection_id
    WHERE a.job_id = ${jobId} AND a.outcome <> 'returned' AND c.kind IS NOT 'local' ORDER BY a.id DESC LIMIT 1), 0)`

/** Attempts to have a job extracted, and the raw answers to them. */
export function attemptsTable(db: Database, journaling: Journaling) {
  const insert = db.prepare<[Buffer, string, string, Buffer | null, number, number | null, string | null, number]>(
    `INSERT INTO attempts (reference, job_id, mode, host, token_hash, started_at, outcome, resend_of, approved, connection_id, schema_id)
     SELECT ?, j.id, ?, ?, ?, ?, 'open', ?, ?, j.connection_id, v.schema_id FROM jobs j JOIN schema_versions v ON v.id = j.schema_version_id WHERE j.id = ?`,
  )
  const byId = db.prepare<[number], Row>('SELECT * FROM attempts WHERE id = ?')
  const ofJob = db.prepare<[number], Row>('SELECT * FROM attempts WHERE job_id = ? ORDER BY id DESC')
  const mayBeBilled = db.prepare<[number], { mayBeBilled: number }>(`SELECT ${mayBeBilledSql('?')} AS mayBeBilled`)
  const sent = db.prepare<[number], { id: number }>("SELECT id FROM attempts WHERE job_id = ? AND outcome <> 'returned' LIMIT 1")
  const byToken = db.prepare<[Buffer], Row>('SELECT * FROM attempts WHERE token_hash = ?')
  // A failure that is followed by a result may have named tokens as well: both were consumed.
  const finish = db.prepare<[Record<string, unknown>]>(
    `UPDATE attempts SET outcome = @outcome, http_status = @httpStatus, error_code = @code, bytes_sent = @bytesSent, finished_at = @now,
      tokens = coalesce(tokens + @tokens, @tokens, tokens) WHERE id = @id`,
  )
  const accept = db.prepare<[string | null, number, number, number]>(
    "UPDATE attempts SET outcome = 'accepted', extract_id = ?, http_status = ?, bytes_sent = ? WHERE id = ?",
  )
  // What it took was named when its answer was first read, and counts for that day.
  const reread = db.prepare<[{ id: number; tokens: number | null; now: number }]>(
    "UPDATE attempts SET outcome = 'succeeded', error_code = NULL, tokens = coalesce(tokens, @tokens), finished_at = coalesce(finished_at, @now) WHERE id = @id",
  )
  const setOutcome = db.prepare<[string, number, number]>('UPDATE attempts SET outcome = ?, finished_at = ? WHERE id = ?')
  const insertAnswer = db.prepare<[number, string, number, number | null, string | null, Buffer, Buffer, number], { id: number }>(`
    INSERT INTO answers (attempt_id, source, received_at, http_status, content_type, body, body_sha256, complete, unread)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1) ${sameAgainSql} RETURNING id`)
  const sameAnswer = db.prepare<[number, string, Buffer], { id: number }>(
    'SELECT id FROM answers WHERE attempt_id = ? AND source = ? AND body_sha256 = ?',
  )
  const answerColumns = 'id, attempt_id, source, http_status, content_type, body, complete'
  const answersOf = db.prepare<[number], AnswerRow>(`SELECT ${answerColumns} FROM answers WHERE attempt_id = ? AND damaged = 0 ORDER BY id`)
  // One at a time: a body may be large.
  const firstUnread = db.prepare<[], AnswerRow>(`SELECT ${answerColumns} FROM answers WHERE unread = 1 ORDER BY id LIMIT 1`)
  const callbacksKept = db.prepare<[number], Kept>(
    "SELECT count(*) AS answers, coalesce(sum(length(body)), 0) AS bytes FROM answers WHERE attempt_id = ? AND source = 'callback' AND damaged = 0",
  )
  const setRead = db.prepare<[number]>('UPDATE answers SET unread = 0 WHERE id = ?')

  return {
    /** Committed before the first byte leaves: after a crash it is known that something may have been sent. */
    open: (jobId: number, mode: 'sync' | 'async', host: string, token: string | null, now: number, resend: Resend | null = null): number =>
      journaling.together(() => {
        const id = Number(insert.run(randomBytes(16), mode, host, token === null ? null : hashToken(token), now, resend?.of ?? null, resend?.approved ?? null, jobId).lastInsertRowid)
        journaling.opened(id)
        return id
      }),
    get(id: number): Attempt {
      return fromRow(byId.get(id)!)
    },
    ofJob: (jobId: number): Attempt[] => ofJob.all(jobId).map(fromRow),
    /** How often in a row the service on this computer broke down with a job, the attempt that is under way left out. */
    breakdownsInARow(jobId: number): number {
      let breakdowns = 0
      for (const { outcome, error_code: code } of ofJob.all(jobId)) {
        if (code === 'service_interrupted') breakdowns += 1
        else if (outcome === 'failed' || outcome === 'lost' || outcome === 'succeeded') break
      }
      return breakdowns
    },
    /** Whether the newest attempt of a job on a connection that bills has no answer: to send it again may be billed twice. */
    mayBeBilled: (jobId: number): boolean => mayBeBilled.get(jobId)!.mayBeBilled === 1,
    /** Whether the job was sent: what it came to, or may still come to, is about the version that the file had then. */
    wasSent: (jobId: number): boolean => sent.get(jobId) !== undefined,
    findByToken(token: string): Attempt | null {
      const row = byToken.get(hashToken(token))
      return row === undefined ? null : fromRow(row)
    },
    accept: (id: number, extractId: string | null, httpStatus: number, bytesSent: number): void =>
      void accept.run(extractId, httpStatus, bytesSent, id),
    /** `tokens` is what the answer named; null where it named none. */
    finish(id: number, outcome: AttemptOutcome, seen: { httpStatus: number | null; code: ErrorCode | null; bytesSent: number; tokens: number | null }, now: number): void {
      if (outcome === 'returned') journaling.returned(id)
      finish.run({ ...seen, tokens: countOf(seen.tokens), outcome, now, id })
    },
    /** An answer that was kept turned out to be a result. */
    reread: (id: number, tokens: number | null, now: number): void => void reread.run({ id, tokens: countOf(tokens), now }),
    settle(id: number, outcome: AttemptOutcome, now: number): void {
      if (outcome === 'returned') journaling.returned(id)
      setOutcome.run(outcome, now, id)
    },
    /** Stores the bytes and returns their id; the same bytes again for the same attempt are the same answer. */
    storeAnswer(answer: NewAnswer, now: number): number {
      const sha256 = createHash('sha256').update(answer.body).digest()
      const store = () => insertAnswer.get(answer.attemptId, answer.source, now, answer.httpStatus, answer.contentType, answer.body, sha256, Number(answer.complete))
      const { id } = journaling.answered(answer, sha256, now, store) ?? sameAnswer.get(answer.attemptId, answer.source, sha256)!
      return id
    },
    /** What is stored of its callbacks. */
    callbacksKept: (attemptId: number): Kept => callbacksKept.get(attemptId)!,
    /** What was stored for an attempt and is still as it came, oldest first. */
    answers: (attemptId: number): StoredAnswer[] => answersOf.all(attemptId).map(answerOf),
    /** The oldest answer that was stored and not acted upon; null when there is none. */
    nextUnread(): StoredAnswer | null {
      const row = firstUnread.get()
      return row === undefined ? null : answerOf(row)
    },
    /** In the transaction that acts upon it. */
    markRead: (answerId: number): void => void setRead.run(answerId),
  }
}

function answerOf(row: AnswerRow): StoredAnswer {
  return {
    id: row.id,
    attemptId: row.attempt_id,
    source: row.source,
    httpStatus: row.http_status,
    contentType: row.content_type,
    body: row.body,
    complete: row.complete === 1,
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
    resendOf: row.resend_of,
    approved: row.approved,
  }
}

import { createHash, randomBytes } from 'node:crypto'
import type { ErrorCode } from '../../../../shared/domain/errors.ts'
import { aliased, countOf, found } from './columns.ts'
import type { WriteAhead } from './write-ahead.ts'
import type { Database, Flush } from '../open.ts'

type AttemptOutcome = 'open' | 'accepted' | 'succeeded' | 'failed' | 'returned' | 'lost'

export type Attempt = {
  id: number
  documentId: number
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
type AnswerRow = Omit<StoredAnswer, 'complete'> & { complete: number }

/**
 * An attempt that repeats an earlier one which may have been billed, and who approved that; null where nothing is
 * billed.
 */
type Resend = { of: number; approved: 'person' | 'setting' | null }

/** The token of a callback address is kept as its SHA-256 only. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * The same bytes again for the same attempt are the same answer; one whose bytes were damaged here has them back, to be
 * read.
 */
export const sameAgainSql = `ON CONFLICT (attempt_id, source, body_sha256) DO UPDATE
  SET body = excluded.body, damaged = 0, unread = 1 WHERE damaged = 1`

/** 1 where the newest attempt of the document on a connection that bills has no answer, else 0. */
export const mayBeBilledSql = (documentId: 'j.id' | 'documents.id' | '@id' | '?'): string => `
  coalesce((SELECT a.outcome IN ('open', 'accepted', 'lost') FROM attempts a LEFT JOIN connections c ON c.id = a.connection_id
    WHERE a.document_id = ${documentId} AND a.outcome <> 'returned' AND c.kind IS NOT 'local' ORDER BY a.id DESC LIMIT 1), 0)`

function prepare(db: Database) {
  const columns = aliased(
    'id, document_id, mode, host, extract_id, started_at, finished_at, outcome, http_status, bytes_sent, resend_of, approved',
  )
  const answerColumns = aliased('id, attempt_id, source, http_status, content_type, body, complete')
  return {
    insert: db.prepare<[Buffer, string, string, Buffer | null, number, number | null, string | null, number]>(
      `INSERT INTO attempts (reference, document_id, mode, host, token_hash, started_at, outcome, resend_of, approved, connection_id, schema_id)
     SELECT ?, j.id, ?, ?, ?, ?, 'open', ?, ?, j.connection_id, v.schema_id FROM documents j JOIN schema_versions v ON v.id = j.schema_version_id WHERE j.id = ?`,
    ),
    byId: db.prepare<[number], Attempt>(`SELECT ${columns} FROM attempts WHERE id = ?`),
    ofDocument: db.prepare<[number], Attempt>(`SELECT ${columns} FROM attempts WHERE document_id = ? ORDER BY id DESC`),
    endsOf: db.prepare<[number], { id: number; outcome: AttemptOutcome; code: ErrorCode | null }>(
      'SELECT id, outcome, error_code AS code FROM attempts WHERE document_id = ? ORDER BY id DESC',
    ),
    // Others that broke off in the same time, or have not come to an end.
    besides: db.prepare<[number], { id: number }>(`
      SELECT o.id FROM attempts a JOIN attempts o ON o.connection_id = a.connection_id AND o.document_id <> a.document_id
      WHERE a.id = ? AND (o.outcome IN ('open', 'accepted') OR (o.error_code = 'service_interrupted'
        AND o.started_at <= coalesce(a.finished_at, o.started_at) AND o.finished_at >= a.started_at)) LIMIT 1`),
    mayBeBilled: db.prepare<[number], { mayBeBilled: number }>(`SELECT ${mayBeBilledSql('?')} AS mayBeBilled`),
    sent: db.prepare<[number], { id: number }>(
      "SELECT id FROM attempts WHERE document_id = ? AND outcome <> 'returned' LIMIT 1",
    ),
    byToken: db.prepare<[Buffer], Attempt>(`SELECT ${columns} FROM attempts WHERE token_hash = ?`),
    // A failure that is followed by a result may have named tokens as well: both were consumed.
    finish: db.prepare<[Record<string, unknown>]>(
      `UPDATE attempts SET outcome = @outcome, http_status = @httpStatus, error_code = @code, bytes_sent = @bytesSent, finished_at = @now,
      tokens = coalesce(tokens + @tokens, @tokens, tokens) WHERE id = @id`,
    ),
    accept: db.prepare<[string | null, number, number, number]>(
      "UPDATE attempts SET outcome = 'accepted', extract_id = ?, http_status = ?, bytes_sent = ? WHERE id = ?",
    ),
    // What it took was named when its answer was first read, and counts for that day.
    reread: db.prepare<[{ id: number; tokens: number | null; now: number }]>(
      "UPDATE attempts SET outcome = 'succeeded', error_code = NULL, tokens = coalesce(tokens, @tokens), finished_at = coalesce(finished_at, @now) WHERE id = @id",
    ),
    setOutcome: db.prepare<[string, number, number]>('UPDATE attempts SET outcome = ?, finished_at = ? WHERE id = ?'),
    insertAnswer: db.prepare<[Record<string, unknown>], { id: number }>(`
    INSERT INTO answers (attempt_id, source, received_at, http_status, content_type, body, body_sha256, complete, unread)
    VALUES (@attemptId, @source, @receivedAt, @httpStatus, @contentType, @body, @sha256, @complete, 1) ${sameAgainSql} RETURNING id`),
    sameAnswer: db.prepare<[number, string, Buffer], { id: number }>(
      'SELECT id FROM answers WHERE attempt_id = ? AND source = ? AND body_sha256 = ?',
    ),
    answersOf: db.prepare<[number], AnswerRow>(
      `SELECT ${answerColumns} FROM answers WHERE attempt_id = ? AND damaged = 0 ORDER BY id`,
    ),
    // One at a time: a body may be large. Of a document those of its newest attempt first: the result of that one
    // stands.
    firstUnread: db.prepare<[], AnswerRow>(`
    SELECT ${answerColumns} FROM answers WHERE unread = 1 AND NOT EXISTS (
      SELECT 1 FROM attempts a JOIN attempts n ON n.document_id = a.document_id AND n.id > a.id JOIN answers u ON u.attempt_id = n.id
      WHERE a.id = answers.attempt_id AND u.unread = 1) ORDER BY id LIMIT 1`),
    callbacksKept: db.prepare<[number], Kept>(
      "SELECT count(*) AS answers, coalesce(sum(length(body)), 0) AS bytes FROM answers WHERE attempt_id = ? AND source = 'callback' AND damaged = 0",
    ),
    setRead: db.prepare<[number]>('UPDATE answers SET unread = 0 WHERE id = ?'),
  }
}

/** Attempts to have a document extracted, and the raw answers to them. */
export class AttemptsTable {
  readonly #writeAhead: WriteAhead
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database, writeAhead: WriteAhead) {
    this.#writeAhead = writeAhead
    this.#sql = prepare(db)
  }

  /**
   * Committed, and on the disk once the tables' `flushed` says so, before the first byte leaves: after a crash it is
   * known that something may have been sent.
   */
  open(
    documentId: number,
    mode: 'sync' | 'async',
    host: string,
    token: string | null,
    now: number,
    resend: Resend | null = null,
  ): number {
    return this.#writeAhead.transaction(() => {
      const id = Number(
        this.#sql.insert.run(
          randomBytes(16),
          mode,
          host,
          token === null ? null : hashToken(token),
          now,
          resend?.of ?? null,
          resend?.approved ?? null,
          documentId,
        ).lastInsertRowid,
      )
      this.#writeAhead.opened(id)
      return id
    })
  }

  get(id: number): Attempt {
    return this.#sql.byId.get(id)!
  }

  ofDocument(documentId: number): Attempt[] {
    return this.#sql.ofDocument.all(documentId)
  }

  /**
   * How often in a row the service on this computer broke down while it had this document and no other; the newest
   * attempt, which is under way, counts as one that breaks down now.
   */
  breakdownsAlone(documentId: number): number {
    let breakdowns = 0
    for (const { id, outcome, code } of this.#sql.endsOf.all(documentId)) {
      if (outcome === 'open' || code === 'service_interrupted')
        breakdowns += this.#sql.besides.get(id) === undefined ? 1 : 0
      else if (outcome === 'failed' || outcome === 'lost' || outcome === 'succeeded') break
    }
    return breakdowns
  }

  /**
   * Whether the newest attempt of a document on a connection that bills has no answer: to send it again may be billed
   * twice.
   */
  mayBeBilled(documentId: number): boolean {
    return this.#sql.mayBeBilled.get(documentId)!.mayBeBilled === 1
  }

  /**
   * Whether the document was sent: what it came to, or may still come to, is about the version that the file had
   * then.
   */
  wasSent(documentId: number): boolean {
    return this.#sql.sent.get(documentId) !== undefined
  }

  findByToken(token: string): Attempt | null {
    return this.#sql.byToken.get(hashToken(token)) ?? null
  }

  accept(id: number, extractId: string | null, httpStatus: number, bytesSent: number): void {
    this.#sql.accept.run(extractId, httpStatus, bytesSent, id)
  }

  /** `tokens` is what the answer named; null where it named none. */
  finish(
    id: number,
    outcome: AttemptOutcome,
    seen: { httpStatus: number | null; code: ErrorCode | null; bytesSent: number; tokens: number | null },
    now: number,
  ): void {
    if (outcome === 'returned') this.#writeAhead.returned(id)
    this.#sql.finish.run({ ...seen, tokens: countOf(seen.tokens), outcome, now, id })
  }

  /** An answer that was kept turned out to be a result. */
  reread(id: number, tokens: number | null, now: number): void {
    this.#sql.reread.run({ id, tokens: countOf(tokens), now })
  }

  settle(id: number, outcome: AttemptOutcome, now: number): void {
    if (outcome === 'returned') this.#writeAhead.returned(id)
    this.#sql.setOutcome.run(outcome, now, id)
  }

  /**
   * Stores the bytes and returns their id; the same bytes again for the same attempt are the same answer. Where they
   * are flushed later, they are on the disk once the tables' `flushed` says so.
   */
  storeAnswer(
    { attemptId, source, httpStatus, contentType, body, complete }: NewAnswer,
    now: number,
    flush?: Flush,
  ): number {
    const sha256 = createHash('sha256').update(body).digest()
    const details = { source, receivedAt: now, httpStatus, contentType, complete: Number(complete) }
    const insert = (): { id: number } | undefined => this.#sql.insertAnswer.get({ ...details, attemptId, body, sha256 })
    const stored = this.#writeAhead.answered(attemptId, { details, body, sha256 }, insert, flush)
    return (stored ?? this.#sql.sameAnswer.get(attemptId, source, sha256)!).id
  }

  /** What is stored of its callbacks. */
  callbacksKept(attemptId: number): Kept {
    return this.#sql.callbacksKept.get(attemptId)!
  }

  /** What was stored for an attempt and is still as it came, oldest first. */
  answers(attemptId: number): StoredAnswer[] {
    return this.#sql.answersOf.all(attemptId).map(answerOf)
  }

  /**
   * The oldest answer that was stored and not acted upon, of each document's newest attempt first; null: there is none.
   */
  nextUnread(): StoredAnswer | null {
    return found(this.#sql.firstUnread.get(), answerOf)
  }

  /** In the transaction that acts upon it. */
  markRead(answerId: number): void {
    this.#sql.setRead.run(answerId)
  }
}

function answerOf(row: AnswerRow): StoredAnswer {
  return { ...row, complete: row.complete === 1 }
}

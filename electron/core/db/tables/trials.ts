import type { ErrorCode, ErrorDetails } from '../../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { countOf, found, reasonColumns, reasonOf } from './columns.ts'
import type { Database } from '../open.ts'

type TrialOutcome = 'open' | 'succeeded' | 'failed' | 'returned' | 'lost'

/** What is asked: which fields, of which content, of whom. The same question has the same answer. */
type TrialQuestion = { connectionId: number; sha256: Buffer; elements: SchemaElement[] }

type NewTrial = TrialQuestion & { schemaId: number; documentId: number; host: string }

/** The bytes that were answered; complete false: the connection broke before all of them were here. */
type TrialAnswer = { httpStatus: number; body: Buffer; complete: boolean }

export type StoredTrial = {
  id: number
  connectionId: number
  host: string
  sha256: Buffer
  startedAt: number
  bytesSent: number
  /** What the answer named; null where it named none. */
  tokens: number | null
  outcome: TrialOutcome
  reason: ErrorReason | null
  answer: TrialAnswer | null
}

type Row = {
  id: number
  connection_id: number
  host: string
  sha256: Buffer
  started_at: number
  bytes_sent: number
  tokens: number | null
  outcome: TrialOutcome
  error_code: ErrorCode | null
  error_details: string | null
  http_status: number | null
  body: Buffer | null
  complete: number | null
}

function prepare(db: Database) {
  const columns =
    'id, connection_id, host, sha256, started_at, bytes_sent, tokens, outcome, error_code, error_details, http_status, body, complete'
  return {
    insert: db.prepare<[number, number, number, string, Buffer, string, number]>(
      "INSERT INTO trials (schema_id, document_id, connection_id, elements, sha256, host, started_at, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, 'open')",
    ),
    byId: db.prepare<[number], Row>(`SELECT ${columns} FROM trials WHERE id = ?`),
    latest: db.prepare<[number, Buffer, string], Row>(
      `SELECT ${columns} FROM trials WHERE connection_id = ? AND sha256 = ? AND elements = ? AND outcome <> 'returned' ORDER BY id DESC LIMIT 1`,
    ),
    open: db.prepare<[], { id: number }>("SELECT id FROM trials WHERE outcome = 'open' ORDER BY id"),
    store: db.prepare<[number, Buffer, number, number, number]>(
      'UPDATE trials SET http_status = ?, body = ?, complete = ?, bytes_sent = ? WHERE id = ?',
    ),
    setSent: db.prepare<[number, number]>('UPDATE trials SET bytes_sent = ? WHERE id = ?'),
    finish: db.prepare<[Record<string, unknown>]>(
      'UPDATE trials SET outcome = @outcome, error_code = @code, error_details = @details, tokens = @tokens, finished_at = @now WHERE id = @id',
    ),
    content: db.prepare<[number], { sha256: Buffer }>('SELECT sha256 FROM trials WHERE id = ? AND body IS NOT NULL'),
    remove: db.prepare<[number]>('DELETE FROM trials WHERE id = ?'),
    forget: db.prepare<[number]>(`
    UPDATE trials SET elements = '', body = NULL WHERE schema_id = ? AND outcome <> 'open' AND elements <> ''
      AND connection_id IN (SELECT id FROM connections WHERE kind = 'local')`),
  }
}

/** Drafts of schemas that were tried on documents: attempts that belong to no document's way, and their answers. */
export class TrialsTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Committed before the first byte leaves: after a crash it is known that something may have been sent. */
  open({ schemaId, documentId, connectionId, elements, sha256, host }: NewTrial, now: number): number {
    return Number(
      this.#sql.insert.run(schemaId, documentId, connectionId, JSON.stringify(elements), sha256, host, now)
        .lastInsertRowid,
    )
  }

  get(id: number): StoredTrial {
    return fromRow(this.#sql.byId.get(id)!)
  }

  /** What became of a question when it was last asked; what was not taken is left out. Null: it never was. */
  latest({ connectionId, sha256, elements }: TrialQuestion): StoredTrial | null {
    return found(this.#sql.latest.get(connectionId, sha256, JSON.stringify(elements)), fromRow)
  }

  /** Those that the last run of the program left under way. */
  unfinished(): StoredTrial[] {
    return this.#sql.open.all().map(({ id }) => fromRow(this.#sql.byId.get(id)!))
  }

  storeAnswer(id: number, { httpStatus, body, complete }: TrialAnswer, bytesSent: number): void {
    this.#sql.store.run(httpStatus, body, Number(complete), bytesSent, id)
  }

  setSent(id: number, bytesSent: number): void {
    this.#sql.setSent.run(bytesSent, id)
  }

  finish(
    id: number,
    outcome: TrialOutcome,
    seen: { reason: { code: ErrorCode; details: ErrorDetails } | null; tokens: number | null },
    now: number,
  ): void {
    this.#sql.finish.run({
      id,
      outcome,
      ...reasonColumns(seen.reason),
      tokens: countOf(seen.tokens),
      now,
    })
  }

  /** Of which content its answer is; null where the answer is no longer kept. */
  contentOf(id: number): Buffer | null {
    return this.#sql.content.get(id)?.sha256 ?? null
  }

  /** It is an attempt of its document from now on. */
  remove(id: number): void {
    this.#sql.remove.run(id)
  }

  /** Gives up what this computer answered for a schema: it costs nothing to ask again. */
  forgetFree(schemaId: number): void {
    this.#sql.forget.run(schemaId)
  }
}

function fromRow(row: Row): StoredTrial {
  return {
    id: row.id,
    connectionId: row.connection_id,
    host: row.host,
    sha256: row.sha256,
    startedAt: row.started_at,
    bytesSent: row.bytes_sent,
    tokens: row.tokens,
    outcome: row.outcome,
    reason: reasonOf(row.error_code, row.error_details),
    answer:
      row.body === null || row.http_status === null
        ? null
        : { httpStatus: row.http_status, body: row.body, complete: row.complete === 1 },
  }
}

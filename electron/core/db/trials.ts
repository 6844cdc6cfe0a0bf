import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import type { ErrorReason } from '../../../shared/error-reason.ts'
import { countOf } from './count-of.ts'
import type { Database } from './open.ts'

export type TrialOutcome = 'open' | 'succeeded' | 'failed' | 'returned' | 'lost'

/** What is asked: which fields, of which content, of whom. The same question has the same answer. */
export type TrialQuestion = { connectionId: number; sha256: Buffer; elements: SchemaElement[] }

export type NewTrial = TrialQuestion & { schemaId: number; jobId: number; host: string }

/** The bytes that were answered; complete false: the connection broke before all of them were here. */
export type TrialAnswer = { httpStatus: number; body: Buffer; complete: boolean }

export type StoredTrial = { id: number; connectionId: number; host: string; outcome: TrialOutcome; reason: ErrorReason | null; answer: TrialAnswer | null }

type Row = {
  id: number
  connection_id: number
  host: string
  outcome: TrialOutcome
  error_code: ErrorCode | null
  error_details: string | null
  http_status: number | null
  body: Buffer | null
  complete: number | null
}

/** Drafts of schemas that were tried on documents: attempts that belong to no document's way, and their answers. */
export function trialsTable(db: Database) {
  const columns = 'id, connection_id, host, outcome, error_code, error_details, http_status, body, complete'
  const insert = db.prepare<[number, number, number, string, Buffer, string, number]>(
    "INSERT INTO trials (schema_id, job_id, connection_id, elements, sha256, host, started_at, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, 'open')",
  )
  const byId = db.prepare<[number], Row>(`SELECT ${columns} FROM trials WHERE id = ?`)
  const latest = db.prepare<[number, Buffer, string], Row>(
    `SELECT ${columns} FROM trials WHERE connection_id = ? AND sha256 = ? AND elements = ? AND outcome <> 'returned' ORDER BY id DESC LIMIT 1`,
  )
  const open = db.prepare<[], { id: number }>("SELECT id FROM trials WHERE outcome = 'open' ORDER BY id")
  const store = db.prepare<[number, Buffer, number, number, number]>('UPDATE trials SET http_status = ?, body = ?, complete = ?, bytes_sent = ? WHERE id = ?')
  const setSent = db.prepare<[number, number]>('UPDATE trials SET bytes_sent = ? WHERE id = ?')
  const finish = db.prepare<[Record<string, unknown>]>(
    'UPDATE trials SET outcome = @outcome, error_code = @code, error_details = @details, tokens = @tokens, finished_at = @now WHERE id = @id',
  )
  const forget = db.prepare<[number]>(`
    UPDATE trials SET elements = '', body = NULL WHERE schema_id = ? AND outcome <> 'open' AND elements <> ''
      AND connection_id IN (SELECT id FROM connections WHERE kind = 'local')`)

  return {
    /** Committed before the first byte leaves: after a crash it is known that something may have been sent. */
    open: ({ schemaId, jobId, connectionId, elements, sha256, host }: NewTrial, now: number): number =>
      Number(insert.run(schemaId, jobId, connectionId, JSON.stringify(elements), sha256, host, now).lastInsertRowid),
    get: (id: number): StoredTrial => fromRow(byId.get(id)!),
    /** What became of a question when it was last asked; what was not taken is left out. Null: it never was. */
    latest({ connectionId, sha256, elements }: TrialQuestion): StoredTrial | null {
      const row = latest.get(connectionId, sha256, JSON.stringify(elements))
      return row === undefined ? null : fromRow(row)
    },
    /** Those that the last run of the program left under way. */
    unfinished: (): StoredTrial[] => open.all().map(({ id }) => fromRow(byId.get(id)!)),
    storeAnswer: (id: number, { httpStatus, body, complete }: TrialAnswer, bytesSent: number): void => void store.run(httpStatus, body, Number(complete), bytesSent, id),
    setSent: (id: number, bytesSent: number): void => void setSent.run(bytesSent, id),
    finish: (id: number, outcome: TrialOutcome, seen: { reason: { code: ErrorCode; details: ErrorDetails } | null; tokens: number | null }, now: number): void =>
      void finish.run({ id, outcome, code: seen.reason?.code ?? null, details: seen.reason === null ? null : JSON.stringify(seen.reason.details), tokens: countOf(seen.tokens), now }),
    /** Gives up what this computer answered for a schema: it costs nothing to ask again. */
    forgetFree: (schemaId: number): void => void forget.run(schemaId),
  }
}

function fromRow(row: Row): StoredTrial {
  return {
    id: row.id,
    connectionId: row.connection_id,
    host: row.host,
    outcome: row.outcome,
    reason: row.error_code === null ? null : { code: row.error_code, details: JSON.parse(row.error_details ?? '{}') as ErrorDetails },
    answer: row.body === null || row.http_status === null ? null : { httpStatus: row.http_status, body: row.body, complete: row.complete === 1 },
  }
}

import type { AnswerDetails, Journal, ReviewDetails } from '../durability/journal.ts'
import { runTransaction } from '../open.ts'
import type { Database, Flush } from '../open.ts'

/** Bytes that are about to be stored, and how they came. */
type Arrival = { details: AnswerDetails; body: Buffer; sha256: Buffer }

function prepare(db: Database) {
  return {
    opened: db.prepare<[number], { reference: Buffer; details: string; elements: string }>(`
    SELECT t.reference, v.elements, json_object(
      'connection', json_object('id', c.id, 'kind', c.kind, 'name', c.name, 'baseUrl', c.base_url, 'clientId', c.client_id),
      'folder', json_object('kind', f.kind, 'path', f.path, 'name', f.name, 'agentReference', f.agent_reference, 'mode', f.mode,
        'includeSubfolders', f.include_subfolders, 'afterwards', f.afterwards, 'include', f.include, 'exclude', f.exclude, 'cuts', f.cuts,
        'schemas', (SELECT json_group_array(o.name) FROM json_each(f.other_schemas) e JOIN schemas o ON o.id = e.value)),
      'schema', json_object('name', s.name),
      'document', json_object('path', j.path, 'name', j.name, 'sizeBytes', j.size_bytes, 'mtimeMs', j.mtime_ms, 'sha256', iif(j.sha256 IS NULL, NULL, hex(j.sha256)),
        'agentReference', j.agent_reference, 'mode', j.mode, 'extra', j.extra, 'firstPage', j.first_page, 'lastPage', j.last_page, 'createdAt', j.created_at),
      'attempt', json_object('mode', t.mode, 'host', t.host, 'tokenHash', iif(t.token_hash IS NULL, NULL, hex(t.token_hash)), 'startedAt', t.started_at,
        'resendOf', (SELECT hex(o.reference) FROM attempts o WHERE o.id = t.resend_of), 'approved', t.approved)) AS details
    FROM attempts t JOIN documents j ON j.id = t.document_id JOIN connections c ON c.id = j.connection_id JOIN folders f ON f.id = j.folder_id
      JOIN schema_versions v ON v.id = j.schema_version_id JOIN schemas s ON s.id = v.schema_id WHERE t.id = ?`),
    referenceOf: db.prepare<[number], { reference: Buffer }>('SELECT reference FROM attempts WHERE id = ?'),
    attemptOf: db.prepare<[number], { reference: Buffer }>(`
    SELECT t.reference FROM documents j JOIN results r ON r.id = j.result_id JOIN answers a ON a.id = r.answer_id JOIN attempts t ON t.id = a.attempt_id WHERE j.id = ?`),
  }
}

/**
 * Writes into the journal what happens to attempts, in the one order that loses nothing: the entry of an attempt and of
 * an answer first, then the row. Everything here throws SQLite's error when the journal could not be written.
 */
export class WriteAhead {
  readonly #db: Database
  readonly #journal: Journal
  readonly #sql: ReturnType<typeof prepare>
  /** References of the attempts that the transaction under way has opened. */
  #opened: Buffer[] = []

  constructor(db: Database, journal: Journal) {
    this.#db = db
    this.#journal = journal
    this.#sql = prepare(db)
  }

  /** The attempt whose row was just inserted; in a transaction, so that a failure here leaves no row. */
  opened(attemptId: number): void {
    const { reference, details, elements } = this.#sql.opened.get(attemptId)!
    this.#journal.attempt(reference, details, elements)
    this.#opened.push(reference)
  }

  /** Keeps the bytes, then lets `store` put them into the database. */
  answered<T>(attemptId: number, arrival: Arrival, store: () => T, flush?: Flush): T {
    return this.#keepFirst('answer', this.#sql.referenceOf.get(attemptId)!.reference, arrival, store, flush)
  }

  /** The same for a callback whose attempt is not known. */
  strayed(tokenHash: Buffer, arrival: Arrival, store: () => void): void {
    this.#keepFirst('stray', tokenHash, arrival, store)
  }

  /** What a person did to results, before its rows. */
  reviewed(entries: { documentId: number; details: ReviewDetails }[]): void {
    this.#journal.review(
      entries.flatMap(({ documentId, details }) => {
        const attempt = this.#sql.attemptOf.get(documentId)
        return attempt === undefined ? [] : [{ reference: attempt.reference, details }]
      }),
    )
  }

  /** The attempt is provably not with the service. */
  returned(attemptId: number): void {
    this.#journal.returned(this.#sql.referenceOf.get(attemptId)!.reference)
  }

  /** Runs `work` in one transaction. Where that fails no attempt was opened in it, and the journal is told so. */
  transaction<T>(work: () => T, flush?: Flush): T {
    if (this.#db.inTransaction) return this.#db.transaction(work)()
    this.#opened = []
    try {
      return runTransaction(this.#db, work, flush)
    } catch (error) {
      if (this.#opened.length > 0) this.#journal.neverOpened(this.#opened)
      throw error
    }
  }

  #keepFirst<T>(
    kind: 'answer' | 'stray',
    reference: Buffer,
    { details, body, sha256 }: Arrival,
    store: () => T,
    flush?: Flush,
  ): T {
    const seq = this.#journal.answer(kind, reference, details, body, sha256, flush)
    // The journal has them.
    const value = runTransaction(this.#db, store, 'later')
    this.#journal.stored(seq)
    return value
  }
}

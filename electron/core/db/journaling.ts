import type { NewAnswer } from './attempts.ts'
import type { AnswerDetails, Journal, ReviewDetails } from './journal.ts'
import type { Database } from './open.ts'

/** What the tables of one database tell the journal. */
export type Journaling = ReturnType<typeof journaling>

/**
 * Writes into the journal what happens to attempts, in the one order that loses nothing: the entry of an attempt and of an
 * answer first, then the row. Everything here throws SQLite's error when the journal could not be written.
 */
export function journaling(db: Database, journal: Journal) {
  const opening = db.prepare<[number], { reference: Buffer; details: string; elements: string }>(`
    SELECT t.reference, v.elements, json_object(
      'connection', json_object('id', c.id, 'kind', c.kind, 'name', c.name, 'baseUrl', c.base_url, 'clientId', c.client_id),
      'folder', json_object('kind', f.kind, 'path', f.path, 'name', f.name, 'agentReference', f.agent_reference, 'mode', f.mode,
        'includeSubfolders', f.include_subfolders, 'afterwards', f.afterwards, 'include', f.include, 'exclude', f.exclude),
      'schema', json_object('name', s.name),
      'job', json_object('path', j.path, 'name', j.name, 'sizeBytes', j.size_bytes, 'mtimeMs', j.mtime_ms, 'sha256', iif(j.sha256 IS NULL, NULL, hex(j.sha256)),
        'agentReference', j.agent_reference, 'mode', j.mode, 'extra', j.extra, 'createdAt', j.created_at),
      'attempt', json_object('mode', t.mode, 'host', t.host, 'tokenHash', iif(t.token_hash IS NULL, NULL, hex(t.token_hash)), 'startedAt', t.started_at,
        'resendOf', (SELECT hex(o.reference) FROM attempts o WHERE o.id = t.resend_of), 'approved', t.approved)) AS details
    FROM attempts t JOIN jobs j ON j.id = t.job_id JOIN connections c ON c.id = j.connection_id JOIN folders f ON f.id = j.folder_id
      JOIN schema_versions v ON v.id = j.schema_version_id JOIN schemas s ON s.id = v.schema_id WHERE t.id = ?`)
  const referenceOf = db.prepare<[number], { reference: Buffer }>('SELECT reference FROM attempts WHERE id = ?')
  const attemptOf = db.prepare<[number], { reference: Buffer }>(`
    SELECT t.reference FROM jobs j JOIN results r ON r.id = j.result_id JOIN answers a ON a.id = r.answer_id JOIN attempts t ON t.id = a.attempt_id WHERE j.id = ?`)
  let opened: Buffer[] = []
  const keepFirst = <T>(kind: 'answer' | 'stray', reference: Buffer, details: AnswerDetails, body: Buffer, sha256: Buffer, store: () => T): T => {
    const seq = journal.answer(kind, reference, details, body, sha256)
    const value = store()
    journal.stored(seq)
    return value
  }

  return {
    /** The attempt whose row was just inserted; in a transaction, so that a failure here leaves no row. */
    opened(attemptId: number): void {
      const { reference, details, elements } = opening.get(attemptId)!
      journal.attempt(reference, details, elements)
      opened.push(reference)
    },
    /** Keeps the bytes, then lets `store` put them into the database. */
    answered<T>(answer: NewAnswer, sha256: Buffer, now: number, store: () => T): T {
      const { source, httpStatus, contentType, body } = answer
      const details = { source, receivedAt: now, httpStatus, contentType, complete: Number(answer.complete !== false) }
      return keepFirst('answer', referenceOf.get(answer.attemptId)!.reference, details, body, sha256, store)
    },
    /** The same for a callback whose attempt is not known. */
    strayed(tokenHash: Buffer, contentType: string | null, body: Buffer, sha256: Buffer, now: number, store: () => void): void {
      keepFirst('stray', tokenHash, { source: 'callback', receivedAt: now, httpStatus: null, contentType, complete: 1 }, body, sha256, store)
    },
    /** What a person did to results, before its rows. */
    reviewed(entries: { jobId: number; details: ReviewDetails }[]): void {
      journal.review(entries.flatMap(({ jobId, details }) => (attemptOf.get(jobId) === undefined ? [] : [{ reference: attemptOf.get(jobId)!.reference, details }])))
    },
    /** The attempt is provably not with the service. */
    returned(attemptId: number): void {
      journal.returned(referenceOf.get(attemptId)!.reference)
    },
    /** Runs `work` in one transaction. Where that fails no attempt was opened in it, and the journal is told so. */
    together<T>(work: () => T): T {
      if (db.inTransaction) return db.transaction(work)()
      opened = []
      try {
        return db.transaction(work)()
      } catch (error) {
        if (opened.length > 0) journal.neverOpened(opened)
        throw error
      }
    },
  }
}

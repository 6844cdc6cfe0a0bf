import { createHash } from 'node:crypto'
import { sameAgainSql } from './attempts.ts'
import type { AnswerDetails, AttemptDetails, Entry, Journal, ReviewDetails } from './journal.ts'
import type { Database } from './open.ts'

/** What was put back; `complete` is false when something of the journal could not be read. */
export type Replayed = { attempts: number; answers: number; complete: boolean }

/**
 * Puts back what the journal has and the database has not: attempts as `open` with their jobs `submitting`, and answers as
 * unread bytes. What a start does then with anything that was interrupted makes results of them, or `unknown`. In one transaction;
 * nothing is written when nothing is missing. The one place beside `jobs.apply` that sets a status: it says what was, and
 * is no event. `entries`: some of the journal's only.
 */
export function replay(db: Database, journal: Journal, entries: Iterable<Entry> = journal.entries()): Replayed {
  return db.transaction(() => {
    const replayed: Replayed = { attempts: 0, answers: 0, complete: true }
    const rows = rowsOf(db)
    const { returned, answered } = journal.references()
    for (const entry of entries) {
      if (entry.kind === 'unreadable') {
        replayed.complete = false
      } else if (entry.kind === 'attempt') {
        const key = entry.reference.toString('hex')
        if (rows.attempt(entry.reference) !== null || (returned.has(key) && !answered.has(key))) continue
        rows.addAttempt(entry.reference, entry.details, entry.elements, returned.has(key))
        replayed.attempts += 1
      } else if (entry.kind === 'returned') {
        rows.giveBack(entry.reference)
      } else {
        const attempt = entry.kind === 'answer' ? rows.attempt(entry.reference) : rows.attemptOfToken(entry.reference)
        if (attempt !== null && rows.hasAnswer(attempt.id, entry.details.source, entry.bodySha256)) continue
        if (entry.kind === 'stray' && rows.hasStray(entry.reference, entry.bodySha256)) continue
        const body = journal.bodyOf(entry.seq)
        const isLost = attempt === null && entry.kind === 'answer'
        if (isLost || !createHash('sha256').update(body).digest().equals(entry.bodySha256)) {
          replayed.complete = false
          continue
        }
        if (attempt === null) rows.addStray(entry.reference, entry.details, body, entry.bodySha256)
        else rows.addAnswer(attempt, entry.details, body, entry.bodySha256)
        replayed.answers += 1
      }
    }
    for (const review of journal.reviews()) {
      const attempt = review === null ? null : rows.attempt(review.reference)
      if (review === null || attempt === null) replayed.complete = false
      else if (!rows.hasReview(attempt.job_id, review.details)) rows.addReview(attempt.job_id, review.details)
    }
    return replayed
  })()
}

type AttemptRow = { id: number; job_id: number; outcome: string }
type Insertable = Record<string, string | number | Buffer | null>

/** The few statements of a replay. What is made anew has the journal's values. */
function rowsOf(db: Database) {
  const attempt = db.prepare<[Buffer], AttemptRow>('SELECT id, job_id, outcome FROM attempts WHERE reference = ?')
  const attemptOfToken = db.prepare<[Buffer], AttemptRow>('SELECT id, job_id, outcome FROM attempts WHERE token_hash = ?')
  const stray = db.prepare<[Buffer, Buffer], { id: number }>('SELECT id FROM stray_answers WHERE token_hash = ? AND body_sha256 = ?')
  const answer = db.prepare<[number, string, Buffer], { id: number }>('SELECT id FROM answers WHERE attempt_id = ? AND source = ? AND body_sha256 = ? AND damaged = 0')
  const review = db.prepare<[ReviewDetails & { jobId: number }], { id: number }>(`
    SELECT id FROM review_entries WHERE job_id = @jobId AND kind = @kind AND pointer IS @pointer AND value IS @value AND batch IS @batch AND person = @person AND created_at = @at`)
  const judgeAnew = db.prepare<[number]>('UPDATE schemas SET rules_pending = 1 WHERE id = (SELECT v.schema_id FROM jobs j JOIN schema_versions v ON v.id = j.schema_version_id WHERE j.id = ?)')
  const unapprove = db.prepare<[number]>("UPDATE jobs SET review = 'ready' WHERE id = ? AND review = 'approved'")
  const newestOfJob = db.prepare<[number], { id: number; outcome: string }>('SELECT id, outcome FROM attempts WHERE job_id = ? ORDER BY id DESC LIMIT 1')
  const loseEarlier = db.prepare<[number, number, number]>("UPDATE attempts SET outcome = 'lost', finished_at = ? WHERE job_id = ? AND outcome = 'open' AND id <> ?")
  const giveBack = db.prepare<[number]>("UPDATE attempts SET outcome = 'returned', finished_at = started_at WHERE id = ?")
  const queue = db.prepare<[number]>("UPDATE jobs SET status = 'queued', not_before = 0 WHERE id = ? AND status = 'submitting'")
  const begin = db.prepare<[number, number]>(`
    UPDATE jobs SET status = 'submitting', reason_code = NULL, reason_details = NULL, resend_approved = NULL, started_at = ?, finished_at = NULL, in_bin = 0 WHERE id = ?`)
  const insert = (table: string, values: Insertable, onConflict = ''): number => {
    const names = Object.keys(values)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')}) ${onConflict}`
    return Number(db.prepare<[Insertable]>(sql).run(values).lastInsertRowid)
  }
  const find = (sql: string, values: Insertable): number | null => db.prepare<[Insertable], { id: number }>(sql).get(values)?.id ?? null

  /** A stored secret belongs to the connection's id, so the id is kept; one that is taken by another connection is not shared. */
  const connectionOf = ({ id, kind, name, baseUrl, clientId }: AttemptDetails['connection']): number => {
    if (kind === 'local') return find("SELECT id FROM connections WHERE kind = 'local' ORDER BY id LIMIT 1", {}) ?? insert('connections', { kind, name })
    const sameId = db.prepare<[number], { kind: string }>('SELECT kind FROM connections WHERE id = ?').get(id)
    if (sameId?.kind === 'platform') {
      // It is as it was when the attempt began, which this database is older than: so is its secret.
      db.prepare<[Insertable]>('UPDATE connections SET name = @name, base_url = @baseUrl, client_id = @clientId WHERE id = @id').run({ id, name, baseUrl, clientId })
      return id
    }
    const values = { kind, name, base_url: baseUrl, client_id: clientId }
    return insert('connections', sameId === undefined ? { id, ...values } : values)
  }

  const versionOf = (name: string, elements: string, at: number): number => {
    const same = find('SELECT v.id FROM schema_versions v JOIN schemas s ON s.id = v.schema_id WHERE v.elements = @elements ORDER BY s.name = @name DESC, v.id LIMIT 1', { name, elements })
    if (same !== null) return same
    const schemaId = find('SELECT id FROM schemas WHERE name = @name AND removed_at IS NULL ORDER BY id LIMIT 1', { name }) ?? insert('schemas', { name, created_at: at })
    const { version } = db.prepare<[number], { version: number }>('SELECT coalesce(max(version), 0) + 1 AS version FROM schema_versions WHERE schema_id = ?').get(schemaId)!
    return insert('schema_versions', { schema_id: schemaId, version, elements, created_at: at })
  }

  const folderOf = (folder: AttemptDetails['folder'], connectionId: number, versionId: number, at: number): number => {
    const { kind, path, name, agentReference, mode, includeSubfolders, afterwards, include = '', exclude = '' } = folder
    const same = find(
      `SELECT id FROM folders WHERE kind = @kind AND path = @path ORDER BY connection_id = @connectionId DESC, agent_reference IS @agentReference DESC,
       schema_id = (SELECT schema_id FROM schema_versions WHERE id = @versionId) DESC, removed_at IS NULL DESC, id LIMIT 1`,
      { kind, path, connectionId, agentReference, versionId },
    )
    if (same !== null) return same
    const { schema_id } = db.prepare<[number], { schema_id: number }>('SELECT schema_id FROM schema_versions WHERE id = ?').get(versionId)!
    // Shown, and at rest: whether it is still watched is for the person to say.
    return insert('folders', {
      kind,
      path,
      name,
      schema_id,
      connection_id: connectionId,
      agent_reference: agentReference,
      mode,
      include_subfolders: includeSubfolders,
      afterwards,
      include,
      exclude,
      paused: 1,
      created_at: at,
    })
  }

  /** The job of that version of the file, or the one that still waits at its place and stands for what is there now. */
  const jobOf = (details: AttemptDetails, connectionId: number, versionId: number): number => {
    const { path, name, sizeBytes, mtimeMs, agentReference, mode, extra = 0, createdAt } = details.job
    const sha256 = details.job.sha256 === null ? null : Buffer.from(details.job.sha256, 'hex')
    const found = find(
      `SELECT j.id FROM jobs j JOIN folders f ON f.id = j.folder_id JOIN schema_versions v ON v.id = j.schema_version_id
       WHERE j.path = @path AND f.kind = @kind AND f.path = @folder AND v.schema_id = (SELECT schema_id FROM schema_versions WHERE id = @versionId)
         AND ((j.size_bytes = @sizeBytes AND j.mtime_ms = @mtimeMs) OR j.status = 'queued')
       ORDER BY j.extra = @extra DESC, j.size_bytes = @sizeBytes AND j.mtime_ms = @mtimeMs DESC, j.connection_id = @connectionId DESC, j.id DESC LIMIT 1`,
      { path, kind: details.folder.kind, folder: details.folder.path, versionId, sizeBytes, mtimeMs, connectionId, extra },
    )
    if (found === null) {
      return insert('jobs', {
        folder_id: folderOf(details.folder, connectionId, versionId, createdAt),
        connection_id: connectionId,
        schema_version_id: versionId,
        agent_reference: agentReference,
        mode,
        path,
        name,
        size_bytes: sizeBytes,
        mtime_ms: mtimeMs,
        sha256,
        extra,
        status: 'queued',
        created_at: createdAt,
      })
    }
    db.prepare<[Insertable]>(
      `UPDATE jobs SET connection_id = @connectionId, schema_version_id = @versionId, agent_reference = @agentReference, mode = @mode,
       size_bytes = @sizeBytes, mtime_ms = @mtimeMs, sha256 = coalesce(@sha256, sha256) WHERE id = @found`,
    ).run({ connectionId, versionId, agentReference, mode, sizeBytes, mtimeMs, sha256, found })
    return found
  }

  return {
    attempt: (reference: Buffer): AttemptRow | null => attempt.get(reference) ?? null,
    attemptOfToken: (tokenHash: Buffer): AttemptRow | null => attemptOfToken.get(tokenHash) ?? null,
    hasStray: (tokenHash: Buffer, sha256: Buffer): boolean => stray.get(tokenHash, sha256) !== undefined,
    hasAnswer: (attemptId: number, source: string, sha256: Buffer): boolean => answer.get(attemptId, source, sha256) !== undefined,
    addAttempt(reference: Buffer, details: AttemptDetails, elements: string, isReturned: boolean): void {
      const { mode, host, tokenHash, startedAt, resendOf, approved } = details.attempt
      const connectionId = connectionOf(details.connection)
      const versionId = versionOf(details.schema.name, elements, startedAt)
      const jobId = jobOf(details, connectionId, versionId)
      const id = insert('attempts', {
        reference,
        job_id: jobId,
        mode,
        host,
        token_hash: tokenHash === null ? null : Buffer.from(tokenHash, 'hex'),
        started_at: startedAt,
        finished_at: isReturned ? startedAt : null,
        outcome: isReturned ? 'returned' : 'open',
        connection_id: connectionId,
        schema_id: db.prepare<[number], { schema_id: number }>('SELECT schema_id FROM schema_versions WHERE id = ?').get(versionId)!.schema_id,
        resend_of: resendOf === null ? null : (attempt.get(Buffer.from(resendOf, 'hex'))?.id ?? null),
        approved,
      })
      if (isReturned) return
      loseEarlier.run(startedAt, jobId, id)
      begin.run(startedAt, jobId)
    },
    /** Found to be not with the service since: where nothing else was sent for the job, it waits for its turn again. */
    giveBack(reference: Buffer): void {
      const row = attempt.get(reference)
      if (row === undefined || row.outcome !== 'open') return
      giveBack.run(row.id)
      if (newestOfJob.get(row.job_id)?.id === row.id) queue.run(row.job_id)
    },
    hasReview: (jobId: number, details: ReviewDetails): boolean => review.get({ jobId, ...details }) !== undefined,
    /** Judged with everything else of its schema once the program runs, which leaves out what is approved: of this document the last word is among what is judged. */
    addReview(jobId: number, { at, ...details }: ReviewDetails): void {
      insert('review_entries', { job_id: jobId, ...details, created_at: at })
      unapprove.run(jobId)
      judgeAnew.run(jobId)
    },
    addStray(tokenHash: Buffer, { receivedAt, contentType }: AnswerDetails, body: Buffer, sha256: Buffer): void {
      insert('stray_answers', { token_hash: tokenHash, received_at: receivedAt, content_type: contentType, body, body_sha256: sha256 })
    },
    addAnswer(row: AttemptRow, { source, receivedAt, httpStatus, contentType, complete }: AnswerDetails, body: Buffer, sha256: Buffer): void {
      const came = { source, received_at: receivedAt, http_status: httpStatus, content_type: contentType, complete }
      // Unread: the start reads it as if it had just come.
      insert('answers', { attempt_id: row.id, ...came, body, body_sha256: sha256, unread: 1 }, sameAgainSql)
    },
  }
}

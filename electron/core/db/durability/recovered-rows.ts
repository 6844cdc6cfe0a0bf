import { sameAgainSql } from '../tables/attempts.ts'
import type { AnswerDetails, AttemptDetails, ReviewDetails } from './journal.ts'
import type { Database } from '../open.ts'

type AttemptRow = { id: number; document_id: number; outcome: string }
type Values = Record<string, string | number | Buffer | null>

function prepare(db: Database) {
  return {
    attempt: db.prepare<[Buffer], AttemptRow>('SELECT id, document_id, outcome FROM attempts WHERE reference = ?'),
    attemptOfToken: db.prepare<[Buffer], AttemptRow>(
      'SELECT id, document_id, outcome FROM attempts WHERE token_hash = ?',
    ),
    stray: db.prepare<[Buffer, Buffer], { id: number }>(
      'SELECT id FROM stray_answers WHERE token_hash = ? AND body_sha256 = ?',
    ),
    answer: db.prepare<[number, string, Buffer], { id: number }>(
      'SELECT id FROM answers WHERE attempt_id = ? AND source = ? AND body_sha256 = ? AND damaged = 0',
    ),
    review: db.prepare<[ReviewDetails & { documentId: number }], { id: number }>(`
    SELECT id FROM review_entries WHERE document_id = @documentId AND kind = @kind AND pointer IS @pointer
      AND extracted IS @extracted AND value IS @value AND batch IS @batch AND person = @person AND created_at = @at`),
    requireReassessment: db.prepare<[number]>(`
    UPDATE schemas SET rules_pending = rules_pending + 1 WHERE id =
      (SELECT v.schema_id FROM documents j JOIN schema_versions v ON v.id = j.schema_version_id WHERE j.id = ?)`),
    unapprove: db.prepare<[number]>("UPDATE documents SET review = 'ready' WHERE id = ? AND review = 'approved'"),
    newestOfDocument: db.prepare<[number], { id: number; outcome: string }>(
      'SELECT id, outcome FROM attempts WHERE document_id = ? ORDER BY id DESC LIMIT 1',
    ),
    loseEarlier: db.prepare<[number, number, number]>(
      "UPDATE attempts SET outcome = 'lost', finished_at = ? WHERE document_id = ? AND outcome = 'open' AND id <> ?",
    ),
    giveBack: db.prepare<[number]>("UPDATE attempts SET outcome = 'returned', finished_at = started_at WHERE id = ?"),
    queue: db.prepare<[number]>(
      "UPDATE documents SET status = 'queued', not_before = 0 WHERE id = ? AND status = 'submitting'",
    ),
    begin: db.prepare<[number, number]>(`
    UPDATE documents SET status = 'submitting', reason_code = NULL, reason_details = NULL, resend_approved = NULL, started_at = ?, finished_at = NULL, in_bin = 0 WHERE id = ?`),
    connectionKind: db.prepare<[number], { kind: string }>('SELECT kind FROM connections WHERE id = ?'),
    nextVersion: db
      .prepare<[number], number>('SELECT coalesce(max(version), 0) + 1 FROM schema_versions WHERE schema_id = ?')
      .pluck(),
    addSchema: db.prepare<[{ folderId: number; versionId: number }]>(`
    UPDATE folders SET other_schemas = json_insert(other_schemas, '$[#]', (SELECT schema_id FROM schema_versions WHERE id = @versionId))
      WHERE id = @folderId AND (SELECT schema_id FROM schema_versions WHERE id = @versionId) NOT IN (
        SELECT schema_id UNION SELECT value FROM json_each(other_schemas))`),
    schemaOf: db.prepare<[number], number>('SELECT schema_id FROM schema_versions WHERE id = ?').pluck(),
  }
}

/** Rows that a database lacks and the journal has. What is made anew has the journal's values. */
export class RecoveredRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  /** Folders that were not in the database any more. */
  readonly #folders = new Set<number>()

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  attempt(reference: Buffer): AttemptRow | null {
    return this.#sql.attempt.get(reference) ?? null
  }

  attemptOfToken(tokenHash: Buffer): AttemptRow | null {
    return this.#sql.attemptOfToken.get(tokenHash) ?? null
  }

  hasStray(tokenHash: Buffer, sha256: Buffer): boolean {
    return this.#sql.stray.get(tokenHash, sha256) !== undefined
  }

  hasAnswer(attemptId: number, source: string, sha256: Buffer): boolean {
    return this.#sql.answer.get(attemptId, source, sha256) !== undefined
  }

  addAttempt(reference: Buffer, details: AttemptDetails, elements: string, isReturned: boolean): void {
    const { mode, host, tokenHash, startedAt, resendOf, approved } = details.attempt
    const connectionId = this.#connectionOf(details.connection)
    const versionId = this.#versionOf(details.schema.name, elements, startedAt)
    const documentId = this.#documentOf(details, connectionId, versionId)
    const id = this.#insert('attempts', {
      reference,
      document_id: documentId,
      mode,
      host,
      token_hash: tokenHash === null ? null : Buffer.from(tokenHash, 'hex'),
      started_at: startedAt,
      finished_at: isReturned ? startedAt : null,
      outcome: isReturned ? 'returned' : 'open',
      connection_id: connectionId,
      schema_id: this.#sql.schemaOf.get(versionId)!,
      resend_of: resendOf === null ? null : (this.#sql.attempt.get(Buffer.from(resendOf, 'hex'))?.id ?? null),
      approved,
    })
    if (isReturned) return
    this.#sql.loseEarlier.run(startedAt, documentId, id)
    this.#sql.begin.run(startedAt, documentId)
  }

  /**
   * Found to be not with the service since: where nothing else was sent for the document, it waits for its turn
   * again.
   */
  giveBack(reference: Buffer): void {
    const row = this.#sql.attempt.get(reference)
    if (row === undefined || row.outcome !== 'open') return
    this.#sql.giveBack.run(row.id)
    if (this.#sql.newestOfDocument.get(row.document_id)?.id === row.id) this.#sql.queue.run(row.document_id)
  }

  hasReview(documentId: number, details: ReviewDetails): boolean {
    return this.#sql.review.get({ documentId, ...details }) !== undefined
  }

  /**
   * Judged with everything else of its schema once the program runs, which leaves out what is approved: of this
   * document the last word is among what is judged.
   */
  addReview(documentId: number, { at, ...details }: ReviewDetails): void {
    this.#insert('review_entries', { document_id: documentId, ...details, created_at: at })
    this.#sql.unapprove.run(documentId)
    this.#sql.requireReassessment.run(documentId)
  }

  addStray(tokenHash: Buffer, { receivedAt, contentType }: AnswerDetails, body: Buffer, sha256: Buffer): void {
    this.#insert('stray_answers', {
      token_hash: tokenHash,
      received_at: receivedAt,
      content_type: contentType,
      body,
      body_sha256: sha256,
    })
  }

  addAnswer(
    row: AttemptRow,
    { source, receivedAt, httpStatus, contentType, complete }: AnswerDetails,
    body: Buffer,
    sha256: Buffer,
  ): void {
    const came = { source, received_at: receivedAt, http_status: httpStatus, content_type: contentType, complete }
    // Unread: the start reads it as if it had just come.
    this.#insert('answers', { attempt_id: row.id, ...came, body, body_sha256: sha256, unread: 1 }, sameAgainSql)
  }

  /**
   * A stored secret belongs to the connection's id, so the id is kept; one that is taken by another connection is not
   * shared.
   */
  #connectionOf({ id, kind, name, baseUrl, clientId }: AttemptDetails['connection']): number {
    if (kind === 'local')
      return (
        this.#find("SELECT id FROM connections WHERE kind = 'local' ORDER BY id LIMIT 1", {}) ??
        this.#insert('connections', { kind, name })
      )
    const sameId = this.#sql.connectionKind.get(id)
    if (sameId?.kind === 'platform') {
      // It is as it was when the attempt began, which this database is older than: so is its secret.
      this.#db
        .prepare<[Values]>(
          'UPDATE connections SET name = @name, base_url = @baseUrl, client_id = @clientId WHERE id = @id',
        )
        .run({ id, name, baseUrl, clientId })
      return id
    }
    const values = { kind, name, base_url: baseUrl, client_id: clientId }
    return this.#insert('connections', sameId === undefined ? { id, ...values } : values)
  }

  #versionOf(name: string, elements: string, at: number): number {
    const same = this.#find(
      'SELECT v.id FROM schema_versions v JOIN schemas s ON s.id = v.schema_id WHERE v.elements = @elements ORDER BY s.name = @name DESC, v.id LIMIT 1',
      { name, elements },
    )
    if (same !== null) return same
    const schemaId =
      this.#find('SELECT id FROM schemas WHERE name = @name AND removed_at IS NULL ORDER BY id LIMIT 1', { name }) ??
      this.#insert('schemas', { name, created_at: at })
    const version = this.#sql.nextVersion.get(schemaId)!
    return this.#insert('schema_versions', { schema_id: schemaId, version, elements, created_at: at })
  }

  #folderOf(folder: AttemptDetails['folder'], connectionId: number, versionId: number, at: number): number {
    const { kind, path, name, agentReference, mode, includeSubfolders, afterwards } = folder
    const { include = '', exclude = '', cuts = 'never' } = folder
    const same = this.#find(
      `SELECT id FROM folders WHERE kind = @kind AND path = @path ORDER BY connection_id = @connectionId DESC, agent_reference IS @agentReference DESC,
       schema_id = (SELECT schema_id FROM schema_versions WHERE id = @versionId) DESC, removed_at IS NULL DESC, id LIMIT 1`,
      { kind, path, connectionId, agentReference, versionId },
    )
    if (same !== null) return this.#withSchema(same, folder, versionId)
    const schema_id = this.#sql.schemaOf.get(versionId)!
    // Shown, and at rest: whether it is still watched is for the person to say.
    const id = this.#insert('folders', {
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
      cuts,
      paused: 1,
      created_at: at,
    })
    this.#folders.add(id)
    return id
  }

  /** A folder that was made anew here has its other schemas again as far as its documents know them. */
  #withSchema(folderId: number, { schemas = [] }: AttemptDetails['folder'], versionId: number): number {
    if (this.#folders.has(folderId) && schemas.length > 0) this.#sql.addSchema.run({ folderId, versionId })
    return folderId
  }

  /**
   * The document of that version of the file, or the one that still waits at its place and stands for what is there
   * now.
   */
  #documentOf(details: AttemptDetails, connectionId: number, versionId: number): number {
    const { path, name, sizeBytes, mtimeMs, agentReference, mode, createdAt } = details.document
    const { extra = 0, firstPage = null, lastPage = null } = details.document
    const sha256 = details.document.sha256 === null ? null : Buffer.from(details.document.sha256, 'hex')
    const found = this.#find(
      `SELECT j.id FROM documents j JOIN folders f ON f.id = j.folder_id JOIN schema_versions v ON v.id = j.schema_version_id
       WHERE j.path = @path AND f.kind = @kind AND f.path = @folder AND v.schema_id = (SELECT schema_id FROM schema_versions WHERE id = @versionId)
         AND j.first_page IS @firstPage AND j.last_page IS @lastPage
         AND ((j.size_bytes = @sizeBytes AND j.mtime_ms = @mtimeMs) OR j.status = 'queued')
       ORDER BY j.extra = @extra DESC, j.size_bytes = @sizeBytes AND j.mtime_ms = @mtimeMs DESC, j.connection_id = @connectionId DESC, j.id DESC LIMIT 1`,
      {
        path,
        kind: details.folder.kind,
        folder: details.folder.path,
        versionId,
        sizeBytes,
        mtimeMs,
        connectionId,
        extra,
        firstPage,
        lastPage,
      },
    )
    if (found === null) {
      return this.#insert('documents', {
        folder_id: this.#folderOf(details.folder, connectionId, versionId, createdAt),
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
        first_page: firstPage,
        last_page: lastPage,
        status: 'queued',
        created_at: createdAt,
      })
    }
    this.#db
      .prepare<[Values]>(
        `UPDATE documents SET connection_id = @connectionId, schema_version_id = @versionId, agent_reference = @agentReference, mode = @mode,
       size_bytes = @sizeBytes, mtime_ms = @mtimeMs, sha256 = coalesce(@sha256, sha256) WHERE id = @found`,
      )
      .run({ connectionId, versionId, agentReference, mode, sizeBytes, mtimeMs, sha256, found })
    return found
  }

  #insert(table: string, values: Values, onConflict = ''): number {
    const names = Object.keys(values)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')}) ${onConflict}`
    return Number(this.#db.prepare<[Values]>(sql).run(values).lastInsertRowid)
  }

  #find(sql: string, values: Values): number | null {
    return this.#db.prepare<[Values], { id: number }>(sql).get(values)?.id ?? null
  }
}

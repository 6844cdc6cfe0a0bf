import type { ErrorCode, ErrorDetails } from '../../../../shared/domain/errors.ts'
import { isSettled, isWithoutResult, nextStatus } from '../../../../shared/domain/document-status.ts'
import type { ExtractionMode, DocumentEvent, DocumentStatus } from '../../../../shared/domain/document-status.ts'
import { mayBeBilledSql } from './attempts.ts'
import { aliased, found, reasonColumns } from './columns.ts'
import type { Database } from '../open.ts'
import { isKnown } from './places.ts'

export type StoredDocument = {
  id: number
  folderId: number
  connectionId: number
  schemaVersionId: number
  agentReference: string | null
  mode: ExtractionMode
  path: string
  name: string
  sizeBytes: number
  mtimeMs: number
  sha256: Buffer | null
  /** Of a part: which pages of its file it is; null for a whole file. */
  firstPage: number | null
  lastPage: number | null
  status: DocumentStatus
  reasonCode: ErrorCode | null
  reasonDetails: ErrorDetails
  notBefore: number
  tries: number
  originalDocumentId: number | null
  resultId: number | null
  /** Who let it go again after a lost answer; null once that was done. */
  resendApproved: 'person' | 'setting' | null
  /** Where its file is on the way to. */
  moveTo: string | null
  /** The folder of outcomes in which its file lies; `left`: there was nothing to move. */
  archivedAs: 'done' | 'failed' | 'left' | null
  /** Beside the document of its file, asked for by a person with a question of its own. */
  extra: boolean
  inBin: boolean
  createdAt: number
}

/** Whether a document goes the way of its folder: it stands for its file, or for a part of it. Pure. */
export function goesWithFolder({ extra, firstPage }: Pick<StoredDocument, 'extra' | 'firstPage'>): boolean {
  return !extra || firstPage !== null
}

/** How a document is called in a text: as `nameSql`. Pure. */
export function nameOf({ name, firstPage, lastPage }: StoredDocument): string {
  if (firstPage === null) return name
  return `${name} (${firstPage === lastPage ? firstPage : `${firstPage}–${lastPage}`})`
}

/** What is asked about the content of a file, or of some of its pages, and where. */
export type Question = Pick<
  StoredDocument,
  'schemaVersionId' | 'connectionId' | 'agentReference' | 'firstPage' | 'lastPage'
>

export type NewDocument = Pick<
  StoredDocument,
  | 'folderId'
  | 'connectionId'
  | 'schemaVersionId'
  | 'agentReference'
  | 'mode'
  | 'path'
  | 'name'
  | 'sizeBytes'
  | 'mtimeMs'
  | 'sha256'
  | 'originalDocumentId'
> &
  Partial<Pick<StoredDocument, 'firstPage' | 'lastPage'>> & {
    extra?: boolean
    status: 'queued' | 'skipped'
    reason: { code: ErrorCode; details: ErrorDetails } | null
  }

/** What changes together with the status. */
export type DocumentChange = {
  reason?: { code: ErrorCode; details: ErrorDetails } | null
  notBefore?: number
  tries?: number
  resultId?: number
  originalDocumentId?: number
  /** Who lets it go again although it may have been billed. */
  resendApproved?: 'person' | 'setting' | null
}

type Row = Omit<StoredDocument, 'reasonDetails' | 'extra' | 'inBin'> & {
  reasonDetails: string | null
  extra: number
  inBin: number
}

const columns = aliased(
  'id, folder_id, connection_id, schema_version_id, agent_reference, mode, path, name, size_bytes, mtime_ms, sha256, ' +
    'first_page, last_page, status, reason_code, reason_details, not_before, tries, original_document_id, result_id, ' +
    'resend_approved, move_to, archived_as, extra, in_bin, created_at',
)

/** What waits for its turn, and what is on its way. */
function prepareQueue(db: Database) {
  // What waits in a paused folder is not on its way.
  const isOpen =
    "(status IN ('submitting', 'waiting') OR (status = 'queued' AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1)))"
  // What a person corrected in the folder since holds for what is sent from now on.
  const fromFolder =
    '(agent_reference, mode, connection_id) = (SELECT agent_reference, mode, connection_id FROM folders WHERE id = folder_id)'
  // A part goes where its file goes; what was asked besides goes where it was asked for.
  const isOfFolder = '(extra = 0 OR first_page IS NOT NULL)'
  // What only this computer reads stays there (`isReadHereOnly`).
  const mayLeave = "name NOT LIKE '%.xml'"
  return {
    foldersWithQueue: db.prepare<[{ connectionId: number; folderId: number | null }], { id: number }>(`
    SELECT id FROM folders f WHERE paused = 0 AND (@folderId IS NULL OR id = @folderId)
      AND EXISTS (SELECT 1 FROM documents INDEXED BY documents_queued_in_folder
        WHERE status = 'queued' AND folder_id = f.id AND connection_id = @connectionId)`),
    dueInFolder: db.prepare<[{ folderId: number; connectionId: number; now: number; limit: number }], Row>(`
    SELECT ${columns} FROM documents INDEXED BY documents_queued_in_folder
      WHERE status = 'queued' AND folder_id = @folderId AND connection_id = @connectionId AND not_before <= @now
      ORDER BY not_before, id LIMIT @limit`),
    nextDueInFolder: db.prepare<[{ folderId: number; connectionId: number }], { at: number | null }>(`
    SELECT min(not_before) AS at FROM documents INDEXED BY documents_queued_in_folder
      WHERE status = 'queued' AND folder_id = @folderId AND connection_id = @connectionId`),
    // Of one version: so that those which the daily cap holds back are not gone through to find one that it lets go.
    dueOfVersion: db.prepare<
      [{ connectionId: number; versionId: number; now: number; folderId: number | null; limit: number }],
      Row
    >(`
    SELECT ${columns} FROM documents INDEXED BY documents_queued WHERE status = 'queued' AND connection_id = @connectionId AND schema_version_id = @versionId AND not_before <= @now
      AND (@folderId IS NULL OR folder_id = @folderId) AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1) ORDER BY not_before, id LIMIT @limit`),
    otherVersions: db.prepare<[{ connectionId: number; schemaIds: string }], { id: number }>(`
    SELECT v.id FROM schema_versions v WHERE v.schema_id NOT IN (SELECT value FROM json_each(@schemaIds))
      AND EXISTS (SELECT 1 FROM documents j INDEXED BY documents_queued WHERE j.status = 'queued' AND j.connection_id = @connectionId AND j.schema_version_id = v.id)`),
    // One look into the index for each connection: DISTINCT would go through the whole queue.
    lanes: db.prepare<[], { id: number }>(
      "SELECT id FROM connections c WHERE EXISTS (SELECT 1 FROM documents WHERE status = 'queued' AND connection_id = c.id)",
    ),
    queuedInFolder: db.prepare<[number, number], { id: number }>(
      "SELECT id FROM documents INDEXED BY documents_status WHERE status = 'queued' AND folder_id = ? ORDER BY id LIMIT ?",
    ),
    farthest: db.prepare<[number], { at: number | null }>(
      "SELECT max(not_before) AS at FROM documents WHERE status = 'queued' AND connection_id = ?",
    ),
    forgetFarTimes: db.prepare<[{ connectionId: number; latest: number; now: number }]>(
      "UPDATE documents SET not_before = @now WHERE status = 'queued' AND connection_id = @connectionId AND not_before > @latest",
    ),
    open: db.prepare<[], { documents: number }>(
      `SELECT coalesce(sum(documents), 0) AS documents FROM document_counts WHERE ${isOpen}`,
    ),
    anyOpen: db.prepare<[], { any: number }>(
      `SELECT EXISTS (SELECT 1 FROM document_counts WHERE documents > 0 AND ${isOpen}) AS any`,
    ),
    adopt: db.prepare<[number]>(`UPDATE documents SET ${fromFolder} WHERE id = ? AND ${isOfFolder} AND ${mayLeave}`),
    stayHere: db.prepare<[number]>(`
    UPDATE documents SET (agent_reference, mode, connection_id) = (SELECT NULL, 'auto', id FROM connections WHERE kind = 'local')
      WHERE id = ? AND ${isOfFolder} AND NOT (${mayLeave})`),
    adoptQueued: db.prepare<[number]>(
      `UPDATE documents SET ${fromFolder} WHERE folder_id = ? AND status = 'queued' AND ${isOfFolder} AND ${mayLeave}`,
    ),
  }
}

const knownContents = 'SELECT DISTINCT sha256 FROM documents WHERE sha256 IN (SELECT unhex(value) FROM json_each(?))'

function prepare(db: Database) {
  // Whatever it was asked: a file that moved takes along what is known of it.
  const ofContent = `
    SELECT ${columns} FROM documents WHERE sha256 = @sha256 AND extra = 0 AND in_bin = 0
      AND (status IN ('queued', 'submitting', 'waiting', 'done', 'unknown') OR reason_code IN ('kind_unsure', 'cut_proposed', 'cut')
        OR (status IN ('cancelled', 'failed') AND ${mayBeBilledSql('documents.id')}))`
  return {
    ...prepareQueue(db),
    byId: db.prepare<[number], Row>(`SELECT ${columns} FROM documents WHERE id = ?`),
    setSchemaVersion: db.prepare<[number, number]>('UPDATE documents SET schema_version_id = ? WHERE id = ?'),
    ofEarlierVersions: db.prepare<[number], { id: number; connectionId: number }>(`
    SELECT j.id, j.connection_id AS connectionId FROM documents j JOIN schema_versions v ON v.id = j.schema_version_id
    WHERE v.schema_id = ? AND v.version < (SELECT max(version) FROM schema_versions n WHERE n.schema_id = v.schema_id)
      AND j.status = 'done' AND j.in_bin = 0 AND j.agent_reference IS NULL ORDER BY j.id DESC`),
    insert: db.prepare(`
    INSERT INTO documents (folder_id, connection_id, schema_version_id, agent_reference, mode, path, name, size_bytes, mtime_ms,
      sha256, first_page, last_page, status, reason_code, reason_details, original_document_id, extra, created_at, finished_at)
    VALUES (@folderId, @connectionId, @schemaVersionId, @agentReference, @mode, @path, @name, @sizeBytes, @mtimeMs,
      @sha256, @firstPage, @lastPage, @status, @reasonCode, @reasonDetails, @originalDocumentId, @extra, @now, @finishedAt)`),
    update: db.prepare(`
    UPDATE documents SET status = @status, reason_code = @reasonCode, reason_details = @reasonDetails, not_before = @notBefore,
      tries = @tries, result_id = @resultId, resend_approved = @resendApproved, started_at = coalesce(@startedAt, started_at), finished_at = @finishedAt,
      archived_as = iif(@status = 'queued' AND archived_as = 'left', NULL, archived_as),
      review = iif(@status = 'done', review, NULL), flag_count = iif(@status = 'done', flag_count, 0)
    WHERE id = @id`),
    // By itself: an update of a column that refers to its own table writes every index of that anew, also those of
    // other columns.
    setOriginal: db.prepare<[number | null, number]>('UPDATE documents SET original_document_id = ? WHERE id = ?'),
    // One row a place: the newest version of what lies there. What a person asked of it besides says nothing of that.
    places: db.prepare<
      [number],
      { path: string; size_bytes: number; mtime_ms: number; id: number; reason_code: string | null; in_bin: number }
    >(`
    SELECT path, size_bytes, mtime_ms, max(id) AS id, reason_code, in_bin FROM documents WHERE folder_id = ? AND extra = 0 GROUP BY path`),
    place: db.prepare<[number, string], Row>(
      `SELECT ${columns} FROM documents WHERE folder_id = ? AND path = ? AND extra = 0 ORDER BY id DESC LIMIT 1`,
    ),
    extraIn: db.prepare<[Record<string, unknown>], Row>(`
    SELECT ${columns} FROM documents WHERE folder_id = @folderId AND path = @path AND extra = 1 AND sha256 = @sha256 AND schema_version_id = @schemaVersionId
      AND connection_id = @connectionId AND agent_reference IS @agentReference AND first_page IS @firstPage AND last_page IS @lastPage ORDER BY id DESC LIMIT 1`),
    otherOfContent: db.prepare<[Buffer, number, number], { id: number }>(
      'SELECT id FROM documents WHERE sha256 = ? AND schema_version_id = ? AND id <> ? LIMIT 1',
    ),
    contents: db.prepare<[string], { sha256: Buffer }>(knownContents),
    ofContentIn: db.prepare<[{ sha256: Buffer; folderId: number }], Row>(
      `${ofContent} AND folder_id = @folderId ORDER BY id`,
    ),
    ofContentElsewhere: db.prepare<[{ sha256: Buffer; folderId: number }], Row>(
      `${ofContent} AND folder_id <> @folderId ORDER BY id`,
    ),
    partsOf: db.prepare<[{ folderId: number; path: string; sha256: Buffer | null }], Row>(`
    SELECT ${columns} FROM documents WHERE folder_id = @folderId AND path = @path AND sha256 IS @sha256 AND first_page IS NOT NULL
      AND in_bin = 0 ORDER BY first_page, id`),
    setBeside: db.prepare<[{ id: number; besideId: number }]>(
      'UPDATE documents SET extra = 0, archived_as = (SELECT archived_as FROM documents WHERE id = @besideId) WHERE id = @id',
    ),
    setExtra: db.prepare<[number]>('UPDATE documents SET extra = 1 WHERE id = ?'),
    // Of two that both still wait the older one is the original, or each would be the other's copy.
    twin: db.prepare<[Record<string, unknown>], Row>(`
    SELECT ${columns} FROM documents j WHERE sha256 = @sha256 AND schema_version_id = @schemaVersionId AND connection_id = @connectionId
      AND agent_reference IS @agentReference AND first_page IS @firstPage AND last_page IS @lastPage AND id <> @except
      AND (status IN ('submitting', 'waiting', 'done', 'unknown') OR (status = 'queued' AND id < @except)
        OR (status IN ('cancelled', 'failed') AND ${mayBeBilledSql('j.id')}))
    ORDER BY status = 'done' DESC, id LIMIT 1`),
    withStatus: db.prepare<[string], Row>(`SELECT ${columns} FROM documents WHERE status = ? ORDER BY id`),
    idsWithStatus: db.prepare<[string, number, number], { id: number }>(
      'SELECT id FROM documents WHERE status = ? AND id > ? ORDER BY id LIMIT ?',
    ),
    countInFolder: db.prepare<[number, string], { documents: number }>(
      'SELECT coalesce(sum(documents), 0) AS documents FROM document_counts WHERE folder_id = ? AND status = ?',
    ),
    inFolder: db.prepare<[number], Row>(`SELECT ${columns} FROM documents WHERE folder_id = ? ORDER BY id`),
    ofSize: db.prepare<[number], { id: number }>(
      'SELECT id FROM documents INDEXED BY documents_size WHERE size_bytes = ? LIMIT 1',
    ),
    setInBin: db.prepare<[number, number]>('UPDATE documents SET in_bin = ? WHERE id = ?'),
    setSource: db.prepare<[number, number, Buffer | null, number]>(
      'UPDATE documents SET size_bytes = ?, mtime_ms = ?, sha256 = ? WHERE id = ?',
    ),
    updateCopies: db.prepare<[{ id: number; code: ErrorCode }]>(
      `UPDATE documents SET reason_code = iif(@code = 'duplicate_unread' AND ${mayBeBilledSql('@id')}, 'duplicate_unknown', @code)
     WHERE original_document_id = @id AND status = 'skipped' AND reason_code IN ('duplicate', 'duplicate_unread', 'duplicate_unknown') AND reason_code <> @code`,
    ),
  }
}

/** In which documents have their turn. */
function inOrder(one: StoredDocument, other: StoredDocument): number {
  return one.notBefore - other.notBefore || one.id - other.id
}

/**
 * The documents table is the queue: every stage changes it through `apply`, and only along
 * `shared/domain/document-status.ts`.
 */
export class DocumentsTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  get(id: number): StoredDocument | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  insert(document: NewDocument, now: number): number {
    const { reason, extra = false, firstPage = null, lastPage = null, ...values } = document
    const { code, details } = reasonColumns(reason)
    const { lastInsertRowid } = this.#sql.insert.run({
      ...values,
      firstPage,
      lastPage,
      extra: Number(extra),
      reasonCode: code,
      reasonDetails: details,
      now,
      finishedAt: document.status === 'skipped' ? now : null,
    })
    return Number(lastInsertRowid)
  }

  /** Moves the document along the transition table; null (and nothing changed) when the event must not happen now. */
  apply(id: number, event: DocumentEvent, change: DocumentChange, now: number): DocumentStatus | null {
    return this.#db.transaction(() => {
      const row = this.#sql.byId.get(id)
      const status = row === undefined ? null : nextStatus(row.status, event)
      if (row === undefined || status === null) return null
      if (event === 'requeue' || event === 'return') {
        this.#sql.adopt.run(id)
        this.#sql.stayHere.run(id)
      }
      const originalDocumentId = event === 'requeue' ? null : (change.originalDocumentId ?? row.originalDocumentId)
      if (originalDocumentId !== row.originalDocumentId) this.#sql.setOriginal.run(originalDocumentId, id)
      this.#sql.update.run(changed(row, status, event, change, now))
      this.#sql.updateCopies.run({ id, code: duplicateCode(status, false) })
      return status
    })()
  }

  /**
   * Documents with a result by an earlier version of a schema, the newest first. What was asked of an agent is left
   * out: its answer is not one of the schema alone.
   */
  ofEarlierVersions(schemaId: number): { id: number; connectionId: number }[] {
    return this.#sql.ofEarlierVersions.all(schemaId)
  }

  /** The result that follows is one by that version. */
  setSchemaVersion(id: number, versionId: number): void {
    this.#sql.setSchemaVersion.run(versionId, id)
  }

  /** path → size and time of the version that was taken in last, for one folder; as `places.versionAt`. */
  knownFiles(folderId: number): Map<string, { sizeBytes: number; mtimeMs: number; documentId: number }> {
    return new Map(
      this.#sql.places
        .all(folderId)
        .filter((row) => isKnown(row))
        .map((row) => [row.path, { sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms, documentId: row.id }]),
    )
  }

  latestAt(folderId: number, path: string): StoredDocument | null {
    return found(this.#sql.place.get(folderId, path), fromRow)
  }

  /**
   * A document with the same content and the same question, which makes another one (`except`; a new one when absent)
   * a duplicate.
   */
  findTwin(question: Question & { sha256: Buffer }, except = Number.MAX_SAFE_INTEGER): StoredDocument | null {
    const { sha256, schemaVersionId, connectionId, agentReference, firstPage, lastPage } = question
    // Most contents are new. To order what is found takes ten times as long as to find nothing.
    if (this.#sql.otherOfContent.get(sha256, schemaVersionId, except) === undefined) return null
    return found(
      this.#sql.twin.get({ sha256, schemaVersionId, connectionId, agentReference, firstPage, lastPage, except }),
      fromRow,
    )
  }

  /** What a person asked before of this content in this place, beside the document of its file; the newest. */
  extraAt(
    place: Pick<StoredDocument, 'folderId' | 'path'>,
    question: Question & { sha256: Buffer },
  ): StoredDocument | null {
    const { folderId, path } = place
    const { sha256, schemaVersionId, connectionId, agentReference, firstPage, lastPage } = question
    return found(
      this.#sql.extraIn.get({
        folderId,
        path,
        sha256,
        schemaVersionId,
        connectionId,
        agentReference,
        firstPage,
        lastPage,
      }),
      fromRow,
    )
  }

  /** The documents of a folder whose file had this content, whatever they were asked, the oldest first. */
  ofContentIn(folderId: number, sha256: Buffer): StoredDocument[] {
    return this.#sql.ofContentIn.all({ sha256, folderId }).map(fromRow)
  }

  /** Which of these contents any document has, in hexadecimal. */
  knownContents(contents: readonly Buffer[]): ReadonlySet<string> {
    const asked = JSON.stringify(contents.map((sha256) => sha256.toString('hex')))
    return new Set(this.#sql.contents.all(asked).map(({ sha256 }) => sha256.toString('hex')))
  }

  /** The same in all other folders. */
  ofContentElsewhere(folderId: number, sha256: Buffer): StoredDocument[] {
    return this.#sql.ofContentElsewhere.all({ sha256, folderId }).map(fromRow)
  }

  /** The documents that are parts of the same content in the same place, in the order of their pages. */
  partsOf({ folderId, path, sha256 }: Pick<StoredDocument, 'folderId' | 'path' | 'sha256'>): StoredDocument[] {
    return this.#sql.partsOf.all({ folderId, path, sha256 }).map(fromRow)
  }

  /** A document stands for the file from now on, in the place of another one, which is beside it. */
  standInFor(id: number, besideId: number): void {
    this.#sql.setBeside.run({ id, besideId })
    this.#sql.setExtra.run(besideId)
  }

  /** Whether any document has exactly so many bytes: only then its content can be another file's. */
  hasSize(sizeBytes: number): boolean {
    return this.#sql.ofSize.get(sizeBytes) !== undefined
  }

  /** Into the bin, or out of it. Its status stays. */
  setInBin(id: number, inBin: boolean): void {
    this.#sql.setInBin.run(Number(inBin), id)
  }

  /**
   * The file was changed while its document still waited: the document stands for what is there now. Null: to be
   * looked at anew.
   */
  replaceContent(id: number, sizeBytes: number, mtimeMs: number, sha256: Buffer | null): void {
    this.#sql.setSource.run(sizeBytes, mtimeMs, sha256, id)
  }

  /** Queued documents whose time has come, of one folder only when `folderId` is given; none of a paused folder. */
  due(connectionId: number, now: number, folderId: number | null, limit: number): StoredDocument[] {
    return this.#sql.foldersWithQueue
      .all({ connectionId, folderId })
      .flatMap(({ id }) => this.#sql.dueInFolder.all({ folderId: id, connectionId, now, limit }).map(fromRow))
      .sort(inOrder)
      .slice(0, limit)
  }

  /** `due` without the documents of some schemas. */
  dueOfOthers(
    connectionId: number,
    now: number,
    folderId: number | null,
    limit: number,
    schemaIds: number[],
  ): StoredDocument[] {
    const versions = this.#sql.otherVersions.all({ connectionId, schemaIds: JSON.stringify(schemaIds) })
    return versions
      .flatMap(({ id: versionId }) =>
        this.#sql.dueOfVersion.all({ connectionId, versionId, now, folderId, limit }).map(fromRow),
      )
      .sort(inOrder)
      .slice(0, limit)
  }

  /** When the next queued document of a connection may be tried; null when none is queued. */
  nextDueAt(connectionId: number, folderId: number | null): number | null {
    const times = this.#sql.foldersWithQueue
      .all({ connectionId, folderId })
      .map(({ id }) => this.#sql.nextDueInFolder.get({ folderId: id, connectionId })!.at!)
    return times.length === 0 ? null : Math.min(...times)
  }

  /** Queued documents of a folder take over its agent, way and connection. */
  adoptFolder(folderId: number): void {
    this.#sql.adoptQueued.run(folderId)
  }

  connectionsWithQueue(): number[] {
    return this.#sql.lanes.all().map((row) => row.id)
  }

  withStatus(status: DocumentStatus): StoredDocument[] {
    return this.#sql.withStatus.all(status).map(fromRow)
  }

  /** Ids after `id` in their order, at most `limit`: for going through thousands of them. */
  idsWithStatus(status: DocumentStatus, id: number, limit: number): number[] {
    return this.#sql.idsWithStatus.all(status, id, limit).map((row) => row.id)
  }

  /** At most `limit` of the folder's queued documents, by id. */
  queuedInFolder(folderId: number, limit: number): number[] {
    return this.#sql.queuedInFolder.all(folderId, limit).map((row) => row.id)
  }

  countInFolder(folderId: number, status: DocumentStatus): number {
    return this.#sql.countInFolder.get(folderId, status)!.documents
  }

  /** What is to wait for longer than any back-off was told so by a clock that was wrong: it is due now. */
  forgetFarTimes(connectionId: number, latest: number, now: number): void {
    // Nearly never: and what only reads works on a full disk.
    if ((this.#sql.farthest.get(connectionId)?.at ?? 0) > latest)
      this.#sql.forgetFarTimes.run({ connectionId, latest, now })
  }

  inFolder(folderId: number): StoredDocument[] {
    return this.#sql.inFolder.all(folderId).map(fromRow)
  }

  /** Queued or with a service; without what is queued in a paused folder. */
  openCount(): number {
    return this.#sql.open.get()!.documents
  }

  /** `openCount() > 0`, without counting. */
  anyOpen(): boolean {
    return this.#sql.anyOpen.get()!.any === 1
  }
}

/** What a copy says of itself: it shares the result of its original, which may still come, or there is none. Pure. */
export function duplicateCode(
  original: DocumentStatus,
  mayBeBilled: boolean,
): 'duplicate' | 'duplicate_unread' | 'duplicate_unknown' {
  // Only the original has the attempt that may be billed, and so the question before another one.
  if (original === 'unknown') return 'duplicate_unknown'
  if (!isWithoutResult(original)) return 'duplicate'
  return mayBeBilled ? 'duplicate_unknown' : 'duplicate_unread'
}

/** The values of `update` for a document that an event takes to another status. Pure. */
function changed(
  row: Row,
  status: DocumentStatus,
  event: DocumentEvent,
  change: DocumentChange,
  now: number,
): Record<string, unknown> {
  const { notBefore = 0, tries = event === 'return' ? row.tries : 0, resendApproved = row.resendApproved } = change
  const { code, details } = reasonColumns(change.reason)
  return {
    id: row.id,
    status,
    reasonCode: code,
    reasonDetails: details,
    notBefore,
    tries,
    resultId: change.resultId ?? row.resultId,
    // The attempt that begins takes the approval over; what was cancelled needs another one.
    resendApproved: event === 'submit' || event === 'cancel' ? null : resendApproved,
    startedAt: status === 'submitting' ? now : null,
    finishedAt: isSettled(status) ? now : null,
  }
}

function fromRow({ reasonDetails, extra, inBin, ...row }: Row): StoredDocument {
  return {
    ...row,
    reasonDetails: JSON.parse(reasonDetails ?? '{}') as ErrorDetails,
    extra: extra === 1,
    inBin: inBin === 1,
  }
}

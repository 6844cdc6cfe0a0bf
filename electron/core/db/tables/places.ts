import { basename, sep } from 'node:path'
import type { Database } from '../open.ts'

/** The document ended without what lies in its place now: that is taken in when it is seen again. */
export const reasonsToTakeAnew: ReadonlySet<string | null> = new Set([
  'file_missing',
  'file_replaced',
  'folder_removed',
  'left_out',
])

/**
 * Whether the newest document of a place stands for what lies there; what a person put into the bin does whatever
 * became of it. Pure.
 */
export function isKnown(row: { reason_code: string | null; in_bin: number }): boolean {
  return row.in_bin === 1 || !reasonsToTakeAnew.has(row.reason_code)
}

type Version = { id: number; sizeBytes: number; mtimeMs: number; archivedAs: 'done' | 'failed' | 'left' | null }
type VersionRow = {
  id: number
  path: string
  size_bytes: number
  mtime_ms: number
  reason_code: string | null
  in_bin: number
  archived_as: Version['archivedAs']
}
/** What was cut is as known as its parts are. */
const ownReason = `iif(reason_code = 'cut' AND EXISTS (SELECT 1 FROM documents p WHERE p.folder_id = documents.folder_id
  AND p.path = documents.path AND p.sha256 = documents.sha256 AND p.first_page IS NOT NULL AND p.in_bin = 0
  AND p.status IN ('failed', 'cancelled') AND p.reason_code IN (${[...reasonsToTakeAnew].map((reason) => `'${reason}'`).join(', ')})),
  'left_out', reason_code)`
const versionColumns = `id, path, size_bytes, mtime_ms, ${ownReason} AS reason_code, in_bin, archived_as`

/** Where a file lies from now on. */
type NewPlace = { folderId: number; path: string; name: string; mtimeMs: number }
type OldPlace = { folder_id: number; path: string; name: string; sha256: Buffer | null }
type Along = NewPlace & { fromFolderId: number; from: string; sha256: Buffer | null }

function prepare(db: Database) {
  return {
    version: db.prepare<[number, string], VersionRow>(
      `SELECT ${versionColumns} FROM documents WHERE folder_id = ? AND path = ? AND extra = 0 ORDER BY id DESC LIMIT 1`,
    ),
    versions: db.prepare<[number, string], VersionRow>(
      `SELECT ${versionColumns} FROM documents
        WHERE folder_id = ? AND path IN (SELECT value FROM json_each(?)) AND extra = 0 ORDER BY id`,
    ),
    // The condition of the index, word for word, or it is not used.
    unarchived: db.prepare<[number, number, number], { id: number }>(`
    SELECT id FROM documents INDEXED BY documents_unarchived
      WHERE (status IN ('done', 'failed')
        OR (status = 'skipped' AND (original_document_id IS NOT NULL OR reason_code = 'cut')))
      AND (archived_as IS NULL OR (archived_as = 'failed' AND status <> 'failed')
        OR (archived_as = 'done' AND status = 'failed'))
      AND extra = 0 AND in_bin = 0
      AND move_to IS NULL AND folder_id = ? AND id > ? ORDER BY id LIMIT ?`),
    moving: db.prepare<[], { id: number }>(
      'SELECT id FROM documents INDEXED BY documents_moving WHERE move_to IS NOT NULL ORDER BY id',
    ),
    // While something else that a person asked of the file has still to read it, it stays.
    begin: db.prepare<[string, number, string, string]>(`
    UPDATE documents SET move_to = ? WHERE id = ? AND status = ? AND path = ? AND move_to IS NULL AND NOT EXISTS (
      SELECT 1 FROM documents e WHERE e.folder_id = documents.folder_id AND e.path = documents.path AND e.extra = 1 AND e.status IN ('queued', 'submitting'))`),
    abandon: db.prepare<[number]>('UPDATE documents SET move_to = NULL WHERE id = ?'),
    archived: db.prepare<[NewPlace & { as: string; id: number }]>(
      'UPDATE documents SET path = @path, name = @name, mtime_ms = @mtimeMs, archived_as = @as, move_to = NULL WHERE id = @id',
    ),
    originalOf: db.prepare<[number], { place: string; name: string }>(
      'SELECT place, name FROM archive_originals WHERE document_id = ?',
    ),
    // What a person asked of the same content besides lies where the file lies.
    placeOf: db.prepare<[number], OldPlace>('SELECT folder_id, path, name, sha256 FROM documents WHERE id = ?'),
    takeAlong: db.prepare<[Along]>(
      `UPDATE documents SET folder_id = @folderId, path = @path, name = @name, mtime_ms = @mtimeMs
      WHERE folder_id = @fromFolderId AND path = @from AND sha256 = @sha256 AND extra = 1`,
    ),
    movingAt: db.prepare<[number, string], { any: number }>(
      'SELECT EXISTS (SELECT 1 FROM documents WHERE folder_id = ? AND path = ? AND move_to IS NOT NULL) AS any',
    ),
    leave: db.prepare<[number]>("UPDATE documents SET archived_as = 'left', move_to = NULL WHERE id = ?"),
    returned: db.prepare<[number]>("UPDATE documents SET archived_as = NULL WHERE id = ? AND archived_as = 'left'"),
    // What seemed to be gone from its old place is archived from the new one.
    relocate: db.prepare<[NewPlace & { id: number }]>(`
    UPDATE documents SET folder_id = @folderId, path = @path, name = @name, mtime_ms = @mtimeMs, archived_as = NULL
      WHERE id = @id AND status <> 'submitting' AND extra = 0 AND move_to IS NULL
        AND coalesce(archived_as, 'left') = 'left'`),
    copies: db.prepare<[number], { id: number }>(
      "SELECT id FROM documents WHERE original_document_id = ? AND status = 'skipped' AND in_bin = 0",
    ),
    retryNow: db.prepare<[number]>(`
    UPDATE documents SET not_before = 0 WHERE status = 'queued' AND folder_id = ? AND not_before > 0 AND reason_code IN ('folder_offline', 'file_unreadable')`),
  }
}

function versionFrom(row: VersionRow | undefined): Version | null {
  if (row === undefined || !isKnown(row)) return null
  return { id: row.id, sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms, archivedAs: row.archived_as }
}

/** Where the files of documents lie: known versions, files that moved, and the way to the folders of outcomes. */
export class PlacesTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  /**
   * The version of a place that was taken in last; null when there is none, or when it ended so that the place is
   * looked at anew.
   */
  versionAt(folderId: number, path: string): Version | null {
    return versionFrom(this.#sql.version.get(folderId, path))
  }

  /** The same for many places at once. */
  versionsAt(folderId: number, paths: readonly string[]): Map<string, Version> {
    const versions = new Map<string, Version>()
    // The newest of a place comes last.
    for (const row of this.#sql.versions.all(folderId, JSON.stringify(paths))) {
      const version = versionFrom(row)
      if (version === null) versions.delete(row.path)
      else versions.set(row.path, version)
    }
    return versions
  }

  /**
   * Documents of a folder, by id after `afterId`, whose outcome is known and whose file is neither where that outcome
   * says nor on its way.
   */
  unarchived(folderId: number, afterId: number, limit: number): number[] {
    return this.#sql.unarchived.all(folderId, afterId, limit).map((row) => row.id)
  }

  /** Whether the file in a place is on its way elsewhere, whichever of its documents moves it. */
  isMoving({ folderId, path }: { folderId: number; path: string }): boolean {
    return this.#sql.movingAt.get(folderId, path)!.any === 1
  }

  /** Documents whose file is on its way: begun, and not known to be over. */
  moving(): number[] {
    return this.#sql.moving.all().map((row) => row.id)
  }

  /**
   * Commits where a file is about to move; false when the document is not what it was any more, or its file is still
   * to be read.
   */
  begin(document: { id: number; status: string; path: string }, moveTo: string): boolean {
    return this.#sql.begin.run(moveTo, document.id, document.status, document.path).changes === 1
  }

  /** The move did not happen. */
  abandon(id: number): void {
    this.#sql.abandon.run(id)
  }

  /** The move happened: the document's file lies there. */
  archived(id: number, path: string, mtimeMs: number, as: 'done' | 'failed'): void {
    this.#db.transaction(() => {
      const before = this.#sql.placeOf.get(id)!
      // What it is called by its values is what a person knows it by; back in its place it has the name it came with.
      const original = this.#sql.originalOf.get(id)
      const isBack = original !== undefined && path.endsWith(sep + original.place)
      const name = isBack ? original.name : original === undefined ? before.name : basename(path)
      const place = { folderId: before.folder_id, path, name, mtimeMs }
      this.#takeAlong(before, place)
      this.#sql.archived.run({ ...place, as, id })
    })()
  }

  /** Nothing of these documents is there to move. */
  leave(ids: number[]): void {
    this.#db.transaction(() => {
      for (const id of ids) this.#sql.leave.run(id)
    })()
  }

  /** A file that seemed to be gone is there. True when it was thought so. */
  returned(id: number): boolean {
    return this.#sql.returned.run(id).changes === 1
  }

  /**
   * The file of a document lies at another place now. False for one that is being uploaded or moved, or was moved by
   * Sheaf.
   */
  relocate(id: number, place: NewPlace): boolean {
    return this.#db.transaction(() => {
      const before = this.#sql.placeOf.get(id)!
      const isRelocated = this.#sql.relocate.run({ ...place, id }).changes === 1
      if (isRelocated) this.#takeAlong(before, place)
      return isRelocated
    })()
  }

  /** What was asked of the same file besides. */
  #takeAlong({ folder_id: fromFolderId, path: from, sha256 }: OldPlace, place: NewPlace): void {
    this.#sql.takeAlong.run({ ...place, fromFolderId, from, sha256 })
  }

  /** Documents that were taken for copies of this one, without those in the bin. */
  copiesOf(id: number): number[] {
    return this.#sql.copies.all(id).map((row) => row.id)
  }

  /** What waits for a folder to be back is due at once. */
  retryNow(folderId: number): void {
    this.#sql.retryNow.run(folderId)
  }
}

import { found } from './columns.ts'
import type { Database } from '../open.ts'

export type EarlierFile = { path: string; sizeBytes: number; mtimeMs: number }

function prepare(db: Database) {
  return {
    at: db.prepare<[number, string], { size_bytes: number; mtime_ms: number }>(
      'SELECT size_bytes, mtime_ms FROM earlier_files WHERE folder_id = ? AND path = ?',
    ),
    among: db.prepare<[number, string], { path: string; size_bytes: number; mtime_ms: number }>(
      'SELECT path, size_bytes, mtime_ms FROM earlier_files WHERE folder_id = ? AND path IN (SELECT value FROM json_each(?))',
    ),
    any: db.prepare<[number], { any: number }>(
      'SELECT EXISTS (SELECT 1 FROM earlier_files WHERE folder_id = ?) AS any',
    ),
    insert: db.prepare<[number, string, number, number]>(
      'INSERT INTO earlier_files (folder_id, path, size_bytes, mtime_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    forget: db.prepare<[number]>('DELETE FROM earlier_files WHERE folder_id = ?'),
  }
}

/**
 * What lay in a folder when a person chose to have only what is new: it is left alone as long as it stays that version.
 */
export class EarlierFilesTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  /** The version of a place that is left alone; null when there is none. */
  versionAt(folderId: number, path: string): { sizeBytes: number; mtimeMs: number } | null {
    return found(this.#sql.at.get(folderId, path), (row) => ({ sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms }))
  }

  /** The same for many places at once. */
  versionsAt(folderId: number, paths: readonly string[]): Map<string, { sizeBytes: number; mtimeMs: number }> {
    const rows = this.#sql.among.all(folderId, JSON.stringify(paths))
    return new Map(rows.map((row) => [row.path, { sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms }]))
  }

  any(folderId: number): boolean {
    return this.#sql.any.get(folderId)!.any === 1
  }

  /** These instead of those before. */
  replace(folderId: number, files: readonly EarlierFile[]): void {
    this.#db.transaction(() => {
      this.#sql.forget.run(folderId)
      for (const { path, sizeBytes, mtimeMs } of files) this.#sql.insert.run(folderId, path, sizeBytes, mtimeMs)
    })()
  }
}

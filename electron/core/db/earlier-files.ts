import type { Database } from './open.ts'

export type EarlierFile = { path: string; sizeBytes: number; mtimeMs: number }

/** What lay in a folder when a person chose to have only what is new: it is left alone as long as it stays that version. */
export function earlierFilesTable(db: Database) {
  const at = db.prepare<[number, string], { size_bytes: number; mtime_ms: number }>('SELECT size_bytes, mtime_ms FROM earlier_files WHERE folder_id = ? AND path = ?')
  const any = db.prepare<[number], { any: number }>('SELECT EXISTS (SELECT 1 FROM earlier_files WHERE folder_id = ?) AS any')
  const insert = db.prepare<[number, string, number, number]>('INSERT INTO earlier_files (folder_id, path, size_bytes, mtime_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
  const forget = db.prepare<[number]>('DELETE FROM earlier_files WHERE folder_id = ?')

  return {
    /** The version of a place that is left alone; null when there is none. */
    versionAt(folderId: number, path: string): { sizeBytes: number; mtimeMs: number } | null {
      const row = at.get(folderId, path)
      return row === undefined ? null : { sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms }
    },
    any: (folderId: number): boolean => any.get(folderId)!.any === 1,
    /** These instead of those before. */
    replace: db.transaction((folderId: number, files: readonly EarlierFile[]): void => {
      forget.run(folderId)
      for (const { path, sizeBytes, mtimeMs } of files) insert.run(folderId, path, sizeBytes, mtimeMs)
    }),
  }
}

import type { Database } from './open.ts'

/** The job ended without what lies in its place now: that is taken in when it is seen again. */
export const reasonsToTakeAnew: ReadonlySet<string | null> = new Set(['file_missing', 'file_replaced', 'folder_removed', 'left_out'])

/** Whether the newest job of a place stands for what lies there; what a person put into the bin does whatever became of it. Pure. */
export function isKnown(row: { reason_code: string | null; in_bin: number }): boolean {
  return row.in_bin === 1 || !reasonsToTakeAnew.has(row.reason_code)
}

type Version = { id: number; sizeBytes: number; mtimeMs: number; filedAs: 'done' | 'failed' | 'left' | null }

/** Where the files of jobs lie: known versions, files that moved, and the way to the folders of outcomes. */
export function placesTable(db: Database) {
  const version = db.prepare<[number, string], { id: number; size_bytes: number; mtime_ms: number; reason_code: string | null; in_bin: number; filed_as: Version['filedAs'] }>(
    'SELECT id, size_bytes, mtime_ms, reason_code, in_bin, filed_as FROM jobs WHERE folder_id = ? AND path = ? AND extra = 0 ORDER BY id DESC LIMIT 1',
  )
  // The condition of the index, word for word, or it is not used.
  const unfiled = db.prepare<[number, number, number], { id: number }>(`
    SELECT id FROM jobs INDEXED BY jobs_unfiled WHERE (status IN ('done', 'failed') OR (status = 'skipped' AND original_job_id IS NOT NULL))
      AND (filed_as IS NULL OR (filed_as = 'failed' AND status <> 'failed') OR (filed_as = 'done' AND status = 'failed'))
      AND extra = 0 AND in_bin = 0
      AND move_to IS NULL AND folder_id = ? AND id > ? ORDER BY id LIMIT ?`)
  const moving = db.prepare<[], { id: number }>('SELECT id FROM jobs INDEXED BY jobs_moving WHERE move_to IS NOT NULL ORDER BY id')
  // While something else that a person asked of the file has still to read it, it stays.
  const begin = db.prepare<[string, number, string, string]>(`
    UPDATE jobs SET move_to = ? WHERE id = ? AND status = ? AND path = ? AND move_to IS NULL AND NOT EXISTS (
      SELECT 1 FROM jobs e WHERE e.folder_id = jobs.folder_id AND e.path = jobs.path AND e.extra = 1 AND e.status IN ('queued', 'submitting'))`)
  const abandon = db.prepare<[number]>('UPDATE jobs SET move_to = NULL WHERE id = ?')
  const filed = db.prepare<[string, number, string, number]>('UPDATE jobs SET path = ?, mtime_ms = ?, filed_as = ?, move_to = NULL WHERE id = ?')
  // What a person asked of the same content besides lies where the file lies.
  const placeOf = db.prepare<[number], { folder_id: number; path: string; sha256: Buffer | null }>('SELECT folder_id, path, sha256 FROM jobs WHERE id = ?')
  const takeAlong = db.prepare<[string, number, number, string, Buffer | null]>(
    'UPDATE jobs SET path = ?, mtime_ms = ? WHERE folder_id = ? AND path = ? AND sha256 = ? AND extra = 1')
  const movingAt = db.prepare<[number, string], { any: number }>('SELECT EXISTS (SELECT 1 FROM jobs WHERE folder_id = ? AND path = ? AND move_to IS NOT NULL) AS any')
  const leave = db.prepare<[number]>("UPDATE jobs SET filed_as = 'left', move_to = NULL WHERE id = ?")
  const returned = db.prepare<[number]>("UPDATE jobs SET filed_as = NULL WHERE id = ? AND filed_as = 'left'")
  const relocate = db.prepare<[string, string, number, number]>("UPDATE jobs SET path = ?, name = ?, mtime_ms = ? WHERE id = ? AND status = 'queued' AND extra = 0")
  const copies = db.prepare<[number], { id: number }>("SELECT id FROM jobs WHERE original_job_id = ? AND status = 'skipped' AND in_bin = 0")
  const hasten = db.prepare<[number]>(`
    UPDATE jobs SET not_before = 0 WHERE status = 'queued' AND folder_id = ? AND not_before > 0 AND reason_code IN ('folder_offline', 'file_unreadable')`)

  return {
    /** The version of a place that was taken in last; null when there is none, or when it ended so that the place is looked at anew. */
    versionAt(folderId: number, path: string): Version | null {
      const row = version.get(folderId, path)
      if (row === undefined || !isKnown(row)) return null
      return { id: row.id, sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms, filedAs: row.filed_as }
    },
    /** Jobs of a folder, by id after `afterId`, whose outcome is known and whose file is neither where that outcome says nor on its way. */
    unfiled: (folderId: number, afterId: number, limit: number): number[] => unfiled.all(folderId, afterId, limit).map((row) => row.id),
    /** Whether the file in a place is on its way elsewhere, whichever of its jobs moves it. */
    isMoving: ({ folderId, path }: { folderId: number; path: string }): boolean => movingAt.get(folderId, path)!.any === 1,
    /** Jobs whose file is on its way: begun, and not known to be over. */
    moving: (): number[] => moving.all().map((row) => row.id),
    /** Commits where a file is about to move; false when the job is not what it was any more, or its file is still to be read. */
    begin: (job: { id: number; status: string; path: string }, moveTo: string): boolean => begin.run(moveTo, job.id, job.status, job.path).changes === 1,
    /** The move did not happen. */
    abandon: (id: number): void => void abandon.run(id),
    /** The move happened: the job's file lies there. */
    filed: db.transaction((id: number, path: string, mtimeMs: number, as: 'done' | 'failed'): void => {
      const before = placeOf.get(id)!
      takeAlong.run(path, mtimeMs, before.folder_id, before.path, before.sha256)
      filed.run(path, mtimeMs, as, id)
    }),
    /** Nothing of these jobs is there to move. */
    leave: db.transaction((ids: number[]): void => {
      for (const id of ids) leave.run(id)
    }),
    /** A file that seemed to be gone is there. True when it was thought so. */
    returned: (id: number): boolean => returned.run(id).changes === 1,
    /** A file that still waits lies at another place now. False when it does not wait any more. */
    relocate: (id: number, path: string, name: string, mtimeMs: number): boolean => relocate.run(path, name, mtimeMs, id).changes === 1,
    /** Jobs that were taken for copies of this one, without those in the bin. */
    copiesOf: (id: number): number[] => copies.all(id).map((row) => row.id),
    /** What waits for a folder to be back is due at once. */
    hasten: (folderId: number): void => void hasten.run(folderId),
  }
}

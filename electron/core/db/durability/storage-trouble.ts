import Sqlite from 'better-sqlite3'
import type { StorageTrouble } from '../../../../shared/contract/storage.ts'

/** True for what the storage is the reason of, and no document: what passes, and damage. */
export function isStorageTrouble(error: unknown): boolean {
  return isPassing(error) || isDamage(error)
}

/**
 * True for what passes without anything being wrong with the database: a disk that is full, read-only or failing, a
 * file that another program holds, no memory, a data folder that was moved. SQLite's codes (sqlite.org/rescode.html)
 * and the file system's.
 */
export function isPassing(error: unknown): boolean {
  return (
    isMoved(error) ||
    /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|LOCKED|PROTOCOL|NOMEM|PERM|AUTH)|ENOSPC|EROFS|EDQUOT)/.test(
      codeOf(error),
    )
  )
}

/** True where the data folder is not the one that was opened any more (`data-files.ts`). */
function isMoved(error: unknown): boolean {
  return codeOf(error) === 'storage_moved'
}

/** True for what SQLite says of a file whose content is broken: only a start repairs that. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))
}

/** True for a database that is broken, false for a disk that is full, read-only or failing, or a file in use. */
export function isBroken(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && !isPassing(error)
}

/** How a person is told that something could not be written. */
export function troubleIn(error: unknown): StorageTrouble {
  if (isDamage(error)) return 'damaged'
  if (isMoved(error)) return 'moved'
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(codeOf(error))) return 'busy'
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error)) ? 'full' : 'read_only'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

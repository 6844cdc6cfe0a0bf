import type { StorageTrouble } from '../../../shared/contract-reliability.ts'

/**
 * True for what passes without anything being wrong with the database: a disk that is full, read-only or failing, a file that
 * another program holds, no memory. SQLite's codes (sqlite.org/rescode.html) and the file system's.
 */
export function isStorageTrouble(error: unknown): boolean {
  return /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN|BUSY|LOCKED|PROTOCOL|NOMEM|PERM|AUTH)|ENOSPC|EROFS|EDQUOT)/.test(codeOf(error))
}

/** How a person is told that something could not be written. */
export function troubleIn(error: unknown): StorageTrouble {
  return /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(codeOf(error)) ? 'full' : 'read_only'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

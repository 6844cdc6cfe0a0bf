import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../../shared/errors.ts'

/**
 * Holds a data folder for this process, until `close` or the end of the process however it comes: the hold is an exclusive
 * SQLite lock on a file of its own. Throws `already_running` where another process has it, and SQLite's error where the disk
 * fails.
 */
export function holdFolder(dataDir: string): Sqlite.Database {
  const hold = new Sqlite(join(dataDir, 'instance.lock'), { timeout: 0 })
  try {
    hold.pragma('journal_mode = DELETE')
    hold.exec('BEGIN EXCLUSIVE')
    return hold
  } catch (error) {
    hold.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new AppError('already_running', { path: dataDir }, { cause: error })
    }
    throw error
  }
}

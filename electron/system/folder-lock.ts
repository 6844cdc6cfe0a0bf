import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../../shared/domain/errors.ts'
import { makeDatabasePrivate } from './private-files.ts'

/**
 * Locks a data folder for this process, until `close` or the end of the process however it comes: the lock is an
 * exclusive SQLite lock on a file of its own. Throws `already_running` where another process has it, and SQLite's error
 * where the disk fails.
 */
export function lockFolder(dataDir: string): Sqlite.Database {
  const path = join(dataDir, 'instance.lock')
  makeDatabasePrivate(path)
  const lock = new Sqlite(path, { timeout: 0 })
  try {
    lock.pragma('journal_mode = DELETE')
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new AppError('already_running', { path: dataDir }, { cause: error })
    }
    throw error
  }
}

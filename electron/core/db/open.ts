import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../../../shared/errors.ts'
import { first } from './migrations/0001-first.ts'
import { platform } from './migrations/0002-platform.ts'

export type Database = Sqlite.Database

/** Migration n takes the database from `user_version` n to n + 1. Only ever append. */
const migrations: readonly string[] = [first, platform]

/**
 * Opens (and creates or migrates) the database in `dataDir` and holds the data folder for this process:
 * a second instance gets `already_running`. The hold is an exclusive SQLite lock on a file of its own,
 * which the operating system releases however the process ends.
 */
export function openDatabase(dataDir: string): { db: Database; close: () => void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const hold = holdFolder(dataDir)
  try {
    const db = new Sqlite(join(dataDir, 'sheaf.db'))
    db.pragma('journal_mode = WAL')
    // A result that was paid for must survive a power cut, so every commit reaches the disk.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    migrate(db)
    return {
      db,
      close: () => {
        db.close()
        hold.close()
      },
    }
  } catch (error) {
    hold.close()
    throw error
  }
}

function holdFolder(dataDir: string): Database {
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

function migrate(db: Database): void {
  const version = db.pragma('user_version', { simple: true }) as number
  if (version > migrations.length) {
    throw new AppError('internal', { detail: `the database is of a newer version of Sheaf (${version})` })
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`user_version = ${index + 1}`)
    })()
  }
}

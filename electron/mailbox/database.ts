import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../../shared/domain/errors.ts'
import { makeDatabasePrivate } from '../system/private-files.ts'
import { first } from './migrations/0001-first.ts'

export type MailboxDatabase = Sqlite.Database

/** Migration n takes the database from `user_version` n to n + 1. Only ever append. */
const migrations: readonly string[] = [first]

/** The size to which the journal file is cut back after a commit. */
const journalBytes = 16 * 1024 * 1024

/**
 * Opens (and creates or migrates) `<dataDir>/mailbox.db`. The server and the commands beside it have it open at the
 * same time. Throws `newer_database`.
 */
export function openMailboxDatabase(dataDir: string): MailboxDatabase {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'mailbox.db')
  makeDatabasePrivate(path)
  const db = new Sqlite(path, { timeout: 5000 })
  try {
    const versionOf = (): number => db.pragma('user_version', { simple: true }) as number
    // A full disk must not prevent fetching: nothing is written without need.
    const found = versionOf()
    // Only before the first table: the file shrinks again when messages are fetched.
    if (found === 0) db.pragma('auto_vacuum = INCREMENTAL')
    db.pragma('journal_mode = WAL')
    // 200 means that it survives a power cut.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    // Deleted messages are overwritten although they are sealed: a key that is stolen later must open nothing.
    db.pragma('secure_delete = ON')
    db.pragma(`journal_size_limit = ${journalBytes}`)
    const migrate = db.transaction(() => {
      const version = versionOf()
      if (version > migrations.length) throw new AppError('newer_database', { path: dataDir })
      for (const sql of migrations.slice(version)) db.exec(sql)
      db.pragma(`user_version = ${migrations.length}`)
    })
    if (found !== migrations.length) migrate.immediate()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Does work that can wait; nothing happens while the disk takes no changes. */
export function whereDiskAllows(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (diskTrouble(error) === null) throw error
  }
}

/** Why nothing can be stored now: `full`, `broken` for any other complaint of the disk; null for another error. */
export function diskTrouble(error: unknown): 'full' | 'broken' | null {
  if (!(error instanceof Sqlite.SqliteError)) return null
  if (error.code === 'SQLITE_FULL') return 'full'
  return /^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY)/.test(error.code) ? 'broken' : null
}

import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/domain/errors.ts'
import { makeDatabasePrivate } from '../system/private-files.ts'
import { first } from './migrations/0001-first.ts'

export type ServiceDatabase = Database.Database

/** Step n takes the database from `user_version` n to n + 1. Only ever append. */
export const migrations: readonly string[] = [first]

/**
 * Opens `<dataDir>/service.db`, locks it for this process and brings it to the newest version by `steps`.
 * Throws `already_running` when another service has the folder; the lock ends with its process.
 */
export function openServiceDatabase(dataDir: string, steps = migrations): ServiceDatabase {
  const path = join(dataDir, 'service.db')
  makeDatabasePrivate(path)
  const db = new Database(path, { timeout: 2000 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    // A migration may move tables that others point to.
    db.pragma('foreign_keys = OFF')
    const migrate = db.transaction(() => {
      const done = db.pragma('user_version', { simple: true }) as number
      for (const sql of steps.slice(done)) db.exec(sql)
      db.pragma(`user_version = ${steps.length}`)
    })
    migrate.immediate()
    db.pragma('foreign_keys = ON')
    // SQLite's own default; better-sqlite3's is 16 MB.
    db.pragma('cache_size = -2000')
    return db
  } catch (error) {
    db.close()
    throw isBusy(error) ? new AppError('already_running', { path: dataDir }, { cause: error }) : error
  }
}

/** Whether a process has the folder's service now, by its lock, which ends with it however it ends. */
export function isServiceRunning(dataDir: string): boolean {
  const path = join(dataDir, 'service.db')
  if (!existsSync(path)) return false
  let db: Database.Database | null = null
  try {
    db = new Database(path, { readonly: true, timeout: 0 })
    db.pragma('user_version')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    db?.close()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

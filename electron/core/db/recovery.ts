import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recovery as recoveryShape } from '../../../shared/contract-reliability.ts'
import type { Recovery } from '../../../shared/contract-reliability.ts'
import { contentFault, neutralise, structureFault } from './check.ts'
import type { Journal } from './journal.ts'
import { companions, connect, isBroken, isMigratable, migrate } from './open.ts'
import type { Database } from './open.ts'
import { replay } from './recovery-replay.ts'
import type { Snapshot } from './snapshots.ts'

/** Why the database cannot be used as it is; `cause` is what to throw when nothing better is there. */
export type Fault = { because: 'missing' | 'unreadable' | 'content' | 'migration'; cause: unknown }

const noticeKey = 'recovery'

/** The folder in which what is broken is kept; made when something is put into it. Nothing in it is ever deleted by Sheaf. */
export function asideFolder(dataDir: string, now: number): string {
  const base = join(dataDir, 'broken', new Date(now).toISOString().replace(/:/g, '-'))
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? base : `${base}-${n}`
    if (!existsSync(path)) return path
  }
}

/** Moves a database and what SQLite keeps beside it. The database goes first: where it is missing, the rest is not taken for its own. */
export function setAside(path: string, aside: string, name: string): void {
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const ending of ['', ...companions]) if (existsSync(path + ending)) renameSync(path + ending, join(aside, name + ending))
}

/**
 * Puts a database together from the newest snapshot that passes its check (where none does, from itself if it can be read but
 * for some values, else a new one) and the journal, beside
 * the broken one, and only then sets that aside and takes its place: broken off anywhere, the next start does it again.
 * Connections that bill are paused: a cancel since the snapshot is undone, and what was sent is not known without the journal.
 * Throws SQLite's or the file system's error where the disk is the trouble, and the fault's cause when no snapshot can be
 * migrated either: then the program is what does not fit, and nothing is moved.
 */
export function restore(dataDir: string, snapshots: Snapshot[], journal: Journal, fault: Fault, aside: string, now: number): void {
  const path = join(dataDir, 'sheaf.db')
  const building = join(dataDir, 'restored.db.partial')
  const found = firstUsable(building, snapshots) ?? (fault.because === 'content' ? itself(path, building, now) : null)
  if (found === null && fault.because === 'migration') throw fault.cause
  const db = found?.db ?? emptyAt(building)
  try {
    const { attempts, answers, complete } = replay(db, journal)
    const isWhole = complete && (found?.name === path || journal.reaches(found?.name ?? null))
    db.exec("UPDATE connections SET paused_code = 'restored_from_snapshot', paused_details = '{}' WHERE kind = 'platform'")
    const notice: Recovery = { at: now, snapshotAt: found?.at ?? null, setAsideIn: aside, attempts, answers, journalLost: !isWhole }
    db.prepare<[string, string]>('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(noticeKey, JSON.stringify(notice))
    // Its name will be another one: nothing of it may be left in a file that is called after this one.
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  setAside(path, aside, 'sheaf.db')
  renameSync(building, path)
}

/** What the person is told since a restore; null once they have read it. */
export function readNotice(db: Database): Recovery | null {
  const row = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?').get(noticeKey)
  return row === undefined ? null : recoveryShape.parse(JSON.parse(row.value))
}

export function forgetNotice(db: Database): void {
  db.prepare<[string]>('DELETE FROM settings WHERE key = ?').run(noticeKey)
}

export function removeDatabase(path: string): void {
  for (const ending of ['', ...companions]) rmSync(path + ending, { force: true })
}

type Base = { db: Database; name: string; at: number }

function firstUsable(building: string, snapshots: Snapshot[]): Base | null {
  for (const snapshot of snapshots) {
    removeDatabase(building)
    copyFileSync(snapshot.path, building, constants.COPYFILE_FICLONE)
    const db = usable(building)
    if (db !== null) return { db, name: snapshot.name, at: snapshot.at }
  }
  return null
}

/** The database of which only some values cannot be read, as it was a moment ago: better than none. */
function itself(path: string, building: string, now: number): Base {
  removeDatabase(building)
  copyFileSync(path, building, constants.COPYFILE_FICLONE)
  const db = connect(building)
  migrate(db)
  neutralise(db)
  return { db, name: path, at: now }
}

/** The copy, migrated to the newest version; null when it is broken or of a newer version than this. */
function usable(path: string): Database | null {
  let db: Database | null = null
  try {
    db = connect(path)
    if (isMigratable(db) && structureFault(db) === null) {
      migrate(db)
      if (contentFault(db) === null) return db
    }
  } catch (error) {
    if (!isBroken(error)) {
      db?.close()
      throw error
    }
  }
  db?.close()
  return null
}

function emptyAt(path: string): Database {
  removeDatabase(path)
  const db = connect(path)
  migrate(db)
  return db
}

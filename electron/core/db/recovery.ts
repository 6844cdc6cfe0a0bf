import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recovery as recoveryShape } from '../../../shared/contract-reliability.ts'
import type { Recovery } from '../../../shared/contract-reliability.ts'
import { contentFault, structureFault } from './check.ts'
import { readMark, writeMark } from './journal-mark.ts'
import type { Journal } from './journal.ts'
import { companions, connect, isBroken, isMigratable, migrate } from './open.ts'
import type { Database } from './open.ts'
import { replay } from './recovery-replay.ts'
import { repair } from './repair.ts'
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
 * Puts a database together beside the broken one, and only then sets that aside and takes its place: broken off anywhere, the
 * next start does it again. One of which only some values cannot be read is repaired as it is: its rows are newer than those
 * of any snapshot. Of any other the newest snapshot that can be read (else a new database) and the journal make it again;
 * then connections that bill are paused: a cancel since the snapshot is undone, and what was sent is not known without the
 * journal. Throws SQLite's or the file system's error where the disk is the trouble, and the fault's cause when no snapshot
 * can be migrated either: then the program is what does not fit, and nothing is moved.
 */
export function restore(dataDir: string, snapshots: Snapshot[], journal: Journal, fault: Fault, aside: string, now: number): void {
  const path = join(dataDir, 'sheaf.db')
  const building = join(dataDir, 'restored.db.partial')
  const isRepair = fault.because === 'content'
  const found = isRepair ? itself(path, building) : firstUsable(building, snapshots)
  if (found === null && fault.because === 'migration') throw fault.cause
  const db = found?.db ?? emptyAt(building)
  try {
    if (contentFault(db) !== null) repair(db, journal, snapshots)
    const { attempts, answers, complete } = replay(db, journal)
    const reaches = isRepair || journal.reaches(found?.snapshot?.name ?? null)
    if (!isRepair) pauseWhatBills(db)
    const how = isRepair ? 'repaired' : 'restored'
    tell(db, { at: now, how, snapshotAt: found?.snapshot?.at ?? null, setAsideIn: aside, attempts, answers, journalLost: !(complete && reaches) })
    writeMark(db, journal, now)
    // Its name will be another one: nothing of it may be left in a file that is called after this one.
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  setAside(path, aside, 'sheaf.db')
  renameSync(building, path)
}

/** A whole database that is older than what the journal can put back: nobody knows what was sent since. */
export function noteEarlier(db: Database, journal: Journal, now: number): void {
  db.transaction(() => {
    const snapshotAt = readMark(db)?.at ?? null
    const { attempts, answers } = replay(db, journal)
    pauseWhatBills(db)
    tell(db, { at: now, how: 'earlier', snapshotAt, setAsideIn: null, attempts, answers, journalLost: true })
    writeMark(db, journal, now)
  })()
}

function pauseWhatBills(db: Database): void {
  db.exec("UPDATE connections SET paused_code = 'restored_from_snapshot', paused_details = '{}' WHERE kind = 'platform'")
}

function tell(db: Database, notice: Recovery): void {
  db.prepare<[string, string]>('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(noticeKey, JSON.stringify(notice))
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

/** `snapshot`: the one that it is a copy of. */
type Base = { db: Database; snapshot: Snapshot | null }

function firstUsable(building: string, snapshots: Snapshot[]): Base | null {
  for (const snapshot of snapshots) {
    removeDatabase(building)
    copyFileSync(snapshot.path, building, constants.COPYFILE_FICLONE)
    const db = usable(building)
    if (db !== null) return { db, snapshot }
  }
  return null
}

/** The database of which only some values cannot be read, as it was a moment ago. */
function itself(path: string, building: string): Base {
  removeDatabase(building)
  copyFileSync(path, building, constants.COPYFILE_FICLONE)
  const db = connect(building)
  migrate(db)
  return { db, snapshot: null }
}

/** The copy, migrated to the newest version; null when it is broken or of a newer version than this. Single values may be. */
function usable(path: string): Database | null {
  let db: Database | null = null
  try {
    db = connect(path)
    if (isMigratable(db) && structureFault(db) === null) {
      migrate(db)
      return db
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

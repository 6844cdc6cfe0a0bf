import { constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { recovery as recoveryShape } from '../../../../shared/contract/storage.ts'
import type { Recovery } from '../../../../shared/contract/storage.ts'
import { flushFolderSync } from '../../../system/flush-folder.ts'
import { companions, makePrivate } from '../../../system/private-files.ts'
import { contentFault, structureFault } from './check.ts'
import { beginGeneration, isEarlier, isReached, readMark, writeMark } from './journal-mark.ts'
import type { Journal } from './journal.ts'
import { connect, hasContent, isMigratable, migrate } from '../open.ts'
import type { Database, Migrations } from '../open.ts'
import { SettingValues } from '../setting-values.ts'
import { replay } from './recovery-replay.ts'
import { repair } from './repair.ts'
import type { Snapshot } from './snapshots.ts'
import { isBroken } from './storage-trouble.ts'

/** Why the database cannot be used as it is; `cause` is what to throw when nothing better is there. */
export type Fault = { because: 'missing' | 'unreadable' | 'content' | 'migration'; cause: unknown }

const noticeKey = 'recovery'

/**
 * The folder in which what is broken is kept; made when something is put into it. Nothing in it is ever deleted by
 * Sheaf.
 */
export function asideFolder(dataDir: string, now: number): string {
  const base = join(dataDir, 'broken', new Date(now).toISOString().replace(/:/g, '-'))
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? base : `${base}-${n}`
    if (!existsSync(path)) return path
  }
}

/**
 * Moves a database and what SQLite keeps beside it. The database goes first: where it is missing, the rest is not taken
 * for its own.
 */
export function setAside(path: string, aside: string, name: string): void {
  for (const ending of ['', ...companions]) {
    if (!existsSync(path + ending)) continue
    mkdirSync(aside, { recursive: true, mode: 0o700 })
    makePrivate(path + ending)
    renameSync(path + ending, join(aside, name + ending))
  }
}

function placesOf(dataDir: string): { path: string; building: string; finished: string } {
  return {
    path: join(dataDir, 'sheaf.db'),
    building: join(dataDir, 'restored.db.partial'),
    finished: join(dataDir, 'restored.db'),
  }
}

/**
 * For what a kill in the middle of `restore` left: a copy that was finished takes the place of the database that is
 * away already, and is the newest there is. Where that is still there nothing was moved yet, and the restore begins
 * anew.
 */
export function finishRestore(dataDir: string, aside: string): void {
  const { path, building, finished } = placesOf(dataDir)
  removeDatabase(building)
  if (hasContent(path)) removeDatabase(finished)
  else if (existsSync(finished)) takePlace(finished, path, aside)
}

function takePlace(finished: string, path: string, aside: string): void {
  setAside(path, aside, 'sheaf.db')
  renameSync(finished, path)
  flushFolderSync(dirname(path))
}

/** What a restore works with. `now`: epoch ms; `steps`: migrations to the newest version. */
type Restoring = {
  dataDir: string
  /** The newest first. */
  snapshots: Snapshot[]
  journal: Journal
  aside: string
  now: number
  steps: Migrations
}

/**
 * Puts a database together beside the broken one, and only then sets that aside and takes its place: broken off
 * anywhere, the next start goes on (`finishRestore`) or does it again. One of which only some values cannot be read is
 * repaired as it is: its rows are newer than those of any snapshot. Of any other the newest snapshot that can be read
 * (else a new database) and the journal make it again; then connections that bill are paused: a cancel since the
 * snapshot is undone, and what was sent is not known without the journal. Throws SQLite's or the file system's error
 * where the disk is the trouble, and the fault's cause when no snapshot can be migrated either: then the program is
 * what does not fit, and nothing is moved.
 */
export function restore({ dataDir, snapshots, journal, aside, now, steps }: Restoring, fault: Fault): void {
  const { path, building, finished } = placesOf(dataDir)
  const isRepair = fault.because === 'content'
  const found = isRepair ? itself(path, building, steps) : firstUsable(building, snapshots, steps)
  if (found === null && fault.because === 'migration') throw fault.cause
  const db = found?.db ?? emptyAt(building, steps)
  const snapshot = found?.snapshot ?? null
  try {
    const how = !isRepair ? 'restored' : isEarlier(db, journal) ? 'earlier' : 'repaired'
    const isWhole = isUpToDate(how, db, journal, snapshot)
    if (contentFault(db) !== null) repair(db, journal, snapshots)
    const { attempts, answers, complete } = replay(db, journal)
    if (how !== 'repaired') pauseWhatBills(db)
    writeNotice(db, {
      at: now,
      how,
      snapshotAt: snapshot?.at ?? null,
      setAsideIn: aside,
      attempts,
      answers,
      journalLost: !(complete && isWhole),
    })
    writeMark(db, journal, now)
    beginGeneration(db, journal)
    // Its name will be another one: nothing of it may be left in a file that is called after this one.
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
  // A name that says that it is whole: once the old one is away this is all there is.
  renameSync(building, finished)
  flushFolderSync(dataDir)
  takePlace(finished, path, aside)
}

/** True when the base of a restore and the journal together are all that was known. */
function isUpToDate(how: Recovery['how'], db: Database, journal: Journal, snapshot: Snapshot | null): boolean {
  if (how === 'restored') return journal.reaches(snapshot?.name ?? null)
  return how === 'repaired' || isReached(db, journal)
}

/** A whole database that is an earlier one: what was cancelled since is undone, and what was sent may not be known. */
export function recoverEarlier(db: Database, journal: Journal, now: number): void {
  db.transaction(() => {
    const snapshotAt = readMark(db)?.at ?? null
    const isWhole = isReached(db, journal)
    const { attempts, answers, complete } = replay(db, journal)
    pauseWhatBills(db)
    writeNotice(db, {
      at: now,
      how: 'earlier',
      snapshotAt,
      setAsideIn: null,
      attempts,
      answers,
      journalLost: !(complete && isWhole),
    })
    writeMark(db, journal, now)
  })()
}

function pauseWhatBills(db: Database): void {
  db.exec(
    "UPDATE connections SET paused_code = 'restored_from_snapshot', paused_details = '{}' WHERE kind = 'platform'",
  )
}

function writeNotice(db: Database, notice: Recovery): void {
  new SettingValues(db).write(noticeKey, notice)
}

/** What the person is told since a restore; null once they have read it, or where it cannot be read. */
export function readNotice(db: Database): Recovery | null {
  return recoveryShape.safeParse(new SettingValues(db).readOrNull(noticeKey)).data ?? null
}

export function forgetNotice(db: Database): void {
  db.prepare<[string]>('DELETE FROM settings WHERE key = ?').run(noticeKey)
}

export function removeDatabase(path: string): void {
  for (const ending of ['', ...companions]) rmSync(path + ending, { force: true })
}

/** `snapshot`: the one that it is a copy of. */
type Base = { db: Database; snapshot: Snapshot | null }

function firstUsable(building: string, snapshots: Snapshot[], steps: Migrations): Base | null {
  for (const snapshot of snapshots) {
    removeDatabase(building)
    copyFileSync(snapshot.path, building, constants.COPYFILE_FICLONE)
    const db = usable(building, steps)
    if (db !== null) return { db, snapshot }
  }
  return null
}

/**
 * The database of which only some values cannot be read, as it was a moment ago. It is closed, but another program may
 * hold its log.
 */
function itself(path: string, building: string, steps: Migrations): Base {
  removeDatabase(building)
  for (const ending of ['', '-wal'])
    if (existsSync(path + ending)) copyFileSync(path + ending, building + ending, constants.COPYFILE_FICLONE)
  const db = connect(building)
  migrate(db, steps)
  return { db, snapshot: null }
}

/**
 * The copy, migrated to the newest version; null when it is broken or of a newer version than this. Single values may
 * be.
 */
function usable(path: string, steps: Migrations): Database | null {
  let db: Database | null = null
  try {
    db = connect(path)
    if (isMigratable(db, steps) && structureFault(db) === null) {
      migrate(db, steps)
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

function emptyAt(path: string, steps: Migrations): Database {
  removeDatabase(path)
  const db = connect(path)
  migrate(db, steps)
  return db
}

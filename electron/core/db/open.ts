import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { makeDatabasePrivate } from '../../system/private-files.ts'
import { first } from './migrations/0001-first.ts'
import { queueByFolder } from './migrations/0002-queue-by-folder.ts'
import { lessons } from './migrations/0003-lessons.ts'
import { partners } from './migrations/0004-partners.ts'
import { transferredLessons } from './migrations/0005-transferred-lessons.ts'
import { renamedInWorkbooks } from './migrations/0006-renamed-in-workbooks.ts'
import { mails } from './migrations/0007-mails.ts'
import { sorting } from './migrations/0008-sorting.ts'
import { archiveNames } from './migrations/0009-archive-names.ts'
import { bookedBills } from './migrations/0010-booked-bills.ts'
import { approvedBuyers } from './migrations/0011-approved-buyers.ts'

export type Database = Sqlite.Database

/** Step n takes a database from `user_version` n to n + 1. */
export type Migrations = readonly string[]

/** Only ever append. */
export const migrations: Migrations = [
  first,
  queueByFolder,
  lessons,
  partners,
  transferredLessons,
  renamedInWorkbooks,
  mails,
  sorting,
  archiveNames,
  bookedBills,
  approvedBuyers,
]

/**
 * SQLite's own default of 2 MB (sqlite.org/pragma.html#pragma_cache_size); better-sqlite3's is 16 MB for each
 * connection.
 */
export const smallCache = 'cache_size = -2000'

/** True for a file that is there and not empty: of an empty one SQLite begins a database. */
export function hasContent(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0
}

/**
 * How long a statement waits, with the whole thread, for another program that holds the file
 * (sqlite.org/c3ref/busy_timeout.html).
 */
const busyMs = { atStart: 5000, atWork: 200 }

/**
 * Opens a database as Sheaf uses it, for a start, and closes it to others. Throws SQLite's error where the file is
 * none.
 */
export function connect(path: string): Database {
  makeDatabasePrivate(path)
  const db = new Sqlite(path, { timeout: busyMs.atStart })
  try {
    db.pragma('journal_mode = WAL')
    // A result that was paid for must survive a power cut: a commit reaches the disk, unless it says `later`.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    db.pragma(smallCache)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * `later`: the commit does not wait for the disk; the next one that does takes it along. A power cut may undo it,
 * whole: only for what is made again then, from the journal, the files or the rows that it was made of.
 */
export type Flush = 'now' | 'later'

/** better-sqlite3 makes four functions for each that runs in a transaction: one takes all there are. */
const runners = new WeakMap<Database, (work: () => unknown) => unknown>()

/** Runs `work` in one transaction; within another one it is flushed with that. */
export function runTransaction<T>(db: Database, work: () => T, flush: Flush = 'now'): T {
  let run = runners.get(db)
  if (run === undefined) runners.set(db, (run = db.transaction((given: () => unknown) => given())))
  if (flush === 'now' || db.inTransaction) return run(work) as T
  // sqlite.org/pragma.html#pragma_synchronous: in WAL mode the file stays whole, and what was flushed before stays.
  // As statements without rows: `pragma` would make a function for the rows of each.
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    return run(work) as T
  } finally {
    db.exec('PRAGMA synchronous = FULL')
  }
}

/** From now on the window waits for each statement. What cannot be written now is kept back and tried again. */
export function waitShortly(db: Database): void {
  db.pragma(`busy_timeout = ${busyMs.atWork}`)
}

/** True for one that was made by an earlier Sheaf and has rows to lose. */
export function needsMigration(db: Database, steps = migrations): boolean {
  return versionOf(db) > 0 && versionOf(db) < steps.length
}

/** True when `migrate` can make the newest version of it. */
export function isMigratable(db: Database, steps = migrations): boolean {
  return versionOf(db) > 0 && versionOf(db) <= steps.length
}

export function versionOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number
}

/** Each step in a transaction of its own. Throws SQLite's error; what was migrated until then stays. */
export function migrate(db: Database, steps = migrations): void {
  const version = versionOf(db)
  for (const [index, sql] of steps.entries()) {
    if (index < version) continue
    db.transaction(() => {
      db.exec(sql)
      db.pragma(`user_version = ${index + 1}`)
    })()
  }
}

/** True for a version that a later Sheaf may have: a number far off is a flipped bit. */
export function isNewer(version: number, newest: number): boolean {
  return version > newest && version < newest + 1000
}

/** SQLite's file format, «Database Header»: `user_version` is the big-endian number at 60. */
const versionOffset = 60
const headerText = 'SQLite format 3\0'

/**
 * The version that the file itself names, without opening it as a database, which would write; null where it is none.
 */
export function versionInFile(path: string): number | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(100)
    if (readSync(file, header, 0, header.length, 0) < header.length) return null
    return header.toString('latin1', 0, headerText.length) === headerText ? header.readUInt32BE(versionOffset) : null
  } finally {
    closeSync(file)
  }
}

/** How many rows this connection has changed since it was opened. */
export function changesOf(db: Database): number {
  return db.prepare<[], { changes: number }>('SELECT total_changes() AS changes').get()!.changes
}

/**
 * A number that only ever goes up, kept in the file's header as `application_id`: a copy has it, and two snapshots that
 * say the same are still the same, since headers are not compared. 0 in a file that never had one.
 */
export function generationOf(db: Database): number {
  return db.pragma('application_id', { simple: true }) as number
}

export function setGeneration(db: Database, generation: number): void {
  db.pragma(`application_id = ${generation}`)
}

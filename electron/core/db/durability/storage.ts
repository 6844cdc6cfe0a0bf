import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Recovery, StorageState } from '../../../../shared/contract/storage.ts'
import { AppError, toAppError } from '../../../../shared/domain/errors.ts'
import { maxCallbackBytes } from '../../../../shared/wire/mailbox.ts'
import { lockFolder } from '../../../system/folder-lock.ts'
import { companions, makePrivate } from '../../../system/private-files.ts'
import { contentFault, fullCheckBytes, structureFault } from './check.ts'
import { DataFiles } from './data-files.ts'
import { isEarlier, advanceGeneration, writeMark } from './journal-mark.ts'
import { Journal } from './journal.ts'
import {
  changesOf,
  connect,
  hasContent,
  isMigratable,
  isNewer,
  migrate,
  migrations,
  needsMigration,
  versionInFile,
  versionOf,
  waitShortly,
} from '../open.ts'
import type { Database, Migrations } from '../open.ts'
import { replay } from './recovery-replay.ts'
import { isSearchIndexFault, rebuildSearchIndex } from '../search/search-table.ts'
import { asideFolder, forgetNotice, readNotice, recoverEarlier, restore, setAside, finishRestore } from './recovery.ts'
import type { Fault } from './recovery.ts'
import { freeOnDisk, Snapshots } from './snapshots.ts'
import type { FreeBytes, Snapshot } from './snapshots.ts'
import { isBroken, isPassing, isStorageTrouble, troubleIn } from './storage-trouble.ts'

export type StorageOptions = {
  dataDir: string
  /** The bundle of the thread that copies databases. */
  snapshotThread: string
  now: () => number
  /** The database is damaged: nothing more is to be sent before the next start. */
  onDamaged?: () => void
  /** What fits on the disk; asked of it when absent. */
  freeBytes?: FreeBytes
  /** With less on the disk it counts as full; `defaultRoomBytes` when absent. */
  roomBytes?: number
  /** How the database comes to its newest version; the product's own when absent. */
  migrations?: Migrations
}

/**
 * The largest result: written to the journal and to the database, and by each first to its log and then to its file.
 */
const defaultRoomBytes = 4 * maxCallbackBytes

/** What Sheaf makes in the data folder for itself. An earlier one left some of them open to others. */
const ownFolders = ['backups', 'broken', 'drafts', 'exports', 'inbox', 'service', 'unreadable']

/** What a disk says is free may not be ours: so much is written to see that it is. */
const probeBytes = 256 * 1024

/** The first snapshot of a run that is due waits so long, so that it does not compete with the start. */
const firstSnapshotMs = 30_000

type Parts = { options: StorageOptions; lock: Database; db: Database; journal: Journal; snapshots: Snapshots }

/** The data folder: its database, journal and snapshots. */
export class Storage {
  readonly db: Database
  readonly journal: Journal
  readonly #options: StorageOptions
  readonly #lock: Database
  readonly #snapshots: Snapshots
  readonly #files: DataFiles
  #recovery: Recovery | null
  #timer: NodeJS.Timeout | null = null
  #making: Promise<unknown> = Promise.resolve()
  #changesSaved = -1
  #lastFailure: StorageState['lastFailure'] = null

  private constructor({ options, lock, db, journal, snapshots }: Parts) {
    this.#options = options
    this.#lock = lock
    this.db = db
    this.journal = journal
    this.#snapshots = snapshots
    this.#files = new DataFiles(options.dataDir, db, journal, options.now)
    this.#recovery = readNotice(db)
    waitShortly(db)
    journal.waitShortly()
  }

  /**
   * Holds the data folder, checks the database and brings it to the newest version; one that is broken is set aside and
   * put together from snapshot and journal. Attempts and answers that only the journal has are put back in either case.
   * Throws `already_running`, `newer_database` (nothing was changed), `storage_full`, `storage_busy`, and
   * `storage_read_only`, also where the disk fails.
   */
  static async open(options: StorageOptions): Promise<Storage> {
    const { dataDir, now, migrations: steps = migrations } = options
    const lock = lockDataFolder(dataDir)
    try {
      for (const name of ownFolders) makePrivate(join(dataDir, name))
      const path = join(dataDir, 'sheaf.db')
      if (isNewer(versionInFile(path) ?? 0, steps.length)) throw new AppError('newer_database', { path: dataDir })
      const snapshots = new Snapshots(dataDir, options.snapshotThread, options.freeBytes)
      snapshots.tidy()
      const aside = asideFolder(dataDir, now())
      finishRestore(dataDir, aside)
      const journal = openJournal(dataDir, hasContent(path) || hadDatabase(dataDir, snapshots), aside)
      try {
        const db = await openWhole({ dataDir, path, aside, now, snapshots, journal, steps })
        return new Storage({ options, lock, db, journal, snapshots })
      } catch (error) {
        journal.close()
        throw error
      }
    } catch (error) {
      lock.close()
      throw asStorageError(error)
    }
  }

  /** What the person has not read yet about a database that was restored. */
  get recovery(): Recovery | null {
    return this.#recovery
  }

  state(): StorageState {
    const path = join(this.#options.dataDir, 'sheaf.db')
    const databaseBytes = ['', '-wal'].reduce(
      (sum, ending) => sum + (existsSync(path + ending) ? statSync(path + ending).size : 0),
      0,
    )
    const snapshots = this.#snapshots.list().map(({ at, sizeBytes, kind }) => ({ at, sizeBytes, kind }))
    return {
      dataDir: this.#options.dataDir,
      databaseBytes,
      snapshots,
      recovery: this.recovery,
      lastFailure: this.#lastFailure,
    }
  }

  /**
   * Makes snapshots from now on: one when something changed for `everyMs`. `changed` is called after each, also one
   * that failed.
   */
  begin(everyMs: number, changed: () => void): void {
    const next = (delayMs: number): void => {
      this.#timer = setTimeout(() => {
        next(everyMs)
        const before = this.#changesSaved
        this.snapshot('hourly').then(() => {
          if (this.#changesSaved !== before) changed()
        }, changed)
      }, delayMs)
      this.#timer.unref()
    }
    next(Math.min(everyMs, Math.max(firstSnapshotMs, this.#dueInMs(everyMs))))
  }

  /**
   * For a run that is too short for `begin`: makes one where the last is older than `everyMs`. Throws as `snapshot`
   * does.
   */
  async snapshotIfDue(everyMs: number): Promise<void> {
    if (this.#dueInMs(everyMs) === 0) await this.snapshot('hourly')
  }

  /** Makes one, after any that is being made; an hourly one only where something changed. Throws `storage_full`. */
  snapshot(kind: 'hourly' | 'manual'): Promise<void> {
    const made = this.#making
      .then(() => this.#snapshot(kind))
      .then(
        () => void (this.#lastFailure = null),
        (error: unknown) => {
          const { code, details } = toAppError(error)
          this.#lastFailure = { at: this.#options.now(), problem: { code, details } }
          throw error
        },
      )
    this.#making = made.catch(() => undefined)
    return made
  }

  /**
   * Throws `storage_moved` where the data folder is not the one that was opened any more: nothing may be sent, since no
   * start would know of it.
   */
  requireInPlace(): void {
    this.#files.requireInPlace()
  }

  /**
   * Asked before each attempt: what is paid for has to find its place when it comes, and nobody sends a webhook again.
   * Throws as `requireInPlace` does, and what a full disk would (`ENOSPC`).
   */
  requireUsable(): void {
    this.requireInPlace()
    const { dataDir, freeBytes = freeOnDisk, roomBytes = defaultRoomBytes } = this.#options
    if (freeBytes(dataDir) < roomBytes)
      throw Object.assign(new Error('too little room for results'), { code: 'ENOSPC' })
  }

  /**
   * Writes to everything that a send needs written. Throws while that cannot be done: SQLite's error (`SQLITE_FULL`,
   * `SQLITE_READONLY`, `SQLITE_IOERR`…) or the file system's (`ENOSPC`, `EROFS`…), also those of `requireUsable`.
   */
  probe(): void {
    this.requireUsable()
    // A database reuses what it has: only a file of its own tells whether there is room for an answer.
    const path = join(this.#options.dataDir, 'room.probe')
    try {
      const file = openSync(path, 'w', 0o600)
      try {
        writeSync(file, Buffer.alloc(probeBytes))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    } finally {
      if (existsSync(path)) rmSync(path)
    }
    this.journal.probe()
    this.db.exec(
      "INSERT INTO settings (key, value) VALUES ('probe', 'true') ON CONFLICT (key) DO UPDATE SET value = iif(value = 'true', 'false', 'true')",
    )
  }

  /** The database turned out broken while it is in use: nothing more is sent, and the next start checks all of it. */
  reportDamage(): void {
    this.#options.onDamaged?.()
    try {
      requestCheck(this.#options.dataDir)
    } catch (error) {
      // A start that finds no demand still checks the structure of each database, and the content of all but large
      // ones.
      if (!isStorageTrouble(error)) throw error
    }
  }

  dismissRecovery(): void {
    forgetNotice(this.db)
    this.#recovery = null
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#snapshots.close()
    await this.#making
    this.#advanceLast()
    await this.#files.close()
    this.journal.close()
    this.db.close()
    this.#lock.close()
  }

  /** A disk on which that cannot be written is no reason not to end: the next start does it. */
  #advanceLast(): void {
    if (!this.db.open) return
    try {
      advanceGeneration(this.db, this.journal)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
    }
  }

  /** The newest hourly one that the journal goes on from. */
  #newestHourly(): Snapshot | null {
    return this.#snapshots.list().find(({ kind, name }) => kind === 'hourly' && this.journal.reaches(name)) ?? null
  }

  #dueInMs(everyMs: number): number {
    const newest = this.#newestHourly()
    return newest === null ? 0 : Math.max(0, everyMs - Math.max(0, this.#options.now() - newest.at))
  }

  async #snapshot(kind: 'hourly' | 'manual'): Promise<void> {
    if (kind === 'hourly' && changesOf(this.db) === this.#changesSaved) return
    // It would be one of what has the name now.
    if (!this.#files.areInPlace) throw new AppError('storage_moved')
    const { dataDir, now } = this.#options
    const mark = writeMark(this.db, this.journal, now())
    const changes = changesOf(this.db)
    const made = await this.#snapshots.make(
      join(dataDir, 'sheaf.db'),
      kind,
      now(),
      kind === 'hourly' ? this.#newestHourly() : null,
    )
    if (made === 'stopped') return
    if (made === 'broken') {
      this.reportDamage()
      throw new AppError('storage_damaged')
    }
    this.#changesSaved = changes
    this.journal.markSnapshot(made.name, mark)
    this.#snapshots.tidy()
    const names = (hourly: boolean): string[] =>
      this.#snapshots.list().flatMap((each) => ((each.kind === 'hourly') === hourly ? [each.name] : []))
    this.journal.prune(names(true), names(false))
    advanceGeneration(this.db, this.journal)
  }
}

function lockDataFolder(dataDir: string): Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    return lockFolder(dataDir)
  } catch (error) {
    throw asStorageError(error)
  }
}

/** A disk on which Sheaf cannot start, in words. */
function asStorageError(error: unknown): unknown {
  const isRefused = error instanceof Error && 'code' in error && /^(EACCES|EPERM|EIO)$/.test(String(error.code))
  return isPassing(error) || isRefused ? new AppError(`storage_${troubleIn(error)}`, {}, { cause: error }) : error
}

/** What a start opens a database with. `aside`: where what is broken is put; `steps`: to the newest version. */
type Opening = {
  dataDir: string
  path: string
  aside: string
  now: () => number
  snapshots: Snapshots
  journal: Journal
  steps: Migrations
}

/** The database, whole and of the newest version, with everything that the journal has. */
async function openWhole(opening: Opening): Promise<Database> {
  const { dataDir, path, aside, now, snapshots, journal, steps } = opening
  const opened = await tryOpen(opening)
  if ('because' in opened) {
    restore({ dataDir, snapshots: snapshots.list(), journal, aside, now: now(), steps }, opened)
    rmSync(checkRequestPath(dataDir), { force: true })
  }
  const db = 'because' in opened ? connect(path) : opened
  try {
    // One that was just restored has all of this.
    if (isEarlier(db, journal)) recoverEarlier(db, journal, now())
    else replay(db, journal)
    writeMark(db, journal, now())
    advanceGeneration(db, journal)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

async function tryOpen(opening: Opening): Promise<Database | Fault> {
  const { dataDir, path, snapshots, journal, steps } = opening
  const hasHistory = !journal.isUntouched || hadDatabase(dataDir, snapshots)
  if (!existsSync(path) && hasHistory) return { because: 'missing', cause: null }
  const isChecked = needsCheck(path, dataDir)
  let db: Database | null = null
  let because: Fault['because'] = 'unreadable'
  const broken = (fault: string | null): Fault => {
    db?.close()
    return { because, cause: fault === null ? null : new AppError('internal', { detail: fault }) }
  }
  try {
    db = connect(path)
    const version = versionOf(db)
    if (isNewer(version, steps.length)) throw new AppError('newer_database', { path: dataDir })
    if (version === 0 ? hasHistory : !isMigratable(db, steps)) return broken(null)
    const fault = isChecked ? faultBesideSearch(db) : null
    if (fault !== null) return broken(fault)
    if (needsMigration(db, steps)) await copyBefore(opening, version)
    because = 'migration'
    migrate(db, steps)
    because = 'unreadable'
    const damage = contentFault(db)
    if (damage !== null) return { ...broken(damage), because: 'content' }
    if (isChecked) rmSync(checkRequestPath(dataDir), { force: true })
    return db
  } catch (error) {
    db?.close()
    if (isBroken(error)) return { because, cause: error }
    throw error
  }
}

/** What is wrong with the structure, or null; an index of words that broke is put away for a new one first. */
function faultBesideSearch(db: Database): string | null {
  const fault = structureFault(db)
  if (fault === null || !isSearchIndexFault(fault)) return fault
  rebuildSearchIndex(db)
  return structureFault(db)
}

/**
 * True where a database was once, by what is left of it beside the journal: snapshots, or something that was set aside.
 */
function hadDatabase(dataDir: string, snapshots: Snapshots): boolean {
  return snapshots.list().length > 0 || existsSync(join(dataDir, 'broken'))
}

async function copyBefore({ path, now, snapshots, journal }: Opening, version: number): Promise<void> {
  const mark = journal.mark()
  const made = await snapshots.make(path, `before-migration-${version}`, now())
  if (typeof made === 'string') throw new AppError('internal', { detail: `no copy before the migration: ${made}` })
  journal.markSnapshot(made.name, mark)
  snapshots.tidy()
}

/**
 * A large database that was closed as it should be is not gone through at each start: the check of each snapshot does
 * that.
 */
function needsCheck(path: string, dataDir: string): boolean {
  if (!existsSync(path) || statSync(path).size <= fullCheckBytes || existsSync(checkRequestPath(dataDir))) return true
  return companions.some((ending) => existsSync(path + ending))
}

function checkRequestPath(dataDir: string): string {
  return join(dataDir, 'check.demanded')
}

/** A snapshot turned out broken, and so is what it is a copy of: the next start looks at all of it. */
function requestCheck(dataDir: string): void {
  writeFileSync(checkRequestPath(dataDir), '', { mode: 0o600 })
}

/** The journal; one that is broken is set aside for a new one, which is enough while the database is whole. */
function openJournal(dataDir: string, besideDatabase: boolean, aside: string): Journal {
  const path = join(dataDir, 'journal.db')
  let journal: Journal | null = null
  try {
    journal = new Journal(path, besideDatabase)
    if (!needsCheck(path, dataDir) || journal.fault() === null) return journal
  } catch (error) {
    if (!isBroken(error)) {
      journal?.close()
      throw error
    }
  }
  journal?.close()
  setAside(path, aside, 'journal.db')
  return new Journal(path, true)
}

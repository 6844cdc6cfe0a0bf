import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { AppError } from '../../../../shared/domain/errors.ts'
import { flushFolder } from '../../../system/flush-folder.ts'
import { lockFolder } from '../../../system/folder-lock.ts'
import { makeDatabasePrivate } from '../../../system/private-files.ts'
import { changesOf } from '../open.ts'
import type { Database } from '../open.ts'
import type { Journal } from './journal.ts'
import { asideFolder, removeDatabase, setAside } from './recovery.ts'

/** The file system's own number of what has this name now, which stays with a file that is renamed; null for none. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}

const databases = ['sheaf.db', 'journal.db'] as const
type Name = (typeof databases)[number] | 'instance.lock'

/**
 * The files of the data folder that this run has open. Somebody may delete, move or replace them meanwhile: SQLite goes
 * on writing into files that no start finds again, and what is sent then would be sent once more.
 */
export class DataFiles {
  readonly #dataDir: string
  readonly #db: Database
  readonly #journal: Journal
  readonly #now: () => number
  /** The identity of each path; null for a log that no database has needed yet. */
  readonly #opened: Map<string, string | null>
  /** The databases that were put back, by their path. */
  readonly #copies = new Map<string, string | null>()
  #lock: Sqlite.Database | null = null
  #puttingBack: Promise<void> | null = null
  /** What the copies hold: changes of this run. */
  #changesCopied = -1

  /** `now`: epoch ms. To be made once both databases are open. */
  constructor(dataDir: string, db: Database, journal: Journal, now: () => number) {
    this.#dataDir = dataDir
    this.#db = db
    this.#journal = journal
    this.#now = now
    const paths = ['instance.lock', ...databases.flatMap((name) => [name, `${name}-wal`])].map((name) => this.#at(name))
    this.#opened = new Map(paths.map((path) => [path, identityOf(path)]))
  }

  /**
   * True while each name leads to what was opened under it. A log that was not there yet is opened by its name when its
   * database first needs it: what is seen then, beside files that are all in place, is what was opened.
   */
  get areInPlace(): boolean {
    const found = [...this.#opened.keys()].map((path) => [path, identityOf(path)] as const)
    const areInPlace = found.every(([path, identity]) => (this.#opened.get(path) ?? identity) === identity)
    if (areInPlace) for (const [path, identity] of found) this.#opened.set(path, identity)
    return areInPlace
  }

  /** Throws `storage_moved` while they are not in place, and begins to put them back. */
  requireInPlace(): void {
    if (this.areInPlace) return
    // What cannot be put back now is tried again with the next question.
    this.#puttingBack ??= this.#putBack()
      .catch(() => undefined)
      .finally(() => (this.#puttingBack = null))
    throw new AppError('storage_moved')
  }

  /** At the end of a run: puts back what is not there yet, and lets go of the folder that it is in. */
  async close(): Promise<void> {
    await this.#puttingBack
    // The end of a run counts a generation, which is no change.
    this.#changesCopied = -1
    // A disk that takes nothing is no reason not to end.
    if (!this.areInPlace) await this.#putBack().catch(() => undefined)
    this.#lock?.close()
  }

  /**
   * Copies what this run knows to where the next start looks for it, so that nothing is sent twice. A database that
   * somebody put there stays, and ours is set aside: the next start finds it to be earlier than the journal, and asks
   * (`recoverEarlier`). Throws `already_running` where another process has the folder by now.
   */
  async #putBack(): Promise<void> {
    const changes = changesOf(this.#db) + this.#journal.changes
    if (changes === this.#changesCopied) return
    mkdirSync(this.#dataDir, { recursive: true, mode: 0o700 })
    if (!this.#isOpen('instance.lock')) this.#lock ??= lockFolder(this.#dataDir)
    const aside = asideFolder(this.#dataDir, this.#now())
    const isReplaced = existsSync(this.#at('sheaf.db')) && !this.#isOpen('sheaf.db') && !this.#isCopy('sheaf.db')
    if (isReplaced) {
      mkdirSync(aside, { recursive: true, mode: 0o700 })
      makeDatabasePrivate(join(aside, 'sheaf.db'))
      await this.#db.backup(join(aside, 'sheaf.db'))
    } else await this.#copy('sheaf.db', aside, (path) => this.#db.backup(path))
    await this.#copy('journal.db', aside, (path) => this.#journal.copyTo(path))
    this.#changesCopied = changes
  }

  async #copy(name: Name, aside: string, copyTo: (path: string) => Promise<unknown>): Promise<void> {
    if (this.#isOpen(name)) return
    const path = this.#at(name)
    const partial = `${path}.partial`
    removeDatabase(partial)
    makeDatabasePrivate(partial)
    await copyTo(partial)
    // Somebody may have put it back meanwhile.
    if (this.#isOpen(name)) return removeDatabase(partial)
    // Also a log that lies there alone: it would be taken for that of the copy.
    if (!this.#isCopy(name)) setAside(path, aside, name)
    renameSync(partial, path)
    await flushFolder(this.#dataDir)
    this.#copies.set(path, identityOf(path))
  }

  /** The file under this name, and its log, are those that were opened. */
  #isOpen(name: Name): boolean {
    return [name, `${name}-wal`].every((each) => {
      const path = this.#at(each)
      const opened = this.#opened.get(path) ?? null
      return opened === null || identityOf(path) === opened
    })
  }

  #isCopy(name: Name): boolean {
    const path = this.#at(name)
    return existsSync(path) && identityOf(path) === this.#copies.get(path)
  }

  #at(name: string): string {
    return join(this.#dataDir, name)
  }
}

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, statfsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StorageState } from '../../../../shared/contract/storage.ts'
import { AppError } from '../../../../shared/domain/errors.ts'
import { makePrivate } from '../../../system/private-files.ts'
import type { CopyOutcome, CopyTask } from './snapshot-thread.ts'

type SnapshotKind = StorageState['snapshots'][number]['kind']

export type Snapshot = { name: string; path: string; kind: SnapshotKind; at: number; sizeBytes: number }

/** So many of each kind are kept. */
const keep: Record<SnapshotKind, number> = { hourly: 7, manual: 7, migration: 2 }

/** A number that goes up whatever the clock does, the kind, and the time as it was then. */
const nameShape = /^(\d{6,})-(hourly|manual|before-migration-\d+)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)\.db$/

/** Room for the work itself that a snapshot leaves on the disk: one that nobody asked for, and any. */
const roomToLeaveBytes = { hourly: 1024 ** 3, other: 16 * 1024 * 1024 }

/** How much fits on the disk of a folder. */
export type FreeBytes = (folder: string) => number

/** Where a disk does not say, whoever writes to it finds out. */
export const freeOnDisk: FreeBytes = (folder) => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

/** The folder of snapshots. What has its final name was checked when it was made. */
export class Snapshots {
  readonly #folder: string
  readonly #threadPath: string
  readonly #freeBytes: FreeBytes
  #running: Worker | null = null
  #closed = false

  constructor(dataDir: string, threadPath: string, freeBytes: FreeBytes = freeOnDisk) {
    this.#folder = join(dataDir, 'backups')
    this.#threadPath = threadPath
    this.#freeBytes = freeBytes
  }

  /** Newest first. What else lies in the folder is not looked at. */
  list(): Snapshot[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(this.#folder)
      .flatMap((name) => {
        const [, number, kind, time] = nameShape.exec(name) ?? []
        if (number === undefined || kind === undefined || time === undefined) return []
        const path = join(this.#folder, name)
        const at = Date.parse(time.replace(/T(\d\d)-(\d\d)-(\d\d)/, 'T$1:$2:$3'))
        return [{ name, path, kind: kindOf(kind), at, sizeBytes: statSync(path).size, number: Number(number) }]
      })
      .sort((a, b) => b.number - a.number)
      .map(({ number: _number, ...snapshot }) => snapshot)
  }

  /**
   * Copies the database at `from` into the folder, in a thread of its own, and checks the copy. `label` is the kind, or
   * `before-migration-N`. Returns its name; `broken` when what was copied is; `stopped` after `close`. An hourly one
   * that says nothing else than `last` is not kept: then the name is that of `last`. Throws `storage_full`, also when
   * the copy would leave no room for the work; nothing of it is left then. Older hourly ones make way for an hourly one
   * where that is enough.
   */
  async make(
    from: string,
    label: string,
    now: number,
    last: Snapshot | null = null,
  ): Promise<{ name: string } | 'broken' | 'stopped'> {
    if (this.#closed) return 'stopped'
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#requireRoom(from, label)
    const highest = Number(this.list()[0]?.name.split('-')[0] ?? 0)
    const time = new Date(now).toISOString().replace(/:/g, '-')
    const to = join(this.#folder, `${String(highest + 1).padStart(6, '0')}-${label}-${time}.db`)
    const outcome = await this.#copy({ from, to, last: last?.path ?? null })
    if (outcome === 'stopped') return 'stopped'
    if (outcome.kind === 'same') return { name: last!.name }
    if (outcome.kind === 'broken') return 'broken'
    if (outcome.kind === 'failed') {
      if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(outcome.code)) throw new AppError('storage_full')
      throw new AppError('internal', { detail: `the snapshot was not made: ${outcome.code}` })
    }
    return { name: basename(to) }
  }

  /**
   * Deletes what is more than is kept of each kind, and what was left of copies that were broken off. What is kept is
   * closed to others.
   */
  tidy(): void {
    const counted: Record<SnapshotKind, number> = { hourly: 0, manual: 0, migration: 0 }
    for (const { path, kind } of this.list()) {
      counted[kind] += 1
      if (counted[kind] > keep[kind]) rmSync(path, { force: true })
      else makePrivate(path)
    }
    if (this.#running !== null || !existsSync(this.#folder)) return
    for (const name of readdirSync(this.#folder))
      if (/\.partial(-journal|-wal|-shm)?$/.test(name)) rmSync(join(this.#folder, name), { force: true })
  }

  /** Breaks off a copy under way; what there is of it is deleted at the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running?.terminate()
  }

  async #copy(task: CopyTask): Promise<CopyOutcome | 'stopped'> {
    const worker = new Worker(this.#threadPath, { workerData: task, execArgv: [] })
    this.#running = worker
    try {
      return await new Promise<CopyOutcome | 'stopped'>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () => resolve('stopped'))
      })
    } finally {
      this.#running = null
    }
  }

  #requireRoom(from: string, label: string): void {
    const wal = `${from}-wal`
    const needed = statSync(from).size + (existsSync(wal) ? statSync(wal).size : 0)
    const toLeave =
      label === 'hourly' ? Math.max(roomToLeaveBytes.hourly, needed) : Math.min(roomToLeaveBytes.other, needed)
    const missing = (): number => needed + toLeave - this.#freeBytes(this.#folder)
    // The newest one stays until the next is there.
    const older =
      label === 'hourly'
        ? this.list()
            .filter(({ kind }) => kind === 'hourly')
            .slice(1)
        : []
    const yields = (): number => older.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (let bytes = missing(); bytes > 0; bytes = missing()) {
      // What would not be enough makes way for nothing.
      if (yields() < bytes) throw new AppError('storage_full')
      rmSync(older.pop()!.path, { force: true })
    }
  }
}

function kindOf(label: string): SnapshotKind {
  return label === 'hourly' || label === 'manual' ? label : 'migration'
}

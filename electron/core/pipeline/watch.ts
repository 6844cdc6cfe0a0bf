// enters: a directory, and hints that something in it changed
// leaves: each quiet file, once for each version of it, handed to intake
import { setImmediate } from 'node:timers/promises'
import type { Stats } from 'node:fs'
import { watch } from 'chokidar'
import type { FSWatcher } from 'chokidar'
import { EarliestTimer } from '../scheduling.ts'
import type { FileAccess } from '../files/file-access.ts'
import { noAnswerCode } from '../files/file-limits.ts'
import { codeOf } from '../files/move-file.ts'
import type { Timings } from '../timings.ts'
import type { Candidate } from './files/file-rules.ts'
import { askAll, valueOf } from './files/file-tasks.ts'
import { batchesBelow } from './files/list-files.ts'

const sweepWhilePendingMs = 400
const hintDelayMs = 60
/** So many files are taken in together. */
const takeBatch = 100

export type WatchOptions = {
  path: string
  includeSubfolders: boolean
  files: FileAccess
  timings: Pick<Timings, 'quietMs' | 'longQuietMs' | 'sweepIntervalMs'>
  /** The versions that places are known by: their documents', or those of files that were there before the folder. */
  known: (paths: string[]) => ReadonlyMap<string, KnownVersion>
  /** Called for each file that lies in a known place, whatever version of it. */
  onPresent: (candidate: Candidate, version: KnownVersion) => void
  /** Files and directories that are not even looked at. */
  ignores: (path: string) => boolean
  /** Names of files that the folder does not want. */
  isLeftOut: (name: string) => boolean
  /** Called with some at a time, in the order of names. Once `ended` is aborted nothing is taken any more. */
  take: (candidates: Candidate[], ended: AbortSignal) => Promise<void>
  onOnline: (online: boolean) => void
  /** How many files the folder does not want is another number. */
  onLeftOut: () => void
  /** Whether files are on their way into the list is another answer. */
  onArriving: () => void
  /** A sweep that could not be finished. */
  onTrouble: (error: unknown) => void
  /** The clock of files, epoch ms; time that passes is measured by another one, which nobody can set. */
  now: () => number
}

type KnownVersion = { sizeBytes: number; mtimeMs: number } & (
  | { id: number; archivedAs: 'done' | 'failed' | 'left' | null }
  | { archivedAs?: undefined }
)

type Compared = { isWhole: boolean; takingMs: number }
const notListed: Compared = { isWhole: false, takingMs: 0 }

/** When a sweep began, by the clock of files and by ours. */
type SweptAt = { files: number; ours: number }

type Observation = { sizeBytes: number; mtimeMs: number; since: number }

/** Events are hints, sweeps are truth: whatever an event missed, the next sweep finds. */
export class FolderWatcher {
  readonly #options: WatchOptions
  readonly #observations = new Map<string, Observation>()
  #fsWatcher: FSWatcher | null = null
  /** Which directory the hints are about, by device and inode: another one may have taken its name. */
  #watchedRoot: string | null = null
  readonly #timer = new EarliestTimer(() => {
    // What changed while a sweep is under way may lie behind it: look again afterwards.
    if (this.#sweeping === null) void this.sweep()
    else void this.#sweeping.then(() => this.sweep())
  })
  #sweeping: Promise<void> | null = null
  readonly #ended = new AbortController()
  #online: boolean | null = null
  #leftOut = 0
  /** Until it was looked once nobody knows that there are none. */
  #arriving = true

  constructor(options: WatchOptions) {
    this.#options = options
  }

  get online(): boolean {
    return this.#online ?? true
  }

  /** How many files the last sweep left out by their names. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** Files were found that are not taken in yet, or nobody has looked yet. */
  get arriving(): boolean {
    return this.#arriving && this.online
  }

  start(): void {
    void this.sweep()
  }

  #listen(): void {
    const { path, ignores } = this.#options
    // Directories only: one handle each, not one for every file. The `raw` event is the hint.
    this.#fsWatcher = watch(path, {
      ignored: (below, stats) => (stats !== undefined && !stats.isDirectory()) || ignores(below),
      ignoreInitial: true,
      followSymlinks: false,
      ...(this.#options.includeSubfolders ? {} : { depth: 0 }),
    })
    this.#fsWatcher.on('raw', () => this.#schedule(hintDelayMs))
    this.#fsWatcher.on('all', () => this.#schedule(hintDelayMs))
    // What came before the hints were set up was announced to nobody.
    this.#fsWatcher.on('ready', () => this.#schedule(0))
    // A watcher that fails is no loss: the sweeps go on.
    this.#fsWatcher.on('error', () => undefined)
  }

  get #stopped(): boolean {
    return this.#ended.signal.aborted
  }

  /** A sweep that is under way is not waited for, since its share may not answer; it has no effect any more. */
  async stop(): Promise<void> {
    this.#ended.abort()
    this.#timer.clear()
    await this.#fsWatcher?.close()
  }

  /** Compares the folder with what is known and hands over what is quiet. Resolves when that is done. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  /** True when no sweep is under way and no file is waiting to become quiet. */
  get isIdle(): boolean {
    return this.#observations.size === 0 && this.#sweeping === null
  }

  #schedule(delayMs: number): void {
    if (!this.#stopped) this.#timer.within(delayMs)
  }

  async #sweep(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    let takingMs = 0
    try {
      const { files, path, includeSubfolders, ignores, onLeftOut } = this.#options
      // A quick question first: a listing may take long on a share that answers.
      const root = await files.stat(path).catch(() => null)
      let leftOut = 0
      const isLeftOut = (name: string): boolean => {
        const isOut = this.#options.isLeftOut(name)
        if (isOut) leftOut += 1
        return isOut
      }
      const listing = batchesBelow(files, path, { recursive: includeSubfolders, ignores, isLeftOut })
      // Of a folder that was out of reach nothing is taken until all of it is there again.
      const compared =
        root === null ? notListed : await this.#compare(this.#online === false ? await allOf(listing) : listing)
      takingMs = compared.takingMs
      const { isWhole } = compared
      if (this.#stopped) return
      if (isWhole && leftOut !== this.#leftOut) {
        this.#leftOut = leftOut
        onLeftOut()
      }
      if (root !== null && isWhole) await this.#followRoot(root)
      this.#setOnline(isWhole)
    } catch (error) {
      if (this.#stopped) return
      if (codeOf(error) === noAnswerCode) this.#setOnline(false)
      // A full disk, above all. What was not taken is found again by the next sweep.
      else this.#options.onTrouble(error)
    }
    this.#setArriving(this.#observations.size > 0)
    // Taking files in is work that has to be done anyway; only looking is to be rare beside what it costs.
    const tookMs = performance.now() - startedAt - takingMs
    const { quietMs, sweepIntervalMs } = this.#options.timings
    this.#schedule(
      this.#observations.size > 0 ? Math.max(Math.min(sweepWhilePendingMs, quietMs), tookMs * 4) : sweepIntervalMs,
    )
  }

  /** The operating system's hints stay with a directory that was renamed, and know nothing of the one in its place. */
  async #followRoot({ dev, ino }: Stats): Promise<void> {
    const root = `${dev}:${ino}`
    if (root === this.#watchedRoot) return
    this.#watchedRoot = root
    const before = this.#fsWatcher
    this.#listen()
    await before?.close()
  }

  /** Whether all of the folder could be listed, and how long the taking of what is quiet took, in ms. */
  async #compare(listing: AsyncIterable<Candidate[] | null> | Iterable<Candidate[] | null>): Promise<Compared> {
    let takingMs = 0
    const take = async (candidates: Candidate[]): Promise<void> => {
      const begunAt = performance.now()
      await this.#options.take(candidates, this.#ended.signal)
      takingMs += performance.now() - begunAt
    }
    // One instant for all of them: if the sweep is held up halfway, a younger file must not overtake an older one.
    const sweptAt = { files: this.#options.now(), ours: performance.now() }
    const present = new Set<string>()
    const quiet: Candidate[] = []
    for await (const batch of listing) {
      await setImmediate()
      if (this.#stopped || batch === null) return { isWhole: false, takingMs }
      const unknown = this.#unknownOf(batch)
      const looks = unknown.length === 0 ? [] : await this.#look(unknown, sweptAt)
      if (this.#stopped) return { isWhole: false, takingMs }
      for (const { candidate, isQuiet } of looks) {
        present.add(candidate.path)
        if (!isQuiet) continue
        this.#observations.delete(candidate.path)
        if (quiet.push(candidate) >= takeBatch) await take(quiet.splice(0))
      }
    }
    if (quiet.length > 0) await take(quiet)
    for (const path of this.#observations.keys()) if (!present.has(path)) this.#observations.delete(path)
    return { isWhole: true, takingMs }
  }

  #unknownOf(listed: readonly Candidate[]): Candidate[] {
    const known = this.#options.known(listed.map(({ path }) => path))
    return listed.filter((candidate) => !this.#recognise(candidate, known.get(candidate.path)))
  }

  /** Files that their places are not known by, and whether they are quiet; without those gone, or known after all. */
  async #look(listed: readonly Candidate[], sweptAt: SweptAt): Promise<{ candidate: Candidate; isQuiet: boolean }[]> {
    const { files } = this.#options
    // They may be gone since they were listed: Sheaf itself moves files away.
    const found = (await askAll(files, 'stat', listed)).map(valueOf).filter((candidate) => candidate !== null)
    if (this.#stopped) return []
    const unknown = this.#unknownOf(found)
    if (unknown.length > 0) this.#setArriving(true)
    const looks = unknown.map((candidate) => ({ candidate, quiet: this.#quietOf(candidate, sweptAt) }))
    const still = looks.filter(({ quiet }) => quiet === 'if complete')
    const complete = await askAll(
      files,
      'isComplete',
      still.map(({ candidate }) => candidate),
    )
    const whole = new Set(still.flatMap(({ candidate }, at) => (valueOf(complete[at]!) ? candidate : [])))
    return looks.map(({ candidate, quiet }) => ({ candidate, isQuiet: quiet === 'yes' || whole.has(candidate) }))
  }

  /** Whether a file is the version that its place is known by; its being there is reported either way. */
  #recognise(candidate: Candidate, version: KnownVersion | undefined): boolean {
    if (version === undefined) return false
    this.#options.onPresent(candidate, version)
    // Where the directory entry is out of reach for now, the version that was taken in last stands.
    return (
      candidate.unreadable !== undefined ||
      (version.sizeBytes === candidate.sizeBytes && version.mtimeMs === candidate.mtimeMs)
    )
  }

  #quietOf(candidate: Candidate, sweptAt: SweptAt): 'yes' | 'no' | 'if complete' {
    if (candidate.type !== 'file') return 'yes'
    if (candidate.unreadable === noAnswerCode) return 'no'
    const { quietMs, longQuietMs } = this.#options.timings
    const seen = this.#observations.get(candidate.path)
    const same = seen !== undefined && seen.sizeBytes === candidate.sizeBytes && seen.mtimeMs === candidate.mtimeMs
    const observation = same
      ? seen
      : { sizeBytes: candidate.sizeBytes, mtimeMs: candidate.mtimeMs, since: performance.now() }
    this.#observations.set(candidate.path, observation)
    const watchedForMs = Math.max(0, sweptAt.ours - observation.since)
    if (watchedForMs >= longQuietMs) return 'yes'
    if (candidate.unreadable !== undefined) return watchedForMs >= quietMs ? 'yes' : 'no'
    // What was written long ago is quiet at first sight, if it is whole: the clock of a share can be behind ours.
    return Math.max(watchedForMs, sweptAt.files - candidate.changedAt) >= quietMs ? 'if complete' : 'no'
  }

  #setArriving(arriving: boolean): void {
    if (this.#arriving === arriving) return
    this.#arriving = arriving
    this.#options.onArriving()
  }

  #setOnline(online: boolean): void {
    if (this.#online === online) return
    this.#online = online
    this.#options.onOnline(online)
  }
}

/** All batches of a listing, or none where it is not whole. */
async function allOf(listing: AsyncIterable<Candidate[] | null>): Promise<(Candidate[] | null)[]> {
  const batches: (Candidate[] | null)[] = []
  for await (const batch of listing) {
    if (batch === null) return [null]
    batches.push(batch)
  }
  return batches
}

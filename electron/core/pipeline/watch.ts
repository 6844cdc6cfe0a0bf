// enters: a directory, and hints that something in it changed
// leaves: each file that lies still, once for each version of it, handed to intake
import { open, readdir, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import type { FSWatcher } from 'chokidar'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../shared/limits.ts'
import { candidateAt } from './intake.ts'
import type { Candidate } from './intake.ts'

/** A file whose end looks right is taken after this time without a change. */
const quietMs = 1000
/** One whose end does not (still being copied, or damaged) is given longer: slow copies pause for seconds. */
const longQuietMs = 12_000
const sweepWhilePendingMs = 400
const hintDelayMs = 60
const patrolMs = 30_000

export type Known = ReadonlyMap<string, { sizeBytes: number; mtimeMs: number }>

export type WatchOptions = {
  path: string
  includeSubfolders: boolean
  /** Versions that have their job already; asked at every sweep. */
  known: () => Known
  /** Paths that are not even looked at. */
  ignores?: (path: string) => boolean
  /** Called one at a time, in the order of names. */
  take: (candidate: Candidate) => Promise<void>
  onOnline: (online: boolean) => void
  /** A sweep that could not be finished. */
  onTrouble: (error: unknown) => void
  now: () => number
}

type Sighting = { sizeBytes: number; mtimeMs: number; since: number }

/** Events are hints, sweeps are truth: whatever an event missed, the next sweep finds. */
export class FolderWatcher {
  readonly #options: WatchOptions
  readonly #sightings = new Map<string, Sighting>()
  #hints: FSWatcher | null = null
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0
  #sweeping: Promise<void> | null = null
  #stopped = false
  #online: boolean | null = null

  constructor(options: WatchOptions) {
    this.#options = options
  }

  get online(): boolean {
    return this.#online ?? true
  }

  start(): void {
    // Directories only: one handle each, not one for every file. The `raw` event is the hint.
    this.#hints = watch(this.#options.path, {
      ignored: (_path, stats) => stats !== undefined && !stats.isDirectory(),
      ignoreInitial: true,
      followSymlinks: false,
      ...(this.#options.includeSubfolders ? {} : { depth: 0 }),
    })
    this.#hints.on('raw', () => this.#schedule(hintDelayMs))
    this.#hints.on('all', () => this.#schedule(hintDelayMs))
    // What came before the hints were set up was announced to nobody.
    this.#hints.on('ready', () => this.#schedule(0))
    // A watcher that fails is no loss: the patrol goes on.
    this.#hints.on('error', () => undefined)
    void this.sweep()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#hints?.close()
    await this.#sweeping
  }

  /** Compares the folder with what is known and hands over what lies still. Resolves when that is done. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = null
    })
    return this.#sweeping
  }

  /** True when no file is waiting to lie still. */
  get settled(): boolean {
    return this.#sightings.size === 0 && this.#sweeping === null
  }

  /** The earliest wish wins: a patrol far away must not put off a hint that came during the sweep. */
  #schedule(delayMs: number): void {
    if (this.#stopped) return
    const dueAt = this.#options.now() + delayMs
    if (this.#timer !== null && this.#dueAt <= dueAt) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#timer = null
      // What changed while a sweep is under way may lie behind it: look again afterwards.
      if (this.#sweeping === null) void this.sweep()
      else void this.#sweeping.then(() => this.sweep())
    }, delayMs)
  }

  async #sweep(): Promise<void> {
    if (this.#stopped) return
    const startedAt = this.#options.now()
    try {
      const found = await filesBelow(this.#options.path, this.#options.includeSubfolders)
      this.#setOnline(found !== null)
      if (found !== null && !this.#stopped) await this.#compare(found)
    } catch (error) {
      // A full disk, above all. What was not taken is found again by the next sweep.
      this.#options.onTrouble(error)
    }
    const tookMs = this.#options.now() - startedAt
    this.#schedule(this.#sightings.size > 0 ? Math.max(sweepWhilePendingMs, tookMs * 4) : patrolMs)
  }

  async #compare(found: Candidate[]): Promise<void> {
    const known = this.#options.known()
    const present = new Set<string>()
    for (const candidate of found) {
      if (this.#stopped) return
      if (this.#options.ignores?.(candidate.path) === true) continue
      const version = known.get(candidate.path)
      if (version !== undefined && version.sizeBytes === candidate.sizeBytes && version.mtimeMs === candidate.mtimeMs) {
        this.#sightings.delete(candidate.path)
        continue
      }
      present.add(candidate.path)
      if (await this.#liesStill(candidate)) {
        this.#sightings.delete(candidate.path)
        await this.#options.take(candidate)
      }
    }
    for (const path of this.#sightings.keys()) if (!present.has(path)) this.#sightings.delete(path)
  }

  async #liesStill(candidate: Candidate): Promise<boolean> {
    if (candidate.type !== 'file') return true
    const now = this.#options.now()
    const seen = this.#sightings.get(candidate.path)
    const same = seen !== undefined && seen.sizeBytes === candidate.sizeBytes && seen.mtimeMs === candidate.mtimeMs
    const sighting = same ? seen : { sizeBytes: candidate.sizeBytes, mtimeMs: candidate.mtimeMs, since: now }
    this.#sightings.set(candidate.path, sighting)
    const watchedForMs = now - sighting.since
    if (watchedForMs >= longQuietMs) return true
    // What was written long ago is quiet at first sight, if it is whole: the clock of a share can be behind ours.
    return Math.max(watchedForMs, now - candidate.changedAt) >= quietMs && looksComplete(candidate)
  }

  #setOnline(online: boolean): void {
    if (this.#online === online) return
    this.#online = online
    this.#options.onOnline(online)
  }
}

/**
 * Everything below a directory except directories themselves, sorted by path; links are listed, never followed.
 * Null when the directory cannot be listed: it is offline, and nothing in it is taken for deleted.
 */
export async function filesBelow(root: string, recursive: boolean): Promise<Candidate[] | null> {
  const found: Candidate[] = []
  const directories = [root]
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    let entries
    try {
      entries = await readdir(directory, { withFileTypes: true })
    } catch {
      if (directory === root) return null
      continue
    }
    for (const entry of entries) {
      const path = join(directory, entry.name)
      if (entry.isDirectory()) {
        if (recursive && !entry.name.startsWith('.')) directories.push(path)
        continue
      }
      const stats = await lstat(path).catch(() => null)
      if (stats !== null) found.push(candidateAt(path, stats))
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

const tailBytes = 66_000
/** What the end of a whole file holds, by kind: ISO 32000-1 7.5.5, PNG 11.2.5, JPEG EOI, ZIP end of central directory. */
const endings = {
  pdf: Buffer.from('%%EOF'),
  png: Buffer.from('IEND'),
  jpeg: Buffer.from([0xff, 0xd9]),
  docx: Buffer.from([0x50, 0x4b, 0x05, 0x06]),
  xlsx: Buffer.from([0x50, 0x4b, 0x05, 0x06]),
}
const endingWithin = { pdf: 2048, png: 64, jpeg: 4096, docx: tailBytes, xlsx: tailBytes }

/** True when the file ends as its kind does. A preallocated or half-copied file does not. */
async function looksComplete({ path, sizeBytes }: Candidate): Promise<boolean> {
  if (sizeBytes === 0) return false
  const kind = supportedExtensions[extensionOf(path)]
  if (kind === undefined || sizeBytes > maxFileBytes) return true
  try {
    const handle = await open(path, 'r')
    try {
      const length = Math.min(endingWithin[kind], sizeBytes)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, sizeBytes - length)
      return buffer.subarray(0, bytesRead).includes(endings[kind])
    } finally {
      await handle.close()
    }
  } catch {
    // Not readable for now: intake says so.
    return true
  }
}

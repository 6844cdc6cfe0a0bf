// enters: a document whose outcome is known, in a folder that moves its files
// leaves: its file in `Done` or `Failed` of that folder, never over another one, and its new path
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { EventPayload } from '../../../shared/contract.ts'
import type { ErrorReason } from '../../../shared/error-reason.ts'
import { AppError } from '../../../shared/errors.ts'
import { temporaryName } from '../../../shared/file-name.ts'
import type { Folder } from '../db/folders.ts'
import type { Job } from '../db/jobs.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { EarliestTimer } from '../platform/earliest-timer.ts'
import { nameWith } from '../platform/file-names.ts'
import { codeOf, moveFile, statOf } from '../platform/move-file.ts'
import { readThrough } from '../platform/read-through.ts'
import type { Context } from './context.ts'
import { notePlace, removeNote, writeNote } from './failed-note.ts'

type FiledAs = 'done' | 'failed'

const outcomeFolders: Record<FiledAs, string> = { done: 'Done', failed: 'Failed' }

const gatherMs = 100
const pageLength = 200
/** After so many refusals one after the other it is the folder that cannot be written, not a file that is held. */
const refusalsInARow = 5
const mostNumbers = 10_000

/** `left`: there is nothing to move, now or later; `taken`: another file lies where it was to go. */
type Ended = 'filed' | 'left' | 'later' | 'taken'

type Waiting = { tries: number; dueAt: number }
type FolderState = {
  /** Files that could not be moved, by job, and when that is due again. */
  waiting: Map<number, Waiting>
  /** Nothing is tried before. */
  blockedUntil: number
  tries: number
  refusals: number
  problem: ErrorReason | null
}

/** True for `Done` and `Failed` directly in a folder, in any case of letters, and for what lies in them. Pure. */
export function isOutcomePlace(folderPath: string, path: string): boolean {
  const [top] = relative(folderPath, path).split(sep)
  return Object.values(outcomeFolders).some((name) => name.toLowerCase() === top?.toLowerCase())
}

/**
 * Moves files of folders that say so once their outcome is known. Where a file goes is committed before it moves, and where
 * it lies after it, so that a start finishes what was begun. What fails is tried again and touches no outcome.
 */
export class FileAway {
  readonly #context: Context
  readonly #onMoved: () => void
  readonly #states = new Map<number, FolderState>()
  /** Documents that failed again: the note beside them is about the time before. */
  readonly #notes = new Set<number>()
  readonly #timer = new EarliestTimer(() => {
    const before = this.#passing ?? Promise.resolve()
    this.#passing = before.then(() => this.#pass())
  })
  #passing: Promise<void> | null = null
  #stopped = false
  #started = false

  /** `onMoved`: a document that waited for its file to arrive may go on. */
  constructor(context: Context, onMoved: () => void) {
    this.#context = context
    this.#onMoved = onMoved
  }

  /** Finishes what an earlier process began, then goes on. */
  start(): void {
    this.#started = true
    this.#schedule(0)
  }

  /** Why a file of a folder could not be moved, `move_failed` or `failed_not_moved`, or its note not be renewed, `failed_note_stale`; null when none waits. */
  problemOf(folderId: number): ErrorReason | null {
    return this.#states.get(folderId)?.problem ?? null
  }

  /** A job changed: its file may have to move. */
  changed({ id, status }: EventPayload<'job.changed'>): void {
    if (!this.#started || status === 'queued' || status === 'submitting') return
    if (status === 'failed') this.#notes.add(id)
    this.#schedule(gatherMs)
  }

  /** What was out of reach is back: nothing waits for its time. */
  retryNow(): void {
    for (const state of this.#states.values()) {
      state.blockedUntil = 0
      for (const waiting of state.waiting.values()) waiting.dueAt = 0
    }
    this.#schedule(gatherMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer.clear()
    // A share may not answer: what it is asked for is finished at the next start.
    const limit = new AbortController()
    const waited = delay(this.#context.timings.fileAccessMs, null, { signal: limit.signal }).catch(() => null)
    await Promise.race([this.#passing, waited])
    limit.abort()
  }

  #schedule(delayMs: number): void {
    if (!this.#stopped && this.#started) this.#timer.within(delayMs)
  }

  async #pass(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    const due = this.#waiting().filter(({ at }) => at <= startedAt)
    try {
      const moving = this.#context.tables.places.moving()
      for (const id of moving) await this.#finish(id)
      for (const folder of this.#context.tables.folders.list()) {
        if (folder.kind !== 'watched' || folder.afterwards !== 'move' || folder.paused) this.#forget(folder.id, moving)
        else await this.#fileFolder(folder)
      }
      await this.#renewNotes()
    } catch (error) {
      if (this.#stopped) return
      // The database, above all a full disk: what is under way is finished later.
      if (isStorageTrouble(error)) this.#context.onStorageTrouble(error)
      this.#schedule(this.#context.timings.storageRetryMs)
      return
    }
    // What was due all the time and was not tried is not to be moved any more.
    for (const { state, id, one } of due) if (state.blockedUntil <= startedAt && state.waiting.get(id) === one) this.#settled(state, id)
    // What became due since then was not tried, and is due at once.
    const times = [...this.#waiting().map(({ at }) => at), ...[...this.#states.values()].map((state) => state.blockedUntil)]
    const next = Math.min(...times.filter((at) => at > startedAt))
    if (Number.isFinite(next)) this.#schedule(Math.max(0, next - performance.now()))
  }

  /** Every file that could not be moved, with when it may be tried again. */
  #waiting(): { state: FolderState; id: number; one: Waiting; at: number }[] {
    return [...this.#states.values()].flatMap((state) => [...state.waiting].map(([id, one]) => ({ state, id, one, at: Math.max(one.dueAt, state.blockedUntil) })))
  }

  async #fileFolder(folder: Folder): Promise<void> {
    const { tables, files } = this.#context
    const state = this.#state(folder.id)
    if (state.blockedUntil > performance.now()) return
    // Out of reach as a whole: the folder says so itself, and what is missing in it did not go away.
    const isThere = await files.stat(folder.path).then(() => true, () => false)
    if (!isThere) return this.#block(state)
    for (let after = 0; ; ) {
      const page = tables.places.unfiled(folder.id, after, pageLength)
      const left: number[] = []
      for (const id of page) {
        if (this.#stopped || state.blockedUntil > performance.now()) break
        const job = tables.jobs.get(id)!
        const as = this.#outcomeOf(job)
        if (as === null || (state.waiting.get(id)?.dueAt ?? 0) > performance.now()) continue
        await this.#guarded(folder.id, job, as, async () => {
          const ended = await this.#file(folder, job, as)
          if (ended === 'left') left.push(id)
          return ended
        })
      }
      if (left.length > 0) tables.places.leave(left)
      if (page.length < pageLength || this.#stopped || state.blockedUntil > performance.now()) return
      after = page.at(-1)!
      await setImmediate()
    }
  }

  async #file(folder: Folder, job: Job, as: FiledAs): Promise<Ended> {
    const { tables, files } = this.#context
    const inside = placeWithin(folder, job)
    // What lies there now may be a later version, which has a job of its own.
    if (inside === null || tables.jobs.latestAt(folder.id, job.path)?.id !== job.id) return 'left'
    if (!(await this.#isVersionOf(job, job.path))) return 'left'
    const directory = await this.#directory(folder.path, join(outcomeFolders[as], dirname(inside)))
    for (let number = 1; number <= mostNumbers; number += 1) {
      const to = join(directory, numbered(basename(inside), number))
      const isFree = (await statOf(files, to)) === null && (as === 'done' || (await statOf(files, notePlace(to))) === null)
      if (!isFree) continue
      // A person may have asked for it again in the meantime.
      if (!tables.places.begin(job, to)) return 'later'
      const ended = await this.#move({ ...job, moveTo: to }, as)
      if (ended !== 'taken') return ended
    }
    throw Object.assign(new Error('no free name'), { code: 'EEXIST' })
  }

  /** Goes on with a move that was committed. Where the file lies then is committed too. */
  async #move(job: Job, as: FiledAs): Promise<Ended> {
    const { tables, files, emit } = this.#context
    const to = job.moveTo!
    const ended = await moveFile(files, {
      from: job.path,
      to,
      temporary: join(dirname(to), temporaryName(String(job.id))),
      isIt: (path) => this.#isVersionOf(job, path),
    })
    if (ended !== 'moved') {
      tables.places.abandon(job.id)
      return ended === 'taken' ? 'taken' : 'left'
    }
    if (job.filedAs === 'failed') await removeNote(files, job, job.path)
    if (as === 'failed') await writeNote(this.#context, job, to)
    const mtimeMs = Math.trunc((await files.lstat(to)).mtimeMs)
    tables.places.filed(job.id, to, mtimeMs, as)
    emit('job.changed', { id: job.id, status: tables.jobs.get(job.id)!.status })
    this.#notes.delete(job.id)
    this.#onMoved()
    return 'filed'
  }

  /** A move that was begun, by this process or an earlier one, and is not known to be over. */
  async #finish(id: number): Promise<void> {
    const { tables } = this.#context
    const job = tables.jobs.get(id)
    if (job === null || job.moveTo === null || this.#stopped) return
    const state = this.#state(job.folderId)
    if (Math.max(state.blockedUntil, state.waiting.get(id)?.dueAt ?? 0) > performance.now()) return
    const folder = tables.folders.get(job.folderId)!
    const as = relative(folder.path, job.moveTo).startsWith(outcomeFolders.failed + sep) ? 'failed' : 'done'
    await this.#guarded(folder.id, job, as, async () => {
      // Neither place can be looked at: nothing is known of the file.
      await this.#context.files.stat(folder.path)
      const ended = await this.#move(job, as)
      if (ended === 'left') tables.places.leave([id])
      return ended
    })
  }

  /** Failures of the file system are told on the folder and tried again; those of the database are thrown. */
  async #guarded(folderId: number, job: Job, as: FiledAs, work: () => Promise<Ended>): Promise<Ended | 'refused'> {
    const state = this.#state(folderId)
    try {
      const ended = await work()
      if (ended === 'filed' || ended === 'left') {
        this.#settled(state, job.id)
        state.refusals = 0
        state.tries = 0
      }
      return ended
    } catch (error) {
      if (this.#stopped) return 'refused'
      const detail = codeOf(error)
      if (detail.startsWith('SQLITE_')) throw error
      const tries = (state.waiting.get(job.id)?.tries ?? 0) + 1
      state.waiting.set(job.id, { tries, dueAt: performance.now() + this.#delayAfter(tries) })
      state.refusals += 1
      const code = as === 'done' ? 'move_failed' : 'failed_not_moved'
      const isAboutNote = error instanceof AppError && error.code === 'failed_note_stale'
      this.#tell(state, isAboutNote ? { code: error.code, details: error.details } : { code, details: { file: job.name, folder: outcomeFolders[as], detail } })
      if (state.refusals >= refusalsInARow) this.#block(state)
      return 'refused'
    }
  }

  #settled(state: FolderState, jobId: number): void {
    state.waiting.delete(jobId)
    if (state.waiting.size === 0) this.#tell(state, null)
  }

  #block(state: FolderState): void {
    state.tries += 1
    state.blockedUntil = performance.now() + this.#delayAfter(state.tries)
  }

  #delayAfter(tries: number): number {
    const { firstRetryMs, longestRetryMs } = this.#context.timings
    return Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
  }

  #tell(state: FolderState, problem: ErrorReason | null): void {
    const isNews = JSON.stringify(state.problem) !== JSON.stringify(problem)
    state.problem = problem
    if (isNews) this.#context.emit('folders.changed', {})
  }

  #state(folderId: number): FolderState {
    let state = this.#states.get(folderId)
    if (state === undefined) {
      state = { waiting: new Map(), blockedUntil: 0, tries: 0, refusals: 0, problem: null }
      this.#states.set(folderId, state)
    }
    return state
  }

  /** The folder's files stay from now on, but for those that are on their way. */
  #forget(folderId: number, moving: number[]): void {
    const state = this.#states.get(folderId)
    if (state === undefined) return
    for (const id of state.waiting.keys()) if (!moving.includes(id) && !this.#notes.has(id)) state.waiting.delete(id)
    if (state.waiting.size === 0) this.#tell(state, null)
  }

  /** Null while it is not known, and for a copy of what is not done. */
  #outcomeOf(job: Job): FiledAs | null {
    if (job.status === 'done' || job.status === 'failed') return job.status
    const original = job.originalJobId === null ? null : this.#context.tables.jobs.get(job.originalJobId)
    return original?.status === 'done' ? 'done' : null
  }

  /** Whether what lies at a place is the version that the job is about: by its size and time, else by its content. */
  async #isVersionOf(job: Job, path: string): Promise<boolean> {
    const stats = await statOf(this.#context.files, path)
    if (stats === null || !stats.isFile() || stats.size !== job.sizeBytes) return false
    if (path === job.path && Math.trunc(stats.mtimeMs) === job.mtimeMs) return true
    return job.sha256 !== null && (await readThrough(this.#context.files, path)).sha256.equals(job.sha256)
  }

  /** Made step by step below the folder, which itself is never made; no step is a link to elsewhere. */
  async #directory(root: string, below: string): Promise<string> {
    const { files } = this.#context
    let path = root
    for (const name of below.split(sep).filter((part) => part !== '.')) {
      path = join(path, name)
      await files.mkdir(path).catch((error: unknown) => {
        if (codeOf(error) !== 'EEXIST') throw error
      })
      if (!(await files.lstat(path)).isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    }
    return path
  }

  async #renewNotes(): Promise<void> {
    const { tables } = this.#context
    for (const id of [...this.#notes]) {
      const job = tables.jobs.get(id)
      if (job !== null && (this.#state(job.folderId).waiting.get(id)?.dueAt ?? 0) > performance.now()) continue
      // Before it is written: it may fail once more meanwhile.
      this.#notes.delete(id)
      if (job?.filedAs !== 'failed' || job.status !== 'failed') continue
      const ended = await this.#guarded(job.folderId, job, 'failed', async () => {
        await writeNote(this.#context, job, job.path)
        return 'filed'
      })
      if (ended === 'refused') this.#notes.add(id)
    }
  }
}

/** The place of a job's file below its folder, without a folder of outcomes that Sheaf moved it into; null when it is not ours to move. */
function placeWithin(folder: Folder, job: Job): string | null {
  const inside = relative(folder.path, job.path)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null
  if (!isOutcomePlace(folder.path, job.path)) return inside
  return job.filedAs === null ? null : inside.slice(inside.indexOf(sep) + 1)
}

/** «a.pdf», «a (2).pdf», «a (3).pdf» …, never longer than a name may be. */
function numbered(name: string, number: number): string {
  if (number === 1) return name
  const extension = extname(name)
  return nameWith(name.slice(0, name.length - extension.length), ` (${number})${extension}`)
}

// enters: a document whose outcome is known, in a folder that moves its files
// leaves: its file in `Done` or `Failed` of that folder, never over another one, and its new path; in `Done` it is called
// by its values, where the folder says so
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { EventPayload } from '../../../shared/contract/contract.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { temporaryName, nameWith } from '../files/file-names.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import { EarliestTimer } from '../scheduling.ts'
import { codeOf, moveFile, statOf } from '../files/move-file.ts'
import { isWithin } from '../files/paths.ts'
import { hashFile } from '../files/hash-file.ts'
import type { Context } from './context.ts'
import { notePath, removeNote, writeNote } from './files/failed-note.ts'
import { isInOutcomeFolder, outcomeFolders } from './files/own-files.ts'
import type { ArchivedAs } from './files/own-files.ts'
import { placeByValues } from './files/archive-place.ts'

const startDelayMs = 100
const pageSize = 200
/** After so many refusals one after the other it is the folder that cannot be written, not a file that is held. */
const refusalsInARow = 5
const maxNumbers = 100_000

/**
 * What an attempt on one file came to. `left`: there is nothing to move, now or later; `taken`: another file lies where
 * it was to go; `noted`: only the note beside it was written anew.
 */
type Ended = 'archived' | 'noted' | 'left' | 'later' | 'taken'

type Waiting = { tries: number; dueAt: number }
type FolderState = {
  /** Files that could not be moved, by document, and when that is due again. */
  waiting: Map<number, Waiting>
  /** Nothing is tried before. */
  blockedUntil: number
  tries: number
  refusals: number
  problem: ErrorReason | null
}

/**
 * Moves files of folders that say so once their outcome is known. Where a file goes is committed before it moves, and
 * where it lies after it, so that a start finishes what was begun. What fails is tried again and touches no outcome.
 */
export class Archiver {
  readonly #context: Context
  readonly #onMoved: () => void
  readonly #states = new Map<number, FolderState>()
  /** Documents that failed again: the note beside them is about the time before. */
  readonly #notes = new Set<number>()
  readonly #timer = new EarliestTimer(() => {
    const before = this.#running ?? Promise.resolve()
    this.#running = before.then(() => this.#run())
  })
  #running: Promise<void> | null = null
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

  /**
   * Why a file of a folder could not be moved, `move_failed` or `failed_not_moved`, or its note not be renewed,
   * `failed_note_stale`; null when none waits.
   */
  problemOf(folderId: number): ErrorReason | null {
    return this.#states.get(folderId)?.problem ?? null
  }

  /** A document changed: its file may have to move. */
  changed({ id, status }: EventPayload<'document.changed'>): void {
    if (!this.#started || status === 'queued' || status === 'submitting') return
    if (status === 'failed') this.#notes.add(id)
    this.#schedule(startDelayMs)
  }

  /** What was out of reach is back: nothing waits for its time. */
  retryNow(): void {
    for (const state of this.#states.values()) {
      state.blockedUntil = 0
      for (const waiting of state.waiting.values()) waiting.dueAt = 0
    }
    this.#schedule(startDelayMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer.clear()
    // A share may not answer: what it is asked for is finished at the next start.
    const limit = new AbortController()
    const waited = delay(this.#context.timings.fileAccessMs, null, { signal: limit.signal }).catch(() => null)
    await Promise.race([this.#running, waited])
    limit.abort()
  }

  #schedule(delayMs: number): void {
    if (!this.#stopped && this.#started) this.#timer.within(delayMs)
  }

  async #run(): Promise<void> {
    if (this.#stopped) return
    const startedAt = performance.now()
    const due = this.#waiting().filter(({ at }) => at <= startedAt)
    try {
      const moving = this.#context.tables.places.moving()
      for (const id of moving) await this.#finish(id)
      for (const folder of this.#context.tables.folders.list()) {
        if (!movesItsFiles(folder)) this.#forget(folder.id, moving)
        else {
          await this.#archiveFolder(folder)
          await this.#nameFolder(folder)
        }
      }
      await this.#renewNotes()
    } catch (error) {
      if (this.#stopped) return
      // The database, above all a full disk: what is under way is finished later.
      if (isStorageTrouble(error)) this.#context.onStorageTrouble(error)
      this.#schedule(this.#context.timings.storageRetryMs)
      return
    }
    // A retry that was due when this run began and is as it was then was not tried: nothing asks for that move any
    // more.
    for (const { state, id, one } of due)
      if (state.blockedUntil <= startedAt && state.waiting.get(id) === one) this.#clearRetry(state, id)
    // A retry that became due during this run was not tried either; it is due at once.
    const times = [
      ...this.#waiting().map(({ at }) => at),
      ...[...this.#states.values()].map((state) => state.blockedUntil),
    ]
    const next = Math.min(...times.filter((at) => at > startedAt))
    if (Number.isFinite(next)) this.#schedule(Math.max(0, next - performance.now()))
  }

  /** Every file that could not be moved, with when it may be tried again. */
  #waiting(): { state: FolderState; id: number; one: Waiting; at: number }[] {
    return [...this.#states.values()].flatMap((state) =>
      [...state.waiting].map(([id, one]) => ({ state, id, one, at: Math.max(one.dueAt, state.blockedUntil) })),
    )
  }

  async #archiveFolder(folder: Folder): Promise<void> {
    const { tables, files } = this.#context
    const state = this.#state(folder.id)
    if (state.blockedUntil > performance.now()) return
    // Out of reach as a whole: the folder says so itself, and what is missing in it did not go away.
    const isThere = await files.stat(folder.path).then(
      () => true,
      () => false,
    )
    if (!isThere) return this.#block(state)
    for (let after = 0; ; ) {
      const page = tables.places.unarchived(folder.id, after, pageSize)
      const left: number[] = []
      for (const id of page) {
        if (this.#stopped || state.blockedUntil > performance.now()) break
        const document = tables.documents.get(id)!
        const as = this.#outcomeOf(document)
        if (as === null || (state.waiting.get(id)?.dueAt ?? 0) > performance.now()) continue
        await this.#withRetry(folder.id, document, as, async () => {
          const ended = await this.#archive(folder, document, as)
          if (ended === 'left') left.push(id)
          return ended
        })
      }
      if (left.length > 0) tables.places.leave(left)
      if (page.length < pageSize || this.#stopped || state.blockedUntil > performance.now()) return
      after = page.at(-1)!
      await setImmediate()
    }
  }

  async #archive(folder: Folder, document: StoredDocument, as: ArchivedAs): Promise<Ended> {
    const { tables } = this.#context
    const inside = placeWithin(folder, document)
    // What lies there now may be a later version, which has a document of its own.
    if (inside === null || tables.documents.latestAt(folder.id, document.path)?.id !== document.id) return 'left'
    if (!(await this.#isVersionOf(document, document.path))) return 'left'
    return this.#moveTo(folder, document, as, inside)
  }

  /** Moves a file to a place below a folder of outcomes, or to the first number of it that is free. */
  async #moveTo(folder: Folder, document: StoredDocument, as: ArchivedAs, place: string): Promise<Ended> {
    const { tables, files } = this.#context
    const directory = await this.#directory(folder.path, join(outcomeFolders[as], dirname(place)))
    let names: Set<string> | null = null
    for (let number = 1; number <= maxNumbers; number += 1) {
      const name = numbered(basename(place), number)
      // Many of one name: asked for one by one they would take a person's patience.
      if (number > 1) names ??= new Set((await files.readdir(directory)).map((each) => each.toLowerCase()))
      if (names?.has(name.toLowerCase()) === true) continue
      const to = join(directory, name)
      const isFree =
        (await statOf(files, to)) === null && (as === 'done' || (await statOf(files, notePath(to))) === null)
      if (!isFree) continue
      // A person may have asked for it again in the meantime.
      if (!tables.places.begin(document, to)) return 'later'
      const ended = await this.#move({ ...document, moveTo: to }, as)
      if (ended !== 'taken') return ended
    }
    throw Object.assign(new Error('no free name'), { code: 'EEXIST' })
  }

  /** Calls files in `Done` by their values, or as they were called before. */
  async #nameFolder(folder: Folder): Promise<void> {
    const { archiveNames, documents, folders } = this.#context.tables
    const state = this.#state(folder.id)
    if (archiveNames.due(folder.id, 0, 1).length === 0) return
    // Out of reach, or nothing was archived yet: what is due waits.
    if ((await statOf(this.#context.files, join(folder.path, outcomeFolders.done))) === null) return
    for (let after = 0; ; ) {
      const page = archiveNames.due(folder.id, after, pageSize)
      for (const id of page) {
        if (this.#stopped || state.blockedUntil > performance.now()) return
        if ((state.waiting.get(id)?.dueAt ?? 0) > performance.now()) continue
        // A person may change the rule, or stop it, while thousands are renamed.
        const now = folders.get(folder.id)
        if (now === null || !movesItsFiles(now) || folders.removedAt(folder.id) !== null) return
        const document = documents.get(id)!
        await this.#withRetry(folder.id, document, 'done', () => this.#name(now, document))
      }
      if (page.length < pageSize) return
      after = page.at(-1)!
      await setImmediate()
    }
  }

  /** What was renamed stays due until it is looked at once more: a value may have been corrected meanwhile. */
  async #name(folder: Folder, document: StoredDocument): Promise<Ended> {
    const { archiveNames } = this.#context.tables
    const { archivedAs, inBin, extra } = document
    const inside = archivedAs === 'done' && !inBin && !extra ? placeWithin(folder, document) : null
    const original = archiveNames.originalOf(document.id)
    const wanted = folder.archiveName === '' ? original : this.#placeByValues(folder, document)
    const settled = (): Ended => {
      archiveNames.settle(document.id)
      return 'left'
    }
    if (inside === null || wanted === null || isSamePlace(inside, wanted)) return settled()
    if (!(await this.#isVersionOf(document, document.path))) return settled()
    // Before it moves: an end of the process in between must not lose it.
    archiveNames.keepOriginal(document.id, inside)
    const ended = await this.#moveTo(folder, document, 'done', wanted)
    if (ended === 'left') return settled()
    if (ended === 'archived' && wanted === original) archiveNames.forgetOriginal(document.id)
    if (ended === 'archived') await this.#removeEmpty(join(folder.path, outcomeFolders.done), dirname(document.path))
    return ended
  }

  /** Null while a value is to be checked, or missing: a name that is wrong is worse than an old one. */
  #placeByValues(folder: Folder, document: StoredDocument): string | null {
    const { reviews, results } = this.#context.tables
    const review = reviews.state(document.id)
    if (document.resultId === null || (review !== 'ready' && review !== 'approved')) return null
    const [record = {}] = results.get(document.resultId).records
    return placeByValues(folder.archiveName, record, extname(document.path))
  }

  /** Folders that a file left and that have nothing else in them any more, up to `Done`. */
  async #removeEmpty(done: string, from: string): Promise<void> {
    for (let path = from; path !== done && isWithin(path, done); path = dirname(path)) {
      const isRemoved = await this.#context.files.rmdir(path).then(
        () => true,
        () => false,
      )
      if (!isRemoved) return
    }
  }

  /** Goes on with a move that was committed. Where the file lies then is committed too. */
  async #move(document: StoredDocument, as: ArchivedAs): Promise<Ended> {
    const { tables, files, emit } = this.#context
    const to = document.moveTo!
    const ended = await moveFile(files, {
      from: document.path,
      to,
      temporary: join(dirname(to), temporaryName(String(document.id))),
      isIt: (path) => this.#isVersionOf(document, path),
    })
    if (ended !== 'moved') {
      tables.places.abandon(document.id)
      return ended === 'taken' ? 'taken' : 'left'
    }
    if (document.archivedAs === 'failed') await removeNote(files, document, document.path)
    if (as === 'failed') await writeNote(this.#context, document, to)
    const mtimeMs = Math.trunc((await files.lstat(to)).mtimeMs)
    tables.places.archived(document.id, to, mtimeMs, as)
    emit('document.changed', { id: document.id, status: tables.documents.get(document.id)!.status })
    this.#notes.delete(document.id)
    this.#onMoved()
    return 'archived'
  }

  /** A move that was begun, by this process or an earlier one, and is not known to be over. */
  async #finish(id: number): Promise<void> {
    const { tables } = this.#context
    const document = tables.documents.get(id)
    if (document === null || document.moveTo === null || this.#stopped) return
    const state = this.#state(document.folderId)
    if (Math.max(state.blockedUntil, state.waiting.get(id)?.dueAt ?? 0) > performance.now()) return
    const folder = tables.folders.get(document.folderId)!
    const as = relative(folder.path, document.moveTo).startsWith(outcomeFolders.failed + sep) ? 'failed' : 'done'
    await this.#withRetry(folder.id, document, as, async () => {
      // Neither place can be looked at: nothing is known of the file.
      await this.#context.files.stat(folder.path)
      const ended = await this.#move(document, as)
      if (ended === 'left') tables.places.leave([id])
      return ended
    })
  }

  /** Failures of the file system are told on the folder and tried again; those of the database are thrown. */
  async #withRetry(
    folderId: number,
    document: StoredDocument,
    as: ArchivedAs,
    work: () => Promise<Ended>,
  ): Promise<Ended | 'refused'> {
    const state = this.#state(folderId)
    try {
      const ended = await work()
      if (ended === 'archived' || ended === 'noted' || ended === 'left') {
        this.#clearRetry(state, document.id)
        state.refusals = 0
        state.tries = 0
      }
      return ended
    } catch (error) {
      if (this.#stopped) return 'refused'
      const detail = codeOf(error)
      if (detail.startsWith('SQLITE_')) throw error
      const tries = (state.waiting.get(document.id)?.tries ?? 0) + 1
      state.waiting.set(document.id, { tries, dueAt: performance.now() + this.#delayAfter(tries) })
      state.refusals += 1
      const code = as === 'done' ? 'move_failed' : 'failed_not_moved'
      const isAboutNote = error instanceof AppError && error.code === 'failed_note_stale'
      this.#setProblem(
        state,
        isAboutNote
          ? { code: error.code, details: error.details }
          : { code, details: { file: document.name, folder: outcomeFolders[as], detail } },
      )
      if (state.refusals >= refusalsInARow) this.#block(state)
      return 'refused'
    }
  }

  #clearRetry(state: FolderState, documentId: number): void {
    state.waiting.delete(documentId)
    if (state.waiting.size === 0) this.#setProblem(state, null)
  }

  #block(state: FolderState): void {
    state.tries += 1
    state.blockedUntil = performance.now() + this.#delayAfter(state.tries)
  }

  #delayAfter(tries: number): number {
    const { firstRetryMs, longestRetryMs } = this.#context.timings
    return Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs)
  }

  #setProblem(state: FolderState, problem: ErrorReason | null): void {
    const isOther = JSON.stringify(state.problem) !== JSON.stringify(problem)
    state.problem = problem
    if (isOther) this.#context.emit('folders.changed', {})
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
    if (state.waiting.size === 0) this.#setProblem(state, null)
  }

  /** Null while it is not known, and for a copy of what is not done. A file that was cut is done with its last part. */
  #outcomeOf(document: StoredDocument): ArchivedAs | null {
    if (document.status === 'done' || document.status === 'failed') return document.status
    if (document.reasonCode === 'cut') {
      const parts = this.#context.tables.documents.partsOf(document)
      return parts.length > 0 && parts.every((part) => this.#outcomeOf(part) === 'done') ? 'done' : null
    }
    const original =
      document.originalDocumentId === null ? null : this.#context.tables.documents.get(document.originalDocumentId)
    return original?.status === 'done' ? 'done' : null
  }

  /**
   * Whether what lies at a place is the version that the document is about: by its size and time, else by its content.
   */
  async #isVersionOf(document: StoredDocument, path: string): Promise<boolean> {
    const stats = await statOf(this.#context.files, path)
    if (stats === null || !stats.isFile() || stats.size !== document.sizeBytes) return false
    if (path === document.path && Math.trunc(stats.mtimeMs) === document.mtimeMs) return true
    return document.sha256 !== null && (await hashFile(this.#context.files, path)).sha256.equals(document.sha256)
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
      if (!(await files.lstat(path)).isDirectory())
        throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' })
    }
    return path
  }

  async #renewNotes(): Promise<void> {
    const { tables } = this.#context
    for (const id of [...this.#notes]) {
      const document = tables.documents.get(id)
      if (document !== null && (this.#state(document.folderId).waiting.get(id)?.dueAt ?? 0) > performance.now())
        continue
      // Before it is written: it may fail once more meanwhile.
      this.#notes.delete(id)
      if (document?.archivedAs !== 'failed' || document.status !== 'failed') continue
      const ended = await this.#withRetry(document.folderId, document, 'failed', async () => {
        await writeNote(this.#context, document, document.path)
        return 'noted'
      })
      if (ended === 'refused') this.#notes.add(id)
    }
  }
}

/**
 * The place of a document's file below its folder, without a folder of outcomes that Sheaf moved it into; null when it
 * is not ours to move.
 */
function placeWithin(folder: Folder, document: StoredDocument): string | null {
  const inside = relative(folder.path, document.path)
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return null
  if (!isInOutcomeFolder(folder.path, document.path)) return inside
  return document.archivedAs === null ? null : inside.slice(inside.indexOf(sep) + 1)
}

function movesItsFiles({ kind, afterwards, paused }: Folder): boolean {
  return kind === 'watched' && afterwards === 'move' && !paused
}

/** Whether a file lies there, or under a number of it, by names as the system tells them apart. */
function isSamePlace(inside: string, wanted: string): boolean {
  const isSame = (place: string): boolean => isWithin(inside, place) && isWithin(place, inside)
  const name = basename(inside, extname(inside))
  const number = / \((\d{1,5})\)$/.exec(name)?.[1]
  return (
    isSame(wanted) ||
    (number !== undefined && isSame(join(dirname(wanted), numbered(basename(wanted), Number(number)))))
  )
}

/** «a.pdf», «a (2).pdf», «a (3).pdf» …, never longer than a name may be. */
function numbered(name: string, number: number): string {
  if (number === 1) return name
  const extension = extname(name)
  return nameWith(name.slice(0, name.length - extension.length), ` (${number})${extension}`)
}

// enters: the folders table
// leaves: one watcher for each folder that is watched and not paused, feeding intake
import { basename } from 'node:path'
import { toAppError } from '../../../shared/errors.ts'
import { isTemporaryName } from '../../../shared/file-name.ts'
import { leavesOut } from '../../../shared/file-patterns.ts'
import type { Folder } from '../db/folders.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { isWithin } from '../platform/true-place.ts'
import type { Context } from './context.ts'
import { isOutcomePlace } from './file-away.ts'
import { refuse, takeInAll } from './intake.ts'
import type { Candidate } from './intake.ts'
import { FolderWatcher } from './watch.ts'

type Watched = { watcher: FolderWatcher; key: string }

export class FolderWatchers {
  readonly #context: Context
  readonly #onQueued: () => void
  readonly #onTrouble: (error: unknown) => void
  readonly #onBack: () => void
  readonly #watchers = new Map<number, Watched>()
  /** Changes are made one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #stopped = false

  /** `onBack`: files that were out of reach, or seemed to be gone, are there. */
  constructor(context: Context, onQueued: () => void, onTrouble: (error: unknown) => void, onBack: () => void) {
    this.#context = context
    this.#onQueued = onQueued
    this.#onTrouble = onTrouble
    this.#onBack = onBack
  }

  /** Starts and stops watchers until they are what the table says. */
  follow(): Promise<void> {
    return this.#inTurn(async () => {
      const wanted = new Map(this.#wanted().map((folder) => [folder.id, keyOf(folder)]))
      await this.#end(([id, { key }]) => wanted.get(id) !== key)
      // Asked anew: the table may be another one by now.
      if (!this.#stopped) for (const folder of this.#wanted()) if (!this.#watchers.has(folder.id)) this.#start(folder)
    })
  }

  /** Watches this folder and nothing else: a command in a terminal is about one folder. What `ignores` names is no document. */
  followOnly(folder: Folder, ignores: (path: string) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      await this.#end(() => true)
      if (!this.#stopped) this.#start(folder, ignores)
    })
  }

  isOnline(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.online ?? true
  }

  /** How many files of the folder its patterns leave out; null while nobody looks. */
  leftOut(folderId: number): number | null {
    return this.#watchers.get(folderId)?.watcher.leftOut ?? null
  }

  /** Whether files of the folder are on their way into the list. */
  isArriving(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.arriving ?? false
  }

  /** True when the folder was swept and nothing in it waits to lie still. */
  isSettled(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.settled ?? true
  }

  async sweep(folderId: number): Promise<void> {
    await this.#watchers.get(folderId)?.watcher.sweep()
  }

  /** Nothing is watched afterwards, whatever is asked for. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.#inTurn(() => this.#end(() => true))
  }

  #wanted(): Folder[] {
    return this.#context.tables.folders.list().filter((folder) => folder.kind !== 'batch' && !folder.paused)
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  async #end(which: (entry: [number, Watched]) => boolean): Promise<void> {
    await Promise.all(
      [...this.#watchers].filter(which).map(async ([id, { watcher }]) => {
        this.#watchers.delete(id)
        await watcher.stop()
      }),
    )
  }

  #start(folder: Folder, ignores: (path: string) => boolean = () => false): void {
    const { tables, now, emit, files, timings, ownPlaces } = this.#context
    const moves = folder.afterwards === 'move'
    const isNoDocument = ignoredIn(folder, ownPlaces)
    const watcher = new FolderWatcher({
      path: folder.path,
      includeSubfolders: folder.includeSubfolders,
      files,
      timings,
      known: ({ path, mtimeMs }) => {
        const version = tables.places.versionAt(folder.id, path)
        if (moves && version?.filedAs === 'left' && version.mtimeMs === mtimeMs && tables.places.returned(version.id)) this.#onBack()
        return version ?? tables.earlierFiles.versionAt(folder.id, path)
      },
      ignores: (path) => ignores(path) || isNoDocument(path),
      leavesOut: leavesOut(folder),
      take: async (candidates, ended) => {
        await this.#take(folder, candidates, ended)
        this.#onQueued()
      },
      onOnline: (online) => {
        emit('folders.changed', {})
        if (!online) return
        tables.places.hasten(folder.id)
        this.#onBack()
      },
      onLeftOut: () => emit('folders.changed', {}),
      onArriving: () => emit('folders.changed', {}),
      onTrouble: this.#onTrouble,
      now,
    })
    this.#watchers.set(folder.id, { watcher, key: keyOf(folder) })
    watcher.start()
  }

  /** Where some cannot be taken in together they are one by one, and what cannot be even then is listed with that reason. */
  async #take(folder: Folder, candidates: Candidate[], ended: AbortSignal): Promise<void> {
    try {
      await takeInAll(this.#context, folder, candidates, ended)
    } catch (error) {
      if (ended.aborted || isStorageTrouble(error)) throw error
      if (candidates.length === 1) this.#refuse(folder, candidates[0]!, error)
      else for (const candidate of candidates) await this.#take(folder, [candidate], ended)
    }
  }

  #refuse(folder: Folder, candidate: Candidate, error: unknown): void {
    try {
      refuse(this.#context, folder, candidate, toAppError(error))
    } catch (worse) {
      // Not even that can be stored: the next sweep finds it again, and those behind it have their turn.
      this.#onTrouble(worse)
    }
  }
}

/** Tells what in a folder is no document, whatever it is called: Sheaf's own files, and its folders of outcomes. */
export function ignoredIn(folder: Pick<Folder, 'path' | 'afterwards'>, ownPlaces: readonly string[]): (path: string) => boolean {
  // What lies in there on purpose, as the inbox does, is read all the same.
  const isOwn = isOwnPlace(folder.path, ownPlaces) ? () => false : (path: string) => isOwnPlace(path, ownPlaces)
  return (path) => isOwn(path) || isTemporaryName(basename(path)) || (folder.afterwards === 'move' && isOutcomePlace(folder.path, path))
}

function keyOf(folder: Folder): string {
  return JSON.stringify(folder)
}

function isOwnPlace(path: string, ownPlaces: readonly string[]): boolean {
  return ownPlaces.some((own) => isWithin(path, own))
}

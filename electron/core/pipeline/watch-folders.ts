// enters: the folders table
// leaves: one watcher for each folder that is watched and not paused, feeding intake
import { toAppError } from '../../../shared/domain/errors.ts'
import type { AppError } from '../../../shared/domain/errors.ts'
import { leftOutBy } from '../patterns.ts'
import type { Folder } from '../db/tables/folders.ts'
import { requireAllowedFolder } from '../files/allowed-folders.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import type { Context } from './context.ts'
import type { Candidate } from './files/file-rules.ts'
import { ownFilesIn } from './files/own-files.ts'
import { FolderWatcher } from './watch.ts'

type Options = {
  /** The next stage: takes candidates in, all or none of them. Once `ended` is aborted nothing is taken any more. */
  takeIn: (context: Context, folder: Folder, candidates: Candidate[], ended: AbortSignal) => Promise<unknown>
  /** Lists a candidate that cannot be taken in, with the reason. */
  refuse: (context: Context, folder: Folder, candidate: Candidate, error: AppError) => void
  /** Something was taken in. */
  onQueued: () => void
  /** Files that were out of reach, or seemed to be gone, are there. */
  onBack: () => void
}

type Watched = { watcher: FolderWatcher; key: string }

/** Watches the folders that the table names, and hands each quiet file in them to the next stage. */
export class FolderWatchers {
  readonly #context: Context
  readonly #options: Options
  readonly #watchers = new Map<number, Watched>()
  /** Changes are made one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(context: Context, options: Options) {
    this.#context = context
    this.#options = options
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

  /**
   * Watches this folder and nothing else: a command in a terminal is about one folder. What `ignores` names is no
   * document. Throws `set_by_administrator` for one that may not be watched.
   */
  async followOnly(folder: Folder, ignores: (path: string) => boolean): Promise<void> {
    await requireAllowedFolder(this.#context, folder.path)
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

  /** True when the folder was swept and no file in it waits to become quiet. */
  isIdle(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.isIdle ?? true
  }

  async sweep(folderId: number): Promise<void> {
    await this.#watchers.get(folderId)?.watcher.sweep()
  }

  /** Looks into each folder for what was not announced. */
  async sweepAll(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map(({ watcher }) => watcher.sweep()))
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
    const { tables, now, emit, files, timings, dataDirPaths } = this.#context
    const moves = folder.afterwards === 'move'
    const isOwnFile = ownFilesIn(folder, dataDirPaths)
    const watcher = new FolderWatcher({
      path: folder.path,
      includeSubfolders: folder.includeSubfolders,
      files,
      timings,
      known: (paths) =>
        new Map([...tables.earlierFiles.versionsAt(folder.id, paths), ...tables.places.versionsAt(folder.id, paths)]),
      onPresent: ({ mtimeMs }, version) => {
        const wasMissed = moves && version.archivedAs === 'left' && version.mtimeMs === mtimeMs
        if (wasMissed && tables.places.returned(version.id)) this.#options.onBack()
      },
      ignores: (path) => ignores(path) || isOwnFile(path),
      isLeftOut: leftOutBy(folder),
      take: async (candidates, ended) => {
        await this.#take(folder, candidates, ended)
        this.#options.onQueued()
      },
      onOnline: (online) => {
        emit('folders.changed', {})
        if (!online) return
        tables.places.retryNow(folder.id)
        this.#options.onBack()
      },
      onLeftOut: () => emit('folders.changed', {}),
      onArriving: () => emit('folders.changed', {}),
      onTrouble: (error) => this.#reportTrouble(error),
      now,
    })
    this.#watchers.set(folder.id, { watcher, key: keyOf(folder) })
    watcher.start()
  }

  /** Anything else is tried again by the next sweep. */
  #reportTrouble(error: unknown): void {
    if (isStorageTrouble(error)) this.#context.onStorageTrouble(error)
  }

  /**
   * Where some cannot be taken in together they are one by one, and what cannot be even then is listed with that
   * reason.
   */
  async #take(folder: Folder, candidates: Candidate[], ended: AbortSignal): Promise<void> {
    try {
      await this.#options.takeIn(this.#context, folder, candidates, ended)
    } catch (error) {
      if (ended.aborted || isStorageTrouble(error)) throw error
      if (candidates.length === 1) this.#refuse(folder, candidates[0]!, error)
      else for (const candidate of candidates) await this.#take(folder, [candidate], ended)
    }
  }

  #refuse(folder: Folder, candidate: Candidate, error: unknown): void {
    try {
      this.#options.refuse(this.#context, folder, candidate, toAppError(error))
    } catch (worse) {
      // Not even that can be stored: the next sweep finds it again, and those behind it have their turn.
      this.#reportTrouble(worse)
    }
  }
}

function keyOf(folder: Folder): string {
  return JSON.stringify(folder)
}

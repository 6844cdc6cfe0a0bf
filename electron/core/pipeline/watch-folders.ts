// enters: the folders table
// leaves: one watcher for each folder that is watched and not paused, feeding intake
import type { Folder } from '../db/folders.ts'
import type { Context } from './context.ts'
import { isOutcomePlace } from './file-away.ts'
import { takeInAll } from './intake.ts'
import { FolderWatcher } from './watch.ts'

export class FolderWatchers {
  readonly #context: Context
  readonly #onQueued: () => void
  readonly #onTrouble: (error: unknown) => void
  readonly #onBack: () => void
  readonly #watchers = new Map<number, { watcher: FolderWatcher; key: string }>()

  /** `onBack`: files that were out of reach, or seemed to be gone, are there. */
  constructor(context: Context, onQueued: () => void, onTrouble: (error: unknown) => void, onBack: () => void) {
    this.#context = context
    this.#onQueued = onQueued
    this.#onTrouble = onTrouble
    this.#onBack = onBack
  }

  /** Starts and stops watchers until they are what the table says. */
  async follow(): Promise<void> {
    const wanted = this.#context.tables.folders.list().filter((folder) => folder.kind !== 'batch' && !folder.paused)
    const keys = new Map(wanted.map((folder) => [folder.id, JSON.stringify(folder)]))
    const gone = [...this.#watchers].filter(([id, { key }]) => keys.get(id) !== key)
    await Promise.all(
      gone.map(async ([id, { watcher }]) => {
        this.#watchers.delete(id)
        await watcher.stop()
      }),
    )
    for (const folder of wanted) if (!this.#watchers.has(folder.id)) this.#start(folder)
  }

  /** Watches this folder and nothing else: a command in a terminal is about one folder. What `ignores` names is no document. */
  async followOnly(folder: Folder, ignores: (path: string) => boolean): Promise<void> {
    await this.stop()
    this.#start(folder, ignores)
  }

  isOnline(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.online ?? true
  }

  /** True when the folder was swept and nothing in it waits to lie still. */
  isSettled(folderId: number): boolean {
    return this.#watchers.get(folderId)?.watcher.settled ?? true
  }

  async sweep(folderId: number): Promise<void> {
    await this.#watchers.get(folderId)?.watcher.sweep()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watchers.values()].map(({ watcher }) => watcher.stop()))
    this.#watchers.clear()
  }

  #start(folder: Folder, ignores: (path: string) => boolean = () => false): void {
    const { tables, now, emit, files, timings } = this.#context
    const moves = folder.afterwards === 'move'
    const watcher = new FolderWatcher({
      path: folder.path,
      includeSubfolders: folder.includeSubfolders,
      files,
      timings,
      known: ({ path, mtimeMs }) => {
        const version = tables.places.versionAt(folder.id, path)
        if (moves && version?.filedAs === 'left' && version.mtimeMs === mtimeMs && tables.places.returned(version.id)) this.#onBack()
        return version
      },
      ignores: (path) => ignores(path) || (moves && isOutcomePlace(folder.path, path)),
      take: async (candidates) => {
        await takeInAll(this.#context, folder, candidates)
        this.#onQueued()
      },
      onOnline: (online) => {
        emit('folders.changed', {})
        if (!online) return
        tables.places.hasten(folder.id)
        this.#onBack()
      },
      onTrouble: this.#onTrouble,
      now,
    })
    this.#watchers.set(folder.id, { watcher, key: JSON.stringify(folder) })
    watcher.start()
  }
}

// enters: the folders table
// leaves: one watcher for each folder that is watched and not paused, feeding intake
import type { Folder } from '../db/folders.ts'
import type { Context } from './context.ts'
import { takeIn } from './intake.ts'
import { FolderWatcher } from './watch.ts'

export class FolderWatchers {
  readonly #context: Context
  readonly #onQueued: () => void
  readonly #onTrouble: (error: unknown) => void
  readonly #watchers = new Map<number, { watcher: FolderWatcher; key: string }>()

  constructor(context: Context, onQueued: () => void, onTrouble: (error: unknown) => void) {
    this.#context = context
    this.#onQueued = onQueued
    this.#onTrouble = onTrouble
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
    const { tables, now, emit } = this.#context
    const watcher = new FolderWatcher({
      path: folder.path,
      includeSubfolders: folder.includeSubfolders,
      known: () => tables.jobs.knownFiles(folder.id),
      ignores,
      take: async (candidate) => {
        await takeIn(this.#context, folder, candidate)
        this.#onQueued()
      },
      onOnline: () => emit('folders.changed', {}),
      onTrouble: this.#onTrouble,
      now,
    })
    this.#watchers.set(folder.id, { watcher, key: JSON.stringify(folder) })
    watcher.start()
  }
}

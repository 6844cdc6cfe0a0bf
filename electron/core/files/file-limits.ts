import { dirname } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import { wrapAccess } from './file-access.ts'
import type { AskBatch, FileAccess } from './file-access.ts'
import { FileAccessQueue, newPlace } from './file-access-queue.ts'
import type { Place } from './file-access-queue.ts'
import { codeOf } from './move-file.ts'
import { isWithin } from './paths.ts'

/** What goes through a whole file, or lists a directory of any size, may take so many times as long. */
const wholeFactor = 15
const wholeAccesses: readonly string[] = ['copyFile', 'readdir', 'readFile'] satisfies (keyof FileAccess)[]
/** The same of what is asked in batches (`file-tasks.ts`). */
const wholeTasks: readonly string[] = ['list']
/** After this part of its time an access is slow: others no longer wait for it. */
const slowPart = 1 / 20
/** How long the list of folders is good for. */
const foldersValidMs = 1000

/** What a share says that has a limit of its own. */
export const noAnswerCode = 'ETIMEDOUT'

/**
 * `factor`: how many times the limit it may take; `late`: receives a value that came after the access was given up.
 */
type AccessOptions<T> = { factor?: number; isPatient?: boolean; longestWaitMs?: number; late?: (value: T) => void }

/**
 * The same file system, where no access is waited for longer than `limitMs` once it has begun: it fails with ETIMEDOUT
 * then. One that was given up goes on holding its thread, so nothing else is begun below the same folder until it comes
 * back: it is refused at once. `folders` are the places that fail as a whole; a file in none of them stands for its
 * directory. Accesses wait for a slot (`FileAccessQueue`). What an open file is asked fails with EBUSY where nothing at
 * all was answered in its folder for `limitMs`, since a service at the other end does not wait for ever. `threads` are
 * those of libuv. A batch is one access, to the place of its first file.
 */
export function withTimeLimits(
  files: FileAccess,
  limitMs: number,
  folders: () => string[],
  threads = poolThreads(),
): FileAccess {
  const limits = new AccessLimits(limitMs, folders, threads)
  const limited = wrapAccess(files, (access, name, paths) => (...given) => {
    const factor = wholeAccesses.includes(name) ? wholeFactor : 1
    // Of two paths the one that is made says whose access it is.
    return limits.run(limits.placeOf(given[paths - 1]!), () => access(...given), { factor })
  })
  const open = async (path: string, ...rest: [string]): Promise<LimitedHandle> => {
    const place = limits.placeOf(path)
    const late = (handle: FileHandle): void => void limits.close(handle, place).catch(() => undefined)
    return limitedHandle(
      limits,
      await limits.run(place, () => files.open(path, ...rest), { longestWaitMs: limitMs, late }),
      place,
    )
  }
  const askBatch: AskBatch = (task, inputs) => {
    const root = limits.rootOf(inputs[0]!.path)
    const elsewhere = inputs.findIndex(({ path }) => limits.rootOf(path) !== root)
    const here = elsewhere < 0 ? inputs : inputs.slice(0, elsewhere)
    return limits.run(limits.placeOf(inputs[0]!.path), () => files.askBatch!(task, here), {
      factor: wholeTasks.includes(task) ? wholeFactor : 1,
    })
  }
  return { ...limited, open: open as unknown as FileAccess['open'], ...(files.askBatch ? { askBatch } : {}) }
}

/** Waits for no access longer than `limitMs`, and counts by place what is under way and what hangs. */
class AccessLimits {
  readonly limitMs: number
  readonly #folders: () => string[]
  readonly #queue: FileAccessQueue
  readonly #places = new Map<string, Place>()
  #known: { paths: string[]; readAt: number } | null = null

  constructor(limitMs: number, folders: () => string[], threads: number) {
    this.limitMs = limitMs
    this.#folders = folders
    this.#queue = new FileAccessQueue(threads)
  }

  /** The folder that fails as a whole with a file. */
  rootOf(path: string): string {
    if (this.#known === null || performance.now() - this.#known.readAt > foldersValidMs)
      this.#known = { paths: this.#folders(), readAt: performance.now() }
    // What is extracted in a terminal has no folder: its path is empty, and everything would lie in it.
    return this.#known.paths.find((folder) => folder !== '' && isWithin(path, folder)) ?? dirname(path)
  }

  placeOf(path: string): Place {
    const root = this.rootOf(path)
    let place = this.#places.get(root)
    if (place === undefined) {
      // A directory that is asked for the first time: those of which nothing is under way are not kept.
      for (const [other, kept] of this.#places) if (!this.#queue.isUsed(kept)) this.#places.delete(other)
      place = newPlace()
      this.#places.set(root, place)
    }
    return place
  }

  async run<T>(
    place: Place,
    access: () => Promise<T>,
    { factor = 1, isPatient = false, longestWaitMs, late }: AccessOptions<T> = {},
  ): Promise<T> {
    const slot = await this.#queue.acquire(place, { isLong: factor > 1, isPatient }, longestWaitMs)
    if (slot === null) throw place.hung > 0 ? noAnswer() : busy()
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const giveUp = (): void => {
        isGivenUp = true
        reject(noAnswer())
        slot.giveUp()
      }
      let timer = setTimeout(() => {
        timer = setTimeout(giveUp, this.limitMs * (factor - slowPart))
        slot.markSlow()
      }, this.limitMs * slowPart)
      void (async () => access())()
        .finally(() => {
          clearTimeout(timer)
          slot.end()
        })
        .then((value) => (isGivenUp ? late?.(value) : resolve(value)), reject)
    })
  }

  /** What was read is read, whether this is answered or not: it is not waited for longer than an access. */
  async close(handle: FileHandle, place: Place): Promise<void> {
    // Below a folder that hangs it would hang as well, with a thread of its own: it is begun when that answers.
    const closing = this.run(place, () => handle.close(), { isPatient: true }).catch((error: unknown) => {
      if (codeOf(error) !== noAnswerCode) throw error
    })
    if (place.hung > 0) return void closing.catch(() => undefined)
    let timer: NodeJS.Timeout | undefined
    const longEnough = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.limitMs)))
    await Promise.race([closing, longEnough]).finally(() => clearTimeout(timer))
  }
}

type LimitedHandle = Pick<FileHandle, 'read' | 'write' | 'stat' | 'utimes' | 'sync' | 'close'>

function limitedHandle(limits: AccessLimits, handle: FileHandle, place: Place): LimitedHandle {
  const longestWaitMs = limits.limitMs
  return {
    read: ((...given: Parameters<FileHandle['read']>) =>
      limits.run(place, () => handle.read(...given), { longestWaitMs })) as FileHandle['read'],
    stat: (() => limits.run(place, () => handle.stat(), { longestWaitMs })) as FileHandle['stat'],
    write: ((...given: Parameters<FileHandle['write']>) =>
      limits.run(place, () => handle.write(...given))) as FileHandle['write'],
    utimes: (...given) => limits.run(place, () => handle.utimes(...given)),
    sync: () => limits.run(place, () => handle.sync(), { factor: wholeFactor }),
    close: () => limits.close(handle, place),
  }
}

/** libuv's own rule; the variable counts only if it stood before the first use (`launch.mjs`). */
function poolThreads(): number {
  return Math.max(1, Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10) || 4)
}

function noAnswer(): Error {
  return Object.assign(new Error('the file system did not answer in time'), { code: noAnswerCode })
}

function busy(): Error {
  return Object.assign(new Error('the file system is busy'), { code: 'EBUSY' })
}

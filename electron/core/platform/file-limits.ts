import type { PathLike } from 'node:fs'
import { dirname } from 'node:path'
import type { FileHandle } from 'node:fs/promises'
import type { FileAccess } from './file-access.ts'
import { FileTurns, newPlace } from './file-turns.ts'
import type { Place } from './file-turns.ts'
import { codeOf } from './move-file.ts'
import { isWithin } from './true-place.ts'

/** What goes through a whole file, or lists a directory of any size, may take so many times as long. */
const wholeFactor = 15
/** After this part of its time an access is slow: others no longer wait for it. */
const slowPart = 1 / 20
/** How long the list of folders is good for. */
const keptMs = 1000

/** What a share says that has a limit of its own. */
export const noAnswerCode = 'ETIMEDOUT'

/** For those with overloads. */
type AnyAccess = (path: PathLike, ...rest: never[]) => Promise<unknown>

/** `factor`: how many times the limit it may take; `late`: what is to become of a value that nobody waits for any more. */
type How<T> = { factor?: number; isPatient?: boolean; longestWaitMs?: number; late?: (value: T) => void }

/**
 * The same file system, where no access is waited for longer than `limitMs` once it has begun: it fails with ETIMEDOUT then. One
 * that was given up goes on holding its thread, so nothing else is begun below the same folder until it comes back: it is
 * refused at once. `folders` are the places that fail as a whole; a file in none of them stands for its directory.
 * Accesses wait for their turn (`FileTurns`). What an open file is asked fails with EBUSY where nothing at all was answered in
 * its folder for `limitMs`, since a service at the other end does not wait for ever. `threads` are those of libuv.
 */
export function withTimeLimits(files: FileAccess, limitMs: number, folders: () => string[], threads = poolThreads()): FileAccess {
  const places = new Map<string, Place>()
  const turns = new FileTurns(threads)
  let known: { paths: string[]; readAt: number } | null = null

  const placeOf = (path: string): Place => {
    if (known === null || performance.now() - known.readAt > keptMs) known = { paths: folders(), readAt: performance.now() }
    const root = known.paths.find((folder) => isWithin(path, folder)) ?? dirname(path)
    let place = places.get(root)
    if (place === undefined) {
      // A directory that is asked for the first time: those of which nothing is under way are not kept.
      for (const [other, kept] of places) if (!turns.isUsed(kept)) places.delete(other)
      place = newPlace()
      places.set(root, place)
    }
    return place
  }

  const within = async <T>(place: Place, access: () => Promise<T>, { factor = 1, isPatient = false, longestWaitMs, late }: How<T> = {}): Promise<T> => {
    const turn = await turns.take(place, { isLong: factor > 1, isPatient }, longestWaitMs)
    if (turn === null) throw place.hung > 0 ? noAnswer() : noTurn()
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      const giveUp = (): void => {
        isGivenUp = true
        reject(noAnswer())
        turn.giveUp()
      }
      let timer = setTimeout(() => {
        timer = setTimeout(giveUp, limitMs * (factor - slowPart))
        turn.becomeSlow()
      }, limitMs * slowPart)
      void (async () => access())()
        .finally(() => {
          clearTimeout(timer)
          turn.end()
        })
        .then((value) => (isGivenUp ? late?.(value) : resolve(value)), reject)
    })
  }

  const at = <F extends (path: PathLike, ...rest: never[]) => Promise<unknown>>(access: F, factor = 1): F =>
    (async (path: string, ...rest: never[]) => within(placeOf(path), () => access(path, ...rest), { factor })) as unknown as F
  /** Of two paths the one that is made says whose access it is. */
  const between = <F extends (from: PathLike, to: PathLike, ...rest: never[]) => Promise<unknown>>(access: F, factor = 1): F =>
    (async (from: string, to: string, ...rest: never[]) => within(placeOf(to), () => access(from, to, ...rest), { factor })) as unknown as F

  const limitedHandle = (handle: FileHandle, place: Place): Pick<FileHandle, 'read' | 'write' | 'stat' | 'utimes' | 'sync' | 'close'> => ({
    read: ((...given: Parameters<FileHandle['read']>) => within(place, () => handle.read(...given), { longestWaitMs: limitMs })) as FileHandle['read'],
    stat: (() => within(place, () => handle.stat(), { longestWaitMs: limitMs })) as FileHandle['stat'],
    write: ((...given: Parameters<FileHandle['write']>) => within(place, () => handle.write(...given))) as FileHandle['write'],
    utimes: (...given) => within(place, () => handle.utimes(...given)),
    sync: () => within(place, () => handle.sync(), { factor: wholeFactor }),
    close: () => closed(handle, place),
  })

  /** What was read is read, whether this is answered or not: it is not waited for longer than an access. */
  const closed = async (handle: FileHandle, place: Place): Promise<void> => {
    // Below a folder that hangs it would hang as well, with a thread of its own: it is begun when that answers.
    const closing = within(place, () => handle.close(), { isPatient: true }).catch((error: unknown) => {
      if (codeOf(error) !== noAnswerCode) throw error
    })
    if (place.hung > 0) return void closing.catch(() => undefined)
    let timer: NodeJS.Timeout | undefined
    const longEnough = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
    await Promise.race([closing, longEnough]).finally(() => clearTimeout(timer))
  }

  return {
    access: at(files.access),
    copyFile: between(files.copyFile, wholeFactor),
    link: between(files.link),
    lstat: at(files.lstat as AnyAccess) as FileAccess['lstat'],
    mkdir: at(files.mkdir as AnyAccess) as FileAccess['mkdir'],
    open: (async (path: string, ...rest: [string]) => {
      const place = placeOf(path)
      const close = (late: FileHandle): void => void closed(late, place).catch(() => undefined)
      const handle = await within(place, () => files.open(path, ...rest), { longestWaitMs: limitMs, late: close })
      return limitedHandle(handle, place)
    }) as unknown as FileAccess['open'],
    readdir: at(files.readdir as AnyAccess, wholeFactor) as FileAccess['readdir'],
    readFile: at(files.readFile as AnyAccess, wholeFactor) as FileAccess['readFile'],
    realpath: at(files.realpath as AnyAccess) as FileAccess['realpath'],
    rename: between(files.rename),
    stat: at(files.stat as AnyAccess) as FileAccess['stat'],
    unlink: at(files.unlink),
    writeFile: at(files.writeFile as AnyAccess) as FileAccess['writeFile'],
  }
}

/** libuv's own rule; the variable counts only if it stood before the first use (`launch.mjs`). */
function poolThreads(): number {
  return Math.max(1, Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10) || 4)
}

function noAnswer(): Error {
  return Object.assign(new Error('the file system did not answer in time'), { code: noAnswerCode })
}

function noTurn(): Error {
  return Object.assign(new Error('the file system is busy'), { code: 'EBUSY' })
}

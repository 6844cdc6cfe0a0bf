import type { PathLike } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import type { FileHandle } from 'node:fs/promises'
import type { FileAccess } from './file-access.ts'
import { codeOf } from './move-file.ts'
import { isWithin } from './true-place.ts'

/** Node has four threads for every access and for names of hosts: two folders that hang must leave some to the rest. */
const atOnce = 2
/** What goes through a whole file, or lists a directory of any size, may take so many times as long. */
const wholeFactor = 15
/** How long the list of folders is good for. */
const keptMs = 1000

/** What a share says that has a limit of its own. */
export const noAnswerCode = 'ETIMEDOUT'

/** For those with overloads. */
type AnyAccess = (path: PathLike, ...rest: never[]) => Promise<unknown>

/** `turns`: who waits for one of its accesses to be over; `hung`: accesses that were given up and are not over. */
type Place = { underWay: number; turns: (() => void)[]; hung: number }

/**
 * The same file system, where no access is waited for longer than `limitMs`: it fails with ETIMEDOUT then. One that was given
 * up goes on holding its thread, so nothing else is begun below the same folder until it comes back: it is refused at once.
 * `folders` are the places that fail as a whole; a file in none of them stands for its directory.
 */
export function withTimeLimits(files: FileAccess, limitMs: number, folders: () => string[]): FileAccess {
  const places = new Map<string, Place>()
  let known: { paths: string[]; readAt: number } | null = null

  const placeOf = (path: string): Place => {
    if (known === null || performance.now() - known.readAt > keptMs) known = { paths: folders(), readAt: performance.now() }
    const root = known.paths.find((folder) => isWithin(path, folder)) ?? dirname(path)
    let place = places.get(root)
    if (place === undefined) {
      // A directory that is asked for the first time: those of which nothing is under way are not kept.
      for (const [other, { underWay, hung }] of places) if (hung === 0 && underWay === 0) places.delete(other)
      place = { underWay: 0, turns: [], hung: 0 }
      places.set(root, place)
    }
    return place
  }

  /** `late`: what is to become of a value that nobody waits for any more. */
  const limited = <T>(place: Place, pending: Promise<T>, ms = limitMs, late: (value: T) => void = () => undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      let isGivenUp = false
      const timer = setTimeout(() => {
        isGivenUp = true
        place.hung += 1
        reject(noAnswer())
      }, ms)
      const ended = (): void => {
        clearTimeout(timer)
        if (isGivenUp) place.hung -= 1
      }
      pending.then(
        (value) => {
          ended()
          if (isGivenUp) late(value)
          else resolve(value)
        },
        (error: unknown) => {
          ended()
          reject(error)
        },
      )
    })
  const within = async <T>(place: Place, access: () => Promise<T>, ms?: number, late?: (value: T) => void): Promise<T> => {
    await begin(place)
    try {
      return await limited(place, access(), ms, late)
    } finally {
      end(place)
    }
  }

  const at = <F extends (path: PathLike, ...rest: never[]) => Promise<unknown>>(access: F, factor = 1): F =>
    (async (path: string, ...rest: never[]) => within(placeOf(path), () => access(path, ...rest), limitMs * factor)) as unknown as F
  /** Of two paths the one that is made says whose access it is. */
  const between = <F extends (from: PathLike, to: PathLike, ...rest: never[]) => Promise<unknown>>(access: F, factor = 1): F =>
    (async (from: string, to: string, ...rest: never[]) => within(placeOf(to), () => access(from, to, ...rest), limitMs * factor)) as unknown as F

  const limitedHandle = (handle: FileHandle, place: Place): Pick<FileHandle, 'read' | 'stat' | 'utimes' | 'sync' | 'close'> => ({
    read: ((...given: Parameters<FileHandle['read']>) => within(place, () => handle.read(...given))) as FileHandle['read'],
    stat: (() => within(place, () => handle.stat())) as FileHandle['stat'],
    utimes: (...given) => within(place, () => handle.utimes(...given)),
    sync: () => within(place, () => handle.sync(), limitMs * wholeFactor),
    // What was read is read, whether this is answered or not.
    close: async () => {
      const closing = limited(place, handle.close()).catch((error: unknown) => {
        if (codeOf(error) !== noAnswerCode) throw error
      })
      if (place.hung === 0) await closing
    },
  })

  async function* chunksOf(path: string): AsyncGenerator<Buffer> {
    const place = placeOf(path)
    // A stream reads ahead: it has its thread for as long as it is open.
    await begin(place)
    try {
      const stream = files.createReadStream(path)
      try {
        const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
        for (;;) {
          const next = await limited(place, chunks.next())
          if (next.done === true) return
          yield next.value
        }
      } finally {
        stream.destroy()
      }
    } finally {
      end(place)
    }
  }

  return {
    copyFile: between(files.copyFile, wholeFactor),
    createReadStream: ((path: string) => Readable.from(chunksOf(path))) as unknown as FileAccess['createReadStream'],
    link: between(files.link),
    lstat: at(files.lstat as AnyAccess) as FileAccess['lstat'],
    mkdir: at(files.mkdir as AnyAccess) as FileAccess['mkdir'],
    open: (async (path: string, ...rest: [string]) => {
      const place = placeOf(path)
      const handle = await within(place, () => files.open(path, ...rest), limitMs, (late) => void late.close().catch(() => undefined))
      return limitedHandle(handle, place)
    }) as unknown as FileAccess['open'],
    readdir: at(files.readdir as AnyAccess, wholeFactor) as FileAccess['readdir'],
    readFile: at(files.readFile as AnyAccess) as FileAccess['readFile'],
    realpath: at(files.realpath as AnyAccess) as FileAccess['realpath'],
    rename: between(files.rename),
    stat: at(files.stat as AnyAccess) as FileAccess['stat'],
    unlink: at(files.unlink),
    writeFile: at(files.writeFile as AnyAccess) as FileAccess['writeFile'],
  }
}

/** Waits for a turn; throws where nothing is to be begun. */
async function begin(place: Place): Promise<void> {
  if (place.underWay < atOnce) place.underWay += 1
  else await new Promise<void>((turn) => place.turns.push(turn))
  if (place.hung === 0) return
  end(place)
  throw noAnswer()
}

/** The turn goes to whoever waited longest. */
function end(place: Place): void {
  const next = place.turns.shift()
  if (next === undefined) place.underWay -= 1
  else next()
}

function noAnswer(): Error {
  return Object.assign(new Error('the file system did not answer in time'), { code: noAnswerCode })
}

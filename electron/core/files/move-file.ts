import type { Stats } from 'node:fs'
import type { FileAccess } from './file-access.ts'
import { hashFile } from './hash-file.ts'

type Move = {
  from: string
  to: string
  /** A name beside `to` that only this move uses. */
  temporary: string
  /** Whether the file that lies at a place now is the one to move, and not another version of it. */
  isIt: (path: string) => Promise<boolean>
}

/**
 * Moves a file to a name that was free when it was chosen, and never over another file: `taken` when one lies there by
 * now. May be interrupted anywhere and called again with the same names. `gone`: it lies at neither of the two places;
 * another version of it that lies there stays. Throws what the file system throws; the file is then at its old place,
 * unless the file system refused that as well.
 */
export async function moveFile(files: FileAccess, move: Move): Promise<'moved' | 'taken' | 'gone'> {
  const { from, to } = move
  const [source, target] = [await statOf(files, from), await statOf(files, to)]
  if (source === null || !(await move.isIt(from))) {
    if (target === null) return undo(files, move, false)
    if (await move.isIt(to)) return 'moved'
    return undo(files, move, target.size === 0 || (source !== null && isKnownSameFile(source, target)))
  }
  if (target === null) return link(files, move, source)
  // An earlier time came as far as this.
  if (isKnownSameFile(source, target)) return removeSource(files, move, source, true)
  if (target.size === 0 && source.size > 0) return copyOnto(files, move, source)
  return target.size === source.size && (await haveSameContent(files, from, to))
    ? removeSource(files, move, source, false)
    : 'taken'
}

async function link(files: FileAccess, move: Move, source: Stats): Promise<'moved' | 'taken' | 'gone'> {
  try {
    await files.link(move.from, move.to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken'
    // No links here (exFAT, many shares), or another disk.
    return copy(files, move, source)
  }
  const linked = await statOf(files, move.to)
  return linked === null || isSameVersion(linked, source)
    ? removeSource(files, move, source, true)
    : undo(files, move, true)
}

/** What an earlier part of this move, or another time it was made, left at the new place is taken away. */
async function undo(files: FileAccess, move: Move, madeTarget: boolean): Promise<'gone'> {
  if (madeTarget) await files.unlink(move.to)
  await files.unlink(move.temporary).catch(() => undefined)
  return 'gone'
}

/** The name is taken by an empty file first: only that is ever written over. */
async function copy(files: FileAccess, move: Move, source: Stats): Promise<'moved' | 'taken' | 'gone'> {
  try {
    await files.writeFile(move.to, '', { flag: 'wx' })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'taken'
    throw error
  }
  try {
    return await copyOnto(files, move, source)
  } catch (error) {
    // The empty file must not be taken for the document.
    const left = await statOf(files, move.to)
    if (left?.size === 0) await files.unlink(move.to).catch(() => undefined)
    throw error
  }
}

async function copyOnto(files: FileAccess, move: Move, source: Stats): Promise<'moved' | 'gone'> {
  const { from, to, temporary } = move
  try {
    await files.copyFile(from, temporary)
    const handle = await files.open(temporary, 'r+')
    try {
      await handle.utimes(source.atime, source.mtime)
      await handle.sync()
    } finally {
      await handle.close()
    }
    const now = await statOf(files, from)
    // What was copied may be another version.
    if (now !== null && !isSameVersion(now, source)) return undo(files, move, true)
    if (!(await haveSameContent(files, from, temporary)))
      throw Object.assign(new Error('the copy differs'), { code: 'EIO' })
    await files.rename(temporary, to)
  } catch (error) {
    await files.unlink(temporary).catch(() => undefined)
    throw error
  }
  return removeSource(files, move, source, true)
}

/**
 * The file lies at both places: the old name goes. While another program holds it there it is the new name that goes,
 * but only one that this move made, and only once the old one was seen.
 */
async function removeSource(
  files: FileAccess,
  { from, to }: Move,
  source: Stats,
  made: boolean,
): Promise<'moved' | 'gone'> {
  const now = await statOf(files, from)
  // Another file took the name meanwhile: that one stays.
  if (now === null || !isSameFile(now, source)) return 'moved'
  const changed = !isSameVersion(now, source)
  try {
    if (!changed) await files.unlink(from)
  } catch (error) {
    if (made && (await statOf(files, from)) !== null) await files.unlink(to)
    throw error
  }
  if (changed && made) await files.unlink(to)
  return changed ? 'gone' : 'moved'
}

/** Some shares number no files: there nothing is known to be the same. */
function isKnownSameFile(a: Stats, b: Stats): boolean {
  return a.ino !== 0 && isSameFile(a, b)
}

function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev
}

function isSameVersion(a: Stats, b: Stats): boolean {
  return isSameFile(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs
}

async function haveSameContent(files: FileAccess, one: string, other: string): Promise<boolean> {
  const [a, b] = [await hashFile(files, one), await hashFile(files, other)]
  return a.sha256.equals(b.sha256)
}

/** What lies at a place, links not followed; null when nothing does. */
export async function statOf(files: FileAccess, path: string): Promise<Stats | null> {
  try {
    return await files.lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

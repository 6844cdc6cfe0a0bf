import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from './flush-folder.ts'

/** What SQLite keeps beside a database. */
export const companions = ['-wal', '-shm', '-journal'] as const

/**
 * Takes the rights of everybody but its owner from a file or a folder. Where there is none, or the system does not let,
 * nothing happens. On Windows a file has the access list of its folder instead.
 */
export function makePrivate(path: string): void {
  if (process.platform === 'win32') return
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  } catch {
    // The disk's complaints are made by whoever needs the file.
  }
}

/**
 * Makes a database private, and what is beside it; to be called before it is opened. SQLite gives the files that it
 * makes beside a database that database's mode, and one that it made itself would have what the umask leaves.
 */
export function makeDatabasePrivate(path: string): void {
  try {
    // Never a file that is there: closing one ends every lock that this process has on it
    // (sqlite.org/howtocorrupt.html).
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or SQLite will say why it cannot be.
  }
  for (const ending of ['', ...companions]) makePrivate(path + ending)
}

/** Writes a file only its owner can read (mode 0600): beside, to the disk, then renamed. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(beside, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await flushFolder(dirname(path))
}

/** The bytes of a file, or null when it does not exist. */
export async function readFileIfAny(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

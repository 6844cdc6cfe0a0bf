import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from '../system/flush-folder.ts'

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

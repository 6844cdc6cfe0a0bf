import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes the files of a folder of our own that were written before a time (epoch ms). */
export async function removeOldFiles(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < before) await rm(path, { force: true })
  }
}

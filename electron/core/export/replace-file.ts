import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../shared/errors.ts'

const temporaryPrefix = '.sheaf-'
const temporaryEnding = '.tmp'

export type FileToWrite = { path: string; chunks(): AsyncIterable<Buffer> }

/**
 * Writes files so that each place holds either what was there before or the whole new file: first
 * all of them beside their places and on to the disk, then each is renamed. Nothing temporary stays
 * behind on failure. Throws `export_disk_full`, `export_file_open` (another program holds the old
 * file) or `export_failed`; `details.file` is the path that could not be written.
 */
export async function replaceFiles(files: readonly FileToWrite[]): Promise<void> {
  const beside: { path: string; temporary: string }[] = []
  try {
    for (const { path, chunks } of files) {
      // Short and without the name itself, which may already have the longest length the disk allows.
      const temporary = join(dirname(path), `${temporaryPrefix}${randomBytes(6).toString('hex')}${temporaryEnding}`)
      beside.push({ path, temporary })
      await write(path, temporary, chunks())
    }
    for (const { path, temporary } of beside) {
      await rename(temporary, path).catch((error: unknown) => {
        throw isHeldOpen(error) ? new AppError('export_file_open', { file: basename(path) }, { cause: error }) : failure(path, error)
      })
    }
  } finally {
    for (const { temporary } of beside) await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/** Deletes what a process that was killed left half-written in a folder of our own, when no other can be writing there. Never throws. */
export async function removeHalfWritten(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    if (name.startsWith(temporaryPrefix) && name.endsWith(temporaryEnding)) await rm(join(directory, name), { force: true }).catch(() => undefined)
  }
}

async function write(path: string, temporary: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  try {
    const file = await open(temporary, 'wx')
    try {
      for await (const chunk of chunks) {
        for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
      }
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw error instanceof AppError ? error : failure(path, error)
  }
}

function failure(path: string, error: unknown): AppError {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('export_disk_full', { file: basename(path) }, { cause: error })
  return new AppError('export_failed', { file: path, detail: code ?? 'unexpected' }, { cause: error })
}

function isHeldOpen(error: unknown): boolean {
  return ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

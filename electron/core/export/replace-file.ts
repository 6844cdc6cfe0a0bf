import { randomBytes } from 'node:crypto'
import { open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../shared/domain/errors.ts'
import { isTemporaryName, temporaryName } from '../files/file-names.ts'

/** `temporary`: its name until it is whole, for who wants to know it after a crash; any free one when absent. */
export type FileToWrite = { path: string; temporary?: string; chunks(): AsyncIterable<Buffer> }

type Handle = {
  write(chunk: Buffer, offset: number): Promise<{ bytesWritten: number }>
  sync(): Promise<void>
  close(): Promise<void>
}

/** The file system that is written to. */
type Disk = {
  open(path: string, flags: string): Promise<Handle>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
}

const ownDisk: Disk = {
  open: (path, flags) => open(path, flags),
  rename: (from, to) => rename(from, to),
  unlink: (path) => unlink(path),
}

/** A part of a temporary name that nothing else has. */
export function randomPart(): string {
  return randomBytes(6).toString('hex')
}

/**
 * Writes files so that each place holds either what was there before or the whole new file: first
 * all of them beside their places and on to the disk, then each is renamed. Nothing temporary stays
 * behind on failure. `beforeRename` is asked once all are whole. Throws `export_disk_full`,
 * `export_file_open` (another program holds the old file) or `export_failed`, with the file in its
 * details; and what `beforeRename` throws.
 */
export async function replaceFiles(
  files: readonly FileToWrite[],
  disk: Disk = ownDisk,
  beforeRename?: () => Promise<void>,
): Promise<void> {
  const beside: { path: string; temporary: string }[] = []
  try {
    for (const { path, temporary: wanted, chunks } of files) {
      // Short and without the name itself, which may already have the longest length the disk allows.
      const temporary = join(dirname(path), wanted ?? temporaryName(randomPart()))
      beside.push({ path, temporary })
      await write(disk, path, temporary, chunks())
    }
    await beforeRename?.()
    for (const { path, temporary } of beside) {
      await disk.rename(temporary, path).catch((error: unknown) => {
        throw isHeldOpen(error)
          ? new AppError('export_file_open', { file: basename(path) }, { cause: error })
          : failure(path, error)
      })
    }
  } finally {
    for (const { temporary } of beside) await disk.unlink(temporary).catch(() => undefined)
  }
}

/**
 * Deletes what a process that was killed left half-written in a folder of our own, when no other can be writing there.
 * Never throws.
 */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    if (isTemporaryName(name)) await unlink(join(directory, name)).catch(() => undefined)
  }
}

async function write(disk: Disk, path: string, temporary: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  try {
    const file = await disk.open(temporary, 'wx')
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
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('export_disk_full', { file: basename(path) }, { cause: error })
  return new AppError('export_failed', { file: path, detail: code ?? 'unexpected' }, { cause: error })
}

function isHeldOpen(error: unknown): boolean {
  return ['EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

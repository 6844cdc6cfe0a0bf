import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileKind } from '../../../shared/document.ts'
import { AppError } from '../../../shared/errors.ts'
import { contentMatches, contentOf } from '../../../shared/file-type.ts'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../shared/limits.ts'
import { syncDirectory } from '../private-file.ts'

export type FoundFile = { path: string; name: string; kind: FileKind }

export type CopiedFile = { sizeBytes: number; sha256: Buffer }

const headBytes = 1024
const blockBytes = 256 * 1024
/** Folders inside folders; deeper ones are as good as endless. */
const maxDepth = 50

/**
 * The documents behind paths of this computer: a file, or a folder with everything in it. Yields null for each file that is
 * none (hidden, unsupported, empty, over 36 MB); symbolic links are not followed. Throws `path_missing` for a path that does not exist.
 */
export async function* documentsAt(paths: readonly string[]): AsyncGenerator<FoundFile | null> {
  for (const path of paths) {
    if ((await lstat(path).catch(() => null)) === null) throw new AppError('path_missing', { path })
  }
  for (const path of paths) yield* documentsIn(path, 0)
}

async function* documentsIn(path: string, depth: number): AsyncGenerator<FoundFile | null> {
  const name = basename(path)
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (found.isDirectory()) {
    if (depth > maxDepth || (depth > 0 && name.startsWith('.'))) return
    const names = await readdir(path).catch(() => [])
    for (const inside of names.sort()) yield* documentsIn(join(path, inside), depth + 1)
    return
  }
  const extension = extensionOf(name)
  const kind = Object.hasOwn(supportedExtensions, extension) ? supportedExtensions[extension] : undefined
  const fits = found.isFile() && kind !== undefined && !name.startsWith('.') && !name.startsWith('~$') && found.size > 0 && found.size <= maxFileBytes
  yield fits ? { path, name, kind } : null
}

/**
 * Copies a document to `target` and to the disk, with its fingerprint. Null, with nothing left behind, when its content is
 * not what its extension says, when it grew over the limit, or when it cannot be read. Throws for what is wrong with the target.
 */
export async function copyDocument(file: FoundFile, target: string): Promise<CopiedFile | null> {
  // A link put in the file's place after it was found is not followed either (Windows has no such flag and no such links by default).
  const source = await open(file.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null)
  if (source === null) return null
  const hash = createHash('sha256')
  try {
    const copy = await open(target, 'wx', 0o600)
    let sizeBytes: number | null
    try {
      sizeBytes = await pour(source, copy, hash, file.kind)
      if (sizeBytes !== null) await copy.sync()
    } finally {
      await copy.close()
    }
    if (sizeBytes !== null) return { sizeBytes, sha256: hash.digest() }
  } catch (error) {
    await rm(target, { force: true })
    throw error
  } finally {
    await source.close()
  }
  await rm(target, { force: true })
  return null
}

type Handle = Awaited<ReturnType<typeof open>>

async function pour(source: Handle, copy: Handle, hash: Hash, kind: FileKind): Promise<number | null> {
  const block = Buffer.allocUnsafe(blockBytes)
  let sizeBytes = 0
  for (;;) {
    const { bytesRead } = await source.read(block, 0, blockBytes).catch(() => ({ bytesRead: -1 }))
    if (bytesRead < 0) return null
    if (bytesRead === 0) return sizeBytes === 0 ? null : sizeBytes
    const bytes = block.subarray(0, bytesRead)
    if (sizeBytes === 0 && !contentMatches(contentOf(bytes.subarray(0, headBytes)), kind)) return null
    sizeBytes += bytesRead
    if (sizeBytes > maxFileBytes) return null
    hash.update(bytes)
    for (let at = 0; at < bytesRead; ) at += (await copy.write(bytes, at, bytesRead - at)).bytesWritten
  }
}

/** Removes files of a folder that no row names. */
export async function removeStrays(directory: string, known: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!known.has(name)) await rm(join(directory, name), { force: true })
  }
  await syncDirectory(directory)
}

import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { constants } from 'node:fs'
import type { Stats } from 'node:fs'
import { lstat, open, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileKind } from '../../../shared/domain/document.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../../shared/domain/errors.ts'
import { entryRefusal } from '../../../shared/domain/file-rules.ts'
import { contentMatches, sniffType } from '../../../shared/domain/file-type.ts'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../shared/domain/limits.ts'
import { flushFolder } from '../../system/flush-folder.ts'

/** `named`: its own path was given, not that of a folder around it. */
type FoundFile = { path: string; name: string; kind: FileKind; named: boolean }

export type RefusedFile = { name: string; named: boolean; problem: ErrorReason }

type CopiedFile = { sizeBytes: number; sha256: Buffer }

const headBytes = 1024
const blockBytes = 256 * 1024
/** Folders inside folders; deeper ones are as good as endless. */
const maxDepth = 50

/**
 * The documents behind paths of this computer: a file, or a folder with everything in it. Each file that is none
 * (hidden, unsupported, empty, over 36 MB) comes with its problem; symbolic links are not followed. Throws
 * `path_missing` for a path that does not exist.
 */
export async function* documentsAt(paths: readonly string[]): AsyncGenerator<FoundFile | RefusedFile> {
  for (const path of paths) {
    if ((await lstat(path).catch(() => null)) === null) throw new AppError('path_missing', { path })
  }
  for (const path of paths) yield* documentsIn(path, 0)
}

async function* documentsIn(path: string, depth: number): AsyncGenerator<FoundFile | RefusedFile> {
  const name = basename(path)
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (found.isDirectory()) {
    if (depth > maxDepth || (depth > 0 && name.startsWith('.'))) return
    const names = await readdir(path).catch(() => [])
    for (const inside of names.sort()) yield* documentsIn(join(path, inside), depth + 1)
    return
  }
  const named = depth === 0
  const kind = kindOf(found, name)
  if (typeof kind === 'string') yield { path, name, kind, named }
  else yield { name, named, problem: kind }
}

/** What kind of document it can be by its name and size, or why it is none. */
function kindOf(found: Stats, name: string): FileKind | ErrorReason {
  const type = found.isSymbolicLink() ? 'link' : found.isFile() ? 'file' : 'other'
  const refusal = entryRefusal(name, { type, sizeBytes: found.size })
  const extension = extensionOf(name)
  // What a folder takes beside these is made a PDF there.
  if (refusal === null || refusal.code === 'mail')
    return supportedExtensions[extension] ?? because('unsupported_type', { extension: `.${extension}` })
  return refusal
}

const grownTooLarge: ErrorReason = { code: 'file_too_large', details: { size: '> 36 MB' } }

function because(code: ErrorCode, details: ErrorDetails = {}): ErrorReason {
  return { code, details }
}

/**
 * Copies a document to `target` and to the disk, with its fingerprint. The problem, with nothing left behind, when its
 * content is not what its extension says, when it grew over the limit, or when it cannot be read. Throws for what is
 * wrong with the target.
 */
export async function copyDocument(file: FoundFile, target: string): Promise<CopiedFile | ErrorReason> {
  // A link put in the file's place after it was found is not followed either (Windows has no such flag and no such
  // links by default).
  const source = await open(file.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(unreadable)
  if ('code' in source) return source
  const hash = createHash('sha256')
  let copied: number | ErrorReason
  try {
    const copy = await open(target, 'wx', 0o600)
    try {
      copied = await copyChecked(source, copy, hash, file)
      if (typeof copied === 'number') await copy.sync()
    } finally {
      await copy.close()
    }
    if (typeof copied === 'number') return { sizeBytes: copied, sha256: hash.digest() }
  } catch (error) {
    await rm(target, { force: true })
    throw error
  } finally {
    await source.close()
  }
  await rm(target, { force: true })
  return copied
}

function unreadable(error: unknown): ErrorReason {
  return because('file_unreadable', {
    detail: error instanceof Error && 'code' in error ? String(error.code) : 'error',
  })
}

type Handle = Awaited<ReturnType<typeof open>>

async function copyChecked(
  source: Handle,
  copy: Handle,
  hash: Hash,
  { name, kind }: FoundFile,
): Promise<number | ErrorReason> {
  const block = Buffer.allocUnsafe(blockBytes)
  let sizeBytes = 0
  for (;;) {
    const read = await source.read(block, 0, blockBytes).catch(unreadable)
    if ('code' in read) return read
    const { bytesRead } = read
    if (bytesRead === 0) return sizeBytes === 0 ? because('empty_file') : sizeBytes
    const bytes = block.subarray(0, bytesRead)
    const content = sizeBytes === 0 ? sniffType(bytes.subarray(0, headBytes)) : null
    if (content !== null && !contentMatches(content, kind)) {
      return content === 'unknown'
        ? because('file_damaged')
        : because('extension_mismatch', { extension: `.${extensionOf(name)}`, actual: content.toUpperCase() })
    }
    sizeBytes += bytesRead
    if (sizeBytes > maxFileBytes) return grownTooLarge
    hash.update(bytes)
    for (let at = 0; at < bytesRead; ) at += (await copy.write(bytes, at, bytesRead - at)).bytesWritten
  }
}

/** Removes files of a folder that no row names. */
export async function removeOrphans(directory: string, known: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!known.has(name)) await rm(join(directory, name), { force: true })
  }
  await flushFolder(directory)
}

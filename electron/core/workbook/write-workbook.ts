import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../../shared/domain/errors.ts'
import { temporaryName } from '../files/file-names.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { FrozenWorkbook, Workbook, WorkbookFile, Written } from '../db/tables/workbooks.ts'
import { workbookOf } from '../export/export.ts'
import type { WorkbookPart } from '../export/export.ts'
import { randomPart, replaceFiles } from '../export/replace-file.ts'
import type { FileAccess } from '../files/file-access.ts'
import { codeOf, statOf } from '../files/move-file.ts'
import { hashFile } from '../files/hash-file.ts'
import { freePath, preferredPath } from './workbook-path.ts'

// In: the documents of a folder that are approved.
// Out: its workbook, whole, with each of them once; or the reason why it stays as it was.

type Writing = {
  tables: Tables
  files: FileAccess
  now: () => number
  documentsDir: string
  /** Lock files beside it count for nothing: a person says that it is closed. */
  ignoresLocks: boolean
  /** Breaks the writing off; it throws the signal's reason then. */
  ended: AbortSignal
}

/** A person changed a file between two looks at it. */
class ModifiedError extends Error {}

const maxTries = 5

/**
 * Writes a folder's workbook with everything that is approved now. A file that is not as Sheaf wrote it is left alone,
 * and another one is begun beside it. Throws `workbook_open`, `workbook_disk_full`, `workbook_unreachable`, and
 * SQLite's errors.
 */
export async function writeWorkbook(writing: Writing, book: Workbook, folder: Folder): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    let place = preferredPath(book, folder, writing.documentsDir)
    try {
      if (book.path === null) await writing.files.mkdir(dirname(place), { recursive: true })
      const file = await fileFor(writing, folder.id, place)
      place = file.path
      return await write(writing, book, folder, file)
    } catch (error) {
      if (error instanceof ModifiedError && attempt < maxTries) continue
      throw writing.ended.aborted ? error : problemIn(error, place)
    }
  }
}

/** The file that is Sheaf's to write: the one of last time, or a new one. */
async function fileFor(writing: Writing, folderId: number, wanted: string): Promise<WorkbookFile> {
  const { tables, files, now } = writing
  const file = tables.workbooks.file(folderId)
  if (file !== null) {
    if (await isOurs(files, file)) return file
    if (file.last === null && file.next === null) tables.workbooks.forget(file.id)
    else tables.workbooks.leave(file, now())
  }
  return tables.workbooks.begin(folderId, await freePath(files, tables, folderId, wanted), temporaryName(randomPart()))
}

/** True when nothing lies in its place, or what Sheaf wrote there: the same by size and time, else by content. */
async function isOurs(files: FileAccess, { path, last, next }: WorkbookFile): Promise<boolean> {
  const stats = await statOf(files, path)
  if (stats === null) return true
  if (!stats.isFile()) return false
  // A file that was announced may have been renamed into place before a crash kept that from being recorded.
  const known = [last, next].filter((written) => written !== null && written.sizeBytes === stats.size) as Written[]
  if (known.some(({ mtimeMs }) => mtimeMs === Math.trunc(stats.mtimeMs))) return true
  if (known.length === 0) return false
  const { sha256 } = await hashFile(files, path)
  return known.some((written) => written.sha256.equals(sha256))
}

async function write(writing: Writing, book: Workbook, folder: Folder, file: WorkbookFile): Promise<void> {
  const { tables, files, now, ended } = writing
  await requireClosed(writing, file.path)
  const temporary = join(dirname(file.path), file.temporary)
  // Of a process that was killed.
  await files.unlink(temporary).catch(() => undefined)
  const view = tables.workbooks.freeze(folder.id)
  try {
    const { chunks, count } = await workbookOf(partsOf(tables, view, folder), book)
    const hash = createHash('sha256')
    const announce = async (): Promise<void> => {
      // It took a while: a person may have opened or changed it.
      await requireClosed(writing, file.path)
      if (!(await isOurs(files, file))) throw new ModifiedError()
      const stats = await files.stat(temporary)
      tables.workbooks.announce(file.id, {
        sizeBytes: stats.size,
        mtimeMs: Math.trunc(stats.mtimeMs),
        sha256: hash.digest(),
      })
    }
    await replaceFiles(
      [{ path: file.path, temporary: file.temporary, chunks: () => hashed(chunks, hash, ended) }],
      files,
      announce,
    )
    await flushFolder(files, dirname(file.path))
    tables.workbooks.written(file, { ...count, change: view.change }, now())
  } finally {
    view.end()
  }
}

/** Also those of schemas that the folder had before; without any document, the headers of the one that it has. */
function partsOf(tables: Tables, view: FrozenWorkbook, folder: Folder): WorkbookPart[] {
  const ids = view.schemaIds.length > 0 ? view.schemaIds : [folder.schemaId]
  return ids.map((id) => {
    const { name, elements } = tables.schemas.get(id)!
    return { name, schema: elements, source: () => view.documents(id) }
  })
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash, ended: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    ended.throwIfAborted()
    hash.update(chunk)
    yield chunk
  }
}

/**
 * What Excel and LibreOffice lay beside a file while they have it open, on this computer or another one of the same
 * share.
 */
function locksOf(path: string): string[] {
  return [`~$${basename(path)}`, `.~lock.${basename(path)}#`].map((name) => join(dirname(path), name))
}

async function requireClosed({ files, ignoresLocks }: Writing, path: string): Promise<void> {
  if (ignoresLocks) return
  for (const lock of locksOf(path)) {
    if ((await statOf(files, lock)) !== null) throw new AppError('workbook_open', { file: basename(path) })
  }
}

/**
 * A rename is on the disk only once its folder is; where a folder cannot be flushed the file system does that by
 * itself.
 */
async function flushFolder(files: FileAccess, path: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const directory = await files.open(path, 'r')
    await directory.sync().finally(() => directory.close())
  } catch {
    // Its content is there all the same.
  }
}

function problemIn(error: unknown, path: string): unknown {
  const file = basename(path)
  const code = error instanceof AppError ? error.code : codeOf(error)
  if (code === 'workbook_open') return error
  if (code === 'export_file_open' || code === 'EBUSY' || error instanceof ModifiedError)
    return new AppError('workbook_open', { file }, { cause: error })
  if (code === 'export_disk_full' || code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('workbook_disk_full', { file }, { cause: error })
  const detail = error instanceof AppError ? String(error.details['detail']) : code
  if (/^E[A-Z0-9]+$/.test(detail))
    return new AppError('workbook_unreachable', { file, folder: dirname(path), detail }, { cause: error })
  // What the disk did not say: the database, above all.
  return error instanceof AppError ? (error.cause ?? error) : error
}

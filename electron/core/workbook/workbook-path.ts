import { basename, dirname, extname, join } from 'node:path'
import { safeFileName, nameWith } from '../files/file-names.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Workbook } from '../db/tables/workbooks.ts'
import type { FileAccess } from '../files/file-access.ts'
import { statOf } from '../files/move-file.ts'

const maxNumbers = 10_000

/** Where workbooks are by default. */
function defaultDirectory(documentsDir: string): string {
  return join(documentsDir, 'Sheaf')
}

/** Where a workbook is to be when nothing is in its way. Pure. */
export function preferredPath(
  book: Pick<Workbook, 'path'>,
  folder: Pick<Folder, 'name'>,
  documentsDir: string,
): string {
  return book.path ?? join(defaultDirectory(documentsDir), `${safeFileName(folder.name, 'Sheaf')}.xlsx`)
}

/** The wanted place, or the first with a number, where nothing lies and no other folder's workbook is written. */
export async function freePath(files: FileAccess, tables: Tables, folderId: number, wanted: string): Promise<string> {
  const taken = new Set(tables.workbooks.pathsOfOthers(folderId).map(folded))
  for (let number = 1; number <= maxNumbers; number += 1) {
    const place = numbered(wanted, number)
    if (!taken.has(folded(place)) && (await statOf(files, place)) === null) return place
  }
  throw Object.assign(new Error('no free name'), { code: 'EEXIST' })
}

/** Some file systems do not distinguish letters by their case. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function numbered(path: string, number: number): string {
  if (number === 1) return path
  const extension = extname(path)
  return join(dirname(path), nameWith(basename(path, extension), ` (${number})${extension}`))
}

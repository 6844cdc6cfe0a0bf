import { basename, dirname, extname, join } from 'node:path'
import { safeFileName } from '../../../shared/file-name.ts'
import type { Folder } from '../db/folders.ts'
import type { Tables } from '../db/tables.ts'
import type { Workbook } from '../db/workbooks.ts'
import type { FileAccess } from '../platform/file-access.ts'
import { nameWith } from '../platform/file-names.ts'
import { statOf } from '../platform/move-file.ts'

const mostNumbers = 10_000

/** Where the workbooks are for which nobody chose another place. */
export function usualDirectory(documentsDir: string): string {
  return join(documentsDir, 'Sheaf')
}

/** Where a workbook is to be when nothing is in its way. Pure. */
export function wantedPlace(book: Pick<Workbook, 'path'>, folder: Pick<Folder, 'name'>, documentsDir: string): string {
  return book.path ?? join(usualDirectory(documentsDir), `${safeFileName(folder.name, 'Sheaf')}.xlsx`)
}

/** The wanted place, or the first with a number, where nothing lies and no other folder's workbook is written. */
export async function freePlace(files: FileAccess, tables: Tables, folderId: number, wanted: string): Promise<string> {
  const taken = new Set(tables.workbooks.pathsOfOthers(folderId).map(folded))
  for (let number = 1; number <= mostNumbers; number += 1) {
    const place = numbered(wanted, number)
    if (!taken.has(folded(place)) && (await statOf(files, place)) === null) return place
  }
  throw Object.assign(new Error('no free name'), { code: 'EEXIST' })
}

/** Some file systems tell no letters by their case. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function numbered(path: string, number: number): string {
  if (number === 1) return path
  const extension = extname(path)
  return join(dirname(path), nameWith(basename(path, extension), ` (${number})${extension}`))
}

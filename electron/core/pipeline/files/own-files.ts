import { basename, relative, sep } from 'node:path'
import { isTemporaryName } from '../../files/file-names.ts'
import type { Folder } from '../../db/tables/folders.ts'
import { statOf } from '../../files/move-file.ts'
import { isWithin } from '../../files/paths.ts'
import type { Context } from '../context.ts'

export type ArchivedAs = 'done' | 'failed'

/** Where a folder that moves its files keeps those whose outcome is known. */
export const outcomeFolders: Record<ArchivedAs, string> = { done: 'Done', failed: 'Failed' }

/** True for `Done` and `Failed` directly in a folder, in any case of letters, and for what lies in them. Pure. */
export function isInOutcomeFolder(folderPath: string, path: string): boolean {
  const [top] = relative(folderPath, path).split(sep)
  return Object.values(outcomeFolders).some((name) => name.toLowerCase() === top?.toLowerCase())
}

/** Says which files in a folder are never documents: Sheaf's own data and temporary files, and its outcome folders. */
export function ownFilesIn(
  folder: Pick<Folder, 'path' | 'afterwards'>,
  dataDirPaths: readonly string[],
): (path: string) => boolean {
  const isOwn = (path: string): boolean => dataDirPaths.some((own) => isWithin(path, own))
  // What lies in there on purpose, as the inbox does, is read all the same.
  const isInside = isOwn(folder.path)
  return (path) =>
    (!isInside && isOwn(path)) ||
    isTemporaryName(basename(path)) ||
    (folder.afterwards === 'move' && isInOutcomeFolder(folder.path, path))
}

/** An export or a workbook that was written into a watched folder, under whatever name that goes by here. */
export async function isOwnExport(
  { tables, files }: Pick<Context, 'tables' | 'files'>,
  path: string,
): Promise<boolean> {
  const name = basename(path)
  for (const written of [...tables.exports.pathsNamed(name), ...tables.workbooks.pathsNamed(name)]) {
    const [one, other] = await Promise.all([statOf(files, path), statOf(files, written)]).catch(() => [null, null])
    if (one !== null && other !== null && one.dev === other.dev && one.ino === other.ino) return true
  }
  return false
}

import { basename } from 'node:path'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { Folder } from '../../db/tables/folders.ts'
import { statOf } from '../../files/move-file.ts'
import type { Context } from '../context.ts'
import { identify } from '../files/identify.ts'
import type { Identity } from '../files/identify.ts'
import { schemaIdsOf } from '../sorting/recognise.ts'
import { isSameContent } from './decide.ts'

/**
 * The document of a file which was moved or renamed: within its folder whatever it was asked, from another watched
 * folder where that asks the same. Null when there is none. One that is uploaded stays where it is sent from
 * (`places.relocate`).
 */
export async function findMoved(
  context: Context,
  folder: Folder,
  { sha256 }: Identity,
): Promise<StoredDocument | null> {
  for (const document of context.tables.documents.ofContentIn(folder.id, sha256))
    if (!(await isStillThere(context, document))) return document
  const elsewhere = folder.kind === 'watched' ? findElsewhere(context, folder, sha256) : null
  return elsewhere === null || (await isStillThere(context, elsewhere)) || !(await isReached(context, elsewhere))
    ? null
    : elsewhere
}

/** The document of another watched folder whose file this folder would ask the same, or each of its parts. */
function findElsewhere({ tables }: Context, folder: Folder, sha256: Buffer): StoredDocument | null {
  const versions = new Set(schemaIdsOf(folder).map((id) => tables.schemas.get(id)!.versionId))
  const isAskedSo = ({ connectionId, agentReference, schemaVersionId }: StoredDocument): boolean =>
    connectionId === folder.connectionId && agentReference === folder.agentReference && versions.has(schemaVersionId)
  const found = tables.documents.ofContentElsewhere(folder.id, sha256).find((document) => {
    if (tables.folders.get(document.folderId)?.kind !== 'watched') return false
    return document.reasonCode === 'cut' ? tables.documents.partsOf(document).every(isAskedSo) : isAskedSo(document)
  })
  return found ?? null
}

/** Nothing in a folder is gone as long as that is out of reach itself. */
async function isReached({ tables, files }: Context, { folderId }: StoredDocument): Promise<boolean> {
  return files.stat(tables.folders.get(folderId)!.path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/** False when nothing is in its place, or another file; true also when that cannot be told. */
async function isStillThere(
  { files }: Context,
  { path, name, sizeBytes, mtimeMs, sha256 }: StoredDocument,
): Promise<boolean> {
  try {
    const stats = await statOf(files, path)
    if (stats === null || stats.size !== sizeBytes) return false
    return Math.trunc(stats.mtimeMs) === mtimeMs || isSameContent(await identify(files, path, name), { sha256 })
  } catch {
    return true
  }
}

/**
 * Takes the document of a moved file along to where that lies now; false where it cannot be taken: since the look a
 * copy of its file took it, or a later document has the place.
 */
export function follow(
  { tables }: Pick<Context, 'tables'>,
  moved: StoredDocument,
  { folderId, path, mtimeMs }: { folderId: number; path: string; mtimeMs: number },
): boolean {
  const { documents, places } = tables
  if (documents.get(moved.id)?.path !== moved.path) return false
  // A place is that of the newest of its documents.
  if ((documents.latestAt(folderId, path)?.id ?? 0) >= moved.id) return false
  return places.relocate(moved.id, { folderId, path, name: basename(path), mtimeMs })
}

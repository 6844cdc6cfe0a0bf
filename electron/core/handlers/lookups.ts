import { constants } from 'node:fs'
import { AppError } from '../../../shared/domain/errors.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { StoredSchema } from '../db/tables/schemas.ts'
import type { Tables } from '../db/tables/tables.ts'
import { isSystemFolder } from '../files/system-folders.ts'
import type { FileAccess } from '../files/file-access.ts'

type Stored = { tables: Tables }

/** Throws `not_found`. */
export function findDocument({ tables }: Stored, id: number): StoredDocument {
  const document = tables.documents.get(id)
  if (document === null) throw new AppError('not_found', { what: 'document' })
  return document
}

/** Throws `not_found`. */
export function findFolder({ tables }: Stored, id: number): Folder {
  const folder = tables.folders.get(id)
  if (folder === null) throw new AppError('not_found', { what: 'folder' })
  return folder
}

/** Throws `not_found`. */
export function findSchema({ tables }: Stored, id: number): StoredSchema {
  const schema = tables.schemas.get(id)
  if (schema === null) throw new AppError('not_found', { what: 'schema' })
  return schema
}

/** Throws `not_found` for a schema or a connection that is not there. */
export function requireKnown(
  { tables }: Stored,
  {
    schemaId,
    otherSchemaIds = [],
    connectionId,
  }: {
    schemaId?: number | undefined
    otherSchemaIds?: readonly number[] | undefined
    connectionId?: number | undefined
  },
): void {
  if (schemaId !== undefined) findSchema({ tables }, schemaId)
  for (const other of otherSchemaIds) findSchema({ tables }, other)
  if (connectionId !== undefined && tables.connections.get(connectionId) === null)
    throw new AppError('not_found', { what: 'connection' })
}

/** Throws `folder_missing` unless the path is a directory that can be listed. */
export async function requireDirectory(files: Pick<FileAccess, 'stat' | 'access'>, path: string): Promise<void> {
  try {
    if (!(await files.stat(path)).isDirectory()) throw new AppError('folder_missing', { path })
    await files.access(path, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new AppError('folder_missing', { path }, { cause: error })
  }
}

/** For a folder of documents. Throws `folder_missing` as `requireDirectory` does, and `folder_system`. */
export async function requireFolder(
  files: Pick<FileAccess, 'stat' | 'statfs' | 'access' | 'realpath'>,
  path: string,
): Promise<void> {
  await requireDirectory(files, path)
  if (await isSystemFolder(files, path)) throw new AppError('folder_system', { path })
}

/** So many in one transaction: each would be on the disk by itself, and all at once let nothing else have its turn. */
export const pageOfDocuments = 500

export function* pagesOf(ids: number[]): Generator<number[]> {
  for (let from = 0; from < ids.length; from += pageOfDocuments) yield ids.slice(from, from + pageOfDocuments)
}

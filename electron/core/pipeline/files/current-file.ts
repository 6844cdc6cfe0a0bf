import { AppError } from '../../../../shared/domain/errors.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import { fileError } from '../../platform/upload.ts'
import type { Context } from '../context.ts'
import { candidateAt, refusalOf } from './file-rules.ts'
import type { Candidate } from './file-rules.ts'

/** The file of a document as its directory entry says now. Throws `file_missing`, and the reasons of `refusalOf`. */
export async function currentFile({ files }: Pick<Context, 'files'>, document: StoredDocument): Promise<Candidate> {
  const stats = await files
    .lstat(document.path)
    .catch((error: unknown) => Promise.reject(fileError(error, document.name)))
  const candidate = candidateAt(document.path, stats)
  const refusal = refusalOf(document.name, candidate)
  if (refusal !== null) throw new AppError(refusal.code, refusal.details)
  return candidate
}

/** Throws `file_unreadable` while the file is on its way to its outcome folder. */
export function requireNotMoving({ tables }: Pick<Context, 'tables'>, document: StoredDocument): void {
  if (tables.places.isMoving(document)) throw new AppError('file_unreadable', { file: document.name, detail: 'EBUSY' })
}

/** `folder_offline` for a file that is gone or locked because its whole folder is out of reach; else the problem. */
export async function orFolderOffline(
  { tables, files }: Pick<Context, 'tables' | 'files'>,
  document: StoredDocument,
  problem: AppError,
): Promise<AppError> {
  if (problem.code !== 'file_missing' && problem.code !== 'file_unreadable') return problem
  const folder = tables.folders.get(document.folderId)
  if (folder === null || folder.kind === 'batch') return problem
  const isThere = await files.stat(folder.path).then(
    () => true,
    () => false,
  )
  return isThere ? problem : new AppError('folder_offline')
}

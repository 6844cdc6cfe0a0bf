import type { ErrorCode } from '../../../../shared/domain/errors.ts'
import { toAppError } from '../../../../shared/domain/errors.ts'
import type { SortedPart, Sorted, SortingQuestion } from '../../../../shared/domain/sorting.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { Folder } from '../../db/tables/folders.ts'
import { abortable } from '../../platform/abort.ts'
import { inTransaction } from '../context.ts'
import type { Context, StoreContext } from '../context.ts'
import { releaseCopies } from '../documents/copies.ts'
import { storeParts } from './parts.ts'

/** Whether documents of a folder are sorted before they are sent; an agent has a schema of its own. Pure. */
export function isSorting({ agentReference, otherSchemaIds, cuts }: Folder): boolean {
  return agentReference === null && (otherSchemaIds.length > 0 || cuts !== 'never')
}

/** The schemas of which one fits a document of a folder, the usual one first; those that were removed are left out. */
export function schemaIdsOf({ tables }: Pick<Context, 'tables'>, { schemaId, otherSchemaIds }: Folder): number[] {
  return [...new Set([schemaId, ...otherSchemaIds])].filter((id) => tables.schemas.get(id) !== null)
}

/**
 * Says of a document whose turn it is which schema it is asked by, where its folder has several or cuts its files.
 * Returns it as it is then; null when it is not sent: it waits for a person, or its parts are documents now. Throws
 * what reading throws, where that is no fault of the file.
 */
export async function recognise(
  context: Context,
  document: StoredDocument,
  signal: AbortSignal,
): Promise<StoredDocument | null> {
  const { tables } = context
  const folder = tables.folders.get(document.folderId)
  const isAskedApart = document.extra && document.firstPage === null
  if (folder === null || !isSorting(folder) || isAskedApart) return document
  if (tables.sortings.of(document.id)?.isSettled === true) return document
  const sorted = await sortedAs(context, folder, document, signal)
  return inTransaction(context, (inside) => settle(inside, folder, document, sorted))
}

/** What a document is sorted by. */
export function questionOf(context: Pick<Context, 'tables'>, folder: Folder, mayCut: boolean): SortingQuestion {
  const { schemas, sortings } = context.tables
  const ids = schemaIdsOf(context, folder)
  return {
    schemas: ids.map((id) => {
      const { name, versionId } = schemas.get(id)!
      return { id, name, elements: schemas.elementsOf(versionId) }
    }),
    examples: ids.length > 1 ? sortings.examples(ids) : [],
    mayCut,
  }
}

/** Nobody can read it here; a platform may. */
const unreadable: ReadonlySet<ErrorCode> = new Set(['file_encrypted', 'file_damaged', 'file_too_complex', 'no_text'])

/** By what came of the same content before, else by reading it. */
async function sortedAs(
  context: Context,
  folder: Folder,
  document: StoredDocument,
  signal: AbortSignal,
): Promise<Sorted> {
  const { id, firstPage, sha256 } = document
  const before = firstPage === null && sha256 !== null ? context.tables.sortings.ofContent(folder.id, sha256, id) : null
  if (before !== null) return { parts: before.parts, areCutsSure: true }
  const question = questionOf(context, folder, firstPage === null && folder.cuts !== 'never')
  try {
    return await abortable(context.sort(document, question), signal)
  } catch (error) {
    if (!unreadable.has(toAppError(error).code)) throw error
    const likely = question.schemas.map((schema) => schema.id)
    const schemaId = likely.length === 1 ? likely[0]! : null
    return { parts: [{ pages: { first: 1, last: 1 }, schemaId, likely, print: [] }], areCutsSure: true }
  }
}

function settle(
  context: StoreContext,
  folder: Folder,
  document: StoredDocument,
  { parts, areCutsSure }: Sorted,
): StoredDocument | null {
  const { tables } = context
  const [first, ...others] = parts as readonly [SortedPart, ...SortedPart[]]
  const isOne = others.length === 0
  const asks = (code: ErrorCode): null => {
    tables.sortings.save(document.id, { parts, isSettled: false, byPerson: false })
    return skip(context, document, code)
  }
  if (!areCutsSure || (!isOne && folder.cuts === 'ask' && !isSettledBefore(context, document)))
    return asks('cut_proposed')
  if (isOne && first.schemaId === null) return asks('kind_unsure')
  tables.sortings.save(document.id, { parts, isSettled: true, byPerson: false })
  if (isOne) {
    tables.documents.setSchemaVersion(document.id, tables.schemas.get(first.schemaId!)!.versionId)
    return tables.documents.get(document.id)
  }
  storeParts(context, document, parts, false)
  skip(context, document, 'cut', { parts: parts.length })
  releaseCopies(context, document.id)
  return null
}

/** A person said of the same content how it is cut. */
function isSettledBefore({ tables }: StoreContext, { folderId, sha256, id }: StoredDocument): boolean {
  return sha256 !== null && tables.sortings.ofContent(folderId, sha256, id) !== null
}

function skip(
  { tables, now, emit }: StoreContext,
  { id }: StoredDocument,
  code: ErrorCode,
  details: Record<string, number> = {},
): null {
  const status = tables.documents.apply(id, 'skip', { reason: { code, details } }, now())
  if (status !== null) emit('document.changed', { id, status })
  return null
}

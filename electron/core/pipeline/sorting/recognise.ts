import type { ErrorCode } from '../../../../shared/domain/errors.ts'
import { toAppError } from '../../../../shared/domain/errors.ts'
import { isReadHereOnly } from '../../../../shared/domain/limits.ts'
import type { SortedPart, Sorted, SortingQuestion } from '../../../../shared/domain/sorting.ts'
import { isStorageTrouble } from '../../db/durability/storage-trouble.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { Folder } from '../../db/tables/folders.ts'
import { abortable } from '../../platform/abort.ts'
import { inTransaction } from '../context.ts'
import type { Context, StoreContext } from '../context.ts'
import { releaseCopies } from '../documents/copies.ts'
import { transition } from '../documents/transition.ts'
import { storeParts } from './parts.ts'

/** Whether documents of a folder are sorted before they are sent; an agent has a schema of its own. Pure. */
export function isSorting({ agentReference, otherSchemaIds, cuts }: Folder): boolean {
  return agentReference === null && (otherSchemaIds.length > 0 || cuts !== 'never')
}

/** By what a folder sorts, as a text that is another one when that changes. Pure. */
export function sortingKey({ schemaId, otherSchemaIds, cuts, agentReference }: Folder): string {
  return JSON.stringify([schemaId, otherSchemaIds, cuts, agentReference])
}

/** The schemas of which one fits a document of a folder, the usual one first. */
export function schemaIdsOf({ schemaId, otherSchemaIds }: Folder): number[] {
  return [...new Set([schemaId, ...otherSchemaIds])]
}

/**
 * Says of a document whose turn it is which schema it is asked by, where its folder has several or cuts its files.
 * Returns it as it is then; null when it is not sent: it waits for a person, or its parts are documents now; `held`
 * when a person or a sweep changed something meanwhile, so that it has its turn once more. Throws what reading throws,
 * where that is no fault of the file.
 */
export async function recognise(
  context: Context,
  document: StoredDocument,
  signal: AbortSignal,
): Promise<StoredDocument | null | 'held'> {
  const { tables } = context
  const folder = tables.folders.get(document.folderId)
  const isAskedApart = document.extra && document.firstPage === null
  if (folder === null || !isSorting(folder) || isAskedApart) return document
  // What was sent is asked by what it was sent with.
  if (tables.sortings.of(document.id)?.isSettled === true || tables.attempts.wasSent(document.id)) return document
  const known = knownOf(context, folder, document)
  const sorted = known ?? (await sortedAs(context, folder, document, signal))
  return inTransaction(context, (inside) =>
    isAsItWas(inside, folder, document) ? settle(inside, folder, document, sorted, known !== null) : 'held',
  )
}

/** To sort takes a while: what a person said meanwhile counts, and so does a file that moved. */
function isAsItWas({ tables }: StoreContext, folder: Folder, before: StoredDocument): boolean {
  const document = tables.documents.get(before.id)
  const current = tables.folders.get(folder.id)
  if (document === null || current === null || tables.folders.removedAt(folder.id) !== null) return false
  const keyOf = ({ path, folderId, sha256, schemaVersionId, connectionId }: StoredDocument): string =>
    JSON.stringify([path, folderId, sha256?.toString('hex'), schemaVersionId, connectionId])
  return (
    document.status === 'queued' &&
    !document.inBin &&
    keyOf(document) === keyOf(before) &&
    tables.sortings.of(document.id)?.isSettled !== true &&
    sortingKey(current) === sortingKey(folder)
  )
}

/** What a document is sorted by. */
export function questionOf({ tables }: Pick<Context, 'tables'>, folder: Folder, mayCut: boolean): SortingQuestion {
  const { schemas, sortings } = tables
  const ids = schemaIdsOf(folder)
  return {
    schemas: ids.map((id) => {
      const { name, versionId } = schemas.get(id)!
      return { id, name, elements: schemas.elementsOf(versionId) }
    }),
    examples: ids.length > 1 ? sortings.examples(ids) : [],
    mayCut,
  }
}

/** What came of the same content in the folder before, as far as its settings allow that now; else null. */
function knownOf({ tables }: Context, folder: Folder, { id, firstPage, sha256 }: StoredDocument): Sorted | null {
  const before = firstPage === null && sha256 !== null ? tables.sortings.ofContent(folder.id, sha256, id) : null
  if (before === null) return null
  const ids = schemaIdsOf(folder)
  const mayCut = folder.cuts === 'sure' || (folder.cuts === 'ask' && before.byPerson)
  const isAllowed = before.parts.every(({ schemaId }) => schemaId === null || ids.includes(schemaId))
  return isAllowed && (mayCut || before.parts.length === 1) ? { parts: before.parts, areCutsSure: true } : null
}

/** Nobody can read it here; a platform may. */
const unreadable: ReadonlySet<ErrorCode> = new Set(['file_encrypted', 'file_damaged', 'file_too_complex', 'no_text'])

async function sortedAs(
  context: Context,
  folder: Folder,
  document: StoredDocument,
  signal: AbortSignal,
): Promise<Sorted> {
  const mayCut = document.firstPage === null && folder.cuts !== 'never' && !isReadHereOnly(document.name)
  const question = questionOf(context, folder, mayCut)
  try {
    return await abortable(context.sort(document, question), signal)
  } catch (error) {
    // The thread that reads may end over a file as well.
    const isOfThread = toAppError(error).code === 'internal' && !isStorageTrouble(error)
    const code = isOfThread ? 'file_too_complex' : toAppError(error).code
    if (signal.aborted || !unreadable.has(code)) throw error
    const likely = question.schemas.map(({ id }) => id)
    const schemaId = likely.length === 1 ? likely[0]! : null
    // Too much for one document, perhaps; what cannot be opened or says nothing is none of several.
    const areCutsSure = !mayCut || code !== 'file_too_complex'
    return { parts: [{ pages: { first: 1, last: 1 }, schemaId, likely, print: [] }], areCutsSure }
  }
}

/** `isKnown`: the same content was settled so before. */
function settle(
  context: StoreContext,
  folder: Folder,
  document: StoredDocument,
  { parts, areCutsSure }: Sorted,
  isKnown: boolean,
): StoredDocument | null {
  const { tables } = context
  const [first, ...others] = parts as readonly [SortedPart, ...SortedPart[]]
  const isOne = others.length === 0
  const asks = (code: ErrorCode): null => {
    tables.sortings.save(document.id, { parts, isSettled: false, byPerson: false })
    transition(context, document.id, 'skip', { reason: { code, details: {} } })
    // A copy in another folder is asked by what that has; one in the same waits for the same answer.
    releaseCopies(context, document.id, (copy) => copy.folderId !== folder.id)
    return null
  }
  if (!areCutsSure || (!isOne && folder.cuts === 'ask' && !isKnown)) return asks('cut_proposed')
  if (isOne && first.schemaId === null) return asks('kind_unsure')
  tables.sortings.save(document.id, { parts, isSettled: true, byPerson: false })
  if (isOne) {
    askBy(context, document, first.schemaId!)
    return tables.documents.get(document.id)
  }
  storeParts(context, document, parts, false)
  transition(context, document.id, 'skip', { reason: { code: 'cut', details: { parts: parts.length } } })
  releaseCopies(context, document.id)
  return null
}

/** Has a document that was never sent asked by a schema; what was taken for its copies was asked by another one. */
export function askBy(context: StoreContext, document: StoredDocument, schemaId: number): void {
  const { schemas, documents } = context.tables
  const { versionId } = schemas.get(schemaId)!
  if (versionId === document.schemaVersionId) return
  documents.setSchemaVersion(document.id, versionId)
  releaseCopies(context, document.id)
}

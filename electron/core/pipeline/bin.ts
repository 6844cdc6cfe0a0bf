// enters: a document that a person wants out of sight, or back
// leaves: the same document in the bin or in the lists again; its file, its result and its attempts are where they were
import { goesWithFolder } from '../db/tables/documents.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { assess } from './answers/assess.ts'
import type { StoreContext } from './context.ts'
import { releaseCopies } from './documents/copies.ts'
import { isSameContent } from './documents/decide.ts'

/**
 * Puts a document into the bin; false (and nothing changed) while a service has it, since its answer is to be seen.
 * What was to be sent is not. In a transaction of the caller.
 */
export function moveToBin(context: StoreContext, document: StoredDocument): boolean {
  const { tables, now } = context
  if (document.status === 'submitting' || document.status === 'waiting') return false
  if (document.inBin) return true
  const isWithdrawn = document.status === 'queued'
  if (isWithdrawn) tables.documents.apply(document.id, 'cancel', { reason: { code: 'binned', details: {} } }, now())
  tables.documents.setInBin(document.id, true)
  // What was taken for copies of it would wait for nothing.
  if (isWithdrawn && !tables.attempts.wasSent(document.id)) releaseCopies(context, document.id)
  notifyMoved(context, document.id)
  return true
}

/**
 * Takes a document out of the bin; what waited for its turn when it was put there waits for it again. As `moveToBin`.
 */
export function restore(context: StoreContext, document: StoredDocument): void {
  const { tables, now } = context
  if (!document.inBin) return
  tables.documents.setInBin(document.id, false)
  const wasQueued = document.status === 'cancelled' && document.reasonCode === 'binned'
  if (
    (wasQueued && hasConnection(context, document) && !tables.attempts.mayBeBilled(document.id)) ||
    isCopyOfAnother(context, document)
  )
    tables.documents.apply(document.id, 'requeue', {}, now())
  notifyMoved(context, document.id)
}

/**
 * Whether its pages are in other documents by now: its file was cut, joined or cut otherwise since. Back beside those
 * it would stand twice in lists and spreadsheets.
 */
export function isCutOtherwise({ tables }: Pick<StoreContext, 'tables'>, document: StoredDocument): boolean {
  const { id, firstPage, lastPage } = document
  const whole = tables.documents.latestAt(document.folderId, document.path)
  if (whole === null || whole.id === id || !isSameContent(whole, document)) return false
  const isCut = whole.reasonCode === 'cut' && !whole.inBin
  if (firstPage === null || lastPage === null) return isCut
  const parts = tables.documents.partsOf(document).filter((part) => part.id !== id)
  return !isCut || parts.some((part) => part.firstPage! <= lastPage && part.lastPage! >= firstPage)
}

/** Where it would go may be gone. */
function hasConnection({ tables }: StoreContext, document: StoredDocument): boolean {
  const { connectionId } = goesWithFolder(document) ? tables.folders.get(document.folderId)! : document
  return tables.connections.list().some(({ id }) => id === connectionId)
}

/** Its original stands for other content by now: it is looked at anew, as it would have been. */
function isCopyOfAnother({ tables }: StoreContext, document: StoredDocument): boolean {
  const original =
    document.status === 'skipped' && document.originalDocumentId !== null
      ? tables.documents.get(document.originalDocumentId)
      : null
  return (
    original !== null &&
    (original.sha256 === null || document.sha256 === null || !original.sha256.equals(document.sha256))
  )
}

function notifyMoved(context: StoreContext, id: number): void {
  // Another document may be the first with a value now.
  if (context.tables.reviews.sharing(id).length > 0) assess(context, id)
  context.emit('document.changed', { id, status: context.tables.documents.get(id)!.status })
}

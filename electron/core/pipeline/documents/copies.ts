import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { duplicateCode, nameOf } from '../../db/tables/documents.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { StoreContext } from '../context.ts'
import { isSameContent } from './decide.ts'
import type { Version } from './decide.ts'
import { transition } from './transition.ts'

/** Why a document is refused beside its twin: a copy of what is done or on its way is a result already. */
export function duplicateOf({ tables }: Pick<StoreContext, 'tables'>, twin: StoredDocument): ErrorReason {
  return { code: duplicateCode(twin.status, tables.attempts.mayBeBilled(twin.id)), details: { original: nameOf(twin) } }
}

/**
 * What was taken for copies of a document is queued anew, one of them in its place: its file is gone, or another one,
 * or it is asked otherwise. Those that `which` picks; all when absent.
 */
export function releaseCopies(
  context: StoreContext,
  id: number,
  which: (copy: StoredDocument) => boolean = () => true,
): void {
  const { documents, places } = context.tables
  for (const copy of places.copiesOf(id)) if (which(documents.get(copy)!)) transition(context, copy, 'requeue')
}

/** The document stands for what lies in its place now; what was taken for its copies was so of the content before. */
export function renewVersion(context: StoreContext, document: StoredDocument, version: Version): void {
  const { sizeBytes, mtimeMs, sha256 } = version
  context.tables.documents.replaceContent(document.id, sizeBytes, mtimeMs, sha256)
  if (isSameContent(document, version)) return
  // What was recognised was so of the content before.
  if (document.sha256 !== null) context.tables.sortings.forget(document.id)
  releaseCopies(context, document.id)
}

/**
 * Cancels what is queued in a folder that a person removed, or that its patterns leave out by now (`why`). What was
 * never sent is taken in anew when that is over, and a copy of it in another folder takes its place.
 */
export function withdraw(
  context: StoreContext,
  id: number,
  why: 'folder_removed' | 'left_out' = 'folder_removed',
): void {
  const wasSent = context.tables.attempts.wasSent(id)
  const status = transition(context, id, 'cancel', wasSent ? {} : { reason: { code: why, details: {} } })
  if (status !== null && !wasSent) releaseCopies(context, id)
}

import type { DocumentEvent, DocumentStatus } from '../../../../shared/domain/document-status.ts'
import type { DocumentChange } from '../../db/tables/documents.ts'
import type { StoreContext } from '../context.ts'

/** Moves a document along the transition table and says so; null, and nothing happened, where the event must not. */
export function transition(
  { tables, now, emit }: StoreContext,
  id: number,
  event: DocumentEvent,
  change: DocumentChange = {},
): DocumentStatus | null {
  const status = tables.documents.apply(id, event, change, now())
  if (status !== null) emit('document.changed', { id, status })
  return status
}

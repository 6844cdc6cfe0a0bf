import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { extensionOf, shownKind } from '../../../shared/domain/limits.ts'
import { isWithoutSchema } from '../../../shared/domain/sorting.ts'

/** Whether a document is not sent because of what sorting said, or has still to say. Pure. */
export function isSorted({ status, reason }: Pick<DocumentRow, 'status' | 'reason'>): boolean {
  return status === 'skipped' && isWithoutSchema(reason?.code ?? null)
}

/** The schema that a document is asked by; undefined while nobody knows which that is. Pure. */
export function schemaIdOf({ schemaId, reason }: Pick<DocumentRow, 'schemaId' | 'reason'>): number | undefined {
  return isWithoutSchema(reason?.code ?? null) ? undefined : schemaId
}

/** Whether a person can say which documents the file of this one holds. Pure. */
export function isSortable(document: Pick<DocumentRow, 'name' | 'status' | 'reason' | 'inBin'>): boolean {
  return !document.inBin && (shownKind(extensionOf(document.name)) === 'pdf' || isSorted(document))
}

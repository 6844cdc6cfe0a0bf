import type { DocumentRow } from '../../../shared/contract/documents.ts'
import type { ErrorCode } from '../../../shared/domain/errors.ts'
import { extensionOf } from '../../../shared/domain/limits.ts'

/** Reasons of documents that are not sent since a person sorts their file, or since its parts are sent instead. */
const sortingReasons = new Set<ErrorCode | undefined>(['kind_unsure', 'cut_proposed', 'cut'])
/** Of these the pages can be parted. */
const partable = new Set(['pdf', 'tif', 'tiff'])

/** Whether a document is not sent because of what sorting said, or has still to say. Pure. */
export function isSorted({ status, reason }: Pick<DocumentRow, 'status' | 'reason'>): boolean {
  return status === 'skipped' && sortingReasons.has(reason?.code)
}

/** Whether a person can say which documents the file of this one holds. Pure. */
export function isSortable(document: Pick<DocumentRow, 'name' | 'status' | 'reason' | 'inBin'>): boolean {
  return !document.inBin && (partable.has(extensionOf(document.name)) || isSorted(document))
}

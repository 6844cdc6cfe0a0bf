import type { ExportSpec } from '../../../shared/contract/exports.ts'
import { changeDocumentsView } from '../documents/view.ts'

/** The list of documents has those of an export that are to be checked when it is shown next. */
export function listFlagged({ schemaId, folderId }: ExportSpec): void {
  changeDocumentsView({ tab: 'flagged', schemaId, folderId, received: 'any', search: '' })
}

import type { ExportSpec } from '../../../shared/contract/exports.ts'
import { navigate } from '../../client/route.ts'
import { changeDocumentsView } from '../documents/view.ts'

/** Leads to the documents of an export that are to be checked. */
export function showFlagged({ schemaId, folderId }: ExportSpec): void {
  changeDocumentsView({ tab: 'flagged', schemaId, folderId, received: 'any', search: '' })
  navigate({ screen: 'documents' })
}

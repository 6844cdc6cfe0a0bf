import type { MailHead } from './mail.ts'
import type { ReviewState } from './document-status.ts'

/** What is known of a document beside its values, for exports. Times are epoch ms; null while nobody approved it. */
export type AboutDocument = {
  /** Where the file lies now. */
  path: string
  schemaName: string
  folderName: string
  state: ReviewState
  receivedAt: number
  approvedAt: number | null
  approvedBy: string | null
  /** Of the mail that it came with. */
  mail: MailHead
}

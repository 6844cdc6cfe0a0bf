import type { PDFDocumentProxy } from 'pdfjs-dist'
import type { ExactSource } from '../../../shared/domain/document.ts'
import { eInvoiceFrom } from './e-invoice.ts'

/** An invoice carries one; more are looked through only so far. */
const maxLookedAt = 10

/** The e-invoices among the XML files that a PDF carries (ISO 32000-1, 7.11.4). Other attachments are never opened. */
export async function attachedInvoices(pdf: PDFDocumentProxy): Promise<ExactSource[]> {
  const attachments = await pdf.getAttachments().catch(() => null)
  const files = [...(attachments ?? [])].filter(([, { filename }]) => /\.xml$/i.test(filename)).slice(0, maxLookedAt)
  const found: ExactSource[] = []
  for (const [id, { filename }] of files) {
    const bytes: unknown = await pdf.getAttachmentContent(id).catch(() => null)
    const source = bytes instanceof Uint8Array ? eInvoiceFrom(bytes, filename) : null
    if (source !== null) found.push(source)
  }
  return found
}

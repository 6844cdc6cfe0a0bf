import { AppError } from '../../../shared/domain/errors.ts'
import type { PageSpan } from '../../../shared/domain/sorting.ts'
import { openPdf } from '../pdf/open-pdf.ts'

/** A PDF, and which of its pages are wanted. */
export type PdfToCut = { bytes: Uint8Array; pages: PageSpan }

/** A PDF of some of the pages of another one, as they are there. Throws as `openPdf`, and `file_damaged`. */
export async function pdfPart({ bytes, pages }: PdfToCut): Promise<Uint8Array> {
  const { pdf, close } = await openPdf(bytes, { drawable: false })
  try {
    if (pages.last > pdf.numPages) throw new AppError('file_damaged')
    const part = await pdf
      .extractPages([{ document: null, includePages: [[pages.first - 1, pages.last - 1]] }])
      .catch((error: unknown) => Promise.reject(new AppError('file_damaged', {}, { cause: error })))
    // pdf.js says null where it gave up.
    if ((part as Uint8Array | null) === null) throw new AppError('file_damaged')
    return part
  } finally {
    await close()
  }
}

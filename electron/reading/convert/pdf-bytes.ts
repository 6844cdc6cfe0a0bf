import { buffer } from 'node:stream/consumers'

/** Ends a document and resolves with its bytes. */
export async function finished(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  const bytes = buffer(pdf as unknown as NodeJS.ReadableStream)
  pdf.end()
  return bytes
}

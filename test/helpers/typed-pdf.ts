import { PDFDocument, StandardFonts } from 'pdf-lib'

/** A PDF with a page for each text, one line below the other; texts are of Latin letters. */
export async function typedPdf(...pages: string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const text of pages) {
    const page = pdf.addPage([595, 842])
    text.split('\n').forEach((line, index) => page.drawText(line, { x: 60, y: 780 - index * 18, size: 11, font }))
  }
  return Buffer.from(await pdf.save())
}

/** What the pages of a PDF say, one text each. */
export async function textsOf(bytes: Uint8Array): Promise<string[]> {
  const { readDocument } = await import('../../electron/reading/read.ts')
  const nothing = (): Promise<never> => Promise.reject(new Error('no picture is expected'))
  const { pages } = await readDocument(bytes, 'pdf', nothing, async () => undefined)
  return pages.map(({ tokens }) => tokens.map(({ text }) => text).join(' '))
}

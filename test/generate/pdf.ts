import { PDFDocument, rgb } from 'pdf-lib'
import type { PDFFont, PDFPage } from 'pdf-lib'
import { fontFamilies } from './metrics.ts'
import type { Paper, Sheet } from './paper.ts'

/** A drawn paper as a PDF with text; its bytes depend on the paper alone. */
export async function pdfOf(paper: Paper): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const names = fontFamilies[paper.family]
  const fonts = { regular: await pdf.embedFont(names.regular), bold: await pdf.embedFont(names.bold) }
  for (const sheet of paper.sheets) drawSheet(pdf.addPage([sheet.width, sheet.height]), sheet, fonts)
  return pdf.save()
}

/** Pictures of pages as a PDF, as a scanner makes it. */
export async function scannedPdfOf(
  pictures: readonly { jpeg: Uint8Array; width: number; height: number }[],
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  for (const { jpeg, width, height } of pictures) {
    const image = await pdf.embedJpg(jpeg)
    pdf.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height })
  }
  return pdf.save()
}

function drawSheet(
  page: PDFPage,
  { height, runs, lines, fills, squares }: Sheet,
  fonts: { regular: PDFFont; bold: PDFFont },
): void {
  for (const fill of fills)
    page.drawRectangle({
      x: fill.x,
      y: height - fill.y - fill.height,
      width: fill.width,
      height: fill.height,
      color: rgb(fill.shade, fill.shade, fill.shade),
    })
  for (const { x1, y1, x2, y2, weight } of lines)
    page.drawLine({ start: { x: x1, y: height - y1 }, end: { x: x2, y: height - y2 }, thickness: weight })
  for (const { x, y, size, ticked } of squares) {
    page.drawRectangle({
      x,
      y: height - y - size,
      width: size,
      height: size,
      borderWidth: 0.8,
      borderColor: rgb(0, 0, 0),
    })
    if (!ticked) continue
    const [left, right, top, bottom] = [
      x + size * 0.2,
      x + size * 0.8,
      height - y - size * 0.2,
      height - y - size * 0.8,
    ]
    page.drawLine({ start: { x: left, y: top }, end: { x: right, y: bottom }, thickness: 1 })
    page.drawLine({ start: { x: left, y: bottom }, end: { x: right, y: top }, thickness: 1 })
  }
  for (const { x, baseline, size, bold, pieces } of runs)
    page.drawText(pieces.map(({ text }) => text).join(''), {
      x,
      y: height - baseline,
      size,
      font: bold ? fonts.bold : fonts.regular,
    })
}

import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import type { PDFFont, PDFPage } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { noRecognition } from '../reading/expectations.ts'
import { listOf } from '../extraction/schema-of.ts'

const edges = [50, 90, 300, 350, 440, 540]
const heads = ['Pos.', 'Bezeichnung', 'Menge', 'Einzelpreis', 'Gesamtpreis']
const goods = listOf('positionen', 'bezeichnung', 'menge: number', 'einzelpreis: number', 'gesamtpreis: number')

type Row = { texts: string[]; numbers: string[] }

/** Draws rows between lines, each number beside the middle of its texts; where the table ends. */
function drawTable(page: PDFPage, font: PDFFont, top: number, rows: readonly Row[], hasHead = true): number {
  let y = top
  const rule = (at: number): void =>
    page.drawLine({ start: { x: edges[0]!, y: at }, end: { x: edges.at(-1)!, y: at }, color: rgb(0, 0, 0) })
  const write = (text: string, column: number, at: number): void =>
    page.drawText(text, { x: edges[column]! + 4, y: at, size: 9, font })
  rule(y)
  if (hasHead) {
    heads.forEach((head, column) => write(head, column, y - 14))
    y -= 20
    rule(y)
  }
  for (const { texts, numbers } of rows) {
    // as far from the next row as one line is from another
    const height = texts.length * 12
    texts.forEach((text, line) => write(text, 1, y - 9 - line * 12))
    const middle = y - 3 - height / 2
    const [position, ...others] = numbers
    write(position!, 0, middle)
    others.forEach((number, index) => write(number, index + 2, middle))
    y -= height
    rule(y)
  }
  for (const x of edges) page.drawLine({ start: { x, y: top }, end: { x, y }, color: rgb(0, 0, 0) })
  return y
}

const desk: Row = {
  texts: ['Schreibtisch Eiche', 'geölt, 160 x 80 cm', 'Artikel 4711-B'],
  numbers: ['1', '2', '349,00', '698,00'],
}
const lamp: Row = { texts: ['Leuchte Nord'], numbers: ['2', '4', '59,90', '239,60'] }
const shelf: Row = {
  texts: ['Regal Kiefer', 'mit fünf Böden', 'Artikel 4790-A', 'Lieferung in zwei Teilen'],
  numbers: ['3', '1', '129,00', '129,00'],
}

async function rowsIn(draw: (pdf: PDFDocument, font: PDFFont) => void): Promise<unknown[][]> {
  const pdf = await PDFDocument.create()
  draw(pdf, await pdf.embedFont(StandardFonts.Helvetica))
  const document = await readDocument(await pdf.save(), 'pdf', noRecognition)
  const rows = extractFields(document, [goods]).data['positionen'] as Record<string, unknown>[]
  return rows.map(({ bezeichnung, menge, einzelpreis, gesamtpreis }) => [
    String(bezeichnung).split(' ').slice(0, 2).join(' '),
    menge,
    einzelpreis,
    gesamtpreis,
  ])
}

function letter(pdf: PDFDocument, font: PDFFont): PDFPage {
  const page = pdf.addPage([595, 842])
  page.drawText('Möbelhaus Kranz GmbH, Gartenweg 4, 04109 Leipzig', { x: 50, y: 790, size: 9, font })
  page.drawText('Rechnung Nr. 2026-318', { x: 50, y: 740, size: 14, font })
  return page
}

describe('rows between drawn lines', () => {
  it('have the texts above and below their numbers, which no gap tells apart', async () => {
    const found = await rowsIn((pdf, font) => drawTable(letter(pdf, font), font, 700, [desk, lamp, shelf]))
    expect(found).toEqual([
      ['Schreibtisch Eiche', 2, 349, 698],
      ['Leuchte Nord', 4, 59.9, 239.6],
      ['Regal Kiefer', 1, 129, 129],
    ])
  })

  it('go on on the next page, with or without their heads', async () => {
    for (const hasHead of [true, false]) {
      const found = await rowsIn((pdf, font) => {
        drawTable(letter(pdf, font), font, 700, [desk, lamp])
        drawTable(
          pdf.addPage([595, 842]),
          font,
          790,
          [shelf, { ...lamp, numbers: ['4', '3', '10,00', '30,00'] }],
          hasHead,
        )
      })
      expect(found).toEqual([
        ['Schreibtisch Eiche', 2, 349, 698],
        ['Leuchte Nord', 4, 59.9, 239.6],
        ['Regal Kiefer', 1, 129, 129],
        ['Leuchte Nord', 3, 10, 30],
      ])
    }
  })
})

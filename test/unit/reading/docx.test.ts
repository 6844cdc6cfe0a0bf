import {
  CheckBox,
  Document as Docx,
  Header,
  HeadingLevel,
  Packer,
  PageBreak,
  Paragraph,
  Tab,
  Table,
  TableCell,
  TableRow,
  TabStopType,
  TextRun,
  WidthType,
} from 'docx'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Document } from '../../../shared/domain/document.ts'
import { expectCode, noRecognition, textsOf, tokenNamed } from './expectations.ts'
import { docxOf } from './office-files.ts'

async function written(children: (Paragraph | Table)[], header?: Header): Promise<Document> {
  const docx = new Docx({ sections: [{ ...(header ? { headers: { default: header } } : {}), children }] })
  return readDocument(new Uint8Array(await Packer.toBuffer(docx)), 'docx', noRecognition)
}

const cell = (text: string, options: object = {}): TableCell =>
  new TableCell({ children: [new Paragraph(text)], ...options })

describe('a DOCX', () => {
  it('flows as lines, headers first, with headings and bold type marked', async () => {
    const document = await written(
      [
        new Paragraph({ text: 'Invoice', heading: HeadingLevel.HEADING_1 }),
        new Paragraph({ children: [new TextRun('Total '), new TextRun({ text: '12.50', bold: true })] }),
      ],
      new Header({ children: [new Paragraph('Acme Ltd')] }),
    )
    expect(textsOf(document)).toEqual(['Acme', 'Ltd', 'Invoice', 'Total', '12.50'])
    expect(tokenNamed(document, 'Invoice').bold).toBe(true)
    expect(tokenNamed(document, 'Invoice').fontSize).toBeGreaterThan(tokenNamed(document, 'Total').fontSize)
    expect(tokenNamed(document, '12.50').bold).toBe(true)
    expect(tokenNamed(document, 'Total').bold).toBe(false)
    expect(tokenNamed(document, 'Total').box.y).toBe(tokenNamed(document, '12.50').box.y)
    expect(document.pages[0]).toMatchObject({ origin: 'flow', width: 100 })
  })

  it('keeps columns that are made with tabs', async () => {
    const row = (...texts: string[]): Paragraph =>
      new Paragraph({
        tabStops: [
          { type: TabStopType.LEFT, position: 3000 },
          { type: TabStopType.RIGHT, position: 8000 },
        ],
        children: texts.map((text, index) => new TextRun({ children: index === 0 ? [text] : [new Tab(), text] })),
      })
    const document = await written([row('Date', '12.03.2026', '9,00'), row('Customer', 'X', '1.250,00')])
    expect(tokenNamed(document, '12.03.2026').box.x).toBeCloseTo(tokenNamed(document, 'X').box.x, 6)
    const right = (text: string): number => tokenNamed(document, text).box.x + tokenNamed(document, text).box.width
    expect(right('9,00')).toBeCloseTo(right('1.250,00'), 6)
  })

  it('declares tables with their cells and lays their words out as a grid', async () => {
    const document = await written([
      new Table({
        width: { size: 9000, type: WidthType.DXA },
        columnWidths: [3000, 3000, 3000],
        rows: [
          new TableRow({ children: [cell('Item'), cell('Qty'), cell('Price')] }),
          new TableRow({ children: [cell('Bolt M8', { rowSpan: 2 }), cell('4'), cell('0.80')] }),
          new TableRow({ children: [cell('5'), cell('0.90')] }),
          new TableRow({ children: [cell('Sum', { columnSpan: 2 }), cell('7.70')] }),
        ],
      }),
    ])
    const table = document.pages[0]?.tables[0]
    expect(table?.rows.map((row) => row.map((entry) => entry.text))).toEqual([
      ['Item', 'Qty', 'Price'],
      ['Bolt M8', '4', '0.80'],
      ['', '5', '0.90'],
      ['Sum', '7.70'],
    ])
    expect(table?.rows[3]?.[0]?.columnSpan).toBe(2)
    expect(table?.rows[1]?.[0]?.box.height).toBeCloseTo((table?.rows[1]?.[1]?.box.height ?? 0) * 2, 6)
    expect(tokenNamed(document, '4').box.x).toBeCloseTo(tokenNamed(document, 'Qty').box.x, 6)
    expect(tokenNamed(document, '4').box.y).toBeGreaterThan(tokenNamed(document, 'Qty').box.y)
    expect(tokenNamed(document, '7.70').box.x).toBeCloseTo(tokenNamed(document, 'Price').box.x, 6)
  })

  it('shows check boxes of every kind as ☒ and ☐', async () => {
    const modern = await written([
      new Paragraph({ children: [new CheckBox({ checked: true }), new TextRun(' yes')] }),
      new Paragraph({ children: [new CheckBox({ checked: false }), new TextRun(' no')] }),
    ])
    expect(textsOf(modern)).toEqual(['☒', 'yes', '☐', 'no'])
    const older = await readDocument(
      await docxOf(`
        <w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>
        <w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>legacy</w:t></w:r></w:p>
        <w:p><w:r><w:sym w:font="Wingdings" w:char="F0A8"/></w:r><w:r><w:t>symbol</w:t></w:r></w:p>
        <w:p><w:r><w:t>☑ typed</w:t></w:r></w:p>`),
      'docx',
      noRecognition,
    )
    expect(textsOf(older)).toEqual(['☒', 'legacy', '☐', 'symbol', '☒', 'typed'])
  })

  it('starts a new page at a page break', async () => {
    const document = await written([
      new Paragraph('first'),
      new Paragraph({ children: [new PageBreak(), new TextRun('second')] }),
    ])
    expect(document.pages.map((page) => page.tokens.map((token) => token.text))).toEqual([['first'], ['second']])
    expect(document.pages.map((page) => page.number)).toEqual([1, 2])
  })

  it('leaves out tracked deletions, hidden text and placeholders, and keeps insertions and text boxes', async () => {
    const document = await readDocument(
      await docxOf(`
        <w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>added</w:t></w:r></w:ins></w:p>
        <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>
          <w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:r><w:t>Click here</w:t></w:r></w:sdtContent></w:sdt></w:p>
        <w:p><w:r><mc:AlternateContent>
          <mc:Choice><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice>
          <mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback>
        </mc:AlternateContent></w:r></w:p>`),
      'docx',
      noRecognition,
    )
    expect(textsOf(document)).toEqual(['added', 'boxed'])
  })

  it('joins a word whose letters are in several runs', async () => {
    const document = await written([
      new Paragraph({ children: [new TextRun('Rech'), new TextRun({ text: 'nung', bold: true }), new TextRun(' 7')] }),
    ])
    expect(textsOf(document)).toEqual(['Rechnung', '7'])
  })

  it('without any text is no_text', async () => {
    await expectCode(readDocument(await docxOf('<w:p/>'), 'docx', noRecognition), 'no_text')
  })
})

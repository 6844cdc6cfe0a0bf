import { describe, expect, it } from 'vitest'
import { showNumber } from '../../../electron/reading/office/number-format.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import { expectCode, noRecognition, textsOf, tokenNamed } from './expectations.ts'
import { xlsxOf } from './office-files.ts'
import { forNight } from '../../helpers/scale.ts'

const styles = `<styleSheet>
  <numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00 &quot;€&quot;"/><numFmt numFmtId="166" formatCode="00000"/></numFmts>
  <fonts><font><sz val="11"/></font><font><b/><sz val="14"/></font></fonts>
  <cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="164" fontId="0"/><xf numFmtId="165" fontId="1"/><xf numFmtId="166" fontId="0"/><xf numFmtId="10" fontId="0"/></cellXfs>
</styleSheet>`

describe('an XLSX', () => {
  it('shows cells as Excel does and keeps their typed values', async () => {
    const xml = `<sheetData>
      <row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>46000</v></c><c r="C1" s="2"><v>1234.5</v></c></row>
      <row r="2"><c r="A2" t="inlineStr"><is><r><t>two </t></r><r><t>words</t></r></is></c><c r="B2" t="b"><v>1</v></c><c r="C2" s="3"><v>42</v></c></row>
      <row r="3"><c r="A3" t="str"><f>A1&amp;"!"</f><v>Invoice!</v></c><c r="B3" s="4"><v>0.19</v></c><c r="C3"><v>0.1</v></c></row>
    </sheetData>`
    const document = await readDocument(
      await xlsxOf([{ name: 'Data', xml }], { strings: ['Invoice'], styles }),
      'xlsx',
      noRecognition,
    )
    const rows = document.pages[0]?.tables[0]?.rows ?? []
    expect(rows.map((row) => row.map((cell) => cell.text))).toEqual([
      ['Invoice', '2025-12-09', '1,234.50 €'],
      ['two words', 'TRUE', '00042'],
      ['Invoice!', '19.00%', '0.1'],
    ])
    expect(rows[0]?.[1]?.value).toEqual({ type: 'date', date: '2025-12-09' })
    expect(rows[0]?.[2]?.value).toEqual({ type: 'number', number: 1234.5 })
    expect(rows[1]?.[1]?.value).toEqual({ type: 'boolean', boolean: true })
    expect(rows[0]?.[0]?.value).toBeUndefined()
    expect(document.pages[0]).toMatchObject({ origin: 'sheet', name: 'Data' })
    expect(tokenNamed(document, '1,234.50').bold).toBe(true)
  })

  it('splits cells into words inside the cell', async () => {
    const xml =
      '<sheetData><row r="1"><c r="B1" t="inlineStr"><is><t>net amount\nin euro</t></is></c><c r="C1"><v>7</v></c></row></sheetData>'
    const document = await readDocument(await xlsxOf([{ name: 'S', xml }]), 'xlsx', noRecognition)
    expect(textsOf(document)).toEqual(['net', 'amount', 'in', 'euro', '7'])
    const cell = document.pages[0]?.tables[0]?.rows[0]?.[0]
    const word = tokenNamed(document, 'euro')
    expect(word.box.x).toBeGreaterThanOrEqual(cell?.box.x ?? 1)
    expect(word.box.x + word.box.width).toBeLessThanOrEqual((cell?.box.x ?? 0) + (cell?.box.width ?? 0))
    expect(word.box.y).toBeGreaterThan(tokenNamed(document, 'net').box.y)
  })

  it('spans merged cells', async () => {
    const xml = `<sheetData><row r="1"><c r="A1" t="str"><v>Title</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c><c r="C2"><v>3</v></c></row></sheetData>
      <mergeCells><mergeCell ref="A1:B1"/></mergeCells>`
    const document = await readDocument(await xlsxOf([{ name: 'S', xml }]), 'xlsx', noRecognition)
    const rows = document.pages[0]?.tables[0]?.rows
    expect(rows?.[0]?.map((cell) => [cell.text, cell.columnSpan])).toEqual([
      ['Title', 2],
      ['', undefined],
    ])
    expect(rows?.[0]?.[1]?.box.x).toBeCloseTo(rows?.[1]?.[2]?.box.x ?? 0, 9)
  })

  it('skips hidden sheets and keeps hidden rows', async () => {
    const xml = (text: string): string =>
      `<sheetData><row r="1" hidden="1"><c r="A1" t="str"><v>${text}</v></c></row></sheetData>`
    const document = await readDocument(
      await xlsxOf([
        { name: 'Secret', state: 'veryHidden', xml: xml('no') },
        { name: 'Open', xml: xml('yes') },
      ]),
      'xlsx',
      noRecognition,
    )
    expect(document.pages.map((page) => [page.number, page.name])).toEqual([[1, 'Open']])
    expect(textsOf(document)).toEqual(['yes'])
  })

  it('counts dates from 1904 when the workbook says so', async () => {
    const xml = '<sheetData><row r="1"><c r="A1" s="1"><v>44538</v></c></row></sheetData>'
    const document = await readDocument(
      await xlsxOf([{ name: 'S', xml }], { styles, is1904: true }),
      'xlsx',
      noRecognition,
    )
    expect(document.pages[0]?.tables[0]?.rows[0]?.[0]?.value).toEqual({ type: 'date', date: '2025-12-09' })
  })

  it('copes with two cells at opposite ends of the sheet', async () => {
    const xml =
      '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>'
    const document = await readDocument(await xlsxOf([{ name: 'S', xml }]), 'xlsx', noRecognition)
    expect(document.pages[0]?.tables[0]?.rows.map((row) => row.map((cell) => cell.text))).toEqual([
      ['1', ''],
      ['', '2'],
    ])
  })

  it('with more than 200,000 cells is file_too_complex', forNight, async () => {
    const rows = Array.from(
      { length: 2001 },
      (_, row) => `<row r="${row + 1}">${'<c><v>1</v></c>'.repeat(100)}</row>`,
    ).join('')
    // written with varied values, so that it is large and not a bomb
    const varied = rows.replaceAll('<v>1</v>', () => `<v>${Math.random()}</v>`)
    await expectCode(
      readDocument(await xlsxOf([{ name: 'S', xml: `<sheetData>${varied}</sheetData>` }]), 'xlsx', noRecognition),
      'file_too_complex',
    )
  })
})

describe('number formats', () => {
  it.each([
    [1234567.891, '#,##0.00', '1,234,567.89'],
    [-12.5, '#,##0.00', '-12.50'],
    [-12.5, '#,##0.00;(#,##0.00)', '-12.50'],
    [0.075, '0.0%', '7.5%'],
    [12, '[$€-407] #,##0.00', '€ 12.00'],
    [1500000, '#,##0,', '1,500'],
    [0.5, 'h:mm', '12:00'],
    [1.25, '[h]:mm', '30:00'],
    [46000.5, 'yyyy-mm-dd hh:mm', '2025-12-09 12:00'],
    [60, 'General', '60'],
    [0.1 + 0.2, 'General', '0.3'],
    [7, '0"d"', '7d'],
  ])('%d as %s is %s', (number, code, text) => {
    expect(showNumber(number, code, false).text).toBe(text)
  })

  it('counts the 29 February 1900 that never was', () => {
    expect(showNumber(59, 'yyyy-mm-dd', false).date).toBe('1900-02-28')
    expect(showNumber(61, 'yyyy-mm-dd', false).date).toBe('1900-03-01')
  })
})

import { createCanvas } from '@napi-rs/canvas'
import { Document, Packer, Paragraph, TextRun } from 'docx'
import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'

/** A one-page PDF with the given lines; `sizeBytes` makes it exactly that long by an unused stream. */
export function pdf(lines: string[], sizeBytes?: number): Buffer {
  if (sizeBytes === undefined) return assemble(lines, 0)
  let padding = sizeBytes - assemble(lines, 0).length
  for (let round = 0; round < 4; round++) {
    const made = assemble(lines, padding)
    if (made.length === sizeBytes) return made
    padding += sizeBytes - made.length
  }
  throw new Error(`no PDF of exactly ${sizeBytes} bytes`)
}

function assemble(lines: string[], paddingBytes: number): Buffer {
  const text = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `BT /F1 14 Tf 20 TL 60 760 Td ${text} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const add = (...bytes: Buffer[]): void => {
    parts.push(...bytes)
    length += bytes.reduce((sum, part) => sum + part.length, 0)
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.from(`${index + 1} 0 obj\n${object}\nendobj\n`))
  }
  if (paddingBytes > 0) {
    offsets.push(length)
    add(
      Buffer.from(`6 0 obj\n<< /Length ${paddingBytes} >>\nstream\n`),
      Buffer.alloc(paddingBytes, 'x'),
      Buffer.from('\nendstream\nendobj\n'),
    )
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = offsets.length + 1
  const trailer = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`
  add(Buffer.from(trailer))
  return Buffer.concat(parts)
}

export async function docx(lines: string[]): Promise<Buffer> {
  const children = lines.map((line) => new Paragraph({ children: [new TextRun(line)] }))
  return Packer.toBuffer(new Document({ sections: [{ children }] }))
}

/** A workbook with one sheet of text cells. */
export async function xlsx(rows: string[][]): Promise<Buffer> {
  const cell = (text: string, row: number, column: number): string =>
    `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`
  const data = rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((text, column) => cell(text, row, column)).join('')}</row>`)
    .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const packages = 'http://schemas.openxmlformats.org/package/2006'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  }
  const zip = new yazl.ZipFile()
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream)
}

export async function picture(lines: string[], format: 'png' | 'jpeg'): Promise<Buffer> {
  const canvas = createCanvas(900, 80 + lines.length * 70)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = 'black'
  context.font = '36px sans-serif'
  for (const [index, line] of lines.entries()) context.fillText(line, 40, 80 + index * 70)
  return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg', 92)
}

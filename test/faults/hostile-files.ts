import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** Documents that want to do harm, written byte by byte: no library would write them. */

const mebibyte = 1024 * 1024

export type ZipEntry = {
  name: string
  data: Buffer
  /** Packed already, as it lies in the file; deflated when absent. */
  packed?: Buffer
  /** What the directory says instead of the truth. */
  says?: { unpackedBytes?: number; packedBytes?: number; offset?: number }
}

/** A ZIP (APPNOTE 6.3.10) with a directory that says what it is told to. */
export function zipBytes(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data, packed = deflateRawSync(data), says = {} } of entries) {
    const nameBytes = Buffer.from(name)
    const unpackedBytes = says.unpackedBytes ?? data.length
    const packedBytes = says.packedBytes ?? packed.length
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packedBytes, 14)
    common.writeUInt32LE(unpackedBytes, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(says.offset ?? offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, nameBytes]))
    parts.push(local)
    offset += local.length
  }
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length & 0xffff, 8)
  end.writeUInt16LE(entries.length & 0xffff, 10)
  end.writeUInt32LE(directoryBytes.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directoryBytes, end])
}

const packages = 'http://schemas.openxmlformats.org/package/2006'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (type: string, target: string): string =>
  `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`

/** The parts of a DOCX around the XML of its document. */
export function docxEntries(documentXml: string | Buffer): ZipEntry[] {
  return [
    { name: '_rels/.rels', data: Buffer.from(relations('officeDocument', 'word/document.xml')) },
    { name: 'word/document.xml', data: Buffer.from(documentXml) },
  ]
}

export function docxXml(body: string, prologue = ''): string {
  return `${prologue}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`
}

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

/** The parts of an XLSX with one sheet. */
export function xlsxEntries(sheetXml: string, stringsXml = '<sst/>'): ZipEntry[] {
  const workbookRelations =
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="r2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
  return [
    { name: '_rels/.rels', data: Buffer.from(relations('officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      data: Buffer.from(
        `<workbook xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ),
    },
    { name: 'xl/_rels/workbook.xml.rels', data: Buffer.from(workbookRelations) },
    { name: 'xl/sharedStrings.xml', data: Buffer.from(stringsXml) },
    { name: 'xl/worksheets/sheet1.xml', data: Buffer.from(sheetXml) },
  ]
}

/** Elements that pack a little less than a hundredfold, so that only what they become in memory is too much. */
export function manyElements(sizeBytes: number): string {
  const parts: string[] = []
  let seed = 1
  for (let size = 0; size < sizeBytes; ) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    const part = `${'<w:p/>'.repeat(90)}<!--${seed.toString(36)}${(seed * 7919).toString(36)}-->`
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}

export function zeroes(megabytes: number): Buffer {
  return Buffer.alloc(megabytes * mebibyte, 0x20)
}

/** An XML document whose entities grow a billionfold. */
export const laughingXml = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, index) => `<!ENTITY ${'bcdefghij'[index]} "${`&${'abcdefghi'[index]};`.repeat(10)}">`).join('')}]>`

/** An XML document that wants a file and an address read. */
export const externalXml = (address: string): string =>
  `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY g SYSTEM "${address}"><!ENTITY % p SYSTEM "${address}">%p;]>`

export type PdfParts = {
  objects: readonly (string | Buffer)[]
  trailer?: string
  header?: string
  afterXref?: (xrefAt: number) => string
}

/** A PDF of these objects (numbered from 1; the first is the catalogue) with a right cross-reference table. */
export function pdfBytes({ objects, trailer = '', afterXref }: PdfParts): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = offsets.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} ${afterXref?.(length) ?? ''} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

export function stream(content: string | Buffer, dictionary = ''): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}

/** Bytes that unpack to so many megabytes, packed twice: a few kilobytes. */
export function flateBomb(megabytes: number, fill: string): Buffer {
  return deflateSync(deflateSync(Buffer.alloc(megabytes * mebibyte, fill), { level: 9 }), { level: 9 })
}

export const textContent = (...lines: string[]): string =>
  `BT /F1 14 Tf 20 TL 60 760 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`

/**
 * One page with this content; `resources`, `page` and `catalog` go into their dictionaries, `more` are objects from 6
 * on.
 */
export function onePage(
  content: string | Buffer,
  given: {
    resources?: string
    page?: string
    box?: string
    catalog?: string
    more?: readonly (string | Buffer)[]
    font?: string
    trailer?: string
    dictionary?: string
  } = {},
): Buffer {
  return pdfBytes({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R ${given.catalog ?? ''} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [${given.box ?? '0 0 595 842'}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${given.resources ?? ''} >> ${given.page ?? ''} >>`,
      stream(content, given.dictionary),
      given.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...(given.more ?? []),
    ],
    ...(given.trailer === undefined ? {} : { trailer: given.trailer }),
  })
}

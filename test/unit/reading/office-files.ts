import { ZipFile } from 'yazl'

/** A zip of parts by name, as Office writes them. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Uint8Array> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.isBuffer(content) ? content : Buffer.from(content), name)
  zip.end()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk))
    zip.outputStream.on('error', reject)
    zip.outputStream.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
  })
}

const relationsOf = (entries: readonly (readonly [string, string, string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

/** A DOCX with this XML in its body. */
export function docxOf(body: string, prologue = ''): Promise<Uint8Array> {
  return zipOf({
    '_rels/.rels': relationsOf([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': `${prologue}<w:document xmlns:w="w" xmlns:w14="w14" xmlns:mc="mc" xmlns:wps="wps"><w:body>${body}</w:body></w:document>`,
  })
}

export type SheetSource = { name: string; state?: string; xml: string }

/** An XLSX with these worksheets (`xml` is what stands inside w:worksheet), shared strings and styles. */
export function xlsxOf(
  sheets: readonly SheetSource[],
  options: { strings?: readonly string[]; styles?: string; is1904?: boolean } = {},
): Promise<Uint8Array> {
  const parts: Record<string, string> = {
    '_rels/.rels': relationsOf([['rId1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relationsOf([
      ...sheets.map((_, index) => [`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
      ['rIdT', 'styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr${options.is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(
        (sheet, index) =>
          `<sheet name="${sheet.name}" sheetId="${index + 1}"${sheet.state ? ` state="${sheet.state}"` : ''} r:id="rId${index + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/sharedStrings.xml': `<sst>${(options.strings ?? []).map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': options.styles ?? '<styleSheet/>',
  }
  for (const [index, sheet] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = `<worksheet>${sheet.xml}</worksheet>`
  return zipOf(parts)
}

import type { Document, Page } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { mainPartName, relationsOf } from './relations.ts'
import { sheetPage } from './sheet-layout.ts'
import { maxCells, maxSheetCharacters, readCells, readCellStyles, readStrings } from './xlsx-cells.ts'
import type { Workbook } from './xlsx-cells.ts'
import { child, childrenOf, parseXml } from './xml.ts'
import { openParts } from './zip.ts'
import type { Parts } from './zip.ts'

/**
 * An XLSX, one page for each visible sheet, with the values that were stored when it was saved
 * (formulas are not calculated). Throws `file_encrypted`, `file_damaged`, or `file_too_complex`
 * above 200,000 cells or 25 million characters in them.
 */
export async function readXlsx(bytes: Uint8Array): Promise<Document> {
  const parts = await openParts(bytes)
  try {
    const main = await mainPartName(parts, 'xl/workbook.xml')
    const relations = await relationsOf(parts, main)
    const partOf = (type: string): string | undefined => relations.find((relation) => relation.type === type)?.target
    const root = parseXml((await parts.text(main)) ?? '')
    const stylesXml = await textOf(parts, partOf('styles'))
    const stringsXml = await textOf(parts, partOf('sharedStrings'))
    const workbook: Workbook = {
      strings: stringsXml === null ? [] : readStrings(stringsXml),
      styles: readCellStyles(stylesXml === null ? null : parseXml(stylesXml)),
      is1904: ['1', 'true'].includes(child(root, 'workbookPr')?.attributes.date1904 ?? ''),
    }
    const pages: Page[] = []
    let cellCount = 0
    let characters = 0
    for (const sheet of childrenOf(child(root, 'sheets'), 'sheet')) {
      if (sheet.attributes.state === 'hidden' || sheet.attributes.state === 'veryHidden') continue
      const relation = relations.find((candidate) => candidate.id === (sheet.attributes['r:id'] ?? sheet.attributes.id))
      if (relation?.type !== 'worksheet') continue // a chart sheet has no cells
      const xml = await parts.text(relation.target)
      if (xml === null) throw new AppError('file_damaged', { missing: relation.target })
      const content = readCells(xml, workbook)
      cellCount += content.cells.length
      if (cellCount > maxCells) throw new AppError('file_too_complex', { cells: cellCount, maxCells })
      characters += content.characters
      if (characters > maxSheetCharacters) throw new AppError('file_too_complex', { characters, maxSheetCharacters })
      pages.push(sheetPage(pages.length + 1, sheet.attributes.name ?? '', content))
    }
    return { kind: 'xlsx', pages }
  } finally {
    parts.close()
  }
}

async function textOf(parts: Parts, name: string | undefined): Promise<string | null> {
  return name === undefined ? null : parts.text(name)
}

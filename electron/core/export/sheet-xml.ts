import { isAmountFormatted, dateSerial, isoDate } from './values.ts'
import type { CellValue, FileLink } from './values.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** Excel's limits (ECMA-376 gives none; these are Microsoft's «Excel specifications and limits»). */
export const maxSheetRows = 1_048_576
const maxCellLength = 32_767
const maxSheetNameLength = 31
const maxFormulaText = 255

/** Indexes into `cellXfs` of `stylesXml`. */
const style = { general: 0, header: 1, date: 2, text: 3, amount: 4, link: 5 } as const

/**
 * A worksheet's cell. Text is always an inline string, so nothing that others wrote is ever a formula. In a column of
 * amounts numbers have two decimals.
 */
export function cellXml(value: CellValue, isAmount = false): string {
  if (value === null) return '<c/>'
  if (typeof value === 'number')
    return isAmount && isAmountFormatted(value)
      ? `<c s="${style.amount}"><v>${value}</v></c>`
      : `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  if (typeof value === 'object') return linkCell(value)
  const date = isoDate(value)
  if (date) return `<c s="${style.date}"><v>${dateSerial(date)}</v></c>`
  return textCell(value, needsTextFormat(value) ? style.text : style.general)
}

/** The only formula that Sheaf writes; its texts are quoted as text of a formula. */
function linkCell({ href, text }: FileLink): string {
  if (Math.max(href.length, text.length) > maxFormulaText) return textCell(href, style.text)
  const inFormula = (part: string): string => `"${part.replaceAll('"', '""')}"`
  const formula = escapeXml(`HYPERLINK(${inFormula(href)},${inFormula(text)})`)
  return `<c s="${style.link}" t="str"><f>${formula}</f><v>${escapeXml(text)}</v></c>`
}

export function headerCellXml(text: string): string {
  return textCell(text, style.header)
}

function textCell(value: string, styleIndex: number): string {
  const text = cut(value)
  const space = /^\s|\s$|[\n\t]| {2}/.test(text) ? ' xml:space="preserve"' : ''
  const styled = styleIndex === style.general ? '' : ` s="${styleIndex}"`
  return `<c${styled} t="inlineStr"><is><t${space}>${escapeXml(text)}</t></is></c>`
}

/** Codes and formula-like text would change when a person edits the cell, unless the cell is formatted as text. */
function needsTextFormat(text: string): boolean {
  return /^\s*[=+\-@\d.,]/.test(text) && text.length < 256
}

/** Cuts at Excel's limit, never inside a surrogate pair, and shows that something is missing. */
function cut(text: string): string {
  if (text.length <= maxCellLength) return text
  const end = /[\uD800-\uDBFF]/.test(text[maxCellLength - 2]!) ? maxCellLength - 2 : maxCellLength - 1
  return `${text.slice(0, end)}…`
}

/**
 * Text for XML 1.0: characters it does not allow (section 2.2) are dropped, line ends become LF, and
 * a literal `_x0041_` is protected from being read as an escape (ECMA-376 Part 1, 22.9.2.19).
 */
export function escapeXml(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '',
    )
    .replace(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** A name Excel accepts for a sheet: at most 31 characters, none of []:*?/\, not «History», unique. */
export function sheetName(wanted: string, taken: ReadonlySet<string>): string {
  const spaced = wanted.replace(/[[\]:*?/\\\u0000-\u001f\u007f]/g, ' ').replace(/\s+/g, ' ')
  const clean = withoutEnd(spaced.replace(/^[\s']+/, ''), /[\s']/)
  const base = clean === '' || clean.toLowerCase() === 'history' ? `${clean}_` : clean
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const name =
      // One more than fits, so that no letter is cut in two.
      [...base.slice(0, maxSheetNameLength + 1)]
        .reduce(
          (text, char) => (text.length + char.length + suffix.length <= maxSheetNameLength ? text + char : text),
          '',
        )
        .trimEnd() + suffix
    if (!taken.has(name.toLowerCase())) return name
  }
}

/** A, B … Z, AA … for a column counted from 1. */
export function columnName(column: number): string {
  let name = ''
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export function sheetStart(widths: readonly number[], selected: boolean): string {
  const columns = widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  return (
    `${declaration}<worksheet xmlns="${spreadsheet}"><sheetViews><sheetView workbookViewId="0"${selected ? ' tabSelected="1"' : ''}>` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns}</cols><sheetData>`
  )
}

export function sheetEnd(columnCount: number, rowCount: number): string {
  return `</sheetData><autoFilter ref="A1:${columnName(columnCount)}${rowCount}"/></worksheet>`
}

/** Everything around the sheets: `names` in their order. */
export function workbookParts(names: readonly string[]): Record<string, string> {
  const numbers = names.map((_, index) => index + 1)
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${contentType}.${type}+xml"/>`
  const relationship = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('styles.xml', 'styles')}` +
      `${numbers.map((number) => override(`worksheets/sheet${number}.xml`, 'worksheet')).join('')}</Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships">${relationship('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><bookViews><workbookView/></bookViews><sheets>` +
      `${names.map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${declaration}<Relationships xmlns="${packages}/relationships">${numbers.map((number) => relationship(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`)).join('')}` +
      `${relationship(`rId${names.length + 1}`, 'styles', 'styles.xml')}</Relationships>`,
    'xl/styles.xml': stylesXml,
  }
}

/** Number formats 4 (`#,##0.00`), 14 (the region's short date) and 49 (text) are built in: ECMA-376 Part 1, 18.8.30. */
const stylesXml =
  `${declaration}<styleSheet xmlns="${spreadsheet}">` +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

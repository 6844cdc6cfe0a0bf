import { boxEmpty, boxTicked, cleanText, symbolFontBox, unifyBoxes } from '../symbols.ts'
import { applyParagraph, applyRun } from './docx-styles.ts'
import type { Look, ParagraphLook, Styles } from './docx-styles.ts'
import { child, childrenOf, descendant, onOff } from './xml.ts'
import type { XmlElement } from './xml.ts'

/** A document body as blocks, ready to be laid out. Widths are twips. */
export type Block = Paragraph | TableBlock
export type Piece = { kind: 'text'; text: string; bold: boolean; size: number } | { kind: 'tab' | 'line' | 'page' }
export type Paragraph = { kind: 'paragraph'; pieces: Piece[]; look: ParagraphLook }
export type TableBlock = { kind: 'table'; columns: number[]; rows: TableRow[] }
export type TableRow = { cells: TableCell[] }
export type TableCell = { span: number; merge: 'none' | 'start' | 'continue'; blocks: Block[] }

/** The blocks below w:body, w:hdr, w:ftr, w:footnote, w:tc or w:txbxContent. Tracked deletions are left out. */
export function blocksOf(container: XmlElement, styles: Styles): Block[] {
  return container.children.flatMap((element) => blockOf(element, styles))
}

function blockOf(element: XmlElement, styles: Styles): Block[] {
  switch (element.name) {
    case 'p':
      return paragraphsOf(element, styles)
    case 'tbl':
      return [tableOf(element, styles)]
    case 'sdt': {
      const box = checkBoxOf(element)
      if (box !== null) return [paragraphWith(box, styles)]
      return isPlaceholder(element) ? [] : blocksOf(child(element, 'sdtContent') ?? empty, styles)
    }
    case 'ins':
    case 'moveTo':
    case 'customXml':
    case 'smartTag':
      return blocksOf(element, styles)
    case 'AlternateContent':
      return blocksOf(alternative(element), styles)
    default:
      return []
  }
}

const empty: XmlElement = { name: '', attributes: {}, children: [], text: '' }

function paragraphWith(text: string, styles: Styles): Paragraph {
  return {
    kind: 'paragraph',
    pieces: [{ kind: 'text', text, bold: false, size: styles.base.size }],
    look: styles.paragraph(styles.defaultStyle),
  }
}

// A paragraph and, after it, the text boxes that are anchored in it.
function paragraphsOf(element: XmlElement, styles: Styles): Block[] {
  const properties = child(element, 'pPr')
  const style = child(properties, 'pStyle')?.attributes.val ?? styles.defaultStyle
  const boxes: Block[] = []
  const pieces: Piece[] = []
  collect(element, styles.look(style, styles.base), { styles, pieces, boxes })
  return [{ kind: 'paragraph', pieces, look: applyParagraph(styles.paragraph(style), properties) }, ...boxes]
}

/** Where the content of a paragraph goes: its own pieces, and the text boxes that are anchored in it. */
type Collected = { styles: Styles; pieces: Piece[]; boxes: Block[] }

// elements that only wrap runs: links, tracked insertions, fields, tags, text direction
const wrappers = new Set(['hyperlink', 'ins', 'moveTo', 'fldSimple', 'smartTag', 'customXml', 'dir', 'bdo'])

function collect(container: XmlElement, look: Look, into: Collected): void {
  for (const element of container.children) {
    if (element.name === 'r') collectRun(element, look, into)
    else if (element.name === 'sdt') collectControl(element, look, into)
    else if (element.name === 'AlternateContent') collect(alternative(element), look, into)
    else if (wrappers.has(element.name)) collect(element, look, into)
    // the rest is deletions (w:del, w:moveFrom), properties and bookmarks
  }
}

function collectControl(control: XmlElement, look: Look, into: Collected): void {
  const box = checkBoxOf(control)
  if (box !== null) addBox(box, look, into)
  else if (!isPlaceholder(control)) collect(child(control, 'sdtContent') ?? empty, look, into)
}

function collectRun(run: XmlElement, paragraphLook: Look, into: Collected): void {
  const properties = child(run, 'rPr')
  const styled = into.styles.look(child(properties, 'rStyle')?.attributes.val, paragraphLook)
  const look = applyRun(styled, properties)
  if (!look.hidden) collectRunContent(run, look, into)
}

function collectRunContent(run: XmlElement, look: Look, into: Collected): void {
  for (const element of run.children) runContent.get(element.name)?.(element, look, into)
}

function addText(text: string, { bold, size }: Look, into: Collected): void {
  if (text !== '') into.pieces.push({ kind: 'text', text, bold, size })
}

function addBox(box: string | null, look: Look, into: Collected): void {
  if (box !== null) addText(` ${box} `, look, into)
}

type RunContent = (element: XmlElement, look: Look, into: Collected) => void

const addTab: RunContent = (_element, _look, into) => void into.pieces.push({ kind: 'tab' })

const addBreak: RunContent = (element, _look, into) =>
  void into.pieces.push({ kind: element.attributes.type === 'page' ? 'page' : 'line' })

const addTextBoxes: RunContent = (element, _look, into) => {
  for (const content of textBoxes(element)) into.boxes.push(...blocksOf(content, into.styles))
}

/** What a run can hold (ECMA-376 Part 1, 17.3.3), by the name of the element. */
const runContent = new Map<string, RunContent>([
  ['t', (element, look, into) => addText(runText(element.text, look.font), look, into)],
  [
    'sym',
    ({ attributes }, look, into) =>
      addBox(symbolFontBox(attributes.font ?? '', Number.parseInt(attributes.char ?? '', 16)), look, into),
  ],
  ['tab', addTab],
  ['ptab', addTab],
  ['noBreakHyphen', (_element, look, into) => addText('-', look, into)],
  ['br', addBreak],
  ['cr', addBreak],
  ['lastRenderedPageBreak', (_element, _look, into) => void into.pieces.push({ kind: 'page' })],
  ['fldChar', (element, look, into) => addBox(legacyCheckBox(element), look, into)],
  ['AlternateContent', (element, look, into) => collectRunContent(alternative(element), look, into)],
  ['drawing', addTextBoxes],
  ['pict', addTextBoxes],
  ['object', addTextBoxes],
])

function runText(text: string, font: string): string {
  if (!/wingdings/i.test(font) && !/[\uF000-\uF0FF]/.test(text)) return unifyBoxes(cleanText(text))
  const name = /wingdings/i.test(font) ? font : 'Wingdings'
  return [...text]
    .map((character) => {
      const box = symbolFontBox(name, character.charCodeAt(0))
      return box !== null ? ` ${box} ` : /[\uF000-\uF0FF]/.test(character) ? '' : unifyBoxes(cleanText(character))
    })
    .join('')
}

function textBoxes(element: XmlElement): XmlElement[] {
  if (element.name === 'txbxContent') return [element]
  if (element.name === 'AlternateContent') return textBoxes(alternative(element))
  return element.children.flatMap((inner) => textBoxes(inner))
}

// The choices are one content in newer and older words (ECMA-376 Part 3, 7.2): read one of them only.
function alternative(element: XmlElement): XmlElement {
  return child(element, 'Choice') ?? child(element, 'Fallback') ?? empty
}

function checkBoxOf(control: XmlElement): string | null {
  const box = child(child(control, 'sdtPr'), 'checkbox')
  if (box === undefined) return null
  return onOff(child(box, 'checked')) ? boxTicked : boxEmpty
}

// «Click here to enter text» is not the document's text.
function isPlaceholder(control: XmlElement): boolean {
  return onOff(child(child(control, 'sdtPr'), 'showingPlcHdr')) === true
}

function legacyCheckBox(field: XmlElement): string | null {
  const box = child(child(field, 'ffData'), 'checkBox')
  if (box === undefined || field.attributes.fldCharType !== 'begin') return null
  return (onOff(child(box, 'checked')) ?? onOff(child(box, 'default')) ?? false) ? boxTicked : boxEmpty
}

function tableOf(table: XmlElement, styles: Styles): TableBlock {
  const columns = childrenOf(child(table, 'tblGrid'), 'gridCol').map((column) => Number(column.attributes.w) || 0)
  const rows = rowsOf(table).map((row) => {
    const before = Math.min(Number(child(child(row, 'trPr'), 'gridBefore')?.attributes.val) || 0, 200)
    const cells = cellsOf(row).map((cell) => cellOf(cell, styles))
    return { cells: before > 0 ? [{ span: before, merge: 'none' as const, blocks: [] }, ...cells] : cells }
  })
  const width = Math.max(columns.length, ...rows.map((row) => row.cells.reduce((sum, cell) => sum + cell.span, 0)))
  const known = columns.filter((column) => column > 0)
  const usual =
    known.length > 0 ? known.reduce((sum, column) => sum + column, 0) / known.length : 9000 / Math.max(1, width)
  return { kind: 'table', columns: Array.from({ length: width }, (_, index) => columns[index] || usual), rows }
}

function rowsOf(container: XmlElement): XmlElement[] {
  return container.children.flatMap((element) => {
    if (element.name === 'tr') return descendant(child(element, 'trPr'), 'del') === undefined ? [element] : []
    if (element.name === 'sdt') return rowsOf(child(element, 'sdtContent') ?? empty)
    return ['customXml', 'ins'].includes(element.name) ? rowsOf(element) : []
  })
}

function cellsOf(container: XmlElement): XmlElement[] {
  return container.children.flatMap((element) => {
    if (element.name === 'tc') return [element]
    if (element.name === 'sdt') return cellsOf(child(element, 'sdtContent') ?? empty)
    return element.name === 'customXml' ? cellsOf(element) : []
  })
}

function cellOf(cell: XmlElement, styles: Styles): TableCell {
  const properties = child(cell, 'tcPr')
  const vertical = child(properties, 'vMerge')
  const span = Math.min(Math.max(1, Number(child(properties, 'gridSpan')?.attributes.val) || 1), 200)
  const merge = vertical === undefined ? 'none' : vertical.attributes.val === 'restart' ? 'start' : 'continue'
  return { span, merge, blocks: merge === 'continue' ? [] : blocksOf(cell, styles) }
}

import type { Cell } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { cleanText, unifyBoxes } from '../symbols.ts'
import { formatCode, showNumber } from './number-format.ts'
import { child, childrenOf, onOff, scanXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

export const maxCells = 200_000
/** A shared string costs its length again in each cell that shows it: three kilobytes can become gigabytes. */
export const maxSheetCharacters = 25_000_000

/** Rows and columns count from 0. */
export type SheetCell = {
  row: number
  column: number
  text: string
  value?: NonNullable<Cell['value']>
  bold: boolean
  size: number
  rightAligned: boolean
}
export type Merge = { top: number; left: number; bottom: number; right: number }
export type SheetContent = { cells: SheetCell[]; merges: Merge[]; characters: number }

type CellStyle = { code: string; bold: boolean; size: number; align: string }
export type Workbook = { strings: readonly string[]; styles: readonly CellStyle[]; is1904: boolean }

const plainStyle: CellStyle = { code: 'General', bold: false, size: 11, align: '' }

/** The cell formats of xl/styles.xml by their index (ECMA-376 Part 1, 18.8.10). */
export function readCellStyles(root: XmlElement | null): CellStyle[] {
  const custom = new Map<number, string>()
  for (const format of childrenOf(child(root ?? undefined, 'numFmts'), 'numFmt')) {
    custom.set(Number(format.attributes.numFmtId), format.attributes.formatCode ?? 'General')
  }
  const fonts = childrenOf(child(root ?? undefined, 'fonts'), 'font').map((font) => ({
    bold: onOff(child(font, 'b')) ?? false,
    size: Number(child(font, 'sz')?.attributes.val) || 11,
  }))
  return childrenOf(child(root ?? undefined, 'cellXfs'), 'xf').map((format) => {
    const font = fonts[Number(format.attributes.fontId) || 0] ?? { bold: false, size: 11 }
    return {
      code: formatCode(Number(format.attributes.numFmtId) || 0, custom),
      ...font,
      align: child(format, 'alignment')?.attributes.horizontal ?? '',
    }
  })
}

/** The shared strings in their order; phonetic readings are left out (ECMA-376 Part 1, 18.4.8). */
export function readStrings(xml: string): string[] {
  const strings: string[] = []
  let current = ''
  let inText = false
  let phonetic = 0
  scanXml(xml, {
    open(name) {
      if (name === 'si') current = ''
      else if (name === 'rPh') phonetic++
      else if (name === 't') inText = phonetic === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 't') inText = false
      else if (name === 'rPh') phonetic--
      else if (name === 'si') strings.push(unescaped(current))
    },
  })
  return strings
}

type OpenCell = { reference: string; type: string; style: number; value: string; inline: string; phonetic: number }

/** The filled cells of a worksheet. Throws `file_too_complex` above 200,000 of them, or above 25 million characters. */
export function readCells(xml: string, workbook: Workbook): SheetContent {
  const content: SheetContent = { cells: [], merges: [], characters: 0 }
  let cell: OpenCell | null = null
  let target: 'value' | 'inline' | null = null
  let row = -1
  let column = -1
  scanXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = attributes.r !== undefined ? Number(attributes.r) - 1 : row + 1
        column = -1
      } else if (name === 'c') {
        cell = {
          reference: attributes.r ?? '',
          type: attributes.t ?? 'n',
          style: Number(attributes.s) || 0,
          value: '',
          inline: '',
          phonetic: 0,
        }
      } else if (name === 'mergeCell') {
        const merge = mergeOf(attributes.ref ?? '')
        if (merge !== null) content.merges.push(merge)
      } else if (cell !== null) {
        if (name === 'v') target = 'value'
        else if (name === 'rPh') cell.phonetic++
        else if (name === 't') target = cell.phonetic > 0 ? null : 'inline'
      }
    },
    text(text) {
      if (cell !== null && target !== null) cell[target] += text
    },
    close(name) {
      if (name === 'v' || name === 't') target = null
      else if (name === 'rPh' && cell !== null) cell.phonetic--
      else if (name === 'c' && cell !== null) {
        const at = placeOf(cell.reference)
        if (at !== null) row = at.row
        column = at !== null ? at.column : column + 1
        const shown = shownCell(cell, row, column, workbook)
        cell = null
        if (shown === null) return
        content.cells.push(shown)
        content.characters += shown.text.length
        if (content.cells.length > maxCells)
          throw new AppError('file_too_complex', { cells: content.cells.length, maxCells })
        if (content.characters > maxSheetCharacters)
          throw new AppError('file_too_complex', { characters: content.characters, maxSheetCharacters })
      }
    },
  })
  return content
}

function shownCell(cell: OpenCell, row: number, column: number, workbook: Workbook): SheetCell | null {
  const style = workbook.styles[cell.style] ?? plainStyle
  const content = contentOf(cell, style, workbook)
  const text = unifyBoxes(cleanText(content.text)).trim()
  if (text === '') return null
  const number = content.value !== undefined && content.value.type !== 'boolean'
  return {
    row,
    column,
    text,
    bold: style.bold,
    size: style.size,
    rightAligned: style.align === 'right' || (number && style.align !== 'left' && style.align !== 'center'),
    ...(content.value !== undefined ? { value: content.value } : {}),
  }
}

// The types of a cell: ECMA-376 Part 1, 18.18.11.
function contentOf(
  cell: OpenCell,
  style: CellStyle,
  workbook: Workbook,
): { text: string; value?: NonNullable<Cell['value']> } {
  switch (cell.type) {
    case 's':
      return { text: workbook.strings[Number(cell.value)] ?? '' }
    case 'inlineStr':
      return { text: unescaped(cell.inline) }
    case 'str':
      return { text: unescaped(cell.value) }
    case 'e':
      return { text: cell.value }
    case 'b': {
      const boolean = cell.value.trim() === '1' || cell.value.trim() === 'true'
      return { text: boolean ? 'TRUE' : 'FALSE', value: { type: 'boolean', boolean } }
    }
    case 'd': {
      const date = /^\d{4}-\d{2}-\d{2}/.exec(cell.value)?.[0]
      return date === undefined ? { text: cell.value } : { text: date, value: { type: 'date', date } }
    }
    default: {
      const number = Number(cell.value)
      if (cell.value.trim() === '' || !Number.isFinite(number)) return { text: cell.value }
      const shown = showNumber(number, style.code, workbook.is1904)
      return {
        text: shown.text,
        value: shown.date !== undefined ? { type: 'date', date: shown.date } : { type: 'number', number },
      }
    }
  }
}

// _x000D_ stands for a character that XML cannot hold (ECMA-376 Part 1, 22.9.2.19)
function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function placeOf(reference: string): { row: number; column: number } | null {
  const match = /^([A-Z]{1,3})(\d{1,7})$/.exec(reference)
  if (match === null) return null
  const [, letters = '', digits = ''] = match
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits) - 1, column }
}

function mergeOf(reference: string): Merge | null {
  const [from, to] = reference.split(':').map(placeOf)
  if (from === null || to === null || from === undefined || to === undefined) return null
  return {
    top: Math.min(from.row, to.row),
    left: Math.min(from.column, to.column),
    bottom: Math.max(from.row, to.row),
    right: Math.max(from.column, to.column),
  }
}

import { copyOnWrite, pointerOf } from '../../shared/domain/pointer.ts'
import type { TextKind } from '../../shared/domain/schema.ts'
import type { Formats } from '../messages/formats.ts'
import { editText, parseTyped } from './typed-values.ts'
import { isSingle } from './grid-range.ts'
import type { Range } from './grid-range.ts'
import type { Column, Row } from './list-shape.ts'

/** A plain value, or all rows of a list, for a place in the records. */
export type Change = { pointer: string; value: CellValue | Row[] }
export type CellValue = string | number | boolean | null
type CellEdit = { row: number; name: string; value: CellValue }

/** What a person does to a list at once: some of its cells, or all of its rows. */
export type Edit = { cells: CellEdit[] } | { rows: Row[] }
/** Why nothing of it is done. Rows and columns are counted from 0. */
export type Refusal =
  | { problem: 'number' | 'twofold' | 'boolean' | 'locked' | TextKind; row: number; column: number }
  | { problem: 'wide' | 'long'; row?: never }

/** More changes than this are one change of the whole list. */
export const maxChanges = 20_000
/** A longer list cannot be put in the place of what the service said. */
export const maxRows = 20_000

/** How values are written and read: `yes` and `no` are the words of the window first, then those of Excel. */
export type CellFormats = { formats: Formats; yes: readonly string[]; no: readonly string[] }

/** A list that holds what is no plain value cannot be typed over there. Pure. */
export function isPlain(value: unknown): boolean {
  return value === null || value === undefined || typeof value !== 'object'
}

/**
 * Text that a spreadsheet would run as a formula when it is pasted (CWE-1236); an apostrophe before it makes it text.
 */
const formulaStart = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u

/** A value as Excel shows it in the person's language. Pure. */
export function excelText(
  value: unknown,
  { decimals }: Pick<Column, 'decimals'>,
  { formats, yes, no }: CellFormats,
): string {
  if (typeof value === 'boolean') return (value ? yes : no).at(-1)!
  const text = editText(value, formats, decimals)
  return typeof value === 'string' && formulaStart.test(text) ? `'${text}` : text
}

/** A value as it is typed over in its cell. Pure. */
export function typedText(
  value: unknown,
  { decimals }: Pick<Column, 'decimals'>,
  { formats, yes, no }: CellFormats,
): string {
  return typeof value === 'boolean' ? (value ? yes : no)[0]! : editText(value, formats, decimals)
}

/** What was copied here, as it was before `excelText`. Pure. */
function withoutApostrophe(text: string): string {
  return text.startsWith("'") && formulaStart.test(text.slice(1)) ? text.slice(1) : text
}

/** What a typed or pasted text means in a column. Pure. */
export function parseCell(
  text: string,
  column: Pick<Column, 'format' | 'kind'> & Partial<Pick<Column, 'name'>>,
  { formats, yes, no }: CellFormats,
): { value: CellValue } | { problem: 'number' | 'twofold' | 'boolean' | TextKind } {
  if (column.format !== 'boolean') return parseTyped(text, column, formats)
  const word = text.trim().toLocaleLowerCase(formats.tag)
  const isOne = (words: readonly string[]): boolean =>
    words.some((each) => each.toLocaleLowerCase(formats.tag) === word)
  if (word === '') return { value: null }
  return isOne(yes) ? { value: true } : isOne(no) ? { value: false } : { problem: 'boolean' }
}

/** Nothing in all cells of a range. Pure. */
export function emptied(items: readonly Row[], columns: readonly Column[], { top, bottom, left, right }: Range): Edit {
  const cells: CellEdit[] = []
  for (let row = top; row <= bottom; row += 1) {
    for (const { name } of columns.slice(left, right + 1)) {
      const value = items[row]?.[name]
      if (value !== null && value !== undefined && value !== '' && isPlain(value))
        cells.push({ row, name, value: null })
    }
  }
  return cells.length > maxChanges && items.length <= maxRows ? { rows: withCells(items, cells) } : { cells }
}

/**
 * A copied block put at the first cell of a range; one value fills all of it. Rows that are missing are made. All of it
 * or nothing. Pure.
 */
export function pasted(
  block: readonly (readonly string[])[],
  items: readonly Row[],
  columns: readonly Column[],
  range: Range,
  cellFormats: CellFormats,
): Edit | Refusal {
  const lines = block.length === 1 && block[0]!.length === 1 && !isSingle(range) ? filled(block[0]![0]!, range) : block
  if (range.left + Math.max(...lines.map((line) => line.length)) > columns.length) return { problem: 'wide' }
  const cells = pastedCells(lines, items, columns, range, cellFormats)
  if ('problem' in cells) return cells
  const length = Math.max(items.length, range.top + lines.length)
  if (length === items.length && cells.length <= maxChanges) return { cells }
  if (length > maxRows) return { problem: 'long' }
  const added = Array.from({ length: length - items.length }, () => emptyRow(columns))
  return { rows: withCells([...items, ...added], cells) }
}

function filled(text: string, { top, bottom, left, right }: Range): string[][] {
  return Array.from({ length: bottom - top + 1 }, () => Array.from({ length: right - left + 1 }, () => text))
}

/** The cells that differ from what is there; or the first one that its text cannot be put in. Pure. */
function pastedCells(
  lines: readonly (readonly string[])[],
  items: readonly Row[],
  columns: readonly Column[],
  { top, left }: Range,
  cellFormats: CellFormats,
): CellEdit[] | Refusal {
  const cells: CellEdit[] = []
  for (const [line, texts] of lines.entries()) {
    for (const [offset, text] of texts.entries()) {
      const at = { row: top + line, column: left + offset }
      const column = columns[at.column]!
      const before = items[at.row]?.[column.name]
      if (!isPlain(before)) return { problem: 'locked', ...at }
      const parsed = parseCell(withoutApostrophe(text), column, cellFormats)
      if ('problem' in parsed) return { problem: parsed.problem, ...at }
      if (JSON.stringify(before ?? null) !== JSON.stringify(parsed.value))
        cells.push({ row: at.row, name: column.name, value: parsed.value })
    }
  }
  return cells
}

export function emptyRow(columns: readonly Column[]): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, null]))
}

/** The edit for core, and the one that takes it back. Pure. */
export function changesOf(edit: Edit, items: readonly Row[], pointer: string): { forth: Change[]; back: Change[] } {
  if ('rows' in edit) return { forth: [{ pointer, value: edit.rows }], back: [{ pointer, value: [...items] }] }
  const at = edit.cells.map(({ row, name }) => pointer + pointerOf([row, name]))
  return {
    forth: edit.cells.map(({ value }, index) => ({ pointer: at[index]!, value })),
    back: edit.cells.map(({ row, name }, index) => ({
      pointer: at[index]!,
      value: (items[row]?.[name] ?? null) as Change['value'],
    })),
  }
}

/** The list at `pointer` with changes of `changesOf` in it; rows without one are shared with it. Pure. */
export function rowsAfter(items: readonly Row[], changes: readonly Change[], pointer: string): readonly Row[] {
  const copy = copyOnWrite(items)
  for (const change of changes) copy.put(change.pointer.slice(pointer.length), change.value)
  return copy.root()
}

function withCells(items: readonly Row[], cells: CellEdit[]): Row[] {
  const rows = [...items]
  const own = new Set<number>()
  for (const { row, name, value } of cells) {
    if (!own.has(row)) rows[row] = { ...rows[row] }
    own.add(row)
    // A column called __proto__ is one like any other.
    Object.defineProperty(rows[row]!, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return rows
}

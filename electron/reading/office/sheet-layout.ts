import type { Box, Cell, Page, Table, Token } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { maxCells } from './xlsx-cells.ts'
import type { Merge, SheetCell, SheetContent } from './xlsx-cells.ts'

// in characters across and, as type is about twice as high as wide, two units for a line
const lineHeight = 2
const narrowest = 4
const widest = 60
const ordinarySize = 11

/** How many rows and columns of the grid a cell takes. */
type Span = { rows: number; columns: number }

/** The used range as positions on the page; rows and columns that are far apart stay neighbours here. */
type Grid = {
  rows: number[]
  columns: number[]
  tops: number[]
  lefts: number[]
  rowAt: Map<number, number>
  columnAt: Map<number, number>
}

/**
 * A worksheet as one page: every cell in its box, columns as wide as their text, and one table over the
 * used range. Empty rows and columns are kept unless the range has more than 200,000 cells; when it
 * still has without them: `file_too_complex`.
 */
export function sheetPage(number: number, name: string, content: SheetContent): Page {
  const page: Page = { number, width: 1, height: 1, origin: 'sheet', name, tokens: [], tables: [] }
  if (content.cells.length === 0) return page
  const grid = gridOf(content)
  page.width = grid.lefts.at(-1) ?? 1
  page.height = grid.tops.at(-1) ?? 1
  const merges = mergesByPlace(content.merges, grid)
  const table: Table = { box: { x: 0, y: 0, width: 1, height: 1 }, rows: [] }
  for (const [rowIndex, row] of cellsByRow(content.cells, grid).entries()) {
    const cells: Cell[] = []
    for (let column = 0; column < grid.columns.length; column++) {
      const { rows, columns } = merges.get(`${rowIndex}:${column}`) ?? notMerged
      const box = boxOf(grid, rowIndex, column, rows, columns)
      const cell = row[column]
      cells.push(tableCell(cell, box, columns))
      if (cell !== undefined) for (const token of tokensOf(cell, box, page)) page.tokens.push(token)
      column += columns - 1
    }
    table.rows.push(cells)
  }
  page.tables.push(table)
  return page
}

const notMerged: Span = { rows: 1, columns: 1 }

function tableCell(cell: SheetCell | undefined, box: Box, columnSpan: number): Cell {
  return {
    text: cell?.text.replace(/\s+/g, ' ') ?? '',
    box,
    ...(cell?.value !== undefined ? { value: cell.value } : {}),
    ...(columnSpan > 1 ? { columnSpan } : {}),
  }
}

/** The filled cells by their row and column of the grid. */
function cellsByRow(cells: readonly SheetCell[], grid: Grid): (SheetCell | undefined)[][] {
  const rows: (SheetCell | undefined)[][] = grid.rows.map(() => [])
  for (const cell of cells) {
    const row = rows[grid.rowAt.get(cell.row) ?? -1]
    const column = grid.columnAt.get(cell.column)
    if (row !== undefined && column !== undefined) row[column] = cell
  }
  return rows
}

function gridOf(content: SheetContent): Grid {
  const usedRows = [...new Set(content.cells.map((cell) => cell.row))].sort((one, other) => one - other)
  const usedColumns = [...new Set(content.cells.map((cell) => cell.column))].sort((one, other) => one - other)
  const count = (used: number[]): number => (used.at(-1) ?? 0) - (used[0] ?? 0) + 1
  const all = (used: number[]): number[] => Array.from({ length: count(used) }, (_, index) => (used[0] ?? 0) + index)
  const full = count(usedRows) * count(usedColumns) <= maxCells
  const rows = full ? all(usedRows) : usedRows
  const columns = full ? all(usedColumns) : usedColumns
  if (rows.length * columns.length > maxCells)
    throw new AppError('file_too_complex', { cells: rows.length * columns.length, maxCells })
  const rowAt = new Map(rows.map((row, index) => [row, index]))
  const columnAt = new Map(columns.map((column, index) => [column, index]))
  const merged = new Set(
    content.merges.filter((merge) => merge.right > merge.left).map((merge) => `${merge.top}:${merge.left}`),
  )
  const widths = columns.map(() => narrowest)
  const lines = rows.map(() => 1)
  for (const cell of content.cells) {
    const row = rowAt.get(cell.row) ?? 0
    const column = columnAt.get(cell.column) ?? 0
    const texts = cell.text.split('\n')
    lines[row] = Math.max(lines[row] ?? 1, texts.length)
    if (!merged.has(`${cell.row}:${cell.column}`))
      widths[column] = Math.min(widest, Math.max(widths[column] ?? 0, ...texts.map((text) => text.length + 2)))
  }
  return {
    rows,
    columns,
    rowAt,
    columnAt,
    lefts: running(widths),
    tops: running(lines.map((line) => line * lineHeight)),
  }
}

function running(sizes: readonly number[]): number[] {
  const edges = [0]
  for (const size of sizes) edges.push((edges.at(-1) ?? 0) + size)
  return edges
}

function mergesByPlace(merges: readonly Merge[], grid: Grid): Map<string, Span> {
  const found = new Map<string, Span>()
  for (const merge of merges) {
    const top = grid.rowAt.get(merge.top)
    const left = grid.columnAt.get(merge.left)
    if (top === undefined || left === undefined) continue
    const rows = grid.rows.slice(top).findIndex((row) => row > merge.bottom)
    const columns = grid.columns.slice(left).findIndex((column) => column > merge.right)
    found.set(`${top}:${left}`, {
      rows: rows < 0 ? grid.rows.length - top : rows,
      columns: columns < 0 ? grid.columns.length - left : columns,
    })
  }
  return found
}

function boxOf(grid: Grid, row: number, column: number, rowSpan: number, columnSpan: number): Box {
  const width = grid.lefts.at(-1) ?? 1
  const height = grid.tops.at(-1) ?? 1
  const left = grid.lefts[column] ?? 0
  const top = grid.tops[row] ?? 0
  const right = grid.lefts[Math.min(column + columnSpan, grid.lefts.length - 1)] ?? width
  const bottom = grid.tops[Math.min(row + rowSpan, grid.tops.length - 1)] ?? height
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height }
}

function tokensOf(cell: SheetCell, box: Box, page: Page): Token[] {
  const lines = cell.text.split('\n')
  const cellWidth = box.width * page.width
  const lineStep = box.height / lines.length
  const fontSize = (1.4 * Math.min(Math.max(cell.size / ordinarySize, 0.5), 3)) / page.height
  const textHeight = Math.min(lineStep * 0.8, (lineHeight * 0.8) / page.height)
  return lines.flatMap((line, index) => {
    // text longer than its cell is squeezed into it
    const squeeze = Math.min(1, Math.max(1, cellWidth - 1) / Math.max(1, line.length))
    const start = cell.rightAligned ? cellWidth - 0.5 - line.length * squeeze : 0.5
    return [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x: box.x + (start + match.index * squeeze) / page.width,
        y: box.y + lineStep * index + (lineStep - textHeight) / 2,
        width: (match[0].length * squeeze) / page.width,
        height: textHeight,
      },
      fontSize,
      bold: cell.bold,
    }))
  })
}

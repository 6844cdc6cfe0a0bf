import type { Box, Cell, Page, Table, Token } from '../../../shared/domain/document.ts'
import type { Block, Paragraph, TableBlock } from './docx-blocks.ts'
import { linesOfParagraph } from './paragraph-lines.ts'
import type { LaidLine } from './paragraph-lines.ts'

/** A text line is 100 cells wide; a cell is one unit wide and a line two units high, about as type is. */
const pageCells = 100
const lineHeight = 2
const fewestLines = 60
// a long document without page breaks is cut between blocks
const maxLines = 150

// in cells across and lines down, until the height of the page is known
type Placed = { text: string; column: number; line: number; width: number; bold: boolean; scale: number }
type PlacedBox = { column: number; line: number; width: number; lines: number }
type PlacedTable = { box: PlacedBox; rows: { text: string; box: PlacedBox; columnSpan?: number }[][] }
type Sheet = { tokens: Placed[]; tables: PlacedTable[]; lines: number }

/** Blocks as pages of text in fixed cells. `textWidth` is the width of a line of the document in twips. */
export function layOut(blocks: readonly Block[], textWidth: number): Page[] {
  const cellsPerTwip = pageCells / Math.max(1000, textWidth)
  const sheets: Sheet[] = [newSheet()]
  const current = (): Sheet => sheets[sheets.length - 1] ?? newSheet()
  const turn = (): void => {
    if (current().tokens.length > 0) sheets.push(newSheet())
  }
  for (const block of blocks) {
    if (current().lines > maxLines) turn()
    if (block.kind === 'table') {
      current().lines = placeTable(current(), block, 0, pageCells, current().lines, cellsPerTwip)
      continue
    }
    if (block.look.breakBefore) turn()
    for (const line of linesOfParagraph(block, pageCells, cellsPerTwip)) {
      if (line.startsPage) turn()
      placeLine(current(), line, 0, current().lines)
      current().lines++
    }
  }
  return sheets
    .filter((sheet, index) => sheet.tokens.length > 0 || index === 0)
    .map((sheet, index) => pageOf(sheet, index + 1))
}

function newSheet(): Sheet {
  return { tokens: [], tables: [], lines: 0 }
}

function placeLine(sheet: Sheet, line: LaidLine, left: number, at: number): void {
  for (const word of line.words) {
    sheet.tokens.push({
      text: word.text,
      column: left + word.column,
      line: at,
      width: word.width,
      bold: word.bold,
      scale: word.scale,
    })
  }
}

function placeBlocks(
  sheet: Sheet,
  blocks: readonly Block[],
  left: number,
  width: number,
  from: number,
  cellsPerTwip: number,
): number {
  let line = from
  for (const block of blocks)
    line =
      block.kind === 'table'
        ? placeTable(sheet, block, left, width, line, cellsPerTwip)
        : placeParagraph(sheet, block, left, width, line, cellsPerTwip)
  return line
}

function placeParagraph(
  sheet: Sheet,
  paragraph: Paragraph,
  left: number,
  width: number,
  from: number,
  cellsPerTwip: number,
): number {
  let line = from
  for (const laid of linesOfParagraph(paragraph, width, cellsPerTwip)) placeLine(sheet, laid, left, line++)
  return line
}

function placeTable(
  sheet: Sheet,
  table: TableBlock,
  left: number,
  width: number,
  from: number,
  cellsPerTwip: number,
): number {
  const natural = table.columns.map((column) => column * cellsPerTwip)
  const total = natural.reduce((sum, column) => sum + column, 0)
  const shrink = total > width ? width / total : 1
  const edges = [left]
  for (const column of natural) edges.push((edges.at(-1) ?? left) + column * shrink)
  const placed: PlacedTable = {
    box: { column: left, line: from, width: (edges.at(-1) ?? left) - left, lines: 0 },
    rows: [],
  }
  sheet.tables.push(placed)
  // cells that go on below, by their first column
  const tall = new Map<number, { box: PlacedBox }>()
  let line = from
  for (const row of table.rows) {
    let column = 0
    let bottom = line + 1
    const cells: { text: string; box: PlacedBox; columnSpan?: number }[] = []
    const goingOn: { box: PlacedBox }[] = []
    for (const cell of row.cells) {
      const start = edges[Math.min(column, edges.length - 1)] ?? left
      const end = edges[Math.min(column + cell.span, edges.length - 1)] ?? start
      const box: PlacedBox = { column: start, line, width: end - start, lines: 1 }
      const before = sheet.tokens.length
      // a cell of space at each side keeps the words of neighbours apart
      const after = placeBlocks(sheet, cell.blocks, start + 0.5, Math.max(3, end - start - 1), line, cellsPerTwip)
      const text = sheet.tokens
        .slice(before)
        .map((token) => token.text)
        .join(' ')
      const above = tall.get(column)
      if (cell.merge === 'continue' && above !== undefined) goingOn.push(above)
      else {
        tall.delete(column)
        bottom = Math.max(bottom, after)
      }
      const filled = { text, box, ...(cell.span > 1 ? { columnSpan: cell.span } : {}) }
      if (cell.merge === 'start') tall.set(column, filled)
      cells.push(filled)
      column += cell.span
    }
    for (const cell of cells) cell.box.lines = bottom - line
    for (const cell of goingOn) cell.box.lines = bottom - cell.box.line
    placed.rows.push(cells)
    line = bottom
  }
  placed.box.lines = line - from
  return line
}

function pageOf(sheet: Sheet, number: number): Page {
  const height = Math.max(fewestLines, sheet.lines) * lineHeight
  const boxOf = (box: PlacedBox): Box =>
    within({
      x: box.column / pageCells,
      y: (box.line * lineHeight) / height,
      width: box.width / pageCells,
      height: (box.lines * lineHeight) / height,
    })
  const tokens: Token[] = sheet.tokens
    .map((token, index) => ({ token, index }))
    .sort(
      (one, other) =>
        one.token.line - other.token.line || one.token.column - other.token.column || one.index - other.index,
    )
    .map(({ token }) => ({
      text: token.text,
      box: within({
        x: token.column / pageCells,
        y: (token.line * lineHeight + 0.2) / height,
        width: token.width / pageCells,
        height: (lineHeight - 0.4) / height,
      }),
      fontSize: (1.4 * token.scale) / height,
      bold: token.bold,
    }))
  const tables: Table[] = sheet.tables.map((table) => ({
    box: boxOf(table.box),
    rows: table.rows.map((row) =>
      row.map(
        (cell): Cell => ({
          text: cell.text,
          box: boxOf(cell.box),
          ...(cell.columnSpan !== undefined ? { columnSpan: cell.columnSpan } : {}),
        }),
      ),
    ),
  }))
  return { number, width: pageCells, height, origin: 'flow', tokens, tables }
}

function within(box: Box): Box {
  const x = Math.min(Math.max(0, box.x), 0.999)
  return { x, y: box.y, width: Math.max(0.0005, Math.min(box.width, 1 - x)), height: box.height }
}

import type { Document, Table } from '../../shared/domain/document.ts'
import type { ExpectedTable } from './read-cases.ts'

/** Pairs of neighbouring cells: expected, found, and found as expected. */
export type Neighbours = { expected: number; found: number; right: number }

/** A table by row and column; a cell that spans several stands in each of them, as the same object. */
type Grid = ({ text: string } | undefined)[][]

/**
 * Judges the tables of a document by the measure of the ICDAR 2013 table competition: each cell with text makes a pair
 * with the next one to its right and the next one below, empty cells left out, and a pair is right when such a pair of
 * the same direction and texts (without white space) is expected on that page. Pairs of all tables of a page count
 * together, so a table that is found in two parts loses only the pairs between them.
 */
export function judgeTables(expected: readonly ExpectedTable[], document: Document | null): Neighbours {
  const wanted = expected.flatMap(({ page, cells, spans }) => pairsOf(page, gridOfExpected(cells, spans ?? [])))
  const found = (document?.pages ?? []).flatMap(({ number, tables }) =>
    tables.flatMap((table) => pairsOf(number, gridOfTable(table))),
  )
  const left = new Map<string, number>()
  for (const pair of wanted) left.set(pair, (left.get(pair) ?? 0) + 1)
  let right = 0
  for (const pair of found) {
    const count = left.get(pair) ?? 0
    if (count === 0) continue
    left.set(pair, count - 1)
    right++
  }
  return { expected: wanted.length, found: found.length, right }
}

/** The harmonic mean of precision and recall, 0..1; 1 where nothing is expected and nothing was found. */
export function f1({ expected, found, right }: Neighbours): number {
  return expected + found === 0 ? 1 : (2 * right) / (expected + found)
}

function gridOfExpected(cells: readonly string[][], spans: readonly number[][]): Grid {
  const grid: Grid = cells.map((row) => row.map((text) => ({ text })))
  for (const [firstRow = 0, lastRow = firstRow, firstColumn = 0, lastColumn = firstColumn] of spans)
    for (let row = firstRow; row <= lastRow; row++)
      for (let column = firstColumn; column <= lastColumn; column++)
        grid[row]?.splice(column, 1, grid[firstRow]?.[firstColumn])
  return grid
}

function gridOfTable({ rows }: Table): Grid {
  return rows.map((row) => row.flatMap((cell) => Array.from({ length: cell.columnSpan ?? 1 }, () => cell)))
}

function pairsOf(page: number, grid: Grid): string[] {
  const columns = Math.max(0, ...grid.map((row) => row.length))
  const across = grid.flatMap((row) => neighboursIn(row).map((pair) => `${page} → ${pair}`))
  const down = Array.from({ length: columns }, (_, column) => grid.map((row) => row[column])).flatMap((cells) =>
    neighboursIn(cells).map((pair) => `${page} ↓ ${pair}`),
  )
  return [...across, ...down]
}

function neighboursIn(cells: readonly ({ text: string } | undefined)[]): string[] {
  const filled = cells.filter((cell, index) => cell && plain(cell.text) !== '' && cell !== cells[index - 1])
  return filled.slice(1).map((cell, index) => `${plain(filled[index]!.text)} | ${plain(cell!.text)}`)
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, '')
}

import { printable } from './report.ts'

const longestCell = 60

/** Rows as columns for a person: cells are cut, control characters shown and not obeyed. The first row is the head. */
export function tableOf(rows: readonly (readonly string[])[], longest = longestCell): string {
  const cells = rows.map((row) => row.map(printable).map((cell) => (cell.length > longest ? `${cell.slice(0, longest - 1)}…` : cell)))
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()).join('\n')
}

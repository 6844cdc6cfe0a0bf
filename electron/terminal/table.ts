import { printable } from './report.ts'

const longestCell = 60

/**
 * Rows as columns for a person: control characters are shown and not obeyed, cells are cut, but not those of the first column,
 * which names what the row is about. The first row is the head.
 */
export function tableOf(rows: readonly (readonly string[])[], longest = longestCell): string {
  const cells = rows.map((row) => row.map(printable).map((cell, column) => (column > 0 && cell.length > longest ? `${cell.slice(0, longest - 1)}…` : cell)))
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd()).join('\n')
}

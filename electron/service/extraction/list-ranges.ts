import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import type { CellValue, CellValues } from './list-cell.ts'
import type { Header } from './list-header.ts'
import type { Row } from './list-rows.ts'
import { joined } from './layout.ts'
import type { Word } from './layout.ts'
import { rangeIn } from './periods.ts'
import { wordsAt } from './read-value.ts'

/**
 * One column has both days of a period («Zeitraum», «01.04.–30.04.2025»), or they stand below the text of a row: then
 * they answer the sub-fields for the first and the last day, whatever heads these were given by.
 */
export function takeRanges(
  { columns }: Header,
  fields: readonly Field[],
  rows: readonly Row[],
  values: CellValues,
  columnOf: number[],
  evidence: Evidence,
): void {
  const ends = (['range-start', 'range-end'] as const).map((role) =>
    fields.findIndex((field) => field.role === role && field.kind === 'date' && field.element.format === 'text'),
  ) as [number, number]
  if (ends.includes(-1)) return
  const ranges = [...columns.keys()].map((column) => rows.map((row) => daysIn(row.cells.get(column), evidence)))
  const counts = ranges.map((found) => found.filter((range) => range !== undefined).length)
  const most = Math.max(0, ...counts)
  if (most * 2 <= rows.length) return
  // Each day has a column of its own.
  const own = ends.map((index) => (columnOf[index]! < 0 ? 0 : values.filter((row) => row[index]).length))
  if (columnOf[ends[0]] !== columnOf[ends[1]] && Math.min(...own) >= most) return
  const place = counts.indexOf(most)
  for (const [end, index] of ends.entries()) {
    const column = columnOf[index]!
    if (column >= 0 && column !== place) delete columns[column]!.field
    if (column !== place) columnOf[index] = -1
    // A single day in the column of periods stays what it was read as.
    ranges[place]!.forEach((range, at) => {
      values[at]![index] = range?.[end] ?? (column === place ? values[at]![index] : undefined)
    })
  }
}

function daysIn(words: readonly Word[] | undefined, evidence: Evidence): [CellValue, CellValue] | undefined {
  const range = words && rangeIn(joined(words), evidence)
  if (!range) return undefined
  const day = ({ iso, start, end }: { iso: string; start: number; end: number }): CellValue => ({
    value: iso,
    words: wordsAt(words, start, end),
  })
  return [day(range.first), day(range.last)]
}

import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { fieldDecimals } from '../../messages/values.ts'

export type ValueColumn = { name: string; numeric: boolean; minDecimals: number }

/**
 * The columns of values for the rows on the screen: names and numbers of documents before dates, and one amount;
 * of the schema that three of four rows have, else empty, so that a column never holds two meanings. `chosen`: by
 * schema, the fields that a person wants to see instead. Pure.
 */
export function valueColumns(
  rows: readonly DocumentRow[],
  most: number,
  chosen: ReadonlyMap<number, readonly string[]> = new Map(),
): ValueColumn[] {
  const all = rows.filter((row) => row.values.length > 0)
  const valued =
    [...Map.groupBy(all, ({ schemaId }) => schemaId).values()].find((same) => same.length * 4 >= all.length * 3) ?? []
  const first = valued[0]
  if (!first) return []
  const longest = valued.reduce((best, row) => (row.values.length > best.values.length ? row : best), first)
  const columns = longest.values.map(({ name }, place) => {
    const cells = valued.map((row) => row.values.find((value) => value.name === name)?.value ?? null)
    return {
      column: {
        name,
        numeric: cells.some((cell) => typeof cell === 'number'),
        minDecimals: fieldDecimals(name, cells),
      },
      place,
      cells,
    }
  })
  const wanted =
    chosen.get(first.schemaId)?.flatMap((name) => columns.find(({ column }) => column.name === name)?.column ?? []) ??
    []
  if (wanted.length > 0) return wanted.slice(0, most)
  const texts = columns.filter(({ column }) => !column.numeric)
  // The largest of the amounts is the total.
  const amount = columns.filter(({ column }) => column.numeric).toSorted((a, b) => sumOf(b.cells) - sumOf(a.cells))[0]
  const ranked = [
    ...texts.filter(({ cells }) => !isSparse(cells) && !isDates(cells)),
    ...texts.filter(({ cells }) => !isSparse(cells) && isDates(cells)),
    ...columns,
  ]
  const picked = new Set(ranked.slice(0, amount ? most - 1 : most))
  if (amount) picked.add(amount)
  for (const column of ranked) if (picked.size < most) picked.add(column)
  return [...picked]
    .sort((a, b) => Number(a.column.numeric) - Number(b.column.numeric) || a.place - b.place)
    .map(({ column }) => column)
}

type Cell = DocumentRow['values'][number]['value']

function sumOf(cells: Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'number' ? Math.abs(cell) : 0), 0)
}

function isSparse(cells: Cell[]): boolean {
  return cells.filter((cell) => cell !== null && cell !== '').length * 2 < cells.length
}

function isDates(cells: Cell[]): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell !== '')
  return texts.length > 0 && texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(String(text)))
}

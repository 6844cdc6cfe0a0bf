import type { JobRow } from '../../../shared/contract.ts'
import { columnDecimals } from '../../messages/values.ts'

export type ValueColumn = { name: string; numeric: boolean; minDecimals: number }

/**
 * The columns of values for the rows on the screen: the first fields of their schema, a number among them when
 * there is one; empty when the rows have different schemas, so that a column never holds two meanings. Pure.
 */
export function valueColumns(rows: readonly JobRow[], most: number): ValueColumn[] {
  const valued = rows.filter((row) => row.values.length > 0)
  const first = valued[0]
  if (!first || valued.some((row) => row.schemaId !== first.schemaId)) return []
  const longest = valued.reduce((best, row) => (row.values.length > best.values.length ? row : best), first)
  const columns = longest.values.map(({ name }): ValueColumn => {
    const cells = valued.map((row) => row.values.find((value) => value.name === name)?.value ?? null)
    return { name, numeric: cells.some((cell) => typeof cell === 'number'), minDecimals: columnDecimals(cells) }
  })
  const chosen = columns.slice(0, most)
  const number = columns.find((column) => column.numeric)
  if (number && chosen.length === most && !chosen.includes(number)) chosen[most - 1] = number
  return chosen
}

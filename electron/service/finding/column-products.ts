import type { Evidence } from '../extraction/evidence.ts'
import { isAmount } from '../extraction/list-products.ts'
import { numbersIn } from '../extraction/read-value.ts'
import type { Table } from './tables.ts'

/** In which share of the rows a column is the product of two others, and in which it is a factor of one, 0..1. */
export type Products = { result: number; factor: number }

/** Rows that say what the columns come to. */
const countedRows = 12
/** Columns of numbers that are compared, from the left: all three of ten are 360. */
const mostColumns = 10

/** Of a place that is no column of numbers. */
export const noProducts: Products = { result: NaN, factor: NaN }

/**
 * What the numbers of each column come to, whatever is asked for: a price times a quantity is an amount, less a discount
 * in per cent that another column has. A row in which a factor is 0 or 1 says nothing. NaN for columns without numbers.
 */
export function productsOf({ header, rows }: Table, evidence: Evidence): (column: number) => Products {
  const read = rows.slice(0, countedRows).map(({ cells }) =>
    (header?.columns ?? []).map((_, column) => {
      const numbers = numbersIn(cells.get(column) ?? [], evidence)
      return numbers.length === 1 && typeof numbers[0]!.value === 'number' ? numbers[0]!.value : NaN
    }),
  )
  const columns = [...(header?.columns.keys() ?? [])]
    .filter((column) => read.some((row) => !Number.isNaN(row[column])))
    .slice(0, mostColumns)
  const found = new Map<number, Products>(columns.map((column) => [column, { result: 0, factor: 0 }]))
  for (const first of columns)
    for (const second of columns.filter((column) => column > first))
      for (const result of columns.filter((column) => column !== first && column !== second)) {
        const share = shareOf(read, first, second, result, columns)
        found.get(result)!.result = Math.max(found.get(result)!.result, share)
        for (const factor of [first, second]) found.get(factor)!.factor = Math.max(found.get(factor)!.factor, share)
      }
  return (column) => found.get(column) ?? noProducts
}

const isTelling = (factor: number): boolean => !Number.isNaN(factor) && factor !== 0 && Math.abs(factor) !== 1

function shareOf(
  rows: readonly (readonly number[])[],
  first: number,
  second: number,
  result: number,
  columns: readonly number[],
): number {
  const telling = rows.filter((row) => isTelling(row[first]!) && isTelling(row[second]!) && !Number.isNaN(row[result]!))
  if (telling.length === 0) return 0
  const others = columns.filter((column) => ![first, second, result].includes(column))
  const holding = telling.filter((row) => {
    // The sign of a credit may stand at any of the three.
    const product = Math.abs(row[first]! * row[second]!)
    const printed = Math.abs(row[result]!)
    return (
      isAmount(product, printed) ||
      others.some((column) => row[column]! > 0 && isAmount(product * (1 - row[column]! / 100), printed))
    )
  })
  return holding.length / telling.length
}

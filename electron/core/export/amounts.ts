import type { CellValue } from './values.ts'

/** So many of a table's first rows say which of its columns are amounts. */
export const rowsLookedAt = 100
/** An amount that is too wide for its column is shown as `#`; columns of amounts have room for 999,999,999.99 with its sign. */
export const leastAmountWidth = 16
const mostAmount = 1e9

/** Whether a number shows all of itself with two decimals. */
function hasTwoDecimals(value: number): boolean {
  return Number(value.toFixed(2)) === value
}

/** Which columns of a worksheet are amounts, by its first rows: one value has decimals, and none more than two. Pure. */
export function amountColumns(first: readonly (readonly CellValue[])[], columns: number): boolean[] {
  return Array.from({ length: columns }, (_, column) => {
    const numbers = first.map((row) => row[column]).filter((value) => typeof value === 'number')
    return numbers.some((value) => !Number.isInteger(value)) && numbers.every(hasTwoDecimals)
  })
}

/** Whether a number in a column of amounts has the format of amounts, `#,##0.00`. Pure. */
export function isAmountFormatted(value: number): boolean {
  return hasTwoDecimals(value) && Math.abs(value) < mostAmount
}

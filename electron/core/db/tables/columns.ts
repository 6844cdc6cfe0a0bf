import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import type { ErrorCode, ErrorDetails } from '../../../../shared/domain/errors.ts'

/** Columns, separated by commas, under the names that the code has for them: `size_bytes AS sizeBytes`. Pure. */
export function aliased(columns: string, table = ''): string {
  const alias = (column: string): string => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return columns
    .split(', ')
    .map((column) => `${table}${column} AS ${alias(column)}`)
    .join(', ')
}

/** What a row says; null where there is none. */
export function found<Row, T>(row: Row | undefined, from: (row: Row) => T): T | null {
  return row === undefined ? null : from(row)
}

/** An error, as its code and its details (JSON) stand in two columns; null without a code. */
export function reasonOf(code: string | null, details: string | null): ErrorReason | null {
  return code === null ? null : { code: code as ErrorCode, details: JSON.parse(details ?? '{}') as ErrorDetails }
}

/** The two columns of an error: null, or absent where there is none. */
export function reasonColumns(reason: ErrorReason | null | undefined): { code: string | null; details: string | null } {
  return { code: reason?.code ?? null, details: reason ? JSON.stringify(reason.details) : null }
}

/**
 * A count that a service reported, as it can be stored and summed: whole, not below zero; null when it is no such
 * number.
 */
export function countOf(reported: number | null): number | null {
  const whole = reported === null ? NaN : Math.round(reported)
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : null
}

/** How spreadsheets call a document: by its file, of a part with its pages («scan.pdf (2–3)»). */
export const nameSql = (table: string): string =>
  `${table}.name || iif(${table}.first_page IS NULL, '', ' (' || ${table}.first_page
    || iif(${table}.last_page = ${table}.first_page, '', '–' || ${table}.last_page) || ')')`

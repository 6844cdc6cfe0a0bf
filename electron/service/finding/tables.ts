import type { Evidence } from '../extraction/evidence.ts'
import type { Field } from '../extraction/field.ts'
import type { Layout } from '../extraction/layout.ts'
import { findAccounts } from '../extraction/list-periods.ts'
import { bareRows } from '../extraction/list-bare.ts'
import { blockRows } from '../extraction/list-blocks.ts'
import { withCodesApart } from '../extraction/list-codes.ts'
import type { CellValues } from '../extraction/list-cell.ts'
import { withHeadings } from '../extraction/list-headings.ts'
import { findHeaders } from '../extraction/list-header.ts'
import type { Header } from '../extraction/list-header.ts'
import { findGrids } from '../extraction/list-grid.ts'
import { findUnheaded } from '../extraction/list-unheaded.ts'
import { beginsAsSum, namesSum, rowsUnder } from '../extraction/list-rows.ts'
import type { Row } from '../extraction/list-rows.ts'
import { sidesOf } from '../extraction/side-tables.ts'
import { rowValues } from '../extraction/list-values.ts'
import { meanings } from '../extraction/words.ts'
import { medianOf } from '../../reading/numbers.ts'

/**
 * How the rows of a list may stand: under heads, between lanes under heads or without any, in lines that end in
 * amounts, in entries that repeat their labels, in cells that the reading saw, under periods.
 */
export const ways = ['headed', 'lanes', 'unheaded', 'bare', 'blocks', 'grid', 'periods'] as const

/** One reading of a document's tables as the answer to a list: its rows and what they say. */
export type Table = {
  way: (typeof ways)[number]
  header?: Header
  rows: Row[]
  values: CellValues
  /** The pages, or the side of one, that it was read from. */
  layout: Layout
  isSide: boolean
  /** Lines are drawn between its rows. */
  ruled?: boolean
}

type Found = Omit<Table, 'isSide'>

/** Heads that name the sub-fields best, of which the rows are read; the judge chooses. */
const mostHeaders = 8

/** Every reading of the document's tables that may answer a list of these sub-fields. */
export function proposeTables(fields: readonly Field[], whole: Layout, evidence: Evidence): Table[] {
  return [whole, ...sidesOf(whole)].flatMap((layout) =>
    tablesOf(fields, layout, evidence).map((table) => ({ ...table, isSide: layout !== whole })),
  )
}

function tablesOf(fields: readonly Field[], layout: Layout, evidence: Evidence): Found[] {
  const tableOf = (way: Table['way'], found: { header: Header; rows: readonly Row[] }): Found => {
    const { header, rows } = withCodesApart(found, fields)
    return { way, layout, header, rows: [...rows], values: rowValues(header, fields, rows, evidence) }
  }
  const under = (way: Table['way'], header: Header): Found =>
    tableOf(way, { header, rows: rowsUnder(header, fields, layout, evidence) })
  const headed = [
    ...findHeaders(fields, layout, evidence)
      .slice(0, mostHeaders)
      .map((header) => under(header.byLanes ? 'lanes' : 'headed', header)),
    ...findUnheaded(fields, layout, evidence).map((header) => under('unheaded', header)),
    ...findGrids(fields, layout, evidence).map(({ ruled, ...found }): Found => ({ ...tableOf('grid', found), ruled })),
  ]
  for (const table of headed) {
    dropFoot(fields, table)
    dropSum(fields, table)
    takeHeadings(table)
  }
  const bare = bareRows(fields, layout, evidence)
  const blocks = blockRows(fields, layout, evidence)
  const others: Found[] = [
    ...findAccounts(fields, layout, evidence).map((found) => tableOf('periods', found)),
    ...bare.map((found) => ({ way: 'bare' as const, layout, ...found })),
    ...(blocks ? [{ way: 'blocks' as const, layout, ...blocks }] : []),
  ]
  return withoutCutUp([...headed, ...others].filter(({ rows }) => rows.length > 0))
}

/** Of the rows of a table so many stand in another one that is the same. */
const sameRows = 0.8

/**
 * Without readings that cut up what stands between lines: a table between lines whose heads are understood as well is
 * the better reading of its rows.
 */
function withoutCutUp(tables: readonly Found[]): Found[] {
  const grids = tables.filter(({ ruled, header }) => ruled && header !== undefined && header.score > 0)
  const named = ({ header }: Found): number => header!.columns.filter(({ field }) => field !== undefined).length
  const lines = new Map(grids.map((grid) => [grid, new Set(grid.rows.flatMap((row) => row.lines))]))
  const isIn = ({ rows }: Found, grid: Found): boolean =>
    rows.filter((row) => lines.get(grid)!.has(row.lines[0]!)).length >= sameRows * rows.length
  return tables.filter(
    (table) => table.ruled || !table.header || !grids.some((grid) => named(grid) >= named(table) && isIn(table, grid)),
  )
}

/**
 * What stands below the rows of a table fills fewer columns than they do, and begins with their sum or what is called
 * one («Totale compensi», «OUTPUT CGST», «VAT 20 %»).
 */
function dropFoot(fields: readonly Field[], table: Pick<Table, 'rows' | 'values'>): void {
  const { values } = table
  const filled = values.map((row) => row.filter((cell) => cell !== undefined).length)
  // The foot may have more lines than the table has rows.
  const usual = medianOf(filled.slice(0, Math.ceil(filled.length / 2))) ?? 0
  const full = filled.findLastIndex((count) => count >= usual) + 1
  const begins = values.slice(full).findIndex((row, at) => isFoot(row, values.slice(0, full + at), fields))
  if (begins < 0 || full < 2) return
  table.rows.splice(full + begins)
  table.values.splice(full + begins)
}

function isFoot(row: CellValues[number], above: CellValues, fields: readonly Field[]): boolean {
  const text = row.flatMap((cell) => (typeof cell?.value === 'string' ? [cell.value] : [])).join(' ')
  const sums = fields.flatMap(({ kind }, column) => {
    const addends = numbersOf(above, column).filter((number) => number !== 0)
    const value = row[column]?.value
    return kind === 'money' && typeof value === 'number' && addends.length > 1 ? [{ value, addends }] : []
  })
  if (sums.some(({ value, addends }) => isSum(value, addends))) return true
  // «Total Care package» costs no more than the others do together.
  return namesSum(text) || (beginsAsSum(text) && sums.every(({ value, addends }) => value * 2 > total(addends)))
}

const numbersOf = (rows: CellValues, column: number): number[] =>
  rows.flatMap((row) => (typeof row[column]?.value === 'number' ? [row[column].value] : []))
const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
const isSum = (value: number, addends: readonly number[]): boolean => Math.abs(total(addends) - value) < 0.011

/**
 * A last row of numbers alone that adds up a column above it is the sum of the table, and so is one that is called a
 * total and adds up a column of money of several rows («Total Care package» is none).
 */
function dropSum(fields: readonly Field[], table: Pick<Table, 'rows' | 'values'>): void {
  const last = table.values.at(-1)
  if (!last || table.values.length < 2 || !fields.some((field) => field.element.format === 'text')) return
  const texts = last.flatMap((cell) => (typeof cell?.value === 'string' ? [cell.value] : []))
  const isCalledTotal = texts.length > 0 && texts.every((text) => meanings(text)[0] === 'total')
  const above = table.values.slice(0, -1)
  if (texts.length > 0 && (!isCalledTotal || above.length < 2)) return
  const sums = last.some((cell, column) => {
    if (isCalledTotal && fields[column]!.kind !== 'money') return false
    const addends = numbersOf(above, column)
    return typeof cell?.value === 'number' && addends.length === above.length && isSum(cell.value, addends)
  })
  if (!sums) return
  table.rows.pop()
  table.values.pop()
}

/** Gives rows the heading that they stand under; rows that are headings are none, and no more are those of groups. */
function takeHeadings(table: Found): void {
  const groups = groupsOf(table)
  keep(table, (row) => !groups.includes(row))
  const rows = withHeadings(table.header!, table.rows, groups, table.layout)
  const kept = new Set(rows.map(({ lines }) => lines))
  keep(table, ({ lines }) => kept.has(lines))
  table.rows = rows
}

function keep(table: Found, isKept: (row: Row) => boolean): void {
  table.values = table.values.filter((_, at) => isKept(table.rows[at]!))
  table.rows = table.rows.filter(isKept)
}

/** As a fraction of the page's width: what is set in further belongs to what stands above it. */
const leastIndent = 0.004

/**
 * «Elastic Compute 245.60» above rows that make up the 245.60 is the heading of a group, not a row. They are set in; or
 * they fill more columns, and all rows from the first heading on are in such groups, of which there are several or one
 * has several rows.
 */
function groupsOf({ rows, values }: Found): Row[] {
  const lefts = values.map((row) => Math.min(...row.flatMap((cell) => cell?.words[0]?.box.x ?? [])))
  const cents = values.map((row) => {
    const last = row.findLast((cell) => typeof cell?.value === 'number')
    return last ? Math.round(Number(last.value) * 100) : NaN
  })
  /** How many rows below make up a row. */
  const partsOf = (head: number, isUnder: (at: number) => boolean): number => {
    let rest = cents[head]!
    for (let next = head + 1; next < cents.length && isUnder(next); next++) {
      rest -= cents[next]!
      if (rest === 0) return next - head
    }
    return 0
  }
  const setIn = [...rows.keys()].filter((head) => partsOf(head, (at) => lefts[at]! > lefts[head]! + leastIndent) > 0)
  const heads = setIn.length > 0 ? setIn : fullerBelow()
  // Centred texts begin anywhere: headings are flush with one another.
  if (heads.some((at) => Math.abs(lefts[at]! - lefts[heads[0]!]!) > leastIndent)) return []
  if (heads.length === 1 && heads[0] !== 0) return []
  return heads.map((at) => rows[at]!)

  function fullerBelow(): number[] {
    const found: number[] = []
    let most = 0
    for (let at = 0; at < rows.length; at++) {
      const parts = cents[at] === 0 ? 0 : partsOf(at, (next) => rows[next]!.cells.size > rows[at]!.cells.size)
      if (parts > 0) found.push(at)
      else if (found.length > 0) return []
      most = Math.max(most, parts)
      at += parts
    }
    return found.length > 1 || most > 1 ? found : []
  }
}

import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import { isRowAmount } from './list-cell.ts'
import { contentOf, type Column, type Content } from './list-content.ts'
import type { Header } from './list-header.ts'
import { columnsOfRows } from './list-lanes.ts'
import { matchByContent } from './list-match.ts'
import { type Layout, type LayoutPage, type Line } from './layout.ts'

/** Runs of lines that are looked at, the longest first. */
const mostRuns = 6
/** Rows that say where the columns are: as many as fill a page. */
const mostSampled = 60
/** Lines of words alone that may stand between two rows. */
const mostBetween = 2
/** In line heights: a wider gap ends a run. */
const widestGap = 3.5

/**
 * Tables without heads: runs of lines that have words and a number each. What stands in their columns says which
 * sub-field each can answer. Their `lastLine` is the one above the first row.
 */
export function findUnheaded(fields: readonly Field[], layout: Layout, evidence: Evidence): Header[] {
  const longest = layout.pages
    .flatMap((page) => runsOf(page).map((run) => ({ page, run })))
    .toSorted((left, right) => right.run.length - left.run.length)
    .slice(0, mostRuns)
    .flatMap(({ page, run }) => headerOf(run, page, fields, evidence) ?? [])
    .toSorted((left, right) => left.firstLine - right.firstLine)
  // What goes on on the next page is one table.
  const seen = new Set<string>()
  return longest.filter(({ columns }) => {
    const key = JSON.stringify(columns.map(({ left, field }) => [left.toFixed(2), field]))
    return !seen.has(key) && seen.add(key)
  })
}

function runsOf(page: LayoutPage): Line[][] {
  const runs: Line[][] = []
  let run: Line[] = []
  let between = 0
  let bottom = -Infinity
  for (const line of page.lines) {
    const isRow = /\p{L}{2}/u.test(line.text) && line.cells.length > 1 && /\d/.test(line.text)
    const isFar = line.box.y - bottom > widestGap * page.lineHeight
    if (isFar || (!isRow && ++between > mostBetween)) {
      if (run.length > 1) runs.push(run)
      run = []
    }
    bottom = line.box.y + line.box.height
    if (!isRow) continue
    between = 0
    run.push(line)
  }
  if (run.length > 1) runs.push(run)
  return runs
}

function headerOf(
  run: readonly Line[],
  page: LayoutPage,
  fields: readonly Field[],
  evidence: Evidence,
): Header | undefined {
  const columns = columnsOfRows(run.slice(0, mostSampled), page, evidence)
  if (columns.length < 2) return undefined
  const lastLine = run[0]!.index - 1
  const contents = columns.map((column) => contentOf(column, page, lastLine, evidence))
  if (!giveByContent(columns, contents, fields)) return undefined
  return { page: page.number, columns, firstLine: lastLine, lastLine, score: 0, declared: false, byLanes: true }
}

/** Gives columns the sub-fields that what stands in them can answer; false where these are too few. */
export function giveByContent(columns: Column[], contents: readonly Content[], fields: readonly Field[]): boolean {
  matchByContent(columns, contents, fields)
  giveAmount(columns, contents, fields)
  giveText(columns, contents, fields)
  return columns.filter((column) => column.field !== undefined).length >= Math.min(2, fields.length)
}

/** What a row comes to stands last. */
function giveAmount(columns: Column[], contents: readonly Content[], fields: readonly Field[]): void {
  const open = fields.findIndex(
    (field, index) => isRowAmount(field) && !columns.some((column) => column.field === index),
  )
  const last = columns.findLastIndex((column, index) => column.field === undefined && contents[index]!.numeric >= 0.5)
  if (open >= 0 && last >= 0) columns[last]!.field = open
}

/** What a row is about stands first. */
function giveText(columns: Column[], contents: readonly Content[], fields: readonly Field[]): void {
  const isOpen = (field: Field, index: number): boolean =>
    field.element.format === 'text' && !columns.some((column) => column.field === index)
  const described = fields.findIndex((field, index) => isDescription(field) && isOpen(field, index))
  const open = described >= 0 ? described : fields.findIndex(isOpen)
  const first = columns.findIndex((column, index) => {
    const content = contents[index]!
    return column.field === undefined && content.words >= 1 && !content.announces
  })
  if (open >= 0 && first >= 0) columns[first]!.field = open
}

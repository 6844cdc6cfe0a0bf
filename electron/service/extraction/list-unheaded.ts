import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import { isRowAmount } from './list-cell.ts'
import { labelScorer } from './labels.ts'
import { contentOf, type Column, type Content } from './list-content.ts'
import { couldBeHead, nameColumns } from './list-header.ts'
import type { Header } from './list-header.ts'
import { columnsByLanes, columnsOfRows } from './list-lanes.ts'
import { matchByContent } from './list-match.ts'
import { meanings } from './words.ts'
import { maxBy } from './max-by.ts'
import { headTextOf, wordsOf, type Layout, type LayoutPage, type Line, type Word } from './layout.ts'

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
    .flatMap(({ page, run }) => headersOf(run, page, fields, evidence))
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

function headersOf(run: readonly Line[], page: LayoutPage, fields: readonly Field[], evidence: Evidence): Header[] {
  const scorer = labelScorer(fields)
  const lastLine = run[0]!.index - 1
  const above = linesAbove(run[0]!, page)
  const ofRows = columnsOfRows(run.slice(0, mostSampled), page, evidence)
  const over = wordsOver(ofRows, above, page)
  ofRows.forEach((column) => (column.text = headTextOf(over.get(column) ?? [])))
  const ofHeads =
    above.length > 0
      ? columnsByLanes(above, page, evidence, (text) => Math.max(0, ...scorer(meanings(text))))
      : undefined
  return [ofRows, ...(ofHeads ? [ofHeads] : [])].flatMap((columns) => {
    if (columns.length < 2) return []
    const contents = columns.map((column) => contentOf(column, page, lastLine, evidence))
    const score = nameColumns(columns, contents, fields, scorer)
    if (score === undefined && !giveByContent(columns, contents, fields)) return []
    const firstLine = above[0]?.index ?? lastLine
    return [{ page: page.number, columns, firstLine, lastLine, score: score ?? 0, declared: false, byLanes: true }]
  })
}

/** Heads that name too little to be found by their words stand in so many lines. */
const mostHeadLines = 3

/** The lines of words right above the first row, which may be heads whatever they say. */
function linesAbove(first: Line, page: LayoutPage): Line[] {
  const lines: Line[] = []
  let next = first
  for (let at = page.lines.indexOf(first) - 1; at >= 0 && lines.length < mostHeadLines; at--) {
    const line = page.lines[at]!
    const isNear = next.box.y - line.box.y < 2.5 * page.lineHeight
    if (!isNear || line.cells.length < 2 || !couldBeHead(line)) break
    lines.unshift(line)
    next = line
  }
  return lines
}

/** The words of lines above columns, each over the column that it stands nearest to. */
function wordsOver(columns: readonly Column[], lines: readonly Line[], { em }: LayoutPage): Map<Column, Word[]> {
  const over = new Map<Column, Word[]>()
  for (const word of lines.flatMap(wordsOf)) {
    const middle = word.box.x + word.box.width / 2
    const distance = ({ left, right }: Column): number => Math.max(left - middle, middle - right, 0)
    const column = maxBy(columns, (one) => -distance(one))
    if (column && distance(column) < em) over.set(column, [...(over.get(column) ?? []), word])
  }
  return over
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

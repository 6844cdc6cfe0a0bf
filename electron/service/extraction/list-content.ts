import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import { makeCell, overlapX, unionBox, wordsOf, type Cell, type LayoutPage, type Line } from './layout.ts'
import { maxBy } from './max-by.ts'
import { findDates } from './parse-value.ts'

/** A column of a table: its head, its extent, and the sub-field that the head names, when one does. */
export type Column = {
  left: number
  right: number
  text: string
  field?: number
  /** The sub-field that the further lines of each cell answer («Material» over «Bezeichnung»). */
  below?: number
  /** Of a column between two lanes: from where to where its words reach. */
  body?: { left: number; right: number } | undefined
}

/** Whether a column is told from its neighbours by lanes: then every word of a line is in one of them. */
export function isBetweenLanes(column: Column): boolean {
  return 'body' in column
}

/** What stands under a head: how many cells, and which share of them are numbers, amounts, dates, times or codes. */
export type Content = {
  cells: number
  numeric: number
  money: number
  dates: number
  times: number
  codes: number
  words: number
  percent: number
  /** 1, 2, 3 … */
  counting: boolean
  /** Every cell announces a number and nothing else («Bill No.»). */
  announces: boolean
}
type Share = Exclude<keyof Content, 'cells' | 'counting' | 'announces'>

/** Whether texts, one below another, are the same words that announce a number. */
export function announceNumbers(texts: readonly string[]): boolean {
  return texts.length >= leastAlike && announcing.test(texts[0]!) && texts.every((text) => text === texts[0])
}

const leastAlike = 4
const announcing = /(?:^|\s)(?:n[or]|num(?:mer|ber|[eé]ro)?|n?[°º]|#)\.?:?$/iu

export const emptyContent: Readonly<Content> = {
  cells: 0,
  numeric: 0,
  money: 0,
  dates: 0,
  times: 0,
  codes: 0,
  words: 0,
  percent: 0,
  counting: true,
  announces: false,
}
const shares = ['numeric', 'money', 'dates', 'times', 'codes', 'words', 'percent'] as const satisfies Share[]

const numberLike = /^[-+(]?(?:[€$£]|EUR|CHF|USD|GBP)?\s?\d[\d.,'’]*[%€$£)\-−–]*(?:CR|DR|S|H)?$/u
const furthestLines = 12

/** The lines under a head that may be rows of its table: up to twelve, until a wide gap. */
export function linesUnder(page: LayoutPage, lastLine: number): Line[] {
  const found: Line[] = []
  let bottom: number | undefined
  for (const line of page.lines) {
    if (line.index <= lastLine) continue
    if (line.index > lastLine + furthestLines || (bottom !== undefined && line.box.y - bottom > 3 * page.lineHeight))
      break
    if (line.cells.length < 2) {
      if (bottom !== undefined && line.cells[0]!.words.length <= 8) bottom = line.box.y + line.box.height
      continue
    }
    bottom = line.box.y + line.box.height
    found.push(line)
  }
  return found
}

/**
 * Numbers set right under a head set left may stand nearer to the next head. Where rows have as many cells as there are
 * heads, the cells answer the heads in order, and the columns are widened to hold them.
 */
export function alignColumns(columns: Column[], page: LayoutPage, lastLine: number): void {
  const lines = linesUnder(page, lastLine)
  const full = lines.filter(
    (line) => line.cells.length === columns.length && line.cells.some((cell) => /\d/.test(cell.text)),
  )
  if (columns.length < 2 || full.length === 0 || full.length < 0.3 * lines.length || full[0] !== lines[0]) return
  const amiss = full.some((line) => line.cells.some((cell, index) => nearestColumn(cell, columns) !== index))
  if (!amiss) return
  const bodies = columns.map((_, index) => {
    const { x, width } = unionBox(full.map((line) => line.cells[index]!.box))
    return { left: x, right: x + width }
  })
  if (bodies.some((body, index) => index > 0 && body.left < bodies[index - 1]!.right - 0.5 * page.em)) return
  columns.forEach((column, index) => {
    const body = bodies[index]!
    const before = bodies[index - 1]?.right ?? -Infinity
    const behind = bodies[index + 1]?.left ?? Infinity
    column.left = Math.max(Math.min(column.left, body.left), Math.min(before + 1e-4, body.left))
    column.right = Math.min(Math.max(column.right, body.right), Math.max(behind - 1e-4, body.right))
  })
  columns.forEach((column, index) => {
    const next = columns[index + 1]
    if (!next || column.right <= next.left) return
    const middle =
      (Math.max(bodies[index]!.right, Math.min(column.right, next.left)) +
        Math.min(bodies[index + 1]!.left, Math.max(column.right, next.left))) /
      2
    column.right = middle
    next.left = middle
  })
}

function nearestColumn(cell: Cell, columns: readonly Column[]): number {
  const nearness = (column: Column): number => {
    const shared = Math.min(column.right, cell.box.x + cell.box.width) - Math.max(column.left, cell.box.x)
    const apart = Math.min(
      Math.abs(cell.box.x - column.left),
      Math.abs(cell.box.x + cell.box.width - column.right),
      Math.max(0, -shared),
    )
    return shared > 0 ? 1 + shared : -apart
  }
  return columns.indexOf(maxBy(columns, nearness)!)
}

/** What stands under a column's head. */
export function contentOf(column: Column, page: LayoutPage, lastLine: number, evidence: Evidence): Content {
  const cells = linesUnder(page, lastLine).map((line) =>
    isBetweenLanes(column) ? between(column, line) : under(column, line),
  )
  return contentOfCells(
    cells.filter((cell) => cell !== undefined),
    evidence,
  )
}

/** What stands in the cells of a column. */
export function contentOfCells(cells: readonly Pick<Cell, 'words' | 'text'>[], evidence: Evidence): Content {
  const content: Content = { ...emptyContent }
  for (const cell of cells) {
    content.cells++
    const traits = traitsOf(cell, evidence)
    for (const share of shares) content[share] += Number(traits[share])
    const count = Number.parseInt(cell.words[0]!.text, 10)
    content.counting &&= count === content.cells || count === content.cells * 10
  }
  for (const share of shares) content[share] /= Math.max(1, content.cells)
  content.counting &&= content.cells > 0 && content.codes > 0.5
  content.announces = announceNumbers(cells.map(({ text }) => text))
  return content
}

function under(column: Column, line: Line): Cell | undefined {
  return line.cells.find(
    (one) =>
      Math.min(column.right, one.box.x + one.box.width) - Math.max(column.left, one.box.x) >
      0.3 * Math.min(column.right - column.left, one.box.width),
  )
}

/** What of a line stands between the lanes of a column. */
function between({ left, right }: Column, line: Line): Cell | undefined {
  const words = wordsOf(line).filter(({ box }) => box.x + box.width / 2 > left && box.x + box.width / 2 < right)
  return words.length === 0 ? undefined : makeCell(words, line.page, line.index)
}

/** What a single cell adds to the shares of its column. */
function traitsOf(cell: Pick<Cell, 'words' | 'text'>, evidence: Evidence): Record<Share, boolean | number> {
  const { text, words } = cell
  const first = words[0]!.text
  const isDate = (findDates(text, evidence.dates)[0]?.start ?? 99) <= 4
  const isNumber = !isDate && numberLike.test(first) && !/^0\d{3,}$/.test(first)
  return {
    numeric: isNumber,
    money: isNumber && /[.,]\d{2}(?!\d)/.test(text),
    dates: isDate,
    times: /^\d{1,2}[:.h]\d{2}$/.test(first),
    codes: !isDate && words.length === 1 && /\d/.test(first) && !/[.,]\d{2}$|[€$£%]/.test(first),
    words: isNumber || isDate ? 0 : words.length,
    percent: /%/.test(text),
  }
}

/** Whether the content of a column suits a field; decides between heads such as «Artikel» and «Bezeichnung». */
export function suitability(field: Field, content: Content): number {
  if (content.cells < 1) return 1
  if (field.element.format === 'number') return content.numeric >= 0.35 ? 1 : 0.55
  if (field.kind === 'date') return suitsDate(content)
  if (content.dates > 0.6 && field.kind === 'text') return 0.5
  if (field.kind === 'code') return suitsCode(content)
  return isDescription(field) ? suitsDescription(content) : 1
}

function suitsDate(content: Content): number {
  if (content.dates >= 0.3 || content.times >= 0.3) return 1
  return content.numeric > 0.7 || content.cells < 2 ? 0.7 : 0.8
}

function suitsCode(content: Content): number {
  if (content.words > 2) return 0.6
  return content.counting ? 0.8 : content.codes > 0.5 ? 1.04 : 1
}

function suitsDescription(content: Content): number {
  if (content.numeric > 0.7) return 0.5
  return content.codes > 0.6 ? 0.7 : content.words >= 1.5 ? 1.03 : 1
}

/** Where the words left of a column begin, in the rows under it; undefined when there are none. */
export function silentLeft(
  first: Column,
  columns: readonly Column[],
  page: LayoutPage,
  lastLine: number,
): number | undefined {
  const cells = page.lines
    .filter(
      (line) =>
        line.index > lastLine &&
        line.index <= lastLine + 14 &&
        line.cells.some(
          (cell) =>
            /\d/.test(cell.text) &&
            overlapX({ x: first.left, y: 0, width: columns.at(-1)!.right - first.left, height: 1 }, cell.box) > 0.5,
        ),
    )
    .map((line) => line.cells.findLast((cell) => cell.box.x + cell.box.width < first.left + page.em))
    .filter((cell) => cell !== undefined && /\p{L}{2}/u.test(cell.text))
  const lefts = cells.map((cell) => cell!.box.x).sort((left, right) => left - right)
  return cells.length < 1 ? undefined : lefts[lefts.length >> 1]
}

import { isKnownLabel, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { makeCell, overlapX, type Cell, type Layout, type LayoutPage, type Line } from './layout.ts'
import { isKnownWord, meanings, surfaceWords } from './words.ts'

/** A column of a table: its head, its extent, and the sub-field that the head names, when one does. */
export type Column = { left: number; right: number; text: string; field?: number }

export type Header = { page: number; columns: Column[]; firstLine: number; lastLine: number; score: number; key: string }

type Scorer = (words: readonly string[]) => number[]

const mostLines = 5

/** Heads of tables in a document that name at least two of the sub-fields (or the only one), best first. */
export function findHeaders(fields: readonly Field[], layout: Layout): Header[] {
  const scorer = labelScorer(fields)
  const headers: Header[] = []
  for (const page of layout.pages) {
    for (let start = 0; start < page.lines.length; start++) {
      const group: Line[] = []
      for (let end = start; end < Math.min(page.lines.length, start + mostLines); end++) {
        const line = page.lines[end]!
        if (!couldBeHead(line) || (group.length > 0 && tooFar(group.at(-1)!, line, page))) break
        group.push(line)
        const header = headerOf(group, fields, scorer, page)
        if (header) headers.push(header)
      }
    }
  }
  headers.sort((left, right) => right.score - left.score || left.firstLine - right.firstLine)
  // Of overlapping groups of lines only the best one stays.
  return headers.filter((header, index) => !headers.slice(0, index).some((better) => better.firstLine <= header.lastLine && better.lastLine >= header.firstLine))
}

function couldBeHead(line: Line): boolean {
  const numeric = line.cells.filter((cell) => /\d[.,]\d|\d{3,}/.test(cell.text)).length
  return numeric === 0 && line.text.length < 220 && line.cells.every((cell) => cell.text.length < 60)
}

function tooFar(above: Line, below: Line, page: LayoutPage): boolean {
  return below.box.y - (above.box.y + above.box.height) > 0.9 * page.lineHeight
}

function headerOf(lines: readonly Line[], fields: readonly Field[], scorer: Scorer, page: LayoutPage): Header | undefined {
  const columns = columnsOf(lines, page, scorer)
  if (columns.length < 2 && fields.length > 1) return undefined
  const contents = columns.map((column) => contentOf(column, page, lines.at(-1)!.index))
  const pairs: { column: number; field: number; score: number }[] = []
  columns.forEach((column, index) => {
    const scores = scorer(meanings(column.text))
    scores.forEach((score, field) => {
      const value = Math.max(score, symbolScore(column.text, fields[field]!), kinScore(column.text, fields[field]!, contents[index]!)) * suitability(fields[field]!, contents[index]!)
      if (value >= 0.5) pairs.push({ column: index, field, score: value })
    })
  })
  pairs.sort((left, right) => right.score - left.score || Math.abs(left.column - left.field) - Math.abs(right.column - right.field))
  const usedColumns = new Set<number>()
  const usedFields = new Set<number>()
  let sum = 0
  for (const pair of pairs) {
    if (usedColumns.has(pair.column) || usedFields.has(pair.field)) continue
    usedColumns.add(pair.column)
    usedFields.add(pair.field)
    columns[pair.column]!.field = pair.field
    sum += pair.score
  }
  if (usedFields.size < Math.min(2, fields.length)) return undefined
  // «Work done» is no word for a description, but the column of words beside the amounts is one.
  const leading = columns[0]!.field === undefined ? undefined : fields[columns[0]!.field]
  if (leading?.element.format === 'text' && leading.kind === 'text' && columns.length > 1 && (contents[0]!.cells < 0.5 * Math.max(...contents.map((content) => content.cells)) || startsLeftOf(columns[0]!, page, lines.at(-1)!.index))) {
    // A head centred over left-aligned text stands right of it.
    const silent = silentLeft(columns[1]!, columns, page, lines.at(-1)!.index)
    if (silent !== undefined) columns[0]!.left = Math.min(columns[0]!.left, silent)
  }
  if (fields.some((field, index) => !usedFields.has(index) && field.concept === 'description')) addSilentColumn(columns, contents, page, lines.at(-1)!.index)
  const described = fields.findIndex((field, index) => !usedFields.has(index) && (field.concept === 'description' || field.concept === 'bookingText'))
  const wordy = columns.findIndex((column, index) => column.field === undefined && contents[index]!.words >= 1.6 && contents[index]!.numeric < 0.3)
  if (described >= 0 && wordy >= 0) columns[wordy]!.field = described
  const known = columns.filter((column) => column.field !== undefined || isKnownLabel(column.text)).length
  if (known / columns.length < 0.5) return undefined
  const key = columns.map((column) => meanings(column.text).join(' ')).join('|')
  return { page: page.number, columns, firstLine: lines[0]!.index, lastLine: lines.at(-1)!.index, score: sum + 0.05 * known - 0.08 * (lines.length - 1), key }
}

/** Some tables have no head over their first column: the words left of the first head make one. */
function addSilentColumn(columns: Column[], contents: Content[], page: LayoutPage, lastLine: number): void {
  const first = columns[0]!
  const left = silentLeft(first, columns, page, lastLine)
  if (left === undefined) return
  columns.unshift({ left, right: first.left - page.em, text: '' })
  contents.unshift({ cells: 2, numeric: 0, codes: 0, words: 2 })
}

/** Whether the text of the first row ends before the head over it begins. */
function startsLeftOf(column: Column, page: LayoutPage, lastLine: number): boolean {
  const first = page.lines.find((line) => line.index > lastLine && line.cells.length >= 2)?.cells[0]
  return first !== undefined && first.box.x + first.box.width < column.left && /\p{L}{2}/u.test(first.text)
}

/** Where the words left of a column begin, in the rows under it; undefined when there are none. */
function silentLeft(first: Column, columns: readonly Column[], page: LayoutPage, lastLine: number): number | undefined {
  const cells = page.lines
    .filter((line) => line.index > lastLine && line.index <= lastLine + 14 && line.cells.some((cell) => /\d/.test(cell.text) && overlapX({ x: first.left, y: 0, width: columns.at(-1)!.right - first.left, height: 1 }, cell.box) > 0.5))
    .map((line) => line.cells.findLast((cell) => cell.box.x + cell.box.width < first.left + page.em))
    .filter((cell) => cell !== undefined && /\p{L}{2}/u.test(cell.text))
  const lefts = cells.map((cell) => cell!.box.x).sort((left, right) => left - right)
  return cells.length < 1 ? undefined : lefts[lefts.length >> 1]
}

type Content = { cells: number; numeric: number; codes: number; words: number }

/** What stands under a head: the share of numbers and of codes, and the usual count of words. */
function contentOf(column: Column, page: LayoutPage, lastLine: number): Content {
  const content = { cells: 0, numeric: 0, codes: 0, words: 0 }
  let bottom: number | undefined
  for (const line of page.lines) {
    if (line.index <= lastLine) continue
    if (line.index > lastLine + 9 || (bottom !== undefined && line.box.y - bottom > 2.2 * page.lineHeight)) break
    if (line.cells.length < 2) continue
    bottom = line.box.y + line.box.height
    const cell = line.cells.find((one) => Math.min(column.right, one.box.x + one.box.width) - Math.max(column.left, one.box.x) > 0.3 * Math.min(column.right - column.left, one.box.width))
    if (!cell) continue
    content.cells++
    const first = cell.words[0]!.text
    const number = /^[-+(]?[€$£]?\s?\d[\d.,'’]*[%€$£)-]*$/u.test(first) && !/^0\d{3,}$/.test(first)
    if (number) content.numeric++
    if (cell.words.length === 1 && /\d/.test(first) && !/[.,]\d{2}$|[€$£%]/.test(first)) content.codes++
    content.words += number ? 0 : cell.words.length
  }
  const cells = Math.max(1, content.cells)
  return { cells: content.cells, numeric: content.numeric / cells, codes: content.codes / cells, words: content.words / cells }
}

/** Whether the content of a column suits a field; decides between heads such as «Artikel» and «Bezeichnung». */
function suitability(field: Field, content: Content): number {
  if (content.cells < 1) return 1
  if (field.element.format === 'number') return content.numeric >= 0.35 ? 1 : 0.55
  if (field.kind === 'code') return content.words > 2 ? 0.6 : content.codes > 0.5 ? 1.04 : 1
  if (field.concept === 'description' || field.concept === 'bookingText') return content.numeric > 0.7 ? 0.5 : content.codes > 0.6 ? 0.7 : content.words >= 1.5 ? 1.03 : 1
  return 1
}

/** «Stock code», «Ident»: a head with a word for numbers over single codes is the article's number. */
function kinScore(text: string, field: Field, content: Content): number {
  const words = meanings(text)
  return field.concept === 'articleNumber' && content.codes > 0.6 && words.some((word) => ['nr', 'code', 'reference', 'id', 'article'].includes(word)) && !words.includes('index') ? 0.62 : 0
}

/** `%` or `#` alone heads a column of rates or positions. */
function symbolScore(text: string, field: Field): number {
  // Money out and money in make one signed amount.
  if (field.concept === 'lineAmount') {
    const words = meanings(text)
    if ((words.includes('debit') || words.includes('credit')) && !words.includes('balance')) return 0.55
  }
  if (/^%$/.test(text.trim())) return field.kind === 'percent' ? 0.8 : 0
  return 0
}

function columnsOf(lines: readonly Line[], page: LayoutPage, scorer: Scorer): Column[] {
  const stacks: { cells: Cell[]; left: number; right: number }[] = []
  for (const cell of lines.flatMap((line) => line.cells.flatMap((one) => splitHead(one, scorer)))) {
    const box = cell.box
    const stack = stacks.find((one) => cell.line !== one.cells.at(-1)!.line && overlapX({ ...box, x: one.left, width: one.right - one.left }, box) > 0.25)
      ?? stacks.find((one) => cell.line !== one.cells.at(-1)!.line && Math.abs(one.left - box.x) < 0.5 * page.em)
    if (stack) {
      stack.cells.push(cell)
      stack.left = Math.min(stack.left, box.x)
      stack.right = Math.max(stack.right, box.x + box.width)
    } else stacks.push({ cells: [cell], left: box.x, right: box.x + box.width })
  }
  return stacks
    .sort((left, right) => left.left - right.left)
    .map((stack) => ({ left: stack.left, right: stack.right, text: stack.cells.map((cell) => cell.text).join(' ').replace(/(\p{Ll})- (?=\p{Ll})/gu, '$1') }))
}

/**
 * Heads that stand close together («Menge Einzelpreis Gesamt») are cut where the parts name sub-fields better than the
 * whole does.
 */
function splitHead(cell: Cell, scorer: Scorer): Cell[] {
  const count = cell.words.length
  const whole = Math.max(0, ...scorer(meanings(cell.text)))
  if (count < 2 || count > 9 || cell.declared || whole >= 0.9 || isKnownLabel(cell.text)) return [cell]
  const texts = cell.words.map((word) => word.text)
  let best: { score: number; cuts: number[] } | undefined
  for (let mask = 1; mask < 1 << (count - 1); mask++) {
    const cuts = [0, ...texts.slice(1).flatMap((_, index) => (mask & (1 << index) ? [index + 1] : [])), count]
    const parts = cuts.slice(1).map((to, index) => texts.slice(cuts[index], to).join(' '))
    if (!parts.every((part) => isKnownLabel(part) || isOfficeWords(part))) continue
    const score = distinctScore(parts.map((part) => scorer(meanings(part)))) + 0.02 * parts.filter((part) => isKnownLabel(part)).length - 0.01 * parts.length
    if (!best || score > best.score) best = { score, cuts }
  }
  const known = best?.cuts.slice(1).every((to, index) => isKnownLabel(texts.slice(best!.cuts[index], to).join(' '))) ?? false
  if (!best || !(best.score >= whole + 0.4 || (known && whole < 0.5 && !isKnownLabel(cell.text)))) return [cell]
  return best.cuts.slice(1).map((to, index) => makeCell(cell.words.slice(best.cuts[index], to), cell.page, cell.line))
}

/** The best sum of scores when every part answers another field. */
function distinctScore(scores: readonly number[][]): number {
  const pairs = scores.flatMap((row, part) => row.map((score, field) => ({ score, part, field }))).filter((pair) => pair.score >= 0.5)
  const parts = new Set<number>()
  const fields = new Set<number>()
  let sum = 0
  for (const pair of pairs.sort((left, right) => right.score - left.score)) {
    if (parts.has(pair.part) || fields.has(pair.field)) continue
    parts.add(pair.part)
    fields.add(pair.field)
    sum += pair.score
  }
  return sum
}

function isOfficeWords(text: string): boolean {
  const words = surfaceWords(text)
  return words.length > 0 && words.every((word) => isKnownWord(word))
}

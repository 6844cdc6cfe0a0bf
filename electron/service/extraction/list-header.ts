import type { Evidence } from './evidence.ts'
import { isKnownLabel, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import {
  alignColumns,
  contentOf,
  emptyContent,
  isBetweenLanes,
  linesUnder,
  silentLeft,
  suitability,
  type Column,
  type Content,
} from './list-content.ts'
import { columnsByLanes } from './list-lanes.ts'
import { matchByContent } from './list-match.ts'
import { headTextOf, makeCell, overlapX, type Cell, type Layout, type LayoutPage, type Line } from './layout.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { isKnownWord, meanings, meaningsOfEach, surfaceWords } from './words.ts'

export type Header = {
  page: number
  columns: Column[]
  firstLine: number
  lastLine: number
  score: number
  /** Whether the file itself declares the cells of the head. */
  declared: boolean
  /** Whether the columns are told apart by the lanes that run through heads and rows. */
  byLanes: boolean
  /** The same head on the pages that follow, with its columns as they stand there. */
  repeats?: readonly Pick<Header, 'page' | 'columns' | 'lastLine'>[]
}

export type Scorer = (words: readonly string[]) => number[]

const maxLines = 5

/** Heads of tables in a document that name at least two of the sub-fields (or the only one), best first. */
export function findHeaders(fields: readonly Field[], layout: Layout, evidence: Evidence): Header[] {
  const scorer = labelScorer(fields)
  const headers: Header[] = []
  for (const page of layout.pages) {
    for (let start = 0; start < page.lines.length; start++) {
      const group: Line[] = []
      for (let end = start; end < Math.min(page.lines.length, start + maxLines); end++) {
        const line = page.lines[end]!
        if (!couldBeHead(line) || (group.length > 0 && tooFar(group.at(-1)!, line, page))) break
        group.push(line)
        const header = headerOf(group, columnsOf(group, page, scorer), fields, scorer, page, evidence)
        if (header) headers.push(header)
        const cut = group.some((one) => one.cells.some((cell) => cell.declared))
          ? undefined
          : columnsByLanes(group, page, evidence, (text) => Math.max(0, ...scorer(meanings(text))))
        const other = cut && headerOf(group, cut, fields, scorer, page, evidence)
        if (other) headers.push(other)
      }
    }
  }
  headers.sort((left, right) => right.score - left.score || left.firstLine - right.firstLine)
  // Of overlapping groups of lines only the best one stays, and so of heads that say the same.
  const apart = headers.filter((header, index) => {
    const isOver = headers
      .slice(0, index)
      .some(
        (better) =>
          better.byLanes === header.byLanes &&
          better.columns.length >= header.columns.length &&
          better.firstLine <= header.lastLine &&
          better.lastLine >= header.firstLine,
      )
    return !isOver
  })
  const alike = Map.groupBy(apart, ({ byLanes, columns }) =>
    JSON.stringify([byLanes, columns.map(({ text, field }) => [text, field])]),
  )
  return [...alike.values()].map(withPages)
}

/**
 * The best of some heads that say the same, best first, from the first page on which it stands on each page down to its
 * own, and with those of the pages that follow.
 */
function withPages(alike: readonly Header[]): Header {
  const [best] = alike
  const onPage = (number: number): Header | undefined => alike.find(({ page }) => page === number)
  let first = best!
  for (let before = onPage(first.page - 1); before; before = onPage(first.page - 1)) first = before
  const repeats: Header[] = []
  for (let next = onPage(first.page + 1); next; next = onPage(next.page + 1)) repeats.push(next)
  return { ...first, score: best!.score, repeats }
}

/** The columns of a head as they stand on a page: where it stands on that one, or on the last one before. */
export function columnsOn({ columns, repeats = [] }: Header, page: number): Column[] {
  return repeats.findLast((repeat) => repeat.page <= page)?.columns ?? columns
}

/** A number, or one with few letters beside it: «Diesel surcharge 6.5 %» may be a head, «4711 B» is none. */
export function isNumeric(text: string): boolean {
  const digits = text.match(/\d/gu)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return /\d[.,]\d|\d{3,}/.test(text) && letters < 4 * digits
}

export function couldBeHead(line: Line): boolean {
  const numeric = line.cells.filter((cell) => isNumeric(cell.text)).length
  return numeric === 0 && line.text.length < 220 && line.cells.every((cell) => cell.text.length < 120)
}

function tooFar(above: Line, below: Line, page: LayoutPage): boolean {
  return below.box.y - (above.box.y + above.box.height) > 0.9 * page.lineHeight
}

function headerOf(
  lines: readonly Line[],
  columns: Column[],
  fields: readonly Field[],
  scorer: Scorer,
  page: LayoutPage,
  evidence: Evidence,
): Header | undefined {
  if (columns.length < 2 && fields.length > 1) return undefined
  const end = lines.at(-1)!.index
  const byLanes = columns.some(isBetweenLanes)
  if (!byLanes) alignColumns(columns, page, end)
  const contents = columns.map((column) => contentOf(column, page, end, evidence))
  const sum = nameColumns(columns, contents, fields, scorer)
  if (sum === undefined) return undefined
  if (!byLanes) reachTexts(columns, contents, fields, page, end)
  const lastLine = end + (takeStacked(columns, page, lines.at(-1)!, fields, scorer) ? 1 : 0)
  const known = columns.filter((column) => column.field !== undefined || isKnownLabel(column.text)).length
  if (known / columns.length < 0.5) return undefined
  return {
    page: page.number,
    columns,
    firstLine: lines[0]!.index,
    lastLine,
    score: sum + 0.05 * known - 0.08 * (lines.length - 1),
    declared: lines.every((line) => line.cells.every((cell) => cell.declared !== undefined)),
    byLanes,
  }
}

/**
 * Gives columns the sub-fields that their heads and contents name; how well they do, undefined where they name too few.
 */
export function nameColumns(
  columns: Column[],
  contents: readonly Content[],
  fields: readonly Field[],
  scorer: Scorer,
): number | undefined {
  const scored = columns.map((column, index) => headScores(column.text, contents[index]!, fields, scorer))
  const pairs = bestPairs(
    scored,
    (left, right) => Math.abs(left.part - left.field) - Math.abs(right.part - right.field),
  )
  for (const pair of pairs) columns[pair.part]!.field = pair.field
  const sum = sumOf(pairs) + 0.3 * matchByContent(columns, contents, fields)
  return isNamed(columns, fields, pairs.length) ? sum : undefined
}

/** Whether the heads name enough of the sub-fields: one head alone must be of words that are known. */
function isNamed(columns: readonly Column[], fields: readonly Field[], named: number): boolean {
  const matched = columns.filter((column) => column.field !== undefined)
  if (named < 1 || matched.length < Math.min(2, fields.length)) return false
  return (
    named > 1 ||
    (matched.length === fields.length && matched.every((column) => surfaceWords(column.text).some(isKnownWord)))
  )
}

/** Widens the first column to its texts, or adds one for texts that stand left of all heads. */
function reachTexts(
  columns: Column[],
  contents: Content[],
  fields: readonly Field[],
  page: LayoutPage,
  lastLine: number,
): void {
  widenFirstColumn(columns, contents, fields, page, lastLine)
  const described = fields.findIndex((field) => field.concept === 'description')
  if (described < 0 || columns.some((column) => column.field === described)) return
  if (addSilentColumn(columns, contents, page, lastLine)) columns[0]!.field = described
}

/** How well a head names each of the sub-fields, by its words, its sign and what stands under it. */
function headScores(text: string, content: Content, fields: readonly Field[], scorer: Scorer): number[] {
  const each = meaningsOfEach(text).map(scorer)
  return each[0]!.map(
    (_, index) =>
      Math.max(
        ...each.map((scores) => scores[index]!),
        symbolScore(text, fields[index]!),
        kinScore(text, fields[index]!, content),
      ) *
        suitability(fields[index]!, content) +
      // Of two that mean the same the one takes a head whose name it is.
      (fold(text) === fold(fields[index]!.element.name) ? 0.1 : 0),
  )
}

/**
 * «Work done» is no word for a description, but the column of words beside the amounts is one. A head centred over
 * left-aligned text stands right of it: the column is widened to hold the text.
 */
function widenFirstColumn(
  columns: readonly Column[],
  contents: readonly Content[],
  fields: readonly Field[],
  page: LayoutPage,
  lastLine: number,
): void {
  const [first, second] = columns
  const leading = first?.field === undefined ? undefined : fields[first.field]
  if (!first || !second || leading?.element.format !== 'text' || leading.kind !== 'text') return
  const sparse = contents[0]!.cells < 0.5 * Math.max(...contents.map((content) => content.cells))
  const silent = sparse || startsLeftOf(first, page, lastLine) ? silentLeft(second, columns, page, lastLine) : undefined
  if (silent !== undefined) first.left = Math.min(first.left, silent)
}

/** The second line of a head that names, under one column, a sub-field that no column answers yet. */
function takeStacked(
  columns: readonly Column[],
  page: LayoutPage,
  last: Line,
  fields: readonly Field[],
  scorer: Scorer,
): boolean {
  const line = page.lines.find((one) => one.index === last.index + 1)
  if (!line || line.cells.length > 2 || /\d/.test(line.text) || tooFar(last, line, page)) return false
  const taken = new Set(columns.map((column) => column.field))
  const found = line.cells.map((cell) => {
    const scores = scorer(meanings(cell.text)).map((score, index) =>
      taken.has(index) || fields[index]!.element.format !== 'text' ? 0 : score,
    )
    const best = scores.indexOf(Math.max(...scores))
    const column = columns.find(
      (one) =>
        one.field !== undefined &&
        fields[one.field]!.element.format === 'text' &&
        overlapX({ x: one.left, y: 0, width: one.right - one.left, height: 1 }, cell.box) > 0.3,
    )
    return column && scores[best]! >= 0.7 ? { column, field: best } : undefined
  })
  if (found.some((one) => one === undefined)) return false
  for (const one of found) one!.column.below = one!.field
  return true
}

/** Some tables have no head over their first column: the words left of the first head make one. */
function addSilentColumn(columns: Column[], contents: Content[], page: LayoutPage, lastLine: number): boolean {
  const first = columns[0]!
  const left = silentLeft(first, columns, page, lastLine)
  if (left === undefined) return false
  columns.unshift({ left, right: first.left - page.em, text: '' })
  contents.unshift({ ...emptyContent, cells: 2, words: 2, counting: false })
  return true
}

/** Whether the text of the first row ends before the head over it begins. */
function startsLeftOf(column: Column, page: LayoutPage, lastLine: number): boolean {
  const first = page.lines.find((line) => line.index > lastLine && line.cells.length >= 2)?.cells[0]
  return first !== undefined && first.box.x + first.box.width < column.left && /\p{L}{2}/u.test(first.text)
}

/** «Stock code», «Ident»: a head with a word for numbers over single codes is the article's number. */
function kinScore(text: string, field: Field, content: Content): number {
  const words = meanings(text)
  return field.concept === 'articleNumber' &&
    content.codes > 0.6 &&
    words.some((word) => ['nr', 'code', 'reference', 'id', 'article'].includes(word)) &&
    !words.includes('index')
    ? 0.62
    : 0
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
  const body = linesUnder(page, lines.at(-1)!.index)
  for (const cell of lines.flatMap((line) => line.cells.flatMap((one) => splitHead(one, scorer, body)))) {
    const box = cell.box
    const stack =
      stacks.find(
        (one) =>
          cell.line !== one.cells.at(-1)!.line &&
          overlapX({ ...box, x: one.left, width: one.right - one.left }, box) > 0.25,
      ) ?? stacks.find((one) => cell.line !== one.cells.at(-1)!.line && Math.abs(one.left - box.x) < 0.5 * page.em)
    if (stack) {
      stack.cells.push(cell)
      stack.left = Math.min(stack.left, box.x)
      stack.right = Math.max(stack.right, box.x + box.width)
    } else stacks.push({ cells: [cell], left: box.x, right: box.x + box.width })
  }
  return stacks
    .sort((left, right) => left.left - right.left)
    .map((stack) => ({
      left: stack.left,
      right: stack.right,
      text: headTextOf(stack.cells),
    }))
}

/**
 * Heads that stand close together («Menge Einzelpreis Gesamt») are cut where the parts name sub-fields better than the
 * whole does.
 */
function splitHead(cell: Cell, scorer: Scorer, body: readonly Line[]): Cell[] {
  const count = cell.words.length
  const whole = Math.max(0, ...scorer(meanings(cell.text)))
  if (count < 2 || count > 9 || cell.declared || whole >= 0.9 || isKnownLabel(cell.text)) return [cell]
  const texts = cell.words.map((word) => word.text)
  const best = bestCuts(texts, scorer)
  if (!best) return [cell]
  const allKnown = best.cuts.slice(1).every((to, index) => isKnownLabel(texts.slice(best.cuts[index], to).join(' ')))
  if (best.score < whole + 0.4 && !(allKnown && whole < 0.5)) return [cell]
  const parts = best.cuts
    .slice(1)
    .map((to, index) => makeCell(cell.words.slice(best.cuts[index], to), cell.page, cell.line))
  return bodyParts(cell, parts, body) ? parts : [cell]
}

/** Where to cut a run of words so that its parts name sub-fields best; the cuts include both ends. */
function bestCuts(texts: readonly string[], scorer: Scorer): { score: number; cuts: number[] } | undefined {
  let best: { score: number; cuts: number[] } | undefined
  for (let mask = 1; mask < 1 << (texts.length - 1); mask++) {
    const inner = texts.slice(1).flatMap((_, index) => (mask & (1 << index) ? [index + 1] : []))
    const cuts = [0, ...inner, texts.length]
    const parts = cuts.slice(1).map((to, index) => texts.slice(cuts[index], to).join(' '))
    if (parts.some((part) => /^[/&+–-]|[/&+–-]$|^(?:und|and|et|y|of)\s/iu.test(part))) continue
    if (!parts.every((part) => isKnownLabel(part) || isOfficeWords(part))) continue
    const score =
      sumOf(bestPairs(parts.map((part) => scorer(meanings(part))))) +
      0.02 * parts.filter((part) => isKnownLabel(part)).length -
      0.01 * parts.length
    if (!best || score > best.score) best = { score, cuts }
  }
  return best
}

/** Whether the rows under a head have something to put under more than one of its parts. */
function bodyParts(cell: Cell, parts: readonly Cell[], body: readonly Line[]): boolean {
  const reach = cell.box.width / cell.text.length
  let split = 0
  let all = 0
  // Totals below the rows say nothing about the columns.
  const rows = body.filter((line) => line.cells.length >= 3)
  for (const line of rows.length > 0 ? rows : body) {
    const words = line.cells
      .flatMap((one) => one.words)
      .filter(
        (word) => word.box.x < cell.box.x + cell.box.width + reach && word.box.x + word.box.width > cell.box.x - reach,
      )
    if (words.length === 0) continue
    all++
    const under = new Set(words.map((word) => nearestPart(word.box.x + word.box.width / 2, parts)))
    if (under.size > 1) split++
  }
  return all === 0 || split >= 0.4 * all
}

function nearestPart(x: number, parts: readonly Cell[]): number {
  const apart = parts.map((part) => Math.max(part.box.x - x, x - part.box.x - part.box.width, 0))
  return apart.indexOf(Math.min(...apart))
}

type Pair = { part: number; field: number; score: number }

/** Parts and fields paired by their scores, best first, so that every part answers another field. */
function bestPairs(scores: readonly number[][], tie: (left: Pair, right: Pair) => number = () => 0): Pair[] {
  const parts = new Set<number>()
  const fields = new Set<number>()
  return scores
    .flatMap((row, part) => row.map((score, field): Pair => ({ score, part, field })))
    .filter((pair) => pair.score >= 0.5)
    .sort((left, right) => right.score - left.score || tie(left, right))
    .filter((pair) => {
      const free = !parts.has(pair.part) && !fields.has(pair.field)
      if (free) parts.add(pair.part)
      if (free) fields.add(pair.field)
      return free
    })
}

function sumOf(pairs: readonly Pair[]): number {
  return pairs.reduce((sum, pair) => sum + pair.score, 0)
}

function isOfficeWords(text: string): boolean {
  const words = surfaceWords(text)
  return words.length > 0 && words.every((word) => isKnownWord(word))
}

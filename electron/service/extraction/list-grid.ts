import type { Table } from '../../../shared/domain/document.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { meaningsOfEach } from './words.ts'
import { contentOfCells } from './list-content.ts'
import type { Column } from './list-content.ts'
import { isNumeric, nameColumns } from './list-header.ts'
import type { Header, Scorer } from './list-header.ts'
import { namesBalance } from './list-rows.ts'
import type { Row } from './list-rows.ts'
import { giveByContent } from './list-unheaded.ts'
import { joined, unionBox } from './layout.ts'
import type { Layout, LayoutPage, Word } from './layout.ts'

/** A table that the reading saw, through all pages that it goes on over: its columns from where to where, its rows. */
type Grid = { columns: Column[]; heads: Row[]; rows: Row[]; ruled: boolean }

/** The tables that answer a list best, of which the judge chooses. */
const mostGrids = 8
/** Rows that say what the columns hold. */
const sampledRows = 12
/** Where the columns answer nothing by their heads and kinds, so many rows are a list all the same: the judge tells. */
const leastRows = 3
/** A head has at most so many rows. */
const mostHeads = 3

/**
 * The tables whose cells the reading saw between lines or in columns of words, each as the answer to a list of these
 * sub-fields: where its columns can be one, or it has some rows.
 */
export function findGrids(
  fields: readonly Field[],
  layout: Layout,
  evidence: Evidence,
): { header: Header; rows: Row[]; ruled: boolean }[] {
  const scorer = labelScorer(fields)
  const grids = gridsOf(layout).flatMap((grid) => [grid, ...fromInnerHeads(grid, scorer), ...transposed(grid, scorer)])
  const found = grids.flatMap(({ columns: seen, heads, rows, ruled }) => {
    const contents = seen.map((_, column) =>
      contentOfCells(
        rows.slice(0, sampledRows).flatMap((row) => cellOf(row, column)),
        evidence,
      ),
    )
    const columns = seen.map((column) => ({ ...column }))
    const score = nameColumns(columns, contents, fields, scorer)
    const isAnswer = score !== undefined || giveByContent(columns, contents, fields)
    if (!isAnswer && rows.length < leastRows) return []
    const { page } = heads[0] ?? rows[0]!
    const before = rows[0]!.lines[0]! - 1
    // Heads that run up the page follow behind it.
    const above = heads.flatMap(({ lines }) => lines).filter((line) => line <= before)
    const [firstLine, lastLine] = above.length > 0 ? [Math.min(...above), Math.max(...above)] : [before, before]
    const header = { page, columns, firstLine, lastLine, score: score ?? 0, declared: false, byLanes: false }
    return [{ header, rows, ruled }]
  })
  found.sort((left, right) => right.header.score - left.header.score || right.rows.length - left.rows.length)
  return found
    .slice(0, mostGrids)
    .map((grid) => ({ ...grid, rows: grid.rows.filter((row) => !namesBalance(textOfRow(row))) }))
}

/** A head names so many sub-fields so well. */
const leastNamed = 2
const leastLikeness = 0.6

const namesSome = (scorer: Scorer, texts: readonly string[]): boolean =>
  texts.filter((text) => meaningsOfEach(text).some((words) => Math.max(...scorer(words)) >= leastLikeness)).length >=
  leastNamed

/** Forms have boxes above their tables: the parts of a grid below rows of words that name sub-fields. */
function fromInnerHeads({ columns, rows, ruled }: Grid, scorer: Scorer): Grid[] {
  // Further pages repeat the head.
  const seen = new Set<string>()
  return rows.slice(0, -1).flatMap((row, at) => {
    const texts = [...row.cells.values()].map(joined)
    const isHead = !texts.some(isNumeric) && namesSome(scorer, texts)
    if (!isHead || seen.has(texts.join('|'))) return []
    seen.add(texts.join('|'))
    const own = columns.map((column, place) => ({ ...column, text: joined(row.cells.get(place) ?? []) }))
    return [{ columns: own, heads: [row], rows: rows.slice(at + 1), ruled }]
  })
}

/** A transposed table has its heads in the first column («Due», «Amount») and a row in each of the others. */
function transposed({ columns, heads, rows, ruled }: Grid, scorer: Scorer): Grid[] {
  const lines = [...heads, ...rows]
  const texts = lines.map(({ cells }) => joined(cells.get(0) ?? []))
  const isOnePage = lines.every(({ page }) => page === lines[0]!.page)
  if (!isOnePage || columns.length <= lines.length || !namesSome(scorer, texts)) return []
  const rowsOfColumns = columns.slice(1).map((_, place): Row => {
    const cells = new Map(
      lines.flatMap((line, at) => (line.cells.get(place + 1) ? [[at, line.cells.get(place + 1)!]] : [])),
    )
    return { cells, lines: lines.flatMap((line) => line.lines), bottom: lines.at(-1)!.bottom, page: lines[0]!.page }
  })
  const own = lines.map(({ cells }, at) => {
    const { x, width } = unionBox([...cells.values()].flat().map(({ box }) => box))
    return { left: x, right: x + width, text: texts[at]! }
  })
  return [{ columns: own, heads: [], rows: rowsOfColumns.filter(({ cells }) => cells.size > 0), ruled }]
}

function cellOf({ cells }: Row, column: number): { words: Word[]; text: string }[] {
  const words = cells.get(column)
  return words ? [{ words, text: joined(words) }] : []
}

const known = new WeakMap<Layout, Grid[]>()

/** The tables of a document; several lists ask for the same. */
function gridsOf(layout: Layout): Grid[] {
  let grids = known.get(layout)
  if (!grids) known.set(layout, (grids = readGrids(layout)))
  return grids
}

function readGrids({ pages }: Layout): Grid[] {
  const grids: Grid[] = []
  for (const page of pages) {
    // A row of a sheet is one line already.
    const tables = page.origin === 'sheet' ? [] : page.tables.toSorted((left, right) => left.box.y - right.box.y)
    const found = tables.flatMap((table) => gridOf(table, page))
    const [first] = found
    const above = grids.at(-1)
    const isRest = first && above?.rows.at(-1)!.page === page.number - 1 && goesOn(above, first, page)
    // What repeats no head is a row, also where it is words.
    if (isRest) above.rows.push(...(textOfHeads(first) === textOfHeads(above) ? [] : first.heads), ...first.rows)
    grids.push(...(isRest ? found.slice(1) : found))
  }
  return grids
}

/** Whether a table at the top of a page is the rest of the one at the end of the page before. */
function goesOn(above: Grid, below: Grid, { em }: LayoutPage): boolean {
  const isSame = textOfHeads(above) === textOfHeads(below)
  const isOfWords = !above.rows.some(({ cells }) => [...cells.values()].some((words) => /\d/.test(joined(words))))
  return (
    above.columns.length === below.columns.length &&
    (below.heads.length === 0 || isSame || isOfWords) &&
    above.columns.every(({ left, right }, column) => {
      const other = below.columns[column]!
      return Math.min(right, other.right) - Math.max(left, other.left) > -em
    })
  )
}

const textOfRow = ({ cells }: Row): string => [...cells.values()].map(joined).join(' ')

const amount = /^[-+(]?[€$£]?\d[\d.,'’]*[.,]\d{2}[)\-+]?$/u
/** So many amounts of one column stand one below another in no row. */
const mostAmounts = 3

/** Whether lines are drawn around the columns only: then all that is between two of them would be one row. */
function isOneBox(rows: readonly Row[]): boolean {
  return rows.some(({ cells }) =>
    [...cells.values()].some(
      (words) =>
        words.filter(({ text }) => amount.test(text)).length > mostAmounts &&
        words.every(({ text }) => !/\p{L}/u.test(text)),
    ),
  )
}

const textOfHeads = ({ columns }: Grid): string => columns.map(({ text }) => text).join('|')

function gridOf(table: Table, page: LayoutPage): Grid[] {
  const all = rowsOfTable(table, page)
  const count = Math.max(0, ...all.flatMap(({ cells }) => [...cells.keys()])) + 1
  const headed = headsOf(all, count)
  const [heads, rows] = [all.slice(0, headed), all.slice(headed)]
  if (count < 2 || rows.length === 0 || isOneBox(rows)) return []
  const wordsIn = (some: readonly Row[], column: number): Word[] => some.flatMap(({ cells }) => cells.get(column) ?? [])
  const columns = Array.from({ length: count }, (_, column): Column => {
    const { x, width } = unionBox(wordsIn(all, column).map(({ box }) => box))
    return { left: x, right: x + width, text: joined(wordsIn(heads, column)) }
  })
  return columns.every((_, column) => wordsIn(all, column).length > 0)
    ? [{ columns, heads, rows, ruled: table.ruled ?? false }]
    : []
}

/**
 * How many of the first rows are heads: one without numbers, and further ones as long as columns are without a head.
 */
function headsOf(rows: readonly Row[], count: number): number {
  const filled = new Set<number>()
  let heads = 0
  for (const { cells } of rows.slice(0, mostHeads)) {
    const texts = [...cells.values()].map(joined)
    if (filled.size === count || texts.some((text) => (heads === 0 ? isNumeric(text) : /\d/.test(text)))) break
    for (const column of cells.keys()) filled.add(column)
    heads++
  }
  return heads
}

/** The rows of a table with the words of the page that stand in their cells. */
function rowsOfTable(table: Table, page: LayoutPage): Row[] {
  const bottom = table.box.y + table.box.height
  const places = table.rows.flatMap((cells, at) => {
    let column = 0
    return cells.flatMap(({ box, columnSpan = 1 }) => {
      const place = { at, column, box }
      column += columnSpan
      return box.width > 0 ? [place] : []
    })
  })
  const rows = table.rows.map((): Row => ({ cells: new Map(), lines: [], bottom: 0, page: page.number }))
  for (const line of page.lines) {
    if (line.box.y > bottom || line.box.y + line.box.height < table.box.y) continue
    for (const word of line.cells.flatMap(({ words }) => words)) {
      const x = word.box.x + word.box.width / 2
      const y = word.box.y + word.box.height / 2
      const place = places.find(
        ({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height,
      )
      if (!place) continue
      const row = rows[place.at]!
      const words = row.cells.get(place.column)
      if (words) words.push(word)
      else row.cells.set(place.column, [word])
      if (row.lines.at(-1) !== line.index) row.lines.push(line.index)
      row.bottom = Math.max(row.bottom, word.box.y + word.box.height)
    }
  }
  return rows.filter(({ cells }) => cells.size > 0)
}

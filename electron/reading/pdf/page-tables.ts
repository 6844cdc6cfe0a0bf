import type { Box, Table } from '../../../shared/domain/document.ts'
import { boxOf } from './matrix.ts'
import type { Bounds } from './matrix.ts'
import { maxRules } from './rules.ts'
import type { Rule } from './rules.ts'
import type { Word } from './words.ts'

/** A cell with the words in it, in reading order; it may reach over several columns. */
export type PageCell = { words: Word[]; columnSpan: number }
export type PageTable = { rows: PageCell[][]; ruled?: true }

// The shares and gaps below were each tried lower and higher (words 0.7 and 1.2, digits 0.9, words of a cell 4 and 9,
// filled 0.1 to 0.7, amounts 0 and 0.4) on `icdar2013-tables`: F1 0.901 to 0.915, so the exact numbers matter little.

/**
 * A page that is full of small type has 2,000 words, a large table 1,000 cells. Comparing costs time with their
 * product: 0.1 to 0.6 s a page at these bounds.
 */
const maxPageWords = 3000
const maxGridCells = 2000

/** How far apart lines may end that meet, and how far one line is drawn from itself, in points. */
const near = 3

/** The tables of the visible page; a cell without words has no place. */
export function tablesOf(words: readonly Word[], rules: readonly Rule[], width: number, height: number): Table[] {
  const nowhere = { x: 0, y: 0, width: 0, height: 0 }
  const boxAround = (inside: readonly Word[]): Box => {
    const all = inside.map((word) => word.bounds)
    const bounds = {
      left: Math.min(...all.map(({ left }) => left)),
      top: Math.min(...all.map(({ top }) => top)),
      right: Math.max(...all.map(({ right }) => right)),
      bottom: Math.max(...all.map(({ bottom }) => bottom)),
    }
    return boxOf(bounds, width, height) ?? nowhere
  }
  const visible = words.filter(({ bounds }) => boxOf(bounds, width, height) !== null)
  return tablesOnPage(visible, rules).map(({ rows, ruled }) => ({
    ...(ruled ? { ruled } : {}),
    box: boxAround(rows.flat().flatMap((cell) => cell.words)),
    rows: rows.map((row) =>
      row.map(({ words, columnSpan }) => ({
        text: words.map((word) => word.text).join(' '),
        box: boxAround(words),
        ...(columnSpan > 1 ? { columnSpan } : {}),
      })),
    ),
  }))
}

/**
 * The tables of a page: grids that are drawn, then words that stand in columns without one. `words` are those of the
 * page, `rules` its straight lines; a page with too many of either has none.
 */
function tablesOnPage(words: readonly Word[], rules: readonly Rule[]): PageTable[] {
  if (words.length > maxPageWords) return []
  const upright = words.filter((word) => Math.abs(word.directionY) < 0.1 && word.directionX > 0)
  const found: { table: PageTable; bounds: Bounds }[] = []
  // What is drawn on purpose says more than the sides of coloured areas.
  const drawn = rules.length > maxRules ? [] : rules
  for (const lines of [drawn.filter((rule) => !rule.isSide), drawn])
    for (const grid of gridsOf(joinedRules(lines)))
      if (!found.some(({ bounds }) => overlap(bounds, boundsOfGrid(grid)))) found.push(...tableInGrid(grid, upright))
  const free = upright.filter((word) => !found.some(({ bounds }) => holds(bounds, word)))
  return [...found.map(({ table }) => table), ...tablesInText(free)]
}

const middleOf = (low: number, high: number): number => (low + high) / 2
const holds = (area: Bounds, { bounds }: Word): boolean => {
  const x = middleOf(bounds.left, bounds.right)
  const y = middleOf(bounds.top, bounds.bottom)
  return x > area.left && x < area.right && y > area.top && y < area.bottom
}

/** Pieces of one line as one line. */
function joinedRules(rules: readonly Rule[]): Rule[] {
  const joined: Rule[] = []
  const ordered = rules.toSorted(
    (one, other) => Number(one.isAcross) - Number(other.isAcross) || one.at - other.at || one.from - other.from,
  )
  for (const rule of ordered) {
    const same = joined.findLast(
      (known) =>
        known.isAcross === rule.isAcross &&
        Math.abs(known.at - rule.at) <= near &&
        rule.from <= known.to + near &&
        rule.to >= known.from - near,
    )
    if (same === undefined) joined.push({ ...rule })
    else {
      same.from = Math.min(same.from, rule.from)
      same.to = Math.max(same.to, rule.to)
    }
  }
  return joined
}

type Grid = { xs: number[]; ys: number[]; across: Rule[]; down: Rule[] }

/** Lines that cross or meet, as grids with at least two columns or rows. */
function gridsOf(rules: readonly Rule[]): Grid[] {
  const groups: Rule[][] = []
  for (const rule of rules) {
    const met = groups.filter((group) => group.some((other) => meet(rule, other)))
    for (const group of met) groups.splice(groups.indexOf(group), 1)
    groups.push([rule, ...met.flat()])
  }
  return groups.flatMap((group) => {
    const across = group.filter((rule) => rule.isAcross)
    const down = group.filter((rule) => !rule.isAcross)
    const grid = {
      xs: distinct(down.map((rule) => rule.at)),
      ys: distinct(across.map((rule) => rule.at)),
      across,
      down,
    }
    return grid.xs.length >= 3 && grid.ys.length >= 2 && grid.xs.length * grid.ys.length <= maxGridCells ? [grid] : []
  })
}

function meet(one: Rule, other: Rule): boolean {
  if (one.isAcross === other.isAcross) return false
  return (
    one.at >= other.from - near && one.at <= other.to + near && other.at >= one.from - near && other.at <= one.to + near
  )
}

function distinct(places: readonly number[]): number[] {
  const sorted = places.toSorted((one, other) => one - other)
  return sorted.filter((place, index) => index === 0 || place - sorted[index - 1]! > near)
}

const boundsOfGrid = ({ xs, ys }: Grid): Bounds => ({
  left: xs[0]!,
  right: xs.at(-1)!,
  top: ys[0]!,
  bottom: ys.at(-1)!,
})

function overlap(one: Bounds, other: Bounds): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
}

/** A cell of a grid: `from` and `to` are its first column and the one after its last. */
type GridCell = { words: Word[]; from: number; to: number }

function tableInGrid(grid: Grid, words: readonly Word[]): { table: PageTable; bounds: Bounds }[] {
  const bounds = boundsOfGrid(grid)
  const inside = words.filter((word) => holds(bounds, word))
  const drawn = cellsOfGrid(grid, inside)
  const split = drawn.flatMap((row) => splitIntoLines(cutAtColumns(row, grid.xs)))
  const rows = split.map((row) => row.filter((cell) => cell.words.length > 0)).filter((row) => row.length > 0)
  const columns = columnsOf(rows, grid.xs.length - 1)
  const last = Math.max(0, ...columns.values())
  const isWhole = (row: readonly GridCell[]): boolean =>
    row.length === 1 && columns.get(row[0]!.from) === 0 && columns.get(row[0]!.to - 1) === last
  while (rows.length > 0 && isWhole(rows[0]!)) rows.shift()
  while (rows.length > 0 && isWhole(rows.at(-1)!)) rows.pop()
  const count = last + 1
  const filled = rows.reduce((sum, row) => sum + row.length, 0)
  if (count < 2 || rows.filter((row) => row.length >= 2).length < 2 || filled < rows.length * count * minFilled)
    return []
  const table = { rows: rows.map((row) => inColumns(row, columns, count)) }
  return [{ table: split.length === drawn.length ? { ...table, ruled: true } : table, bounds }]
}

/** A chart has lines as well; of what looks like its cells few hold words. */
const minFilled = 0.3

/** The cells between the lines of a grid, each in the row where it begins. */
function cellsOfGrid({ xs, ys, across, down }: Grid, words: readonly Word[]): GridCell[][] {
  const isOpenRight = (row: number, column: number): boolean => {
    const y = middleOf(ys[row]!, ys[row + 1]!)
    return !down.some((rule) => Math.abs(rule.at - xs[column]!) <= near && rule.from <= y && rule.to >= y)
  }
  const isOpenBelow = (row: number, { from, to }: GridCell): boolean => {
    const x = middleOf(xs[from]!, xs[to]!)
    return !across.some((rule) => Math.abs(rule.at - ys[row + 1]!) <= near && rule.from <= x && rule.to >= x)
  }
  const rows = ys.slice(1).map((_, row) => {
    const cells: GridCell[] = []
    for (let from = 0; from < xs.length - 1; ) {
      let to = from + 1
      while (to < xs.length - 1 && isOpenRight(row, to)) to++
      cells.push({ words: [], from, to })
      from = to
    }
    return cells
  })
  const sameIn = (row: number, { from, to }: GridCell): GridCell | undefined =>
    rows[row]?.find((cell) => cell.from === from && cell.to === to)
  const joined = new Set<GridCell>()
  rows.forEach((cells, row) => {
    for (const cell of cells.filter((each) => !joined.has(each))) {
      let last = row
      for (let below = sameIn(last + 1, cell); below && isOpenBelow(last, cell); below = sameIn(last + 1, cell)) {
        joined.add(below)
        last++
      }
      const area = { left: xs[cell.from]!, right: xs[cell.to]!, top: ys[row]!, bottom: ys[last + 1]! }
      cell.words = words.filter((word) => holds(area, word))
    }
  })
  return rows
}

/** Where the head alone is ruled into columns, what stands below them in one wide cell stands in these columns too. */
function cutAtColumns(row: readonly GridCell[], xs: readonly number[]): GridCell[] {
  return row.flatMap((cell) => {
    const lines = linesOf(cell.words)
    const cuts = xs.slice(cell.from + 1, cell.to).flatMap((x, index) => {
      const gaps = lines.map((line) => gapAt(line, x))
      const isCut = gaps.every((gap) => gap !== null && gap > 0.8) && gaps.some((gap) => gap !== Infinity)
      return isCut ? [cell.from + 1 + index] : []
    })
    const edges = [cell.from, ...cuts, cell.to]
    return edges.slice(1).map((to, index) => {
      const area = { left: xs[edges[index]!]!, right: xs[to]! }
      return {
        from: edges[index]!,
        to,
        words: cell.words.filter(({ bounds }) => {
          const x = middleOf(bounds.left, bounds.right)
          return x >= area.left && x < area.right
        }),
      }
    })
  })
}

/** How wide a line is empty around a place, in its type size; null where a word stands there. */
function gapAt(line: Line, x: number): number | null {
  if (line.words.some(({ bounds }) => bounds.left < x - 1 && bounds.right > x + 1)) return null
  const before = line.words.filter(({ bounds }) => bounds.right <= x + 1).map(({ bounds }) => bounds.right)
  const after = line.words.filter(({ bounds }) => bounds.left >= x - 1).map(({ bounds }) => bounds.left)
  return before.length === 0 || after.length === 0 ? Infinity : (Math.min(...after) - Math.max(...before)) / line.size
}

/** A row of a grid in which several columns go on line by line is as many rows: they are not ruled apart. */
function splitIntoLines(row: GridCell[]): GridCell[][] {
  const lines = linesOf(row.flatMap((cell) => cell.words))
  const inLine = (cell: GridCell, line: Line): Word[] => cell.words.filter((word) => line.words.includes(word))
  const isRow = (line: Line): boolean => {
    const parts = row.map((cell) => inLine(cell, line)).filter((part) => part.length > 0)
    return parts.length >= 2 && parts.some((part) => isAmount(textOf(part)))
  }
  const begun = lines.filter(isRow)
  const filled = row.filter((cell) => cell.words.length > 0)
  const isHeadAndRow =
    lines.length === 2 &&
    !isRow(lines[0]!) &&
    lines.every((line) => filled.every((cell) => inLine(cell, line).length > 0))
  if (begun.length < (isHeadAndRow ? 1 : 2) || begun.length < lines.length / 2) return [row]
  const rows: Line[][] = []
  for (const line of lines) {
    if (rows.length === 0 || isRow(line)) rows.push([line])
    else rows.at(-1)!.push(line)
  }
  return rows.map((each) => row.map((cell) => ({ ...cell, words: each.flatMap((line) => inLine(cell, line)) })))
}

const isAmount = (text: string): boolean => /\d/.test(text) && !/\p{L}{3}/u.test(text)

/** The columns of a table by those of its grid: two of these are one where no row has words in both. */
function columnsOf(rows: readonly GridCell[][], count: number): Map<number, number> {
  const columns = new Map<number, number>()
  let first = 0
  let column = 0
  for (let at = 0; at < count; at++) {
    const isOther = rows.some((row) => row.filter((cell) => cell.from <= at && cell.to > first).length >= 2)
    if (isOther) {
      first = at
      column++
    }
    columns.set(at, column)
  }
  return columns
}

function inColumns(row: readonly GridCell[], columns: ReadonlyMap<number, number>, count: number): PageCell[] {
  const cells: PageCell[] = []
  let column = 0
  for (const { words, from, to } of row) {
    const begin = Math.max(column, columns.get(from)!)
    for (; column < begin; column++) cells.push({ words: [], columnSpan: 1 })
    const end = Math.max(begin + 1, columns.get(to - 1)! + 1)
    cells.push({ words, columnSpan: end - begin })
    column = end
  }
  for (; column < count; column++) cells.push({ words: [], columnSpan: 1 })
  return cells
}

type Line = { words: Word[]; middle: number; size: number; top: number; bottom: number }

const textOf = (words: readonly Word[]): string => words.map((word) => word.text).join(' ')

/** Words in lines from above, each from left to right. */
function linesOf(words: readonly Word[]): Line[] {
  const lines: Line[] = []
  const ordered = words.toSorted((one, other) => one.bounds.left - other.bounds.left)
  for (const word of ordered) {
    const middle = middleOf(word.bounds.top, word.bounds.bottom)
    const line = lines.find((known) => Math.abs(known.middle - middle) < 0.45 * Math.max(known.size, word.size))
    if (line === undefined)
      lines.push({ words: [word], middle, size: word.size, top: word.bounds.top, bottom: word.bounds.bottom })
    else {
      line.words.push(word)
      line.top = Math.min(line.top, word.bounds.top)
      line.bottom = Math.max(line.bottom, word.bounds.bottom)
    }
  }
  return lines.sort((one, other) => one.middle - other.middle)
}

/** Words of a line without a wide gap. */
type Run = { words: Word[]; left: number; right: number }
type TextRow = { runs: Run[]; line: Line }

/** The widest gap between two words of a text, and between two groups of one number, in type sizes. */
const maxWordGap = 0.9
const maxDigitGap = 0.5
/** More words than a cell of a column has on average: what stands beside each other are columns of a text. */
const maxCellWords = 6
const minRows = 3
/** What is printed on a chart stands in columns too, with little in them. */
const minFilledOfText = 0.5
const minAmounts = 0.2

function tablesInText(words: readonly Word[]): PageTable[] {
  const rows = linesOf(words.filter((word) => !isLeader(word.text))).map((line) => ({ line, runs: runsOf(line) }))
  return blocksOf(rows).flatMap(tableOfRows)
}

/** Dots that lead the eye from a label to its value, or a line that is typed. */
const isLeader = (text: string): boolean => /^[-.·…_=–—*]{3,}$/.test(text)

function runsOf({ words, size }: Line): Run[] {
  const runs: Run[] = []
  for (const word of words.toSorted((one, other) => one.bounds.left - other.bounds.left)) {
    const { left, right } = word.bounds
    const open = runs.at(-1)
    const areAmounts = isAmount(word.text) && isAmount(open?.words.at(-1)?.text ?? '')
    if (open === undefined || left - open.right > (areAmounts ? maxDigitGap : maxWordGap) * size)
      runs.push({ words: [word], left, right })
    else {
      open.words.push(word)
      open.right = Math.max(open.right, right)
    }
  }
  return runs
}

/** Lines with something beside each other, and single ones between them, as long as they follow closely. */
function blocksOf(rows: readonly TextRow[]): TextRow[][] {
  const blocks: TextRow[][] = []
  let open: TextRow[] = []
  const close = (): void => {
    while (open.length > 0 && open.at(-1)!.runs.length < 2) open.pop()
    if (open.filter(({ runs }) => runs.length >= 2).length >= minRows) blocks.push(open)
    open = []
  }
  for (const row of rows) {
    const last = open.at(-1)
    const isFar = last !== undefined && row.line.top - last.line.bottom > 2 * row.line.size
    const isText = row.runs.length === 1 && row.runs[0]!.words.length > 2 * maxCellWords
    if (isFar || isText) close()
    if (isText || (open.length === 0 && row.runs.length < 2)) continue
    open.push(row)
  }
  close()
  return blocks
}

type Column = { left: number; right: number; count: number }

function tableOfRows(rows: readonly TextRow[]): PageTable[] {
  const columns = columnsOfText(rows)
  if (columns.length < 2) return []
  const cells = rows.map(({ runs }) =>
    cellsIn(
      runs.flatMap((run) => cutInColumns(run, columns)),
      columns,
    ),
  )
  const all = cells.flat().filter((cell) => cell.words.length > 0)
  const words = all.reduce((sum, cell) => sum + cell.words.length, 0)
  const amounts = all.filter((cell) => isAmount(textOf(cell.words))).length
  const isSparse = all.length < rows.length * columns.length * minFilledOfText
  if (isSparse || words > all.length * maxCellWords || amounts < all.length * minAmounts) return []
  return [{ rows: cells }]
}

/**
 * Runs one below the other are a column; one that reaches over several, which mostly stand apart, is no part of any.
 */
function columnsOfText(rows: readonly TextRow[]): Column[] {
  const columns: Column[] = []
  const runs = rows.flatMap((row) => (row.runs.length < 2 ? [] : row.runs))
  for (const run of runs.toSorted((one, other) => one.right - one.left - (other.right - other.left))) {
    const met = columns.filter((column) => run.left < column.right && run.right > column.left)
    if (met.length === 0) columns.push({ left: run.left, right: run.right, count: 1 })
    else if (met.length === 1) {
      met[0]!.left = Math.min(met[0]!.left, run.left)
      met[0]!.right = Math.max(met[0]!.right, run.right)
      met[0]!.count++
    }
  }
  return columns.filter((column) => column.count >= 2).toSorted((one, other) => one.left - other.left)
}

/** Amounts of neighbouring columns that stand closely, each in its own one. */
function cutInColumns(run: Run, columns: readonly Column[]): Run[] {
  const met = columns.filter((column) => run.left < column.right && run.right > column.left)
  if (met.length < 2 || !run.words.every((word) => isAmount(word.text))) return [run]
  const shared = ({ bounds }: Word, column: Column): number =>
    Math.min(bounds.right, column.right) - Math.max(bounds.left, column.left)
  const parts = met.map((column) =>
    run.words.filter(
      (word) => shared(word, column) > 0 && met.every((each) => shared(word, each) <= shared(word, column)),
    ),
  )
  if (parts.some((part) => part.length === 0) || parts.flat().length !== run.words.length) return [run]
  return parts.map((words) => ({ words, left: words[0]!.bounds.left, right: words.at(-1)!.bounds.right }))
}

function cellsIn(runs: readonly Run[], columns: readonly Column[]): PageCell[] {
  const placed = runs.map((run) => {
    const met = columns.flatMap((column, index) => (run.left < column.right && run.right > column.left ? [index] : []))
    const nearest = Math.max(
      0,
      columns.findLastIndex((column) => column.left <= run.left),
    )
    return { words: run.words, from: met[0] ?? nearest, to: (met.at(-1) ?? nearest) + 1 }
  })
  const cells: PageCell[] = []
  let column = 0
  for (const { words, from, to } of placed) {
    if (from < column) {
      cells.at(-1)?.words.push(...words)
      continue
    }
    for (; column < from; column++) cells.push({ words: [], columnSpan: 1 })
    cells.push({ words: [...words], columnSpan: to - from })
    column = to
  }
  for (; column < columns.length; column++) cells.push({ words: [], columnSpan: 1 })
  return cells
}

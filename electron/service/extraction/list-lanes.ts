import type { Evidence } from './evidence.ts'
import { isKnownLabel } from './field.ts'
import { headTextOf, joined, unionBox, wordsOf, type LayoutPage, type Line, type Word } from './layout.ts'
import { linesUnder, type Column } from './list-content.ts'
import { findDates } from './parse-value.ts'
import { wordsAt } from './read-value.ts'

/** White from top to bottom between two columns; `narrow` where it is no wider than the space between two words. */
type Lane = { from: number; to: number; narrow: boolean }

/** Below the lines that have most of the pieces, and at least so many of them, are no rows of the table. */
const rowShare = 0.6
/** In em: cells are cut at such gaps by the layout as well; less is the space between two words. */
const wideGap = 1
/** In em: what two letters keep apart. */
const leastGap = 0.08

/**
 * The columns of a table by the white lanes that run down through its heads and rows: heads that stand close together
 * and neighbouring numbers are told apart by them. Undefined where the rows have no lane. `score` says how well a text
 * names one of the sub-fields, 0..1.
 */
export function columnsByLanes(
  heads: readonly Line[],
  page: LayoutPage,
  evidence: Evidence,
  score: (text: string) => number,
): Column[] | undefined {
  const rows = fullLines(linesUnder(page, heads.at(-1)!.index)).map(wordsOf)
  const headWords = heads.flatMap(wordsOf)
  if (rows.length === 0 || headWords.length < 2) return undefined
  let lanes = lanesOf(rows, headWords, page, evidence)
  // A narrow lane is one between two heads only.
  for (;;) {
    if (lanes.length === 0) return undefined
    const columns = columnsBetween(lanes, rows, headWords)
    const texts = headTexts(columns, heads, page, score)
    const bare = lanes.findIndex(({ narrow }, index) => narrow && (texts[index] === '' || texts[index + 1] === ''))
    if (bare < 0) return columns.map((column, index) => ({ ...column, text: texts[index]! }))
    lanes = lanes.filter((_, index) => index !== bare)
  }
}

/** The lines with most pieces: further lines of a row have fewer, and so have sums. */
function fullLines(lines: readonly Line[]): Line[] {
  const pieces = lines.map((line) => piecesOf(wordsOf(line)) + line.cells.length)
  const most = Math.max(0, ...pieces)
  return lines.filter((_, index) => pieces[index]! >= rowShare * most)
}

function piecesOf(words: readonly Word[]): number {
  return words.filter((_, index) => index > 0 && isBorder(words, index)).length
}

type Kind = 'number' | 'percent' | 'sign' | 'text'

function kindOf({ text }: Word): Kind {
  if (/^[-+–−]$|^(?:[€$£]|EUR|CHF|USD|GBP)$/u.test(text)) return 'sign'
  if (/^[-+(]?[€$£]?\d[\d.,'’]*%/u.test(text) || text === '%') return 'percent'
  return /^[-+(]?[€$£]?\d[\d.,'’]*[€$£)\-−–]*$/u.test(text) ? 'number' : 'text'
}

/** The place of the neighbour that a sign stands nearer to: «- 12», «12 €». */
function ownerOf(words: readonly Word[], at: number): number {
  const [before, behind] = [words[at - 1], words[at + 1]]
  if (!before || !behind) return before ? at - 1 : at + 1
  const { box } = words[at]!
  return box.x - end(before) <= behind.box.x - end(words[at]!) ? at - 1 : at + 1
}

/**
 * Whether the word at a place begins another column, by what it and the one before are: two numbers, number and text.
 */
function isBorder(words: readonly Word[], at: number): boolean {
  const [left, right] = [words[at - 1]!, words[at]!]
  if (right.text === '%') return false
  const [leftOwner, rightOwner] = [at - 1, at].map((place) =>
    kindOf(words[place]!) === 'sign' ? ownerOf(words, place) : place,
  ) as [number, number]
  if (leftOwner === at || rightOwner === at - 1) return false
  const [one, other] = [leftOwner, rightOwner].map((place) => (words[place] ? kindOf(words[place]) : 'text'))
  if (one !== other) return true
  return one !== 'text' && !isOneNumber(left, right)
}

/** «1 234,50-»: whether two words, one behind the other by less than a figure, are groups of one number. */
export function isOneNumber(left: Word, right: Word): boolean {
  return (
    /^[-+(]?\d{1,3}$/.test(left.text) &&
    /^\d{3}(?:[.,]\d+)?[€$£)\-−–]*$/u.test(right.text) &&
    right.box.x - end(left) < right.box.width / right.text.length
  )
}

const end = ({ box }: Pick<Word, 'box'>): number => box.x + box.width

/**
 * The columns of rows without heads, by the lanes between them: those that are wide, and between a text and a number or
 * two numbers also narrow ones.
 */
export function columnsOfRows(lines: readonly Line[], page: LayoutPage, evidence: Evidence): Column[] {
  const rows = lines.map(wordsOf)
  const lanes = lanesOf(rows, [], page, evidence)
  return columnsBetween(lanes, rows, []).map((column) => ({ ...column, text: '' }))
}

function lanesOf(rows: readonly Word[][], heads: readonly Word[], page: LayoutPage, evidence: Evidence): Lane[] {
  const dated = rows.map((words) => datesIn(words, evidence))
  return gapsBetween(rows.flatMap(withWholeNumbers), Math.floor(rows.length / 10)).flatMap((gap): Lane[] => {
    const beside = rows.flatMap((words, row) => {
      const at = words.findIndex((word) => word.box.x >= gap.to - 1e-6)
      if (at <= 0) return []
      // Words are in the order of the line, so the one before ends left of the lane.
      const width = (words[at]!.box.x - end(words[at - 1]!)) / page.em
      return [{ isBorder: isBorder(words, at), isDate: dated[row]!.has(words[at]!), isClose: width < wideGap }]
    })
    if (beside.length === 0 || beside.filter(({ isDate }) => isDate).length * 2 > beside.length) return []
    const free = widestGap(gap, heads)
    if ((gap.to - gap.from) / page.em >= wideGap) return [{ ...gap, ...(free ?? {}), narrow: false }]
    // Rows with much white there say nothing of a narrow lane; without heads, one row alone says little.
    const close = beside.filter(({ isClose }) => isClose)
    if (heads.length === 0 && close.length * 2 < rows.length) return []
    const borders = close.filter((one) => one.isBorder).length
    const isNarrow = free !== undefined && (free.to - free.from) / page.em >= leastGap && borders >= 0.8 * close.length
    return isNarrow ? [{ ...free, narrow: true }] : []
  })
}

/** The words that go on with a date that begins left of them. */
function datesIn(words: readonly Word[], evidence: Evidence): Set<Word> {
  if (!words.some(({ text }) => /\d/.test(text))) return new Set()
  const dates = findDates(joined(words), evidence.dates)
  return new Set(dates.flatMap(({ start, end: stop }) => wordsAt(words, start, stop).slice(1)))
}

/** The boxes of words, with one for the groups of a number. */
function withWholeNumbers(words: readonly Word[]): Pick<Word, 'box'>[] {
  const found: Pick<Word, 'box'>[] = []
  words.forEach((word, at) => {
    const before = words[at - 1]
    const isRest = before !== undefined && isOneNumber(before, word)
    if (isRest) found.push({ box: unionBox([found.pop()!.box, word.box]) })
    else found.push(word)
  })
  return found
}

/** Where at most `most` words stand over one another, between the first and the last word. */
function gapsBetween(words: readonly Pick<Word, 'box'>[], most: number): { from: number; to: number }[] {
  const edges = words
    .flatMap((word) => [
      { x: word.box.x, by: 1 },
      { x: end(word), by: -1 },
    ])
    .sort((left, right) => left.x - right.x || left.by - right.by)
  const gaps: { from: number; to: number }[] = []
  let covered = 0
  edges.forEach(({ x, by }, index) => {
    covered += by
    const next = edges[index + 1]
    if (!next || covered > most || next.x <= x) return
    const last = gaps.at(-1)
    if (last && last.to === x) last.to = next.x
    else gaps.push({ from: x, to: next.x })
  })
  return gaps.filter(({ to }) => words.some((word) => word.box.x >= to - 1e-6))
}

/** The widest part of a lane that no head stands in, if any. */
function widestGap(
  lane: { from: number; to: number },
  heads: readonly Word[],
): { from: number; to: number } | undefined {
  let from = lane.from
  let best: { from: number; to: number } | undefined
  const take = (to: number): void => {
    if (to > from && (!best || to - from > best.to - best.from)) best = { from, to }
  }
  for (const word of heads.toSorted((left, right) => left.box.x - right.box.x)) {
    if (end(word) <= lane.from || word.box.x >= lane.to) continue
    take(word.box.x)
    from = Math.max(from, end(word))
  }
  take(lane.to)
  return best
}

/** The columns left and right of the lanes: each from the middle of one lane to the middle of the next. */
function columnsBetween(
  lanes: readonly Lane[],
  rows: readonly Word[][],
  heads: readonly Word[],
): Omit<Column, 'text'>[] {
  const all = [...rows.flat(), ...heads]
  const cuts = lanes.map(({ from, to }) => (from + to) / 2)
  const lefts = [Math.min(...all.map(({ box }) => box.x)), ...cuts]
  const rights = [...cuts, Math.max(...all.map(end))]
  return lefts.map((left, index) => {
    const own = rows.flat().filter((word) => word.box.x >= left - 1e-6 && end(word) <= rights[index]! + 1e-6)
    const body =
      own.length === 0
        ? undefined
        : { left: Math.min(...own.map(({ box }) => box.x)), right: Math.max(...own.map(end)) }
    return { left, right: rights[index]!, body }
  })
}

/** What stands over each column: the words of a head are shared among the columns that they stand over. */
function headTexts(
  columns: readonly Omit<Column, 'text'>[],
  heads: readonly Line[],
  page: LayoutPage,
  score: (text: string) => number,
): string[] {
  const over = columns.map((): Word[] => [])
  for (const line of heads)
    for (const cell of line.cells)
      share(cell.words, columns, page, score).forEach((words, index) => over[index]!.push(...words))
  return over.map(headTextOf)
}

const furthest = 4

function share(
  words: readonly Word[],
  columns: readonly Omit<Column, 'text'>[],
  page: LayoutPage,
  score: (text: string) => number,
): Word[][] {
  const nearest = words.map((word) => nearestTo(word.box.x + word.box.width / 2, columns))
  const first = nearest[0]!
  const last = Math.max(first, nearest.at(-1)!)
  const result = columns.map((): Word[] => [])
  if (first === last) {
    result[nearestRun(words, columns, first, page)]!.push(...words)
    return result
  }
  const value = (part: readonly Word[], column: number): number =>
    part.length === 0
      ? 0
      : named(joined(part), score) - 0.15 * Math.min(furthest, apart(part, columns[column]!) / page.em)
  // best[w]: the best way to share the first w words among the columns so far.
  let best = words.map((_, count) => ({ sum: count === 0 ? 0 : -Infinity, cuts: [0] }))
  best.push({ sum: -Infinity, cuts: [0] })
  for (let column = first; column <= last; column++) {
    best = best.map((_, count) => {
      let found = { sum: -Infinity, cuts: [] as number[] }
      for (let from = 0; from <= count; from++) {
        const before = best[from]!
        const sum = before.sum + value(words.slice(from, count), column)
        if (sum > found.sum) found = { sum, cuts: [...before.cuts, count] }
      }
      return found
    })
  }
  const { cuts } = best[words.length]!
  for (let column = first; column <= last; column++)
    result[column]!.push(...words.slice(cuts[column - first], cuts[column - first + 1]))
  return result
}

function named(text: string, score: (text: string) => number): number {
  return isKnownLabel(text) ? 1 : score(text)
}

function nearestTo(x: number, columns: readonly Omit<Column, 'text'>[]): number {
  const found = columns.findIndex(({ right }) => x <= right)
  return found < 0 ? columns.length - 1 : found
}

/** A head that stands over one column alone belongs to the neighbour whose words it is flush with. */
function nearestRun(
  words: readonly Word[],
  columns: readonly Omit<Column, 'text'>[],
  at: number,
  page: LayoutPage,
): number {
  const own = apart(words, columns[at]!)
  if (own <= page.em) return at
  const others = [at - 1, at + 1].filter((index) => columns[index] !== undefined && columns[at]!.body === undefined)
  return others.find((index) => apart(words, columns[index]!) < own) ?? at
}

/** How far words are from being flush left, flush right or centred over a column. */
function apart(words: readonly Word[], column: Omit<Column, 'text'>): number {
  const left = Math.min(...words.map(({ box }) => box.x))
  const right = Math.max(...words.map(end))
  const body = column.body ?? column
  return Math.min(
    Math.abs(left - body.left),
    Math.abs(right - body.right),
    Math.abs((left + right) / 2 - (body.left + body.right) / 2),
  )
}

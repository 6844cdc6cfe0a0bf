import { medianOf } from '../../reading/numbers.ts'
import { straightenPage } from '../../reading/straighten.ts'
import { declaredTables } from '../../../shared/domain/document.ts'
import type { Box, Cell as DeclaredCell, Document, Page, Table, Token } from '../../../shared/domain/document.ts'
import { maxBy } from './max-by.ts'

export type Word = {
  text: string
  box: Box
  page: number
  fontSize: number
  bold: boolean
  /** Where it stands on the page as it was scanned, when `box` is that of the straightened page. */
  printed?: Box
  /** The number that the file itself stores behind the text (cells of a workbook). */
  stored?: number
  /** Only from OCR: how sure the reader is, 0..1; `agreed` and `alternative` say what a second reader saw. */
  confidence?: number
  agreed?: true
  alternative?: string
}

/** A run of words that belong together: gaps inside are smaller than about one em, and no ruling line crosses it. */
export type Cell = { words: Word[]; text: string; box: Box; page: number; line: number; declared?: DeclaredCell }

export type Line = { cells: Cell[]; box: Box; page: number; index: number; text: string }

export type LayoutPage = {
  number: number
  origin: Page['origin']
  lines: Line[]
  /** Width of one em at body size, as a fraction of the page width; usual height of a line, of the page height. */
  em: number
  lineHeight: number
  /** Usual size of the type, as a fraction of the page height. */
  fontSize: number
  /** Tables that the file declares, or that its lines and columns of words show. */
  tables: readonly Table[]
}

/** A token of a straightened page with its place on the page as it was scanned. */
type Placed = Token & { printed?: Box }

export type Layout = { pages: LayoutPage[]; lines: Line[]; text: string }

/**
 * Puts the tokens of a document into lines and cells. Pages of sheets and declared tables keep the cells the file
 * declares. Lines are numbered through the whole document.
 */
export function layOut(document: Document): Layout {
  const pages: LayoutPage[] = []
  let index = 0
  for (const scanned of document.pages) {
    const page = straightenPage(scanned)
    const read = page.origin === 'sheet' && page.tables.length > 0 ? sheetLines(page) : tokenLines(page, scanned)
    const drafts = page.origin === 'ocr' ? withoutMisreadSigns(read) : read
    const lines = drafts.flatMap(folded).map((cells) => toLine(cells, page.number, index++))
    const heights = lines
      .flatMap((line) => line.cells.map((cell) => cell.box.height))
      .sort((left, right) => left - right)
    const lineHeight = heights[heights.length >> 1] ?? 0.015
    const sizes = lines
      .flatMap((line) => line.cells.map((cell) => cell.words[0]!.fontSize))
      .sort((left, right) => left - right)
    pages.push({
      number: page.number,
      origin: page.origin,
      lines,
      em: emOf(page, lineHeight),
      lineHeight,
      fontSize: sizes[sizes.length >> 1] ?? lineHeight,
      tables: page.tables,
    })
  }
  const lines = pages.flatMap((page) => page.lines)
  return { pages, lines, text: lines.map((line) => line.text).join('\n') }
}

const amount = /^-?\d[\d.,]*[.,]\d{2}$/
/** What «£», «€» and «$» are read as; any other letter may be the code of a tax. */
const likeSign = /^[EFLCGSf]\.?$/
/** In so many lines the same letter stands before an amount by chance in none of the papers that were looked at. */
const leastSigns = 4

/**
 * Lines without signs of a currency that were read off a picture as letters («£» as «E»): the same letter alone before
 * most of the amounts at the ends of lines. It says nothing, since nobody knows which currency it is.
 */
function withoutMisreadSigns(lines: Cell[][]): Cell[][] {
  const ends = lines.map((cells) => cells.flatMap(({ words }) => words).slice(-2))
  const before = ends.flatMap(([word, last]) => (last && amount.test(last.text) ? [word!] : []))
  const letterOf = ({ text }: Word): string => (likeSign.test(text) ? text[0]! : '')
  const counts = new Map<string, number>()
  for (const word of before) counts.set(letterOf(word), (counts.get(letterOf(word)) ?? 0) + 1)
  counts.delete('')
  const [letter, count] = maxBy(counts, ([, times]) => times) ?? ['', 0]
  if (count < leastSigns || count * 2 < before.length) return lines
  const signs = new Set(before.filter((word) => letterOf(word) === letter))
  return lines.map((cells) =>
    cells.flatMap((cell) => {
      const words = cell.words.filter((word) => !signs.has(word))
      if (words.length === cell.words.length) return [cell]
      return words.length === 0 ? [] : [makeCell(words, cell.page, cell.line, cell.declared)]
    }),
  )
}

/** As wide as 300 columns; what reads a line may look at each part of it from every other. */
const maxLineLetters = 4000
const maxWordLetters = 500

/**
 * A line without end as several: the words of a long cell, and the cells of a long row, go on in the next one. Of a
 * word without end only the beginning is read.
 */
function folded(cells: Cell[]): Cell[][] {
  if (cells.reduce((sum, cell) => sum + cell.text.length + 1, 0) <= maxLineLetters) return [cells]
  const lines: Cell[][] = []
  let room = 0
  for (const cell of cells.flatMap(cutCell)) {
    room -= cell.text.length + 1
    if (room >= 0) lines.at(-1)!.push(cell)
    else {
      lines.push([cell])
      room = maxLineLetters - cell.text.length
    }
  }
  return lines
}

function cutCell(cell: Cell): Cell[] {
  if (cell.text.length <= maxLineLetters) return [cell]
  const runs: Word[][] = []
  let room = 0
  for (const word of cell.words) {
    const text = word.text.slice(0, maxWordLetters)
    room -= text.length + 1
    if (room < 0) {
      runs.push([])
      room = maxLineLetters - text.length
    }
    runs.at(-1)!.push({ ...word, text })
  }
  return runs.map((words) => makeCell(words, cell.page, cell.line, cell.declared))
}

export function unionBox(boxes: readonly Box[]): Box {
  // no spread: a function takes some ten thousand arguments only
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    x = Math.min(x, box.x)
    y = Math.min(y, box.y)
    right = Math.max(right, box.x + box.width)
    bottom = Math.max(bottom, box.y + box.height)
  }
  return { x, y, width: right - x, height: bottom - y }
}

/** Where words stand on the page that a person sees. */
export function sourceBox(words: readonly Word[]): Box {
  return unionBox(words.map((word) => word.printed ?? word.box))
}

/** The texts of words with single spaces between; offsets in it are what `wordsAt` takes. */
export function joined(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}

/** A head whose words may go on in its next line: «Gesamt-» and «kosten» are one word. */
export function headTextOf(words: readonly Pick<Word, 'text'>[]): string {
  return words
    .map(({ text }) => text)
    .join(' ')
    .replace(/(\p{Ll})- (?=\p{Ll})/gu, '$1')
}

/** The words of a line, left to right. */
export function wordsOf(line: Line): Word[] {
  return line.cells.flatMap((cell) => cell.words)
}

export function textOf(words: readonly Word[]): string {
  return joined(words).replace(/\s+/g, ' ').trim()
}

/** Share of the narrower of two boxes that the other one covers horizontally (0..1). */
export function overlapX(left: Box, right: Box): number {
  const shared = Math.min(left.x + left.width, right.x + right.width) - Math.max(left.x, right.x)
  return Math.max(0, shared) / Math.max(1e-6, Math.min(left.width, right.width))
}

/** The place among the lines of a page of the line with a number, or of the last one before it. */
export function positionOf(page: LayoutPage, index: number): number {
  let [low, high] = [0, page.lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (page.lines[middle]!.index <= index) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Cells under `cell` from top to bottom, one for each line, within `maxLines` line heights. */
export function cellsBelow(page: LayoutPage, cell: Cell, maxLines: number): Cell[] {
  const found: Cell[] = []
  const bottom = cell.box.y + cell.box.height
  for (let at = positionOf(page, cell.line) + 1; at < page.lines.length; at++) {
    const line = page.lines[at]!
    if (line.box.y + line.box.height / 2 < bottom) continue
    if (line.box.y - bottom > maxLines * Math.max(page.lineHeight, cell.box.height)) break
    const under = line.cells.find(
      (other) => overlapX(other.box, cell.box) > 0.3 || Math.abs(other.box.x - cell.box.x) < page.em,
    )
    if (under && under.box.y > cell.box.y) found.push(under)
  }
  return found
}

/** The words of one line or cell, split into parts wherever `separates` says that a word begins a new part. */
export function makeCell(words: Word[], page: number, line: number, declared?: DeclaredCell): Cell {
  return {
    words,
    text: textOf(words),
    box: unionBox(words.map((word) => word.box)),
    page,
    line,
    ...(declared ? { declared } : {}),
  }
}

function toLine(cells: Cell[], page: number, index: number): Line {
  for (const cell of cells) cell.line = index
  return {
    cells,
    box: unionBox(cells.map((cell) => cell.box)),
    page,
    index,
    text: cells.map((cell) => cell.text).join('  '),
  }
}

function emOf(page: Page, lineHeight: number): number {
  if (page.origin === 'flow' || page.origin === 'sheet') return 2 / Math.max(40, page.width)
  const sizes = page.tokens
    .map((token) => token.fontSize)
    .filter((size) => size > 0)
    .sort((left, right) => left - right)
  return ((sizes[sizes.length >> 1] ?? lineHeight) * page.height) / Math.max(1, page.width)
}

function sheetLines(page: Page): Cell[][] {
  const rows: Cell[][] = []
  for (const table of page.tables) {
    for (const row of table.rows) {
      const cells = row
        .filter((cell) => cell.text.trim() !== '')
        .map((cell) => makeCell(splitWords(cell, page.number), page.number, 0, cell))
      if (cells.length > 0) rows.push(cells)
    }
  }
  return rows
}

/** A declared cell has one box; its words share it in proportion, so that a source can point at a part. */
function splitWords(cell: DeclaredCell, page: number): Word[] {
  const parts = cell.text.trim().split(/\s+/u).flatMap(partsAtColon)
  const length = parts.reduce((sum, part) => sum + part.length + 1, 0)
  let x = cell.box.x
  return parts.map((text) => {
    const width = (cell.box.width * (text.length + 1)) / length
    const stored =
      parts.length === 1 && cell.value?.type === 'number' && !text.includes('%') ? { stored: cell.value.number } : {}
    const word = { text, box: { ...cell.box, x, width }, page, fontSize: cell.box.height, bold: false, ...stored }
    x += width
    return word
  })
}

function tokenLines(page: Page, scanned: Page): Cell[][] {
  const placed =
    page === scanned
      ? page.tokens
      : page.tokens.map((token, index) => ({ ...token, printed: scanned.tokens[index]!.box }))
  const said = placed.filter(
    (token) =>
      token.text.trim() !== '' && !isRule(token.text) && !(page.origin === 'ocr' && /^[|¦]$/u.test(token.text)),
  )
  const upright = said.filter((token) => !token.turned).flatMap(splitAtColon)
  const isTyped = hasTypedColumns(upright)
  const tokens = isTyped ? upright.flatMap(splitAtBars) : upright
  const slope = page.origin === 'ocr' && page === scanned ? skewOf(tokens) : 0
  const middle = (token: Token): number =>
    token.box.y + token.box.height / 2 - slope * (token.box.x + token.box.width / 2)
  const byX = [...tokens].sort((left, right) => left.box.x - right.box.x)
  const groups: { tokens: Placed[]; middle: number; height: number }[] = []
  for (const token of byX) {
    const y = middle(token)
    let best: (typeof groups)[number] | undefined
    let bestDistance = Infinity
    for (const group of groups) {
      const distance = Math.abs(group.middle - y)
      if (
        distance >
          0.5 * Math.max(Math.min(group.height, token.box.height), 0.6 * Math.max(group.height, token.box.height)) ||
        distance >= bestDistance
      )
        continue
      best = group
      bestDistance = distance
    }
    if (!best) groups.push({ tokens: [token], middle: y, height: token.box.height })
    else {
      best.tokens.push(token)
      best.middle += (y - best.middle) / Math.min(best.tokens.length, 6)
      best.height = Math.max(best.height, token.box.height * 0.9)
    }
  }
  const cellOf = declaredCellFinder(page)
  const lines = groups
    .sort((left, right) => left.middle - right.middle)
    .map((group) => cutIntoCells(group.tokens, page, isTyped, cellOf))
    .filter((cells) => cells.length > 0)
  return [...lines, ...turnedLines(said.filter(({ turned }) => turned)).map((line) => [toCell(line, page)])]
}

/** Words that run up or down the page: those that stand closely over each other are one line. */
function turnedLines(tokens: readonly Placed[]): Placed[][] {
  const lines: Placed[][] = []
  for (const token of tokens) {
    const before = lines.at(-1)?.at(-1)
    if (before && overlapX(before.box, token.box) > 0.5 && gapY(before.box, token.box) < widestSpace * token.fontSize)
      lines.at(-1)!.push(token)
    else lines.push([token])
  }
  return lines
}

/** In type sizes: words of one line are no farther apart. */
const widestSpace = 2

/** How far one box is above or below another. */
function gapY(one: Box, other: Box): number {
  return Math.max(one.y, other.y) - Math.min(one.y + one.height, other.y + other.height)
}

function toCell(tokens: readonly Placed[], page: Page): Cell {
  return makeCell(
    tokens.map((token) => toWord(token, page)),
    page.number,
    0,
  )
}

function toWord(token: Placed, page: Page): Word {
  return {
    text: token.text,
    box: token.box,
    page: page.number,
    fontSize: token.fontSize,
    bold: token.bold,
    ...(token.printed ? { printed: token.printed } : {}),
    ...(token.confidence === undefined ? {} : { confidence: token.confidence }),
    ...(token.agreed ? { agreed: true } : {}),
    ...(token.alternative === undefined ? {} : { alternative: token.alternative }),
  }
}

/** Lines that are typed («------», «______», «+-----+----+»). */
function isRule(text: string): boolean {
  return /^(?=.*[-=_.*—–~])[-=_.*—–~+|]{4,}$/u.test(text)
}

const bar = '|'
/** Bars one below another are the lines of a typed table; in small print they stand between parts of a line. */
const leastBars = 3

/** Whether bars are typed one below another, between several columns. */
function hasTypedColumns(tokens: readonly Token[]): boolean {
  const counts = new Map<number, number>()
  for (const { text, box } of tokens)
    [...text].forEach((sign, at) => {
      if (sign !== bar) return
      const letter = box.width / text.length
      const place = Math.round((box.x + at * letter) / Math.max(1e-6, letter))
      counts.set(place, (counts.get(place) ?? 0) + 1)
    })
  return [...counts.values()].filter((count) => count >= leastBars).length >= leastBars
}

/** «|4711» is a line of a typed table and a word. */
function splitAtBars(token: Placed): Placed[] {
  return splitInto(
    token,
    token.text.split(/(\|)/u).filter((part) => part !== ''),
  )
}

/** «Nummer:82» is a label and its value, printed without a space. */
function partsAtColon(text: string): string[] {
  const match = /^(\p{L}[\p{L}.()/-]*:)(?!\/\/)(\S+)$/u.exec(text)
  return match ? [match[1]!, match[2]!] : [text]
}

function splitAtColon(token: Placed): Placed[] {
  return splitInto(token, partsAtColon(token.text))
}

/** A token as several, which share its width by their letters. */
function splitInto(token: Placed, parts: readonly string[]): Placed[] {
  if (parts.length < 2) return [token]
  let x = token.box.x
  return parts.map((text) => {
    const width = (token.box.width * text.length) / token.text.length
    const part = {
      ...token,
      text,
      box: { ...token.box, x, width },
      ...(token.printed ? { printed: { ...token.printed, x: token.printed.x + x - token.box.x, width } } : {}),
    }
    x += width
    return part
  })
}

function cutIntoCells(
  tokens: Placed[],
  page: Page,
  isTyped: boolean,
  cellOf: (token: Token) => DeclaredCell | undefined,
): Cell[] {
  const cells: Cell[] = []
  const ordered = [...tokens].sort((left, right) => left.box.x - right.box.x)
  let words: Word[] = []
  let previous: Token | undefined
  let declared: DeclaredCell | undefined
  const close = (): void => {
    if (words.length > 0) cells.push(makeCell(words, page.number, 0, declared))
    words = []
  }
  for (const token of ordered) {
    if (isTyped && token.text === bar) {
      close()
      previous = undefined
      continue
    }
    const mine = cellOf(token)
    if (
      previous &&
      (mine !== declared || token.box.x - (previous.box.x + previous.box.width) > gapLimit(previous, token, page))
    )
      close()
    declared = mine
    words.push(toWord(token, page))
    previous = token
  }
  close()
  return cells
}

/**
 * In type sizes: cells stand so far apart, and on a page that was recognised twice as far as its words usually do.
 * Tills space words widely: 0.5 to 0.9, where letters have 0.3 to 0.4.
 */
const leastGap = 1.1
const widerThanUsual = 2

function gapLimit(left: Token, right: Token, page: Page): number {
  if (page.origin === 'flow' || page.origin === 'sheet') return 2.5 / Math.max(1, page.width)
  const size = Math.max(Math.min(left.fontSize, right.fontSize), 0.6 * Math.max(left.fontSize, right.fontSize))
  return (Math.max(leastGap, widerThanUsual * usualGap(page)) * size * page.height) / Math.max(1, page.width)
}

const usualGaps = new WeakMap<Page, number>()

/** The usual gap between two words of a line of a recognised page, in type sizes; 0 for other pages. */
function usualGap(page: Page): number {
  let usual = page.origin === 'ocr' ? usualGaps.get(page) : 0
  if (usual !== undefined) return usual
  const gaps = page.tokens.slice(1).flatMap((token, index) => {
    const before = page.tokens[index]!
    const apart = Math.abs(before.box.y + before.box.height / 2 - token.box.y - token.box.height / 2)
    const size = Math.min(before.fontSize, token.fontSize) * page.height
    const gap = ((token.box.x - before.box.x - before.box.width) * page.width) / size
    // what stands farther apart is no next word
    return apart < token.box.height / 2 && gap > 0 && gap < leastGap ? [gap] : []
  })
  usualGaps.set(page, (usual = medianOf(gaps) ?? 0))
  return usual
}

function declaredCellFinder(page: Page): (token: Token) => DeclaredCell | undefined {
  const cells = declaredTables(page).flatMap((table) => table.rows.flat())
  return (token) => {
    const x = token.box.x + token.box.width / 2
    const y = token.box.y + token.box.height / 2
    let best: DeclaredCell | undefined
    for (const cell of cells) {
      const { box } = cell
      if (x < box.x || x > box.x + box.width || y < box.y || y > box.y + box.height) continue
      if (!best || box.width * box.height < best.box.width * best.box.height) best = cell
    }
    return best
  }
}

/** Rise of the text lines of a scan (page heights for one page width), from neighbouring words. */
function skewOf(tokens: Token[]): number {
  const slopes: number[] = []
  for (let index = 1; index < tokens.length; index++) {
    const left = tokens[index - 1]!.box
    const right = tokens[index]!.box
    const dx = right.x + right.width / 2 - left.x - left.width / 2
    const dy = right.y + right.height / 2 - left.y - left.height / 2
    if (dx > 0.03 && Math.abs(dy) < 0.7 * Math.max(left.height, right.height)) slopes.push(dy / dx)
  }
  slopes.sort((left, right) => left - right)
  return slopes.length < 15 ? 0 : slopes[slopes.length >> 1]!
}

/** The lines that words stand on, top to bottom. */
export function linesOfWords(words: readonly Word[]): Word[][] {
  const lines: Word[][] = []
  words.forEach((word, index) => {
    const before = words[index - 1]
    const isNext = !before || word.box.y > before.box.y + 0.6 * before.box.height || word.page !== before.page
    if (isNext) lines.push([word])
    else lines.at(-1)!.push(word)
  })
  return lines
}

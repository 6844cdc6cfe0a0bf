import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import type { Column } from './list-content.ts'
import type { Header } from './list-header.ts'
import type { Row } from './list-rows.ts'
import { joined, makeCell, unionBox, type Cell, type Layout, type LayoutPage, type Line, type Word } from './layout.ts'
import { maxBy } from './max-by.ts'
import { findDates } from './parse-value.ts'
import { numbersIn, wordsAt } from './read-value.ts'
import { meanings, surfaceWords } from './words.ts'

/** What balance sheets and other accounts say of one period: when it ends, and from where to where its numbers stand. */
type Period = { ends: string; text: string; centre: number }
/** Accounts under one line of periods, the `at`-th of its page; a page may have two beside each other. */
type Block = { page: LayoutPage; at: number; left: number; right: number; periods: Period[]; title: string }
/** What stands under one title, over several blocks and pages. */
type Accounts = { first: Block; columns: Column[]; rows: Row[]; lastPage: number }

const leastRows = 2
/** The longest ones; the judge chooses. */
const mostAccounts = 8
/** Lines at the head and at the foot of a page that may stand on each. */
const runningLines = 4
/** In lines above the periods. */
const furthestTitle = 6
/** In line heights: what stands farther above is no beginning of a text in two lines. */
const widestBreak = 1.2

/**
 * Balance sheets, income statements and other accounts: texts with an amount for each period, the periods in one line
 * above them («31.12.2024  31.12.2023»). Amounts of details and of what they come to may stand in two columns under one
 * period. What stands under one title is one table, also beside each other and overleaf.
 */
export function findAccounts(
  fields: readonly Field[],
  layout: Layout,
  evidence: Evidence,
): { header: Header; rows: Row[] }[] {
  const numbers = fields.flatMap(({ element }, index) => (element.format === 'number' ? [index] : []))
  const texts = fields.flatMap(({ element }, index) => (element.format === 'text' ? [index] : []))
  if (numbers.length === 0) return []
  return accountsOf(layout, evidence).map(({ first, columns, rows }) => {
    const own = columns.map((column) => ({ ...column }))
    const named = texts.find((index) => isDescription(fields[index]!)) ?? texts[0]
    if (named !== undefined) own[0]!.field = named
    giveAmounts(own, first.periods, fields, numbers)
    const { index: firstLine } = first.page.lines[first.at]!
    const header = { page: first.page.number, columns: own, firstLine, lastLine: firstLine, score: 0 }
    return { header: { ...header, declared: false, byLanes: false }, rows: [...rows] }
  })
}

/** The newest period answers what is asked for, unless the name says that it is the one before. */
function giveAmounts(
  columns: readonly Column[],
  periods: readonly Period[],
  fields: readonly Field[],
  numbers: readonly number[],
): void {
  const newest = [...periods.keys()].sort((left, right) => (periods[left]!.ends < periods[right]!.ends ? 1 : -1))
  const later = numbers.filter((index) => !isOfBefore(fields[index]!))
  const order = [...later, ...numbers.filter((index) => !later.includes(index))]
  const from = later.length === 0 ? 1 : 0
  order
    .slice(0, newest.length - from)
    .forEach((field, at) => (columns[firstPeriod + newest[at + from]!]!.field = field))
}

function isOfBefore({ element }: Field): boolean {
  return (
    meanings(element.name).includes('opening') || surfaceWords(element.name).some((word) => /vorjahr|^last$/.test(word))
  )
}

const known = new WeakMap<Layout, Accounts[]>()

/** The accounts of a document; several lists ask for the same. */
function accountsOf(layout: Layout, evidence: Evidence): Accounts[] {
  let accounts = known.get(layout)
  if (!accounts) known.set(layout, (accounts = readAccounts(layout, evidence)))
  return accounts
}

function readAccounts({ pages }: Layout, evidence: Evidence): Accounts[] {
  const found: Accounts[] = []
  const running = new Set<string>()
  let open: Accounts | undefined
  for (const page of pages) {
    const blocks = blocksOf(page, running, evidence)
    for (const [at, block] of blocks.entries()) {
      const rows = rowsOf(block, blockUnder(blocks, at), evidence)
      if (rows.length < leastRows) continue
      if (open && goesOnWith(open, block)) {
        for (const row of rows) open.rows.push(row)
        open.lastPage = page.number
      } else
        found.push((open = { first: block, columns: columnsOf(block, rows), rows: [...rows], lastPage: page.number }))
    }
    for (const line of [...page.lines.slice(0, runningLines), ...page.lines.slice(-runningLines)])
      running.add(line.text)
  }
  return found.toSorted((one, other) => other.rows.length - one.rows.length).slice(0, mostAccounts)
}

/** The next block that stands below a block and not beside it: in a sheet each row may be one. */
function blockUnder(blocks: readonly Block[], place: number): Block | undefined {
  const block = blocks[place]!
  for (let next = place + 1; next < blocks.length; next++) {
    const other = blocks[next]!
    if (other.at > block.at && other.left < block.right && other.right > block.left) return other
  }
  return undefined
}

/** Whether accounts go on in a block: below, beside or overleaf, with as many periods and under no other title. */
function goesOnWith({ first, lastPage }: Accounts, { page, periods, title }: Block): boolean {
  return (
    page.number <= lastPage + 1 && periods.length === first.periods.length && (title === '' || title === first.title)
  )
}

/** A column for the texts, one for what refers to notes, one for each period. */
function columnsOf({ left, periods }: Block, rows: readonly Row[]): Column[] {
  return ['', '', ...periods.map(({ text }) => text)].map((text, at) => {
    const words = rows.flatMap(({ cells }) => cells.get(at) ?? [])
    const { x, width } = unionBox(words.map(({ box }) => box))
    return words.length > 0 ? { left: x, right: x + width, text } : { left, right: left, text }
  })
}

function blocksOf(page: LayoutPage, running: ReadonlySet<string>, evidence: Evidence): Block[] {
  const blocks: Block[] = []
  for (const [at, line] of page.lines.entries()) {
    const panels = panelsOf(line, evidence)
    if (panels.length === 0 || isRow(panels, blocks.at(-1), evidence)) continue
    const above = page.lines.slice(Math.max(0, at - furthestTitle), at)
    const lefts = panels.map((cells, place) => leftOf(cells, panels[place - 1], evidence))
    for (const [place, cells] of panels.entries()) {
      const [left, right] = [lefts[place]!, lefts[place + 1] ?? 1]
      const periods = cells.flatMap((cell) => periodOf(cell, evidence) ?? [])
      const title = above
        .filter(({ text }) => !running.has(text))
        .map((one) => one.cells.filter(({ box }) => box.x >= left - page.em && box.x < right - page.em))
        .filter((own) => !own.some(({ text }) => /^\P{L}*\d(?:\d{2}|[.,]\d)\P{L}*$/u.test(text)))
        .flatMap((own) => own.map(({ text }) => text))
        .filter((text) => /\p{L}{2}/u.test(text))
        .join(' ')
      blocks.push({ page, at, left, right, periods, title })
    }
  }
  return blocks
}

/** «Machines  1987  2013» is a row of the accounts above it: other years than theirs, under their periods. */
function isRow(panels: readonly (readonly Cell[])[], above: Block | undefined, evidence: Evidence): boolean {
  if (!above || periodOf(panels[0]![0]!, evidence)) return false
  const reach = spacing(above.periods.map(({ centre }) => centre)) / 4
  return panels
    .flat()
    .flatMap((cell) => periodOf(cell, evidence) ?? [])
    .every(
      ({ ends, text, centre }) =>
        /^\d{4}$/.test(text) &&
        above.periods.every((period) => period.ends !== ends) &&
        above.periods.some((period) => Math.abs(period.centre - centre) < reach),
    )
}

/** Where accounts begin: at the words that head their texts, else behind the amounts of those beside them. */
function leftOf(cells: readonly Cell[], before: readonly Cell[] | undefined, evidence: Evidence): number {
  if (!before) return 0
  if (!periodOf(cells[0]!, evidence)) return cells[0]!.box.x
  const centres = before.flatMap((cell) => periodOf(cell, evidence)?.centre ?? [])
  return centres.at(-1)! + spacing(centres) / 2
}

/** How far periods beside each other are apart at least. */
function spacing(centres: readonly number[]): number {
  return Math.min(...centres.slice(1).map((centre, at) => centre - centres[at]!))
}

/** The cells of a line of periods, for each of the accounts beside each other; none of any other line. */
function panelsOf(line: Line, evidence: Evidence): Cell[][] {
  const isLong = (cell: Cell): boolean => /\d/.test(cell.text) && cell.words.length > 2 * longestPeriod
  if (!/\d/.test(line.text) || line.cells.some(isLong)) return []
  const panels: Cell[][] = [[]]
  let seen = new Set<string>()
  for (const cell of line.cells.flatMap((one) => cutAtDates(one, evidence))) {
    const period = periodOf(cell, evidence)
    if (!period && /\d/.test(cell.text)) return []
    // Words behind the periods, or the same period anew, head the accounts beside them.
    if (seen.size >= 2 && (!period || seen.has(period.ends))) {
      panels.push([])
      seen = new Set()
    }
    panels.at(-1)!.push(cell)
    if (period) seen.add(period.ends)
  }
  const counts = panels.map((panel) => panel.filter((cell) => periodOf(cell, evidence)).length)
  return counts.every((count) => count >= 2 && count === counts[0]) ? panels : []
}

/** Without a year to be added: «12.1» is an amount here. */
const fullDates = ({ dates }: Evidence): Evidence['dates'] => ({ ...dates, year: undefined })

/** Days that stand close together, each as a cell of its own. */
function cutAtDates(cell: Cell, evidence: Evidence): Cell[] {
  const days = findDates(cell.text, fullDates(evidence))
  const firsts = days.slice(1).map(({ start, end }) => cell.words.indexOf(wordsAt(cell.words, start, end)[0]!))
  const edges = [0, ...firsts, cell.words.length]
  return edges.slice(1).map((to, at) => makeCell(cell.words.slice(edges[at], to), cell.page, cell.line))
}

const longestPeriod = 5

function periodOf({ words, text, box }: Cell, evidence: Evidence): Period | undefined {
  if (words.length > longestPeriod) return undefined
  const year = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,]*\d)/.exec(text)
  const date = findDates(text, fullDates(evidence))[0]
  const ends = date?.iso ?? (year ? `${year[0]}-12-31` : undefined)
  return ends === undefined ? undefined : { ends, text, centre: box.x + box.width / 2 }
}

/** Words of a line that have no amount: the heading of a group, or the beginning of the text in the next line. */
type Heading = { words: Word[]; lines: Line[]; rowsAbove: number; hasNote: boolean }

/** What was read of a block so far. `full` is from where on a line of texts has no room for another word. */
type Scan = {
  page: LayoutPage
  full: number
  rows: Row[]
  /** Of each row the amount of the first period that has one. */
  amounts: number[]
  headings: Heading[]
  /** The heading on the line right above. */
  waiting: Heading | undefined
}

/** The lines of a block that have an amount under a period, with the texts that begin above them. */
function rowsOf(block: Block, below: Block | undefined, evidence: Evidence): Row[] {
  const { page, left } = block
  const lines = page.lines.slice(block.at + 1, below?.at).map((line) => ({ line, cells: cellsOf(line, block) }))
  const widest = lines.reduce((most, { cells }) => {
    const last = cells.get(0)?.at(-1)
    return last ? Math.max(most, last.box.x + last.box.width) : most
  }, 0)
  // Short texts do not fill their column, whatever its longest one is.
  const full = Math.max(widest, left + (borderOf(block.periods) - left) / 2)
  const scan: Scan = { page, full, rows: [], amounts: [], headings: [], waiting: undefined }
  for (const { line, cells } of lines) {
    const own = { words: cells.get(0) ?? [], lines: [line], rowsAbove: scan.rows.length, hasNote: cells.has(1) }
    const amount = amountIn(cells, evidence)
    if (amount === undefined) takeHeading(scan, own, cells)
    else takeAmounts(scan, own, cells, amount)
  }
  return scan.rows
}

function takeHeading(scan: Scan, own: Heading, cells: ReadonlyMap<number, Word[]>): void {
  // What goes on behind the column of texts is no text of a row.
  const isHeading = own.words.length > 0 && [...cells.keys()].every((at) => at < firstPeriod)
  const begun = isHeading ? begunAbove(scan, own) : undefined
  if (begun) scan.headings.pop()
  scan.waiting = isHeading ? joinedTo(begun, own) : undefined
  if (scan.waiting) scan.headings.push(scan.waiting)
}

function takeAmounts(scan: Scan, own: Heading, cells: Map<number, Word[]>, amount: number): void {
  const { page, rows, headings } = scan
  const begun = own.words.length > 0 ? begunAbove(scan, own) : undefined
  scan.waiting = undefined
  const above = own.words.length > 0 ? begun : summedUnder(scan, amount)
  if (own.words.length === 0 && !above) return
  const { words, lines } = joinedTo(above, own)
  cells.set(0, words)
  // A group that is summed up is closed, and so are those within it.
  if (above) headings.splice(headings.indexOf(above))
  const { box } = own.lines[0]!
  const standsOn = begun ? lines : own.lines
  rows.push({ cells, lines: standsOn.map(({ index }) => index), bottom: box.y + box.height, page: page.number })
  scan.amounts.push(amount)
}

const joinedTo = (above: Heading | undefined, own: Heading): Heading =>
  above ? { ...own, words: [...above.words, ...own.words], lines: [...above.lines, ...own.lines] } : own

/** The heading on the line right above, where it is the beginning of this text. */
function begunAbove({ waiting, full, page }: Scan, own: Heading): Heading | undefined {
  return waiting && goesOn(waiting, own, full, page) ? waiting : undefined
}

/** The place of the first period among the columns: before it stand the texts, and the numbers of notes. */
const firstPeriod = 2

/** Where the amounts begin: as far before the middle of the first period as two of them are apart by half. */
function borderOf(periods: readonly Period[]): number {
  return periods[0]!.centre - spacing(periods.map(({ centre }) => centre)) / 2
}

/** The words of a line: those under a period in its column, those before them in that of the texts or of the notes. */
function cellsOf(line: Line, { page, left, right, periods }: Block): Map<number, Word[]> {
  const border = borderOf(periods)
  const found = new Map<number, Word[]>()
  for (const { words, text, box } of line.cells)
    for (const word of words) {
      const { x, width } = word.box
      if (x < left - page.em || x >= right - page.em / 2) continue
      const isNote = found.has(0) && note.test(text)
      // «(15, 16)» stands before the amounts as a whole.
      const centre = isNote ? box.x + box.width / 2 : x + width / 2
      const period = maxBy([...periods.keys()], (at) => -Math.abs(centre - periods[at]!.centre))!
      const place = centre >= border ? firstPeriod + period : isNote ? 1 : 0
      found.set(place, [...(found.get(place) ?? []), word])
    }
  return found
}

/** The amount of the first period that has one; undefined where words stand under a period. */
function amountIn(cells: ReadonlyMap<number, Word[]>, evidence: Evidence): number | undefined {
  const places = [...cells.keys()].filter((place) => place >= firstPeriod).sort((one, other) => one - other)
  if (places.some((place) => /\p{L}{4}/u.test(joined(cells.get(place)!)))) return undefined
  const [number] = places.flatMap((place) => numbersIn(cells.get(place)!, evidence))
  return number && Number(number.value)
}

/** Headings that may be summed up, the nearest first, and rows under one. */
const mostHeadings = 12
const mostSummed = 40

/** An amount without a text is what the rows under a heading come to. */
function summedUnder({ headings, amounts }: Scan, sum: number): Heading | undefined {
  return headings.slice(-mostHeadings).findLast(({ rowsAbove }) => {
    const own = amounts.length - rowsAbove <= mostSummed ? amounts.slice(rowsAbove) : []
    return own.length > 1 && Math.abs(own.reduce((rest, amount) => rest - amount, sum)) < 0.005
  })
}

/** «(15, 16)», «3.2»: where the notes say more. */
const note = /^\(?\d{1,3}[a-z]?(?:[,;./]\s?\d{1,3}[a-z]?)*\)?$/u

const enumerator = /^(?:\(?[\divxIVX]{1,4}[.)]|\(?[a-zA-Z][.)])$/u
const breaksOff = /[-–,(&/]$|\s(?:und|mit|and|with|for|of|et|de|du|des|y|con|per|e|en|van)$/iu

/**
 * Whether a text in a line without amounts goes on in the next line: it breaks off, or that begins inside a sentence, or
 * no further word would have had room up to `full`. The number of a note ends it.
 */
function goesOn(above: Heading, own: Heading, full: number, { lineHeight }: LayoutPage): boolean {
  const [first, last] = [own.words[0]!, above.words.at(-1)!]
  const gap = first.box.y - (last.box.y + last.box.height)
  if (above.hasNote || gap > widestBreak * lineHeight || enumerator.test(first.text)) return false
  const isFull = last.box.x + last.box.width + first.box.width > full
  return isFull || breaksOff.test(joined(above.words)) || /^\p{Ll}/u.test(first.text)
}

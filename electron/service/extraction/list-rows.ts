import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from './evidence.ts'
import { isDescription, isKnownLabel, understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { isBetweenLanes, type Column } from './list-content.ts'
import { isOneNumber } from './list-lanes.ts'
import { columnsOn } from './list-header.ts'
import type { Header } from './list-header.ts'
import { joined, wordsOf, type Cell, type Layout, type LayoutPage, type Line, type Word } from './layout.ts'
import { maxBy } from './max-by.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { findDates, parseDate, parseNumber } from './parse-value.ts'
import { meanings, surfaceWords } from './words.ts'

/** One row of a table: the words of each column, top to bottom, and the lines they stand on. */
export type Row = {
  cells: Map<number, Word[]>
  lines: number[]
  bottom: number
  page: number
  /** What stands above its group of rows. */
  heading?: Word[]
}

/** «Delivery date: 06/20/2025» */
const detailLine = /^[^:\d]{2,30}:\s\S/u

type Kind = 'number' | 'date' | 'text'
type Placed = { line: Line; cells: Map<number, Word[]>; typed: Map<number, Kind> }

const totalFields = ['gross total', 'net total', 'tax amount', 'amount due', 'amount paid', 'closing balance'].map(
  (name): SchemaElement => ({ name, format: 'number', description: '' }),
)
const totalScore = labelScorer(totalFields.map((element) => understand(element, 'document')))
const openingScore = labelScorer([
  understand({ name: 'opening balance', format: 'number', description: '' }, 'document'),
])
const sumWords = new Set('total subtotal net gross tax balance remaining due paid deposit payout'.split(' '))
const carried = [
  String.raw`(?:ü|ue)bertrag|(?:carried|brought) (?:forward|over)`,
  '[àa] reporter|report à nouveau|suma y sigue|suma anterior',
].join('|')
const carry = new RegExp(String.raw`${carried}|report\b|vortrag`, 'iu')

/** The rows under a head, through all following pages, until a total, a wide gap or another table. */
export function rowsUnder(header: Header, fields: readonly Field[], layout: Layout, evidence: Evidence): Row[] {
  const rows = collectRows(header, fields, layout, evidence, false)
  // Nothing that the columns ask for is there, but text: a table of words.
  return rows.length > 0 || fields.some((field) => field.element.format === 'number')
    ? rows
    : collectRows(header, fields, layout, evidence, true)
}

function collectRows(
  header: Header,
  fields: readonly Field[],
  layout: Layout,
  evidence: Evidence,
  wordsOnly: boolean,
): Row[] {
  const rows: Row[] = []
  let ended = false
  for (const page of layout.pages) {
    if (page.number < header.page) continue
    let lines = page.lines.filter((line) => page.number > header.page || line.index > header.lastLine)
    if (page.number > header.page) {
      const own = header.repeats?.find((repeat) => repeat.page === page.number)
      const repeated = own?.lastLine ?? repeatedHead(page, header)
      if (repeated === undefined && ended) break
      lines = repeated === undefined ? lines : lines.filter((line) => line.index > repeated)
    }
    const here = page.number > header.page ? { ...header, columns: columnsOn(header, page.number) } : header
    const result = rowsOnPage(lines, page, here, fields, evidence, wordsOnly)
    if (page.number > header.page && result.rows.length === 0) break
    for (const row of result.rows) rows.push(row)
    ended = result.ended
  }
  return rows
}

function repeatedHead(page: LayoutPage, header: Header): number | undefined {
  const heads = header.columns.map((column) => meanings(column.text).join(' ')).filter((text) => text !== '')
  for (const [index, line] of page.lines.entries()) {
    const texts = page.lines
      .slice(index, index + header.lastLine - header.firstLine + 1)
      .map((one) => one.text)
      .join(' ')
    const words = new Set(meanings(texts))
    const found = heads.filter((head) => head.split(' ').every((word) => words.has(word))).length
    if (found >= Math.max(2, heads.length * 0.7) && !/\d[.,]\d{2}/.test(texts))
      return line.index + header.lastLine - header.firstLine
  }
  return undefined
}

/** The lines of one page that may be rows, with what the head says about them. */
type Table = {
  header: Header
  fields: readonly Field[]
  page: LayoutPage
  lines: readonly Placed[]
  /** The column of the texts that say what a row is about, -1 without one. */
  textColumn: number
  /** Whether a column of numbers or dates is asked for: it tells where rows begin. */
  hasTyped: boolean
}

/** What was read of a table so far. */
type Scan = {
  rows: Row[]
  /** The lines that rows began on. */
  starts: Placed[]
  current: Row | undefined
  /** Lines of text that belong to the next row. */
  pending: Placed[]
  /** How many lines fitted no column. */
  misses: number
  /** A day stands above the first row: then each day that stands alone is that of the rows below it. */
  isByDay: boolean
}

/** Where a table ends: for good, or on this page only. */
type End = 'table' | 'page'

function rowsOnPage(
  lines: readonly Line[],
  page: LayoutPage,
  header: Header,
  fields: readonly Field[],
  evidence: Evidence,
  wordsOnly: boolean,
): { rows: Row[]; ended: boolean } {
  const table: Table = {
    header,
    fields,
    page,
    lines: lines.map((line) => place(line, header.columns, fields, evidence, page)),
    textColumn: textColumn(header, fields),
    hasTyped:
      !wordsOnly && header.columns.some((column) => !['text', undefined].includes(kindOfColumn(column, fields))),
  }
  const scan: Scan = { rows: [], starts: [], current: undefined, pending: [], misses: 0, isByDay: false }
  for (const at of table.lines.keys()) {
    const end = takeLine(scan, table, at)
    if (end) return { rows: scan.rows, ended: end === 'table' }
  }
  return { rows: scan.rows, ended: false }
}

function takeLine(scan: Scan, table: Table, at: number): End | undefined {
  const placed = table.lines[at]!
  const { line } = placed
  if (isBalance(line.text)) return closeRow(scan)
  // A table that the file itself draws ends where its cells end.
  if (table.header.declared && !line.cells.some((cell) => cell.declared)) return 'table'
  if (at === 0 && isFurtherHead(placed, table)) return passFurtherHead(placed, table)
  if (isOtherHead(line) || isHeadOfNext(line, table.header)) return 'table'
  if (isTotal(placed, table)) return passTotal(scan, table, at)
  if (isExtra(placed, table)) return closeRow(scan)
  const above = scan.current?.bottom ?? scan.pending.at(-1)?.line.box.y
  const gap = above === undefined ? 0 : line.box.y - above
  return opensRow(placed, scan, table) ? takeRow(scan, table, placed, gap) : takeFurtherLine(scan, table, at, gap)
}

/** Rows and their headings begin below it. */
function passFurtherHead({ line }: Placed, { page, header }: Table): undefined {
  if (page.number === header.page) header.lastLine = line.index
}

function passTotal(scan: Scan, table: Table, at: number): End | undefined {
  if (!isAboveFirst(scan, table, at) && !resumes(scan.starts, table, at)) return 'table'
  scan.pending = []
  return closeRow(scan)
}

/** «Kontostand am 31.08. 5.214,33» above the first booking sums up none of them. */
function isAboveFirst({ rows }: Scan, { page, header, lines }: Table, at: number): boolean {
  return rows.length === 0 && page.number === header.page && meanings(lines[at]!.line.text).includes('balance')
}

/** A line that begins no row: more of the row above, text, or what follows the table. */
function takeFurtherLine(scan: Scan, table: Table, at: number, gap: number): End | undefined {
  const { current } = scan
  const placed = table.lines[at]!
  if (current && table.hasTyped && placed.typed.size > 0 && gap < 2.2 * table.page.lineHeight) {
    merge(current, placed)
    return undefined
  }
  return current && followsTable(placed.line, table) ? 'table' : takeText(scan, table, at, gap)
}

function closeRow(scan: Scan): undefined {
  scan.current = undefined
}

/** A further line of the head: «netto €», «%». */
function isFurtherHead(placed: Placed, table: Table): boolean {
  return table.hasTyped && !/\d/.test(placed.line.text) && !placed.cells.has(table.textColumn) && placed.cells.size > 0
}

function opensRow(placed: Placed, scan: Scan, table: Table): boolean {
  if (table.hasTyped) return startsRow(placed, scan.current, table)
  return placed.cells.has(0) && (placed.cells.size >= 2 || table.header.columns.length === 1)
}

/** Begins a row with the texts that waited for it. */
function takeRow(scan: Scan, table: Table, placed: Placed, gap: number): End | undefined {
  if (scan.current && gap > 12 * table.page.lineHeight) return 'table'
  const row: Row = { cells: new Map(), lines: [], bottom: placed.line.box.y, page: table.page.number }
  for (const waiting of scan.pending) if (!isHeading(waiting, placed, table)) merge(row, waiting)
  if (scan.rows.length === 0) scan.isByDay = scan.pending.some(isDay)
  merge(row, placed)
  scan.rows.push(row)
  scan.starts.push(placed)
  Object.assign(scan, { current: row, pending: [], misses: 0 })
  return undefined
}

/** What stands below the last row and is no part of the table. */
function followsTable(line: Line, table: Table): boolean {
  return isPair(line, table) || (!table.hasTyped && /^[^:]{2,40}\s?:(?:\s|$)/u.test(line.text))
}

/** Text of the row above or of the next one, a heading, or the end of the table. */
function takeText(scan: Scan, table: Table, at: number, gap: number): End | undefined {
  const placed = table.lines[at]!
  const { current } = scan
  const { lineHeight } = table.page
  // «Delivery date: 06/20/2025» under a row belongs to it.
  const detail = current !== undefined && gap < 1.5 * lineHeight && detailLine.test(placed.line.text)
  if (placed.typed.size === 0 && !detail && isGroupHead(placed, table)) return undefined
  if (!inTextColumns(placed, table)) {
    scan.misses++
    return scan.misses > 2 || (current && gap > 2.5 * lineHeight) ? 'page' : undefined
  }
  const toNext = gapToNext(scan, table, at)
  if (current) return attachText(scan, current, table, placed, gap, toNext)
  waitForRow(scan, table, placed, toNext)
  return undefined
}

/** Text without a row above it belongs to the first one; on a further page only what stands right over a row does. */
function waitForRow(scan: Scan, table: Table, placed: Placed, toNext: number): void {
  const continued = table.page.number > table.header.page
  if (continued && scan.rows.length === 0 && scan.pending.length === 0 && toNext === Infinity) return
  scan.pending.push(placed)
  if (scan.pending.length > 3) scan.pending.shift()
}

/** Text belongs to the numbers it stands closer to: those of the row above, or those `toNext` below. */
function attachText(
  scan: Scan,
  current: Row,
  table: Table,
  placed: Placed,
  gap: number,
  toNext: number,
): End | undefined {
  const { lineHeight } = table.page
  if (gap > 3.2 * lineHeight) return 'page'
  if (!table.hasTyped && gap > 1.7 * lineHeight) return 'table'
  if (toNext < 0.7 * gap && gap > 0.3 * lineHeight && !current.cells.has(table.textColumn)) scan.pending.push(placed)
  else if (toNext < mostBelow * gap && (isBolder(placed, current, table) || (scan.isByDay && isDay(placed))))
    scan.pending.push(placed)
  else if (toNext < 0.5 * gap && gap > 0.5 * lineHeight) scan.pending = [placed]
  else merge(current, placed)
  return undefined
}

/** A heading stands no further above its rows than so many times what it stands below the row above. */
const mostBelow = 1.3

/** A bold line below a text that is not: the heading of what follows. */
function isBolder({ line }: Placed, current: Row, { textColumn: text }: Table): boolean {
  return wordsOf(line).every(({ bold }) => bold) && (current.cells.get(text) ?? []).some(({ bold }) => !bold)
}

/** «12 May 2026» and nothing else, above the bookings of that day. */
function isDay({ line }: Placed): boolean {
  return line.cells.length === 1 && parseDate(line.text) !== null
}

/** How far below a line the next row begins; infinite when the next line begins none. */
function gapToNext(scan: Scan, table: Table, at: number): number {
  const { line } = table.lines[at]!
  const next = table.lines[at + 1]
  return next && table.hasTyped && startsRow(next, scan.current, table) && !isTotal(next, table)
    ? next.line.box.y - (line.box.y + line.box.height)
    : Infinity
}

/**
 * Whether the table goes on behind a sub-total: soon another line fills the columns that every row so far has filled. A
 * table of words and one amount looks like its own totals; there the heading of the next group must stand between.
 */
function resumes(rows: readonly Placed[], table: Table, at: number): boolean {
  const [first] = rows
  if (!first) return false
  const needed = [...first.cells.keys()].filter((column) => rows.every((row) => row.cells.has(column)))
  const typed = [...first.typed.keys()].filter((column) => rows.every((row) => row.typed.has(column)))
  const isFull = (next: Placed): boolean =>
    needed.length >= 2 &&
    needed.every((column) => next.cells.has(column)) &&
    typed.every((column) => next.typed.has(column))
  const most = Math.max(...rows.map((row) => row.cells.size))
  let headed = false
  for (let index = at + 1; index < Math.min(table.lines.length, at + 5); index++) {
    const next = table.lines[index]!
    const above = table.lines[index - 1]!.line
    if (
      next.line.box.y - (above.box.y + above.box.height) > 3 * table.page.lineHeight ||
      isOtherHead(next.line) ||
      isTotal(next, table)
    )
      return false
    if (isShortHeading(next, most)) headed = true
    else if (isFull(next)) return typed.length >= 2 || headed
  }
  return false
}

/** A few words, alone or behind the number of their group («02 Rohrinstallation») where rows have `most` cells. */
function isShortHeading({ line, cells, typed }: Placed, most: number): boolean {
  const isNumbered = line.cells.length === 2 && typed.size === 1 && typed.has(0) && cells.size * 2 <= most
  const isAlone = line.cells.length === 1 && typed.size === 0
  return (isNumbered || isAlone) && line.cells.at(-1)!.words.length <= longestGroupName
}

/** In words. */
const longestGroupName = 8

/**
 * Text above a row that is the heading of a group: the row has its own text and begins with its number, or is set
 * otherwise.
 */
function isHeading(waiting: Placed, row: Placed, { textColumn: text, page }: Table): boolean {
  const own = row.cells.get(text)
  const words = wordsOf(waiting.line)
  if (!own || waiting.typed.size > 0) return false
  if (
    text > 0 &&
    row.cells.has(0) &&
    /^\d/.test(row.cells.get(0)![0]!.text) &&
    row.line.box.y - waiting.line.box.y > 0.8 * page.lineHeight &&
    waiting.line.cells.length === 1
  )
    return true
  return (
    (words.every((word) => word.bold) && !own.some((word) => word.bold)) ||
    /:$/.test(waiting.line.text) ||
    isDay(waiting) ||
    Math.abs(words[0]!.box.x - own[0]!.box.x) > 0.7 * page.em
  )
}

function startsRow(placed: Placed, current: Row | undefined, { header, fields }: Table): boolean {
  if (placed.typed.size === 0) return false
  const matched = [...placed.typed.keys()].filter((column) => header.columns[column]!.field !== undefined)
  // A position number in a column nobody asked for still begins a row, if text stands beside it.
  if (matched.length === 0) return placed.typed.has(0) && placed.cells.size >= 2 && (!current || current.cells.has(0))
  if (!current) return matched.length >= 2 || placed.cells.size >= 2 || header.columns.length <= 2
  return matched.some((column) => current.cells.has(column) && kindOfColumn(header.columns[column]!, fields) !== 'text')
}

function merge(row: Row, placed: Placed): void {
  for (const [column, words] of placed.cells) row.cells.set(column, [...(row.cells.get(column) ?? []), ...words])
  row.lines.push(placed.line.index)
  row.bottom = Math.max(row.bottom, placed.line.box.y + placed.line.box.height)
}

function place(
  line: Line,
  columns: readonly Column[],
  fields: readonly Field[],
  evidence: Evidence,
  page: LayoutPage,
): Placed {
  const cells = new Map<number, Word[]>()
  for (const cell of line.cells) {
    if (outside(cell, columns, page)) continue
    for (const part of partsOf(cell, columns, page)) {
      const column = columnOf(part, columns, page)
      if (column === undefined) continue
      cells.set(column, [...(cells.get(column) ?? []), ...part])
    }
  }
  const typed = new Map<number, Kind>()
  for (const [column, words] of cells) {
    const index = columns[column]!.field
    const kind = typeOf(words, index === undefined ? undefined : fields[index], evidence)
    if (kind) typed.set(column, kind)
  }
  return { line, cells, typed }
}

/** Whether words are the date or number that their column asks for; either in a column that nobody asked for. */
function typeOf(words: readonly Word[], field: Field | undefined, evidence: Evidence): Kind | undefined {
  const wanted = field && kindOfField(field)
  if (wanted === 'text') return undefined
  // «03/2019», «present»: a beginning and an end that are no whole dates.
  if (wanted === 'date' && field!.asPrinted && words.length <= 3) return 'date'
  const text = joined(words)
  if (wanted !== 'number' && (findDates(text, evidence.dates)[0]?.start ?? 99) <= 4) return 'date'
  if (wanted === 'date') return undefined
  return isNumeric(text, evidence) || (field?.element.format === 'text' && /^\d+\s?[-–/]\s?\d+$/.test(text))
    ? 'number'
    : undefined
}

/** Text of another column of the page, beside the table. */
function outside(cell: Cell, columns: readonly Column[], page: LayoutPage): boolean {
  const left = columns[0]!.left
  const right = columns.at(-1)!.right
  return cell.box.x + cell.box.width < left - 0.5 * page.em || cell.box.x > right + 3 * page.em
}

function isNumeric(text: string, evidence: Evidence): boolean {
  if (parseNumber(text, { ...evidence.numbers, unit: true }) !== null) return true
  const first = text.split(' ')[0]!
  return text.length <= 24 && parseNumber(first, evidence.numbers) !== null && !findDates(text)[0]
}

/** Words of a cell that reach into several columns: numbers go to the column they stand under, text stays together. */
function partsOf(cell: Cell, columns: readonly Column[], page: LayoutPage): Word[][] {
  if (isBetweenLanes(columns[0]!)) return partsBetween(cell, columns)
  const reached = columns.filter(
    (column) =>
      Math.min(column.right, cell.box.x + cell.box.width) - Math.max(column.left, cell.box.x) >
      0.25 * (column.right - column.left),
  )
  if (cell.declared || reached.length < 2 || detailLine.test(cell.text)) return [cell.words]
  const parts: Word[][] = [[]]
  let previous: Column | undefined
  for (const word of cell.words) {
    const centre = word.box.x + word.box.width / 2
    const own = columns.find((column) => centre >= column.left - page.em && centre <= column.right + page.em)
    const part = parts.at(-1)!
    const numeric = /^[-+(]?[\d€$£][\d.,'%€$£)–/-]*$/.test(word.text)
    const before = part.at(-1)
    const wasNumeric = before !== undefined && /^[-+(]?[\d€$£]/.test(before.text)
    if (before && own && own !== previous && (numeric || wasNumeric)) parts.push([word])
    else part.push(word)
    if (own) previous = own
  }
  return parts.filter((part) => part.length > 0)
}

/** The words of a cell between each two lanes; a text that runs over a lane stays whole. */
function partsBetween({ words }: Cell, columns: readonly Column[]): Word[][] {
  const crosses = words.some(({ box }) =>
    columns.slice(1).some(({ left }) => box.x < left - 1e-6 && box.x + box.width > left + 1e-6),
  )
  if (crosses) return [[...words]]
  // All groups of a number stand where its last one does.
  const middles = words.map(({ box }) => box.x + box.width / 2)
  for (let at = words.length - 2; at >= 0; at--)
    if (isOneNumber(words[at]!, words[at + 1]!)) middles[at] = middles[at + 1]!
  const parts = columns.map(({ left, right }, index) =>
    words.filter((_, at) => {
      const middle = middles[at]!
      return (index === 0 || middle >= left) && (index === columns.length - 1 || middle < right)
    }),
  )
  return parts.filter((part) => part.length > 0)
}

function columnOf(words: readonly Word[], columns: readonly Column[], page: LayoutPage): number | undefined {
  const left = words[0]!.box.x
  const right = words.at(-1)!.box.x + words.at(-1)!.box.width
  const shared = (column: Column): number => Math.min(right, column.right) - Math.max(left, column.left)
  const apart = (column: Column): number =>
    Math.min(Math.abs(left - column.left), Math.abs(right - column.right), Math.max(0, -shared(column)))
  const column = maxBy(columns, shared, 0) ?? maxBy(columns, (one) => -apart(one), -8 * page.em)
  return column && columns.indexOf(column)
}

/** «Nombre de colis : 3   Poids : 412 kg»: what follows a table, not a part of it. */
function isPair(line: Line, { header, page }: Table): boolean {
  if (line.cells[0]!.box.x > header.columns[0]!.left + page.em) return false
  const pairs = line.cells.filter((cell) => /^[^:\d]{2,40}\s?:(?:\s|$)/u.test(cell.text))
  return (
    pairs.length >= 2 || (pairs.length === 1 && line.cells.length <= 2 && isKnownLabel(pairs[0]!.text.split(':')[0]!))
  )
}

/** The heads of the next table. */
function isOtherHead(line: Line): boolean {
  return (
    line.cells.length >= 3 &&
    !/\d/.test(line.text) &&
    line.cells.filter((cell) => isKnownLabel(cell.text)).length >= Math.max(2, 0.6 * line.cells.length)
  )
}

/** «Deductions   this period   year to date» below «Earnings   rate   this period   year to date»: the next table. */
function isHeadOfNext(line: Line, { columns }: Header): boolean {
  const heads = new Set(columns.map(({ text }) => fold(text)))
  const same = line.cells.filter(({ text }) => heads.has(fold(text))).length
  return same >= 2 && same < line.cells.length
}

/** What was carried forward, or an account held before or after its bookings: it is none of them. */
function isBalance(text: string): boolean {
  return (carry.test(text) && text.length < longestCarry) || namesBalance(text)
}

/** The same by how a line begins: «Vortrag KI im Büro», «Annual report» are rows of tables that are seen. */
export function namesBalance(text: string): boolean {
  const label = text.replace(/\d[\d.,/-]*/g, ' ').trim()
  return (openingScore(meanings(label))[0] ?? 0) > 0.75 || balanceLabel.test(label) || carryLabel.test(label)
}

const carryLabel = new RegExp(String.raw`^(?:(?:saldo|balance )?(?:${carried})|saldovortrag|vortrag$)(?!\p{L})`, 'iu')

const longestCarry = 90
const balanceLabel =
  /^\s*(?:(?:ancien )?solde (?:cr[ée]diteur|d[ée]biteur|au|initial)|saldo (?:anterior|inicial|al)|alter (?:saldo|kontostand)|(?:opening|previous|starting|closing|ending|new) balance|balance (?:brought|carried|b\/f|c\/f)|nouveau solde|solde final|saldo (?:final|nuevo)|neuer (?:saldo|kontostand))/iu

const sumLabel =
  /^(?:total|totals|gesamt|summe|sum|zwischensumme|subtotal|sub-total|sous-total|totaux|gesamtsumme|gesamtbetrag|endbetrag|rechnungsbetrag|saldo|nettobetrag|bruttobetrag|netto|net|importe total|base imponible|base ht)\b|^base:?$/iu
const sumInFirstColumn =
  /^(?:summen?|totals?|totaux|gesamt|gesamtsumme|sum|suma|insgesamt|grand total|total général|total general):?$/iu
const sumUnderTexts = /^(?:summen?|totals?|totaux|gesamt|gesamtsumme|suma|insgesamt|umsätze gesamt):?$/iu

/** A line that sums up: its label names a total, and it fills fewer columns than a row would. */
function isTotal(placed: Placed, table: Table): boolean {
  const { line } = placed
  const cell = line.cells.find((one) => /\p{L}{2}/u.test(one.text) && !outside(one, table.header.columns, table.page))
  if (!cell) return false
  const label = cell.text.replace(/[\d.,]+\s*%?|[€$£:()]|\b(?:EUR|CHF|USD|GBP)\b/gu, ' ').trim()
  const count = surfaceWords(label).length
  if (count === 0 || count > 7) return false
  const named = meanings(label)
  const score = named.some((word) => sumWords.has(word)) ? Math.max(...totalScore(named)) : 0
  const strong = sumLabel.test(label)
  if (score < 0.6 && !strong) return false
  const hasNumber = /\d[.,]\d{2}(?!\d)/.test(line.text) || [...placed.typed.values()].includes('number')
  if (!hasNumber && (!strong || count > 2)) return false
  return (
    isSumWord(cell, count, placed, table.header) ||
    (fillsLikeTotal(placed, table) && (count <= 4 || !placed.cells.has(table.textColumn) || score > 0.8))
  )
}

/** «VAT 20 %», «OUTPUT CGST», «Net amount»: words for sums and nothing else («City tax» is charged). */
export function namesSum(text: string): boolean {
  const words = meanings(text.replace(/[\d.,]+\s*%?/gu, ' '))
  return words.some((word) => word === 'tax' || sumWords.has(word)) && words.every((word) => plainSum.has(word))
}

/** «Totale compensi», «Sum of services»: what may as well be the name of a row. */
export function beginsAsSum(text: string): boolean {
  return ['total', 'subtotal'].includes(meanings(text)[0] ?? '')
}

const plainSum = new Set([...sumWords, ...'tax amount payable invoice output input sum rate percent'.split(' ')])

/** One word for the sum, however many columns the line fills. */
function isSumWord(cell: Cell, count: number, placed: Placed, { columns }: Header): boolean {
  if (count <= 2 && sumInFirstColumn.test(cell.text) && cell.box.x < (columns[1]?.left ?? 1)) return true
  // The same word under the texts of a journal, on a line without a date.
  return (
    sumUnderTexts.test(cell.text) && !placed.cells.has(0) && columns[0]!.field !== undefined && placed.cells.size >= 2
  )
}

/** Whether a line fills fewer columns than a row would. */
function fillsLikeTotal(placed: Placed, { header, fields }: Table): boolean {
  const kind = kindOfColumn(header.columns[0]!, fields)
  const asRow = placed.typed.has(0) && kind !== undefined && kind !== 'text'
  return !asRow && (placed.cells.size <= Math.max(2, header.columns.length - 2) || placed.typed.size <= 1)
}

const extraScore = labelScorer([
  understand({ name: 'shipping cost', format: 'number', description: '' }, 'document'),
  understand({ name: 'discount', format: 'number', description: '' }, 'document'),
])

/** Carriage or a discount below the items: an amount without quantity and price in a table that has both. */
function isExtra(placed: Placed, { header, fields }: Table): boolean {
  if (placed.typed.size !== 1 || placed.cells.size > 2) return false
  const numeric = header.columns.filter((column) => kindOfColumn(column, fields) === 'number').length
  const label = placed.line.cells[0]!.text.replace(/[\d.,]+\s*%?|[€$£:()]/gu, ' ')
  return numeric >= 3 && Math.max(...extraScore(meanings(label))) >= 0.7
}

/** «Lieferschein 88120 vom 05.10.2026» above some rows: it begins left of the text column and is no part of a row. */
function isGroupHead(placed: Placed, { header, textColumn: text }: Table): boolean {
  const [first, second] = placed.line.cells
  return (
    text > 0 &&
    second === undefined &&
    first!.box.x < header.columns[text]!.left - 0.01 &&
    first!.words.length > 1 &&
    first!.box.x + first!.box.width > header.columns[text]!.left
  )
}

function inTextColumns(placed: Placed, { header, fields }: Table): boolean {
  if (placed.cells.size === 0 || placed.cells.size > 3) return false
  return [...placed.cells.keys()].every((column) =>
    ['text', undefined].includes(kindOfColumn(header.columns[column]!, fields)),
  )
}

function textColumn({ columns }: Header, fields: readonly Field[]): number {
  const described = columns.findIndex((column) => column.field !== undefined && isDescription(fields[column.field]!))
  return described >= 0 ? described : columns.findIndex((column) => kindOfColumn(column, fields) === 'text')
}

/** What is asked of a column; undefined when nobody asks for it. */
function kindOfColumn(column: Column, fields: readonly Field[]): Kind | undefined {
  return column.field === undefined ? undefined : kindOfField(fields[column.field]!)
}

function kindOfField({ element, kind }: Field): Kind {
  if (element.format === 'number' || ['money', 'number', 'percent'].includes(kind)) return 'number'
  return kind === 'date' ? 'date' : 'text'
}

import { medianOf } from '../../reading/numbers.ts'
import type { Evidence } from '../extraction/evidence.ts'
import { concepts } from '../extraction/concepts.ts'
import { understand } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import { joined, linesOfWords, overlapX, textOf, unionBox, wordsOf } from '../extraction/layout.ts'
import type { Layout, LayoutPage, Line, Word } from '../extraction/layout.ts'
import { labelScorer } from '../extraction/labels.ts'
import { announceNumbers } from '../extraction/list-content.ts'
import { cellValue } from '../extraction/list-cell.ts'
import type { CellValue } from '../extraction/list-cell.ts'
import { isAmount } from '../extraction/list-products.ts'
import type { Row } from '../extraction/list-rows.ts'
import { without } from '../extraction/leaves-out.ts'
import { currencyWords } from '../extraction/lexicon.ts'
import { meanings, surfaceWords } from '../extraction/words.ts'
import { kinds } from './features.ts'
import type { Facts } from './facts.ts'
import type { Labels } from './labels.ts'
import type { Label, Spelling } from './labels.ts'
import { agreementOf, confidenceOf } from './readers.ts'
import { noProducts, productsOf } from './column-products.ts'
import type { Products } from './column-products.ts'
import {
  aboveGroup,
  belowOf,
  columnOfPlace,
  columnOrNone,
  columnWords,
  isBelow,
  isPart,
  noColumn,
  Parts,
} from './places.ts'
import { ways } from './tables.ts'
import type { Table } from './tables.ts'

/** What is known of a sub-field's cells together. */
type Column = {
  /** The place of its column in the table, or one of those above. */
  place: number
  head: Label | undefined
  spelling: Spelling | undefined
  /** Cells with a value, and the share of the rows that they are. */
  cells: number
  filled: number
  words: number
  left: number
  right: number
  /** How far right its words reach in any row. */
  widest: number
  /** Where the words of the next column begin. */
  next: number
  /** The share of cells that begin with the number of their row. */
  counted: number
  shapes: ReadonlyMap<string, number>
  texts: ReadonlyMap<string, number>
  /** Whether the document prints the sum of the column; NaN where there is nothing to add up. */
  sum: number
}
/** What is known of a row as a whole. */
type RowFacts = {
  row: Row
  page: LayoutPage
  filled: number
  /** Words on the row's lines that answer nothing. */
  unused: number
  /** Lines between this row and the one above, in line heights; NaN for the first of a page. */
  gap: number
  total: number
}
/**
 * What a row may have for a sub-field: a value, from which place (of a column or another one), from which of the lines
 * there on, and how many of them, 0 for all that are left. `printed` is 0 for a value of the sub-field's kind; else it says
 * which piece is taken as it is printed, counted from 1.
 */
export type Reading = { cell: CellValue; place: number; firstLine: number; lines: number; printed: number }
type Situation = {
  table: Table
  fields: readonly Field[]
  field: number
  at: number
  cell: CellValue
  /** The first of the lines that it takes. */
  firstLine: number
  printed: number
  text: string
  column: Column
  columns: readonly Column[]
  /** How well the best of all heads names each sub-field. */
  named: readonly number[]
  row: RowFacts
  rank: number
  isOwn: boolean
  product: number
  products: number
  /** Of how many rows right above or below this row is the sum. */
  summed: number
  breaks: Breaks
  /** How far the middle of the row's cells of one line is from the middle of the words, and of the whole cell. */
  offMiddle: number
  wholeOffMiddle: number
  heading: number
  /** How many headings stand above groups of rows. */
  headings: number
  /** For each sub-field whether it asks for a text and has no column of its own. */
  openTexts: readonly boolean[]
  /** The description of the list says that sums are no rows. */
  leavesOutSums: boolean
  part: ReturnType<Parts['describe']>
  /** What the numbers of its column come to, as far as the column stands for one number. */
  comesTo: Products
  /** In which share of the rows what a part leaves out answers another sub-field; NaN for no part. */
  restAnswers: number
}
type Feature = (one: Situation) => number

const hasLetters = ({ text }: Word): boolean => /\p{L}{2}|\p{sc=Han}/u.test(text)
const flag = (value: boolean): number => (value ? 1 : 0)
const part = (text: string, pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / Math.max(1, text.length)
const rightOf = (words: readonly Word[]): number => Math.max(...words.map(({ box }) => box.x + box.width))
const leftOf = (words: readonly Word[]): number => Math.min(...words.map(({ box }) => box.x))
const numeric = /^[-+(]?[€$£]?\d[\d.,'’]*[%€$£)\-−–]*$/u

/** How much better another sub-field, or another known term, is named by the head than this one. */
function rival({ head }: Column, fields: readonly Field[], index: number): number {
  if (!head) return NaN
  let best = head.term !== undefined && head.term !== fields[index]!.concept ? head.termScore : 0
  head.whole.forEach((score, other) => (best = other !== index && score > best ? score : best))
  return best - head.whole[index]!
}

/** Whether what a head is known to mean is answered by the kind of values that a sub-field asks for. */
function kindSaid({ head }: Column, { kind }: Field): number {
  const said = head?.term === undefined ? undefined : concepts[head.term]?.kind
  return said === undefined ? NaN : flag(said === kind)
}

/** Which columns besides its own the words of a cell stand under. */
function reachedColumns({ table, cell, column }: Situation): number {
  const box = unionBox(cell.words.map((word) => word.box))
  const all = table.header?.columns ?? []
  return all.filter(
    ({ left, right }, index) =>
      index !== columnOfPlace(column.place) && overlapX({ ...box, x: left, width: right - left }, box) > 0.3,
  ).length
}

/** How a text of several lines is broken: voluntarily, where the next word would have fitted, or for want of room. */
type Breaks = {
  /** The most room that was left at a break within the cell, and at its end where lines of it are left out, in em. */
  within: number
  atEnd: number
  /** The same up to the next column instead of the widest line. */
  withinNext: number
  atEndNext: number
  /** Lines left out, and what the first of them looks like beside the last that is taken. */
  leftOut: number
  size: number
  indent: number
  colon: number
  small: number
  gap: number
  /** Whether lines that are taken, or the next one, are set in another type than what stands above them. */
  otherWithin: number
  otherAtEnd: number
  /** Whether the last lines that are taken, or all that are left out, stand in brackets. */
  bracketsWithin: number
  bracketsAtEnd: number
}
const noBreaks: Breaks = {
  within: NaN,
  atEnd: NaN,
  withinNext: NaN,
  atEndNext: NaN,
  leftOut: 0,
  size: NaN,
  indent: NaN,
  colon: NaN,
  small: NaN,
  gap: NaN,
  otherWithin: NaN,
  otherAtEnd: NaN,
  bracketsWithin: NaN,
  bracketsAtEnd: NaN,
}

export function isInBrackets(words: readonly Word[]): boolean {
  return /^\(.*\)$/u.test(joined(words))
}

function breaksOf(
  { cell: { words }, firstLine: from }: Reading,
  all: readonly Word[],
  { widest, next: nextColumn }: Column,
  em: number,
): Breaks {
  const lines = linesOfWords(all)
  const end = from + linesOfWords(words).length
  if (lines.length < 2) return noBreaks
  const room = (at: number, to = widest): number => (to - rightOf(lines[at]!) - lines[at + 1]![0]!.box.width) / em
  const most = (to: number): number =>
    end - from < 2 ? NaN : Math.max(...lines.slice(from + 1, end).map((_, index) => room(from + index, to)))
  const others = lines.slice(from + 1, end).map((line) => flag(isOtherType(line, lines[from]!)))
  const inside = {
    within: most(widest),
    withinNext: most(nextColumn),
    otherWithin: others.length ? Math.max(...others) : NaN,
    bracketsWithin: flag(others.some((_, index) => isInBrackets(lines.slice(from + 1 + index, end).flat()))),
  }
  const [last, next] = [lines[end - 1], lines[end]]
  if (!last || !next) return { ...noBreaks, ...inside }
  return {
    ...inside,
    atEnd: room(end - 1),
    atEndNext: room(end - 1, nextColumn),
    leftOut: lines.length - end,
    size: next[0]!.fontSize / Math.max(1e-6, last[0]!.fontSize),
    indent: (leftOf(next) - leftOf(last)) / em,
    colon: flag(next.some(({ text }) => text.endsWith(':'))),
    small: flag(/^\p{Ll}/u.test(next[0]!.text)),
    gap: (next[0]!.box.y - last[0]!.box.y) / Math.max(1e-6, last[0]!.box.height),
    otherAtEnd: flag(isOtherType(next, last)),
    bracketsAtEnd: flag(isInBrackets(lines.slice(end).flat())),
  }
}

/** How far the middle of words is from that of the other cells of their row, which have one line; in line heights. */
function offMiddle(words: readonly Word[], { cells }: Row, place: number, { lineHeight }: LayoutPage): number {
  const middleOf = (some: readonly Word[]): number => {
    const { y, height } = unionBox(some.map(({ box }) => box))
    return y + height / 2
  }
  const others = [...cells].filter(([at, own]) => at !== place && linesOfWords(own).length === 1).map(([, own]) => own)
  if (others.length === 0 || words.length === 0) return NaN
  const middles = others.map(middleOf).sort((one, other) => one - other)
  return Math.abs(middles[middles.length >> 1]! - middleOf(words)) / lineHeight
}

const goods = new Set(['quantity', 'unit', 'unitPrice', 'articleNumber'])
const bookings = new Set(['debit', 'credit', 'balance', 'bookingDate', 'valueDate'])

const isOf =
  (concepts: ReadonlySet<string>) =>
  ({ concept }: Field): boolean =>
    concept !== undefined && concepts.has(concept)

function bookingsIn(fields: readonly Field[]): number {
  return fields.filter(isOf(bookings)).length
}

/** A list of two such fields, or of one («booking date») beside nothing of goods. */
function isOfBookings(fields: readonly Field[]): boolean {
  return bookingsIn(fields) >= (fields.some(isOf(goods)) ? 2 : 1)
}

/** What the judge of cells sees, by name. The trained trees (rows-model.json) refer to this order. */
export const cellFeatures: readonly [name: string, of: Feature][] = [
  ['way', ({ table }) => ways.indexOf(table.way)],
  ['kind of the field', ({ fields, field }) => kinds.indexOf(fields[field]!.kind)],
  ['field is a number', ({ fields, field }) => flag(fields[field]!.element.format === 'number')],
  ['field is a known term', ({ fields, field }) => flag(fields[field]!.concept !== undefined)],
  ['field is the description', ({ fields, field }) => flag(fields[field]!.concept === 'description')],
  ['field is the text of a booking', ({ fields, field }) => flag(fields[field]!.concept === 'bookingText')],
  ['fields of goods', ({ fields }) => fields.filter(isOf(goods)).length],
  ['fields of bookings', ({ fields }) => bookingsIn(fields)],
  ['fields of dates', ({ fields }) => fields.filter(({ kind }) => kind === 'date').length],
  ['kind of page', ({ row }) => ['text', 'ocr', 'sheet', 'flow'].indexOf(row.page.origin)],
  ['cells are declared', ({ table }) => flag(table.header?.declared ?? false)],
  ['rows', ({ table }) => table.rows.length],
  ['columns', ({ table }) => table.header?.columns.length ?? NaN],
  [
    'columns that answer nothing',
    ({ table }) => table.header?.columns.filter((column) => column.field === undefined).length ?? NaN,
  ],
  ['fields', ({ fields }) => fields.length],
  ['fields without a column', ({ columns }) => columns.filter(({ place }) => place < 0).length],
  ['heading names the list', ({ heading }) => heading],
  ['rank of the head', ({ rank }) => rank],
  ['score of the head', ({ table }) => table.header?.score ?? NaN],
  ['is of the column that was matched', ({ isOwn }) => flag(isOwn)],
  ['has no column', ({ column }) => flag(columnOfPlace(column.place) < 0)],
  ['head', ({ column, field }) => column.head?.whole[field] ?? NaN],
  ['end of the head', ({ column, field }) => column.head?.ending[field] ?? NaN],
  ['head is the name', ({ column, field }) => column.head?.named[field] ?? NaN],
  ['part of the head', ({ column, field }) => column.head?.part[field] ?? NaN],
  ['head is spelled like the name', ({ column, field }) => column.spelling?.alike[field] ?? NaN],
  ['head abbreviates the name', ({ column, field }) => column.spelling?.letters[field] ?? NaN],
  ['head names another', ({ column, fields, field }) => rival(column, fields, field)],
  ['words of the head', ({ column }) => column.head?.words.length ?? NaN],
  ['head is a known term', ({ column }) => column.head?.termScore ?? NaN],
  ['head is of the same kind', ({ column, fields, field }) => kindSaid(column, fields[field]!)],
  ['another head names it better', ({ column, named, field }) => named[field]! - (column.head?.whole[field] ?? 0)],
  ['rows with a value', ({ column }) => column.filled],
  ['fields with a value', ({ row }) => row.filled],
  ['words', ({ cell }) => cell.words.length],
  ['cells begin with the number of the row', ({ column }) => column.counted],
  ['words beyond the usual', ({ cell, column }) => cell.words.length - column.words],
  ['lines of the cell', ({ cell }) => linesOfWords(cell.words).length],
  ['lines left out', ({ breaks }) => breaks.leftOut],
  ['room at its breaks', ({ breaks }) => breaks.within],
  ['room at its end', ({ breaks }) => breaks.atEnd],
  ['room to the next column at its breaks', ({ breaks }) => breaks.withinNext],
  ['room to the next column at its end', ({ breaks }) => breaks.atEndNext],
  ['size of what is left out', ({ breaks }) => breaks.size],
  ['indent of what is left out', ({ breaks }) => breaks.indent],
  ['colon in what is left out', ({ breaks }) => breaks.colon],
  ['what is left out goes on', ({ breaks }) => breaks.small],
  ['gap to what is left out', ({ breaks }) => breaks.gap],
  ['beside the middle', ({ offMiddle }) => offMiddle],
  ['whole cell beside the middle', ({ wholeOffMiddle }) => wholeOffMiddle],
  ['between lines', ({ table }) => flag(table.ruled ?? false)],
  ['letters', ({ text }) => part(text, /\p{L}/gu)],
  ['digits', ({ text }) => part(text, /\d/gu)],
  ['length', ({ text }) => text.length],
  ['looks like a date', ({ text }) => flag(/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(text))],
  ['is an amount', ({ text }) => flag(/[.,]\d{2}(?!\d)/.test(text))],
  ['numbers in the cell', ({ cell }) => cell.words.filter(({ text }) => numeric.test(text)).length],
  ['begins with a number', ({ cell }) => flag(numeric.test(cell.words[0]!.text))],
  ['ends with a number', ({ cell }) => flag(numeric.test(cell.words.at(-1)!.text))],
  [
    'breaks off',
    ({ text }) => flag(/[-–,(&/]$|[^.]\s(?:und|mit|and|with|for|of|et|de|du|y|con|per|e|en|van)$/iu.test(text)),
  ],
  ['has a colon', ({ text }) => flag(text.includes(':'))],
  ['is written like the others', ({ column, text }) => share(column.shapes, column, shapeOf(text))],
  ['is the same as the others', ({ column, text }) => share(column.texts, column, text)],
  [
    'words of the cell that are left out',
    ({ row, column, cell }) => (columnWords(row.row, column.place)?.length ?? NaN) - cell.words.length,
  ],
  ['words of the row that are left out', ({ row }) => row.unused],
  ['lines of the row', ({ row }) => row.row.lines.length],
  ['gap above', ({ row }) => row.gap],
  ['row', ({ at }) => at],
  ['rows behind', ({ at, table }) => table.rows.length - 1 - at],
  ['row is a total', ({ row }) => row.total],
  ['sums are left out', ({ leavesOutSums }) => flag(leavesOutSums)],
  ['product holds', ({ product }) => product],
  ['products hold', ({ products }) => products],
  ['sums up other rows', ({ summed }) => summed],
  ['sum is printed', ({ column }) => column.sum],
  ['sums are printed', ({ columns }) => Math.max(...columns.map(({ sum }) => (Number.isNaN(sum) ? -1 : sum)))],
  ['other columns over the cell', reachedColumns],
  ['left edge', ({ cell, column, row }) => Math.abs(leftOf(cell.words) - column.left) / row.page.em],
  ['right edge', ({ cell, column, row }) => Math.abs(rightOf(cell.words) - column.right) / row.page.em],
  ['confidence of reading', ({ cell }) => confidenceOf(cell.words)],
  ['readers agree', ({ cell }) => agreementOf(cell.words)],
  [
    'words of another field',
    ({ table, at, field, cell }) =>
      flag(table.values[at]!.some((other, index) => index !== field && sharesWords(other, cell))),
  ],
  ['stands above its group', ({ column }) => flag(column.place === aboveGroup)],
  ['asks for a heading', ({ fields, field }) => flag(asksForHeading(fields[field]!))],
  ['headings above rows', ({ headings }) => headings],
  ['heads twice', ({ table }) => headsTwice(table)],
  ['is on one side', ({ table }) => flag(table.isSide)],
  ['first line', ({ firstLine }) => firstLine],
  ['stands below a text', ({ column }) => flag(isBelow(column.place))],
  ['texts without a column', ({ openTexts }) => openTexts.filter(Boolean).length],
  ['texts without a column before it', ({ openTexts, field }) => openTexts.slice(0, field).filter(Boolean).length],
  ['asks for a remark', ({ fields, field }) => flag(asksForRemark(fields[field]!))],
  ['description leaves out', ({ fields, field }) => says(asksForLess, fields[field]!)],
  ['description takes more', ({ fields, field }) => says(asksForMore, fields[field]!)],
  ['another type inside', ({ breaks }) => breaks.otherWithin],
  ['another type in what is left out', ({ breaks }) => breaks.otherAtEnd],
  ['in brackets inside', ({ breaks }) => breaks.bracketsWithin],
  ['in brackets in what is left out', ({ breaks }) => breaks.bracketsAtEnd],
  ['taken as it is printed', ({ printed }) => printed],
  ['part of the column', ({ part }) => part.kind],
  ['width of the lane', ({ part }) => part.gap],
  ['rows that the lane divides', ({ part }) => part.divides],
  ['what the part leaves out answers another field', ({ restAnswers }) => restAnswers],
  ['column is a product', ({ comesTo }) => comesTo.result],
  ['column is a factor', ({ comesTo }) => comesTo.factor],
  ['sign in the head', ({ table, column }) => signIn(table.header?.columns[columnOfPlace(column.place)]?.text)],
  ['fields before it', ({ field }) => field],
  ['fields behind it', ({ fields, field }) => fields.length - 1 - field],
  ['columns before it', ({ column }) => columnOrNone(column.place)],
  ['columns before it less fields', ({ column, field }) => columnOrNone(column.place) - field],
  ['columns behind it less fields', columnsBehindLessFields],
  ['fields in order', inOrder],
  ['columns from that of the field before', (one) => columnOrNone(one.column.place) - columnOfField(one, -1)],
  ['columns to that of the field behind', (one) => columnOfField(one, 1) - columnOrNone(one.column.place)],
]

/** What a head says beside words: 1 for nothing, 2 for a currency, 3 for per cent; it may say nothing else. */
function signIn(head: string | undefined): number {
  if (head === undefined || head === '') return NaN
  if (head.includes('%')) return 3
  return /[€$£]/u.test(head) || surfaceWords(head).some((word) => currencyWords.has(word)) ? 2 : 1
}

function columnOfField({ columns, field }: Situation, step: number): number {
  const other = columns[field + step]
  return other === undefined ? NaN : columnOrNone(other.place)
}

function columnsBehindLessFields({ table, fields, field, column }: Situation): number {
  const behind = (table.header?.columns.length ?? NaN) - 1 - columnOrNone(column.place)
  return behind - (fields.length - 1 - field)
}

/** Of the other sub-fields that have columns, the share that stands before or behind this place as it is asked. */
function inOrder({ columns, column, field }: Situation): number {
  const own = columnOrNone(column.place)
  const others = columns.flatMap(({ place }, index) =>
    index === field || place < 0 || place === own ? [] : [flag(place < own === index < field)],
  )
  return Number.isNaN(own) || others.length === 0 ? NaN : others.reduce((sum, one) => sum + one, 0) / others.length
}

/** How many heads say what another one says: there may be two tables side by side. */
function headsTwice({ header }: Table): number {
  const texts = (header?.columns ?? []).flatMap(({ text }) => (text === '' ? [] : [text]))
  return texts.length - new Set(texts).size
}

const headingWords = new Set(['section', 'category'])

function asksForHeading({ element: { name, description } }: Field): boolean {
  return meanings(`${name} ${description}`).some((word) => headingWords.has(word))
}

function asksForRemark({ element: { name, description } }: Field): boolean {
  return meanings(`${name} ${description}`).includes('comment')
}

const alone = [
  'only|first line|nur|erste zeile|seulement|uniquement|première ligne',
  'sol[oa]|sólo|solamente|primera línea|prima riga|alleen|eerste regel',
].join('|')
export const asksForLess = new RegExp(String.raw`\b(?:${without}|${alone})\b`, 'iu')
const more = [
  String.raw`with|inclu\w*|incl|both|all lines|below|under|second line|mit|samt|inkl\w*|darunter|zweite zeile`,
  'avec|compris|sous|dessous|con|debajo|compres[oae]|sotto|met|inclusief|eronder|onder',
].join('|')
const asksForMore = new RegExp(String.raw`\b(?:${more})\b`, 'iu')

/** Whether the description of a text says something of its extent. */
const says = (pattern: RegExp, field: Field): number => flag(isText(field) && pattern.test(field.element.description))

function sharesWords(other: CellValue | undefined, cell: CellValue): boolean {
  return other?.words.some((word) => cell.words.includes(word)) ?? false
}

/** Of the other cells of a column the share that is the same by `counts`. */
function share(counts: ReadonlyMap<string, number>, { cells }: Column, key: string): number {
  return cells < 2 ? NaN : ((counts.get(key) ?? 0) - 1) / (cells - 1)
}

const shapeOf = (text: string): string => text.replace(/\d+/g, '9').replace(/\p{L}+/gu, 'a')

const totalScore = labelScorer(
  ['gross total', 'net total', 'tax amount', 'amount due', 'amount paid', 'closing balance'].map((name) =>
    understand({ name, format: 'number', description: '' }, 'document'),
  ),
)

/**
 * A column is a product, or a factor of one, in so many of its rows, and not the other as well. By trees that never saw
 * the paper 22 more of 4,191 rows of papers are right so, and 23 more without a flag (30 November 2026).
 */
const proven = 0.8
const disproven = 0.5

/** Describes cells of one table by their features. */
export class TableDescriber {
  readonly #table: Table
  readonly #fields: readonly Field[]
  readonly #own: Column[]
  readonly #columns = new Map<string, Column>()
  readonly #named: number[]
  readonly #cells = new Map<string, CellValue | null>()
  readonly #rows: RowFacts[]
  readonly #rowProducts: number[]
  readonly #products: number
  readonly #sums: number[]
  readonly #rank: number
  readonly #isOfBookings: boolean
  readonly #headings: number
  readonly #openTexts: boolean[]
  /** How well a heading above the table names the list, 0..1. */
  readonly heading: number
  readonly #context: Context
  readonly #parts: Parts
  readonly #comesTo: (column: number) => Products
  readonly #rests = new Map<string, number>()

  constructor(table: Table, fields: readonly Field[], rank: number, context: Context) {
    const { names } = context
    const { layout } = table
    this.#table = table
    this.#fields = fields
    this.#rank = rank
    this.#isOfBookings = isOfBookings(fields)
    this.#context = context
    this.#parts = new Parts(table)
    this.#comesTo = productsOf(table, context.evidence)
    this.#own = fields.map((_, field) => {
      const place = table.header?.columns.findIndex((column) => column.field === field) ?? noColumn
      return columnOf(
        table,
        place,
        table.values.map((row) => row[field]),
        context,
        this.#parts,
      )
    })
    const heads = (table.header?.columns ?? []).map(({ text }) => context.labels.ofText(text))
    this.#named = fields.map((_, field) => Math.max(0, ...heads.map(({ whole }) => whole[field]!)))
    const lines = new Map<number, Line>()
    for (const line of layout.lines) lines.set(line.index, line)
    this.#rows = table.rows.map((_, at) => rowFacts(table, at, fields, layout, lines))
    this.heading = headingOf(table, names, lines)
    const hasColumns = table.header !== undefined
    this.#openTexts = fields.map((field, at) => hasColumns && asksForWords(field) && this.#own[at]!.place < 0)
    this.#headings = new Set(table.rows.flatMap(({ heading }) => heading?.slice(0, 1) ?? [])).size
    this.#sums = summedRows(table, fields)
    this.#rowProducts = table.values.map((row) => productOf(row, fields))
    const products = this.#rowProducts.filter((product) => !Number.isNaN(product))
    this.#products = products.length === 0 ? NaN : products.reduce((sum, product) => sum + product, 0) / products.length
  }

  /** Whether what the columns come to lets a place answer a sub-field: a product is no price, and a factor no amount. */
  addsUp(field: number, place: number): boolean {
    if (place < 0 || isPart(place)) return true
    const { result, factor } = this.#comesTo(place)
    const { concept } = this.#fields[field]!
    // What is no column of numbers comes to nothing.
    const [isProduct, isFactor] = [result >= proven && factor < disproven, factor >= proven && result < disproven]
    return concept === 'lineAmount' ? !isFactor : !isProduct || (concept !== 'quantity' && concept !== 'unitPrice')
  }

  /** Which kind of part of its column a place is, counted from 0; -1 for none. */
  partOf(place: number): number {
    return this.#parts.describe(place).kind
  }

  /** How well the head over a place names a sub-field, 0..1. */
  headOf(field: number, place: number): number {
    return this.#column(field, place).head?.whole[field] ?? NaN
  }

  /** The features of a reading of a row for a sub-field. */
  cell(at: number, field: number, reading: Reading): Float32Array {
    const { cell, place, firstLine, printed } = reading
    const column = this.#column(field, place)
    const row = this.#rows[at]!
    const all = place === aboveGroup ? undefined : this.#parts.wordsAt(row.row, place)
    const situation: Situation = {
      table: this.#table,
      fields: this.#fields,
      field,
      at,
      cell,
      firstLine,
      printed,
      text: joined(cell.words),
      isOwn: place === this.#own[field]!.place,
      column,
      columns: this.#own,
      named: this.#named,
      row,
      rank: this.#rank,
      product: this.#table.values[at]![field] === cell ? this.#rowProducts[at]! : this.#productWith(at, field, cell),
      products: this.#products,
      summed: this.#sums[at]!,
      // Of a booking all lines are one text, wherever it breaks.
      breaks: all && !this.#isOneText() ? breaksOf(reading, all, column, row.page.em) : noBreaks,
      offMiddle: offMiddle(cell.words, row.row, columnOfPlace(place), row.page),
      wholeOffMiddle: all ? offMiddle(all, row.row, columnOfPlace(place), row.page) : NaN,
      leavesOutSums: this.#context.leavesOutSums,
      heading: this.heading,
      headings: this.#headings,
      part: this.#parts.describe(place),
      comesTo: isPart(place) || isBelow(place) ? noProducts : this.#comesTo(place),
      restAnswers: this.#restAnswers(field, place),
      openTexts: this.#openTexts,
    }
    const found = new Float32Array(cellFeatures.length)
    for (let index = 0; index < found.length; index++) found[index] = cellFeatures[index]![1](situation)
    return found
  }

  /**
   * What a row may have for a sub-field in the columns of `places`, and of a text in several lines also its beginning,
   * since further lines may be remarks, and parts of these.
   */
  readings(at: number, field: number, places: readonly number[]): Reading[] {
    return places.flatMap((place) => {
      const found = isBelow(place) ? this.#furtherLines(at, field, place) : this.#beginnings(at, field, place)
      // «40-1180» is no description, though a head that stands over two columns may say so.
      return this.#fields[field]!.concept === 'description'
        ? found.filter(({ cell }) => cell.words.some(hasLetters))
        : found
    })
  }

  #beginnings(at: number, field: number, place: number): Reading[] {
    const isOwn = place === this.#own[field]!.place
    const found = isOwn ? this.#table.values[at]![field] : this.#valueIn(at, field, place)
    const values = found ? this.#byLines(found, field) : []
    return [
      ...values.map((reading) => ({ ...reading, place, firstLine: 0, printed: 0 })),
      ...this.#asPrinted(at, field, place).filter(
        ({ cell }) => !values.some((known) => known.cell.value === cell.value),
      ),
    ]
  }

  /**
   * What stands in a place as it stands there: «50+10» where a rate is asked for, «Monday» where a day is. Of what stands
   * above a group («Delivery note 338104 of 3 June – Kitchen») its pieces. `printed` says which piece it is.
   */
  #asPrinted(at: number, field: number, place: number): Reading[] {
    const asked = this.#fields[field]!
    const words = this.#parts.wordsAt(this.#table.rows[at]!, place) ?? []
    if (asked.element.format !== 'text' || words.length === 0 || words.length > mostPrinted) return []
    // A day is one, however it is printed.
    const isRead = asksForWords(asked) || (asked.kind === 'date' && this.#valueIn(at, field, place) !== undefined)
    const pieces = place === aboveGroup ? piecesOf(words) : isRead ? [] : [words]
    const found = new Map<string, Reading>()
    for (const [index, taken] of pieces.entries()) {
      const value = printedText(taken)
      if (value === '' || found.has(value)) continue
      found.set(value, { cell: { value, words: [...taken] }, place, firstLine: 0, lines: 0, printed: index + 1 })
    }
    return [...found.values()]
  }

  /**
   * The column of a sub-field and its parts, then all others that have something for it in the first rows and do not only
   * announce numbers («Bill No.»); what has no column of its own may be a part of any.
   */
  places(field: number): number[] {
    const own = this.#own[field]!.place
    const rows = [...this.#table.rows.keys()].slice(0, sampledRows)
    const columns = this.#table.header?.columns ?? []
    // What has a column of its own is not said below another one.
    const below = own >= 0 || this.#isOneText() ? [] : [...columns.keys()].map(belowOf)
    const parts = (own >= 0 ? [own] : [...columns.keys()]).flatMap((column) => this.#parts.ofColumn(column))
    const others = [...columns.keys(), aboveGroup, ...below, ...parts].filter((place) => {
      if (place === own || !mayAnswer(columns[columnOfPlace(place)]?.text ?? '', this.#fields[field]!)) return false
      const cells = rows.flatMap((at) => this.#cellIn(at, field, place) ?? [])
      const isThere = isPart(place) ? this.#saysOtherwise(rows, field, place) : cells.length > 0
      return isThere && !announceNumbers(cells.map(({ value }) => String(value)))
    })
    return [own, ...others]
  }

  /** In which share of the rows what a part of a column leaves out has the answer to a sub-field that asks for no words. */
  #restAnswers(field: number, place: number): number {
    if (!isPart(place)) return NaN
    const key = `${field} ${place}`
    let found = this.#rests.get(key)
    if (found === undefined) {
      const rows = [...this.#table.rows.keys()].slice(0, sampledRows)
      const own = rows.filter((at) => this.#cellIn(at, field, place) !== undefined)
      const answered = own.filter((at) => this.#isAnsweredBeside(at, field, place))
      this.#rests.set(key, (found = answered.length / Math.max(1, own.length)))
    }
    return found
  }

  #isAnsweredBeside(at: number, field: number, place: number): boolean {
    const words = new Set(this.#cellIn(at, field, place)!.words)
    return this.#fields.some((other, index) => {
      if (index === field || asksForWords(other) || other.element.format === 'boolean') return false
      const cell = this.#cellIn(at, index, columnOfPlace(place))
      return cell !== undefined && !cell.words.some((word) => words.has(word))
    })
  }

  /** Whether a part of a column says something that the column as a whole does not. */
  #saysOtherwise(rows: readonly number[], field: number, place: number): boolean {
    return rows.some((at) => {
      const cell = this.#cellIn(at, field, place)
      return cell !== undefined && cell.value !== this.#cellIn(at, field, columnOfPlace(place))?.value
    })
  }

  /** What a place has for a sub-field in a row, above a group of rows also what is no value of its kind. */
  #cellIn(at: number, field: number, place: number): CellValue | undefined {
    const found = this.#valueIn(at, field, place)
    return found ?? (place === aboveGroup ? this.#asPrinted(at, field, place)[0]?.cell : undefined)
  }

  /** The value that a place has for a sub-field in a row; of the first rows it is asked for several times. */
  #valueIn(at: number, field: number, place: number): CellValue | undefined {
    const read = (): CellValue | undefined => {
      if (isBelow(place)) return this.#furtherLines(at, field, place)[0]?.cell
      const words = this.#parts.wordsAt(this.#table.rows[at]!, place)
      return cellValue(this.#fields[field]!, words, this.#context.evidence)
    }
    if (at >= countedRows) return read()
    const key = `${at} ${field} ${place}`
    let found = this.#cells.get(key)
    if (found === undefined) this.#cells.set(key, (found = read() ?? null))
    return found ?? undefined
  }

  #productWith(at: number, field: number, cell: CellValue): number {
    return productOf(
      this.#table.values[at]!.map((other, index) => (index === field ? cell : other)),
      this.#fields,
    )
  }

  #column(field: number, place: number): Column {
    const own = this.#own[field]!
    if (place === own.place) return own
    const key = `${field} ${place}`
    let found = this.#columns.get(key)
    if (!found) {
      const rows = [...this.#table.rows.keys()]
      const cells = rows.slice(0, countedRows).map((at) => this.#cellIn(at, field, place))
      this.#columns.set(key, (found = columnOf(this.#table, place, cells, this.#context, this.#parts)))
    }
    return found
  }

  /** What a bank prints below a booking is part of its text; where a line of accounts begins is known. */
  #isOneText(): boolean {
    return (this.#isOfBookings && !this.#openTexts.some(Boolean)) || this.#table.way === 'periods'
  }

  /** Lines below the first one of what stands in a column: all from one on, and one alone. */
  #furtherLines(at: number, field: number, place: number): Reading[] {
    const lines = linesOfWords(columnWords(this.#table.rows[at]!, place) ?? [])
    const parts = [...lines.keys()]
      .slice(1, mostFurther + 1)
      .flatMap((firstLine) => [
        { firstLine, lines: 0, taken: lines.slice(firstLine) },
        ...(firstLine < lines.length - 1 ? [{ firstLine, lines: 1, taken: [lines[firstLine]!] }] : []),
      ])
    return parts.flatMap(({ taken, ...part }) => {
      const cell = cellValue(this.#fields[field]!, taken.flat(), this.#context.evidence)
      return cell ? [{ ...part, place, printed: 0, cell: this.#asText(cell, field) }] : []
    })
  }

  /** A text in several lines as one, for sub-fields that ask for words. */
  #asText(cell: CellValue, field: number): CellValue {
    const lines = isText(this.#fields[field]!) ? linesOfWords(cell.words) : []
    return lines.length < 2 ? cell : asOne(lines)
  }

  /** What stands in a cell, and the beginnings of a text in several lines, with how many lines each has, 0 for all. */
  #byLines(cell: CellValue, field: number): Pick<Reading, 'cell' | 'lines'>[] {
    const asked = this.#fields[field]!
    const all = isText(asked) && !this.#isOneText() ? linesOfWords(cell.words) : []
    if (all.length < 2) return [{ cell: this.#asText(cell, field), lines: 0 }]
    const { description } = asked.element
    // «without the small line with the rate»
    const takesRemarks = asksForMore.test(description) && !asksForLess.test(description)
    const lines = takesRemarks ? all : all.slice(0, remarkIn(all))
    const beginnings = [...lines.keys()].slice(1, mostBeginnings + 1)
    // What stands in brackets below explains the text (choose-tables.ts).
    const isWhole = (count: number): boolean =>
      asksForLess.test(description) || !isInBrackets(lines.slice(count).flat())
    return [0, ...beginnings.filter(isWhole)].map((count) => ({
      cell: asOne(count === 0 ? lines : lines.slice(0, count)),
      lines: count,
    }))
  }
}

const asOne = (lines: readonly Word[][]): CellValue => ({ value: flowing(lines), words: lines.flat() })

/**
 * The first line of remarks, which is set in another type than the first one. Of 38 texts that go on so, on papers made
 * by others, all of it was what the row is called in two.
 */
function remarkIn([first, ...further]: readonly (readonly Word[])[]): number {
  const at = further.findIndex((line) => isOtherType(line, first!))
  return at < 0 ? further.length + 1 : at + 1
}

/** Of the size of what stands above; what is smaller is set in another type. */
const smallerType = 0.94

/** Whether a line is set smaller than another one, or is not bold as that is. A scan does not tell types apart. */
export function isOtherType(line: readonly Word[], first: readonly Word[]): boolean {
  const sizeOf = (words: readonly Word[]): number => medianOf(words.map(({ fontSize }) => fontSize)) ?? 0
  const isBold = first.every(({ bold }) => bold)
  return (
    line.every(({ confidence }) => confidence === undefined) &&
    ((isBold && !line.some(({ bold }) => bold)) || sizeOf(line) < smallerType * sizeOf(first))
  )
}

const asksForWords = ({ element, kind }: Field): boolean =>
  element.format === 'text' && (kind === 'text' || kind === 'party')
const isText = ({ element, kind }: Field): boolean => element.format === 'text' && kind !== 'date'

/** A balance is no amount of a booking, whatever another way of reading takes it for. */
export function mayAnswer(head: string, { concept }: Field): boolean {
  return concept !== 'lineAmount' || !meanings(head).includes('balance')
}

/** What all tables of one list are described with. `names` knows the list itself as its only field. */
type Context = {
  labels: Labels
  names: Labels
  facts: Facts
  evidence: Evidence
  leavesOutSums: boolean
}

/** Rows that say whether a column can answer a sub-field, and rows that say what is usual in one. */
const sampledRows = 20
const countedRows = 40
const mostBeginnings = 4
const mostFurther = 3

/** In words: what is taken as it is printed is no paragraph. */
const mostPrinted = 16
/** A heading of more pieces is a sentence. */
const mostPieces = 4

/** A heading as a whole and what its signs part it into, each also without the word that says what it is. */
function piecesOf(words: readonly Word[]): (readonly Word[])[] {
  const parts: Word[][] = [[]]
  for (const word of words) {
    if (/^[-–—|·/:]+$/u.test(word.text)) parts.push([])
    else parts.at(-1)!.push(word)
    if (/[,:;]$/u.test(word.text)) parts.push([])
  }
  const pieces = parts.slice(0, mostPieces).flatMap((part) => [part, part.slice(1), part.slice(1, 2), part.slice(-1)])
  return [words, ...pieces]
}

function printedText(words: readonly Word[]): string {
  return words.length === 0 ? '' : flowing(linesOfWords(words)).replace(/[,:;]$/u, '')
}

/** Lines as one text: «Decken-» and «halterung» are one word, «Beamer-» and «Halterung» keep their hyphen. */
function flowing(lines: readonly Word[][]): string {
  return lines
    .map((line) => textOf(line))
    .reduce((text, next) => {
      if (!/\p{L}-$/u.test(text)) return `${text} ${next}`
      return /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : text + next
    })
}

/** Rows of one group. */
const mostSummed = 30

/** For each row how many rows right below or above it add up to its amount, 0 for none. */
function summedRows({ values }: Table, fields: readonly Field[]): number[] {
  const column = fields.findLastIndex(({ element, kind }) => element.format === 'number' && kind === 'money')
  const cents = values.map((row) => {
    const value = row[column]?.value
    return typeof value === 'number' ? Math.round(value * 100) : NaN
  })
  return cents.map((own, at) => {
    const below = cents.slice(at + 1, at + 1 + mostSummed)
    const above = cents.slice(Math.max(0, at - mostSummed), at).reverse()
    return Math.max(addsUp(own, below), addsUp(own, above))
  })
}

function addsUp(sum: number, rows: readonly number[]): number {
  if (Number.isNaN(sum) || sum === 0) return 0
  let rest = sum
  for (const [count, cents] of rows.entries()) {
    rest -= cents
    if (rest === 0) return count + 1
    if (Number.isNaN(rest) || rest * sum < 0) return 0
  }
  return 0
}

const headingLines = 4
const longestHeading = 8

/** How well one of the short lines above a table names the list, 0..1. */
function headingOf({ header, rows }: Table, names: Labels, lines: ReadonlyMap<number, Line>): number {
  const first = header?.firstLine ?? rows[0]!.lines[0]! - 1
  let best = 0
  for (let at = first; at > first - headingLines; at--)
    for (const { words } of lines.get(at)?.cells ?? [])
      if (words.length <= longestHeading) best = Math.max(best, names.ofText(joined(words)).whole[0]!)
  return best
}

function columnOf(
  { header, rows }: Table,
  place: number,
  values: readonly (CellValue | undefined)[],
  { labels, facts }: Context,
  parts: Parts,
): Column {
  const cells = values.filter((cell) => cell !== undefined)
  const shapes = new Map<string, number>()
  const texts = new Map<string, number>()
  for (const { words } of cells) {
    const text = joined(words)
    shapes.set(shapeOf(text), (shapes.get(shapeOf(text)) ?? 0) + 1)
    texts.set(text, (texts.get(text) ?? 0) + 1)
  }
  const column = header?.columns[columnOfPlace(place)]
  const middle = (list: number[]): number => list.sort((one, other) => one - other)[list.length >> 1] ?? NaN
  return {
    place,
    head: column === undefined ? undefined : labels.ofText(column.text),
    spelling: column === undefined ? undefined : labels.spelling(column.text),
    cells: cells.length,
    filled: cells.length / Math.max(1, values.length),
    words: middle(cells.map(({ words }) => words.length)),
    left: middle(cells.map(({ words }) => leftOf(words))),
    right: middle(cells.map(({ words }) => rightOf(words))),
    widest: Math.max(
      ...rows
        .slice(0, countedRows)
        .flatMap((row) => (parts.wordsAt(row, place) ?? []).map(({ box }) => box.x + box.width)),
    ),
    next: Math.min(...rows.slice(0, countedRows).flatMap((row) => beginOf(row, columnOfPlace(place) + 1))),
    counted: countedShare(values),
    shapes,
    texts,
    sum: sumPrinted(cells, facts),
  }
}

/** Where the words of a column or of the first one behind it begin in a row. */
function beginOf({ cells }: Row, place: number): number[] {
  const next = [...cells.keys()].filter((at) => at >= place).sort((left, right) => left - right)[0]
  return next === undefined ? [] : [leftOf(cells.get(next)!)]
}

function countedShare(values: readonly (CellValue | undefined)[]): number {
  const numbers = values.map((cell) => Number.parseInt(cell?.words[0]?.text ?? '', 10))
  const counted = numbers.filter((number, at) => number === at + 1 || number === (at + 1) * 10).length
  return counted / Math.max(1, values.length)
}

function sumPrinted(cells: readonly CellValue[], { amounts }: Facts): number {
  const numbers = cells.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  if (numbers.length === 0) return NaN
  const cents = Math.abs(Math.round(numbers.reduce((sum, number) => sum + number, 0) * 100))
  // What a single row says is printed there.
  return flag((amounts.get(cents) ?? 0) > (numbers.length === 1 ? 1 : 0))
}

/** How much the words of a line name a sum; several tables ask for the same lines. */
const totals = new Map<string, number>()
const mostTotals = 5000

function totalOf(label: string): number {
  let found = totals.get(label)
  if (found === undefined) {
    if (totals.size > mostTotals) totals.clear()
    totals.set(label, (found = Math.max(...totalScore(meanings(label)))))
  }
  return found
}

function rowFacts(
  table: Table,
  at: number,
  fields: readonly Field[],
  layout: Layout,
  lines: ReadonlyMap<number, Line>,
): RowFacts {
  const row = table.rows[at]!
  const cells = table.values[at]!
  const page = layout.pages.find(({ number }) => number === row.page) ?? layout.pages[0]!
  const own = row.lines.flatMap((index) => lines.get(index) ?? [])
  const used = new Set(cells.flatMap((cell) => cell?.words ?? []))
  const words = own.flatMap(wordsOf)
  const above = table.rows[at - 1]
  const bottom = above && Math.max(...above.lines.flatMap((index) => endOf(lines.get(index)) ?? []))
  const text = own.map((line) => line.text).join(' ')
  const label = text.replace(/[\d.,]+\s*%?|[€$£:()]/gu, ' ')
  return {
    row,
    page,
    filled: cells.filter((cell) => cell !== undefined).length / fields.length,
    unused: words.filter((word) => !used.has(word)).length,
    gap:
      bottom === undefined || above!.page !== row.page || own.length === 0
        ? NaN
        : (own[0]!.box.y - bottom) / page.lineHeight,
    total: totalOf(label),
  }
}

function endOf(line: Line | undefined): number | undefined {
  return line && line.box.y + line.box.height
}

/** Whether quantity × price = amount in a row; NaN where one of them is not asked for or not there. */
export function productOf(cells: readonly (CellValue | undefined)[], fields: readonly Field[]): number {
  const [quantity, price, amount] = ['quantity', 'unitPrice', 'lineAmount'].map((concept) => {
    const value = cells[fields.findIndex((field) => field.concept === concept)]?.value
    return typeof value === 'number' ? value : NaN
  }) as [number, number, number]
  return Number.isNaN(quantity * price * amount) ? NaN : flag(isAmount(quantity * price, amount))
}

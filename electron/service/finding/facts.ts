import type { Document } from '../../../shared/domain/document.ts'
import { legalForm, placeLine, noName, country } from '../extraction/party-words.ts'
import { joined, wordsOf } from '../extraction/layout.ts'
import type { Cell, Layout, Line, Word } from '../extraction/layout.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { periodsOf } from './date-pairs.ts'
import type { Period } from './date-pairs.ts'
import { titleWords } from './kind.ts'
import { Mentions } from './mentions.ts'
import type { Proposal } from './propose.ts'

/** What a document as a whole says that helps to judge single values. */
export type Facts = {
  origin: number
  pages: number
  lines: number
  /** Distinct amounts, as whole cents, with how often each stands there. */
  amounts: ReadonlyMap<number, number>
  largest: number
  /** What cash and change differ by, as cents; none where nothing was paid so. */
  paidCents: ReadonlySet<number>
  /** Amounts that are net, tax or gross of some triple that adds up, with the rate of the tax. */
  arithmetic: ReadonlyMap<number, { net: number; tax: number; gross: number }>
  /** Of the largest amounts, those that are the sum of two others of them, and those that are part of such a sum. */
  sums: { of: ReadonlySet<number>; parts: ReadonlySet<number>; among: ReadonlySet<number> }
  /** Amounts that are the sum of the figures above them in their column. */
  columnSums: ReadonlySet<Cell>
  dates: readonly string[]
  dateCounts: ReadonlyMap<string, number>
  /** By the number of a line: where its dates begin. */
  datePlaces: ReadonlyMap<number, readonly number[]>
  /** The periods that dates open and close, and how many begin one below another by where they begin. */
  periods: ReadonlyMap<Proposal, Period>
  periodPlaces: ReadonlyMap<number, number>
  /** What kind of paper the document calls itself. */
  titles: ReadonlySet<string>
  textCounts: ReadonlyMap<string, number>
  /** How many words are written like one another and begin, or end, below one another (`columnKeys`). */
  columnCounts: ReadonlyMap<string, number>
  /** Where names stand, with and without their legal form. */
  mentions: Mentions
  /** The names in e-mail and web addresses, without what comes behind the last point. */
  domains: ReadonlySet<string>
  /** Lines that look like the end of an address (postcode and town). */
  placeLines: ReadonlySet<number>
  /** Lines with several figures in cells of their own, as rows of tables have them. */
  tableLines: ReadonlySet<number>
}

const origins = ['text', 'ocr', 'sheet', 'flow'] as const
/** Pairs of amounts are looked at, so their number is bounded; the largest hold the totals. */
const mostAmounts = 90
/** How many rows above a total are added up at most. */
const mostSummed = 40

/** Reads the facts of a document from its layout and from the numbers and dates that were proposed. */
export function readFacts(
  document: Document,
  layout: Layout,
  numbers: readonly Proposal[],
  dates: readonly Proposal[],
  paidCents: ReadonlySet<number>,
): Facts {
  const amounts = new Map<number, number>()
  for (const one of numbers) {
    const cents = centsOf(one)
    if (cents !== null) amounts.set(cents, (amounts.get(cents) ?? 0) + 1)
  }
  const dateCounts = new Map<string, number>()
  for (const one of dates) dateCounts.set(String(one.value), (dateCounts.get(String(one.value)) ?? 0) + 1)
  const datePlaces = new Map<number, number[]>()
  for (const { line, words } of dates) listAt(datePlaces, line.index).push(words[0]!.box.x)
  const periods = periodsOf(dates)
  const periodPlaces = new Map<number, number>()
  for (const [date, { first }] of periods) {
    const place = columnOf(date)
    if (date === first) periodPlaces.set(place, (periodPlaces.get(place) ?? 0) + 1)
  }
  const textCounts = new Map<string, number>()
  for (const line of layout.lines)
    for (const cell of line.cells) {
      const key = fold(cell.text)
      textCounts.set(key, (textCounts.get(key) ?? 0) + 1)
    }
  return {
    origin: origins.indexOf(document.pages[0]?.origin ?? 'text'),
    pages: document.pages.length,
    lines: layout.lines.length,
    amounts,
    largest: [...amounts.keys()].reduce((most, cents) => Math.max(most, cents), 0),
    paidCents,
    arithmetic: triples([...amounts.keys()]),
    sums: sumsOfTwo([...amounts.keys()]),
    columnSums: columnSums(numbers),
    dates: [...dateCounts.keys()].sort(),
    dateCounts,
    datePlaces,
    periods,
    periodPlaces,
    titles: titleWords(layout),
    textCounts,
    columnCounts: columnCountsOf(layout),
    mentions: new Mentions(layout),
    domains: domainsOf(layout),
    placeLines: new Set(
      layout.lines.filter((line) => line.cells.some((cell) => isPlace(cell))).map((line) => line.index),
    ),
    tableLines: tableLinesOf(layout.lines),
  }
}

/** The list of a key, which is made where there is none yet. */
function listAt<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  let list = lists.get(key)
  if (!list) lists.set(key, (list = []))
  return list
}

function columnCountsOf(layout: Layout): Map<string, number> {
  const counts = new Map<string, number>()
  for (const page of layout.pages)
    for (const word of page.lines.flatMap(wordsOf))
      for (const key of columnKeys(page.number, word, word)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Names what stands in one column by how it is written and where it begins, and by where it ends. */
export function columnKeys(page: number, first: Word, last: Word): [left: string, right: string] {
  const place = (x: number): number => Math.round(x * 200)
  return [
    `${page} < ${place(first.box.x)} ${spelling(first.text)}`,
    `${page} > ${place(last.box.x + last.box.width)} ${spelling(last.text)}`,
  ]
}

/** How a word is written: «12.50» and «7.00» alike, «Total» and «Amount» too. */
function spelling(text: string): string {
  return text
    .slice(0, 24)
    .replace(/\p{L}+/gu, 'a')
    .replace(/\d+/g, '9')
}

/** Where a value begins, in hundredths of the page's width: what stands below one another begins at the same. */
export function columnOf(proposal: Proposal): number {
  return Math.round(proposal.words[0]!.box.x * 100)
}

/** An amount as whole cents, when it is printed with two decimals. */
export function centsOf(proposal: Proposal): number | null {
  if (typeof proposal.value !== 'number' || proposal.shape !== 'number') return null
  const text = joined(proposal.words)
  return /[.,]\s?\d{2}(?!\d)/.test(text) || proposal.words[0]?.stored !== undefined
    ? Math.round(Math.abs(proposal.value) * 100)
    : null
}

function triples(all: readonly number[]): Map<number, { net: number; tax: number; gross: number }> {
  const sorted = all
    .filter((cents) => cents > 0)
    .sort((left, right) => right - left)
    .slice(0, mostAmounts)
  const known = new Set(sorted)
  const found = new Map<number, { net: number; tax: number; gross: number }>()
  const at = (cents: number): { net: number; tax: number; gross: number } => {
    let entry = found.get(cents)
    if (!entry) found.set(cents, (entry = { net: NaN, tax: NaN, gross: NaN }))
    return entry
  }
  for (const gross of sorted) {
    for (const net of sorted) {
      const tax = gross - net
      // no tax on sales is above 30 %
      if (tax <= 0 || tax > 0.31 * net || !known.has(tax)) continue
      const rate = tax / net
      at(gross).gross = rate
      at(net).net = rate
      at(tax).tax = rate
    }
  }
  return found
}

/** Among more of them sums are chance. */
const mostSums = 10

/** «Total 6 % 12.97», «Total 0 % 18.08», «Total payable 31.05»: what is part of another sum is not what it all comes to. */
function sumsOfTwo(all: readonly number[]): Facts['sums'] {
  const largest = all
    .filter((cents) => cents > 0)
    .sort((left, right) => right - left)
    .slice(0, mostSums)
  const among = new Set(largest)
  const isPart = (cents: number, sum: number): boolean => cents < sum && among.has(sum - cents)
  const of = largest.filter((sum) => largest.some((cents) => isPart(cents, sum)))
  const parts = largest.filter((cents) => of.some((sum) => isPart(cents, sum)))
  return { of: new Set(of), parts: new Set(parts), among }
}

/** Cells whose amount is the sum of at least two amounts right above them in the same column. */
function columnSums(numbers: readonly Proposal[]): Set<Cell> {
  const columns = new Map<string, Proposal[]>()
  for (const one of numbers) {
    if (centsOf(one) === null) continue
    const right = one.words.at(-1)!.box
    const key = `${one.page.number} ${Math.round((right.x + right.width) * 100)}`
    listAt(columns, key).push(one)
  }
  const found = new Set<Cell>()
  for (const column of columns.values()) {
    for (let at = 2; at < column.length; at++) {
      const total = centsOf(column[at]!)!
      let sum = 0
      for (let above = at - 1; above >= Math.max(0, at - mostSummed); above--) {
        sum += centsOf(column[above]!)!
        if (sum === total && above < at - 1) found.add(column[at]!.cell)
        if (sum > total) break
      }
    }
  }
  return found
}

function domainsOf(layout: Layout): Set<string> {
  const found = new Set<string>()
  for (const line of layout.lines) {
    for (const word of wordsOf(line)) {
      const match = /(?:@|www\.|https?:\/\/(?:www\.)?)([\p{L}\d.-]+)\.\p{L}{2,}/u.exec(word.text)
      const name = match?.[1]?.split('.').at(-1)
      if (name && name.length >= 3) found.add(fold(name).replace(/[^a-z0-9]/g, ''))
    }
  }
  return found
}

export function isPlace(cell: Cell): boolean {
  return placeLine.test(cell.text) || country.test(cell.text)
}

export function isNoName(cell: Cell): boolean {
  return noName.test(cell.text)
}

export function hasLegalForm(text: string): boolean {
  return legalForm.test(text)
}

/** Lines with three and more cells, two of them figures. */
function tableLinesOf(lines: readonly Line[]): Set<number> {
  const rows = lines.filter(
    (line) => line.cells.length >= 3 && line.cells.filter((cell) => /^[\d.,'\s€$£%-]+$/.test(cell.text)).length >= 2,
  )
  return new Set(rows.map((line) => line.index))
}

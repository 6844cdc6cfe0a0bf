import { isKindWord } from '../service/finding/kind.ts'
import { codesOf, countsOf, namesKind } from './page-facts.ts'
import type { PageFacts, Placed, Title } from './page-facts.ts'
import { kindWordsOf } from './profiles.ts'
import type { Kinds } from './profiles.ts'

/** A page with what is only compared between pages. */
export type CutPage = {
  facts: PageFacts
  kinds: Float64Array
  head: Zone
  foot: Zone
  all: Zone
  title: Title | undefined
  opening: string
  closing: string
  /** Long numbers, amounts and places (postcodes) in the opening. */
  codes: ReadonlySet<string>
  amounts: number
  places: number
}

/** Words of a part of a page, to look up what stands where. */
type Zone = { placed: readonly Placed[]; byRow: ReadonlyMap<number, readonly Placed[]> }

/** Head and foot of a page, as shares of its height. */
const [headEnd, footStart] = [0.3, 0.88]
/** What stands in one place on two pages stands there as exactly as this; scans shift. */
const [reachX, rowHeight] = [0.015, 0.015]
/** How many words of a page are compared by their places. */
const maxPlaced = 700

export function readForCuts(facts: PageFacts, kinds: Kinds): CutPage {
  const opening = countsOf(facts.lines.slice(0, openingLines))
  const openingEnd = facts.lines[Math.min(openingLines, facts.lines.length) - 1]?.box.y ?? 0
  const lines = facts.lines.map(({ text }) => text.toLowerCase())
  return {
    facts,
    kinds: kinds.of(kindWordsOf(facts)),
    head: zoneOf(facts.placed.filter(({ y }) => y < headEnd)),
    foot: zoneOf(facts.placed.filter(({ y }) => y > footStart)),
    all: zoneOf(facts.placed),
    title: titleOf(facts),
    opening: lines.slice(0, edgeLines).join('\n').slice(0, maxEdge),
    closing: lines.slice(-edgeLines).join('\n').slice(-maxEdge),
    codes: codesOf(facts.placed.filter(({ y }) => y <= openingEnd + rowHeight)),
    amounts: opening.amounts,
    places: opening.places,
  }
}

/** A page that goes on shows so in its first lines; a new paper says there whose it is. */
const openingLines = 6

/** Where a page is carried forward, and where a letter ends. */
const [edgeLines, maxEdge] = [12, 1500]

function zoneOf(placed: readonly Placed[]): Zone {
  const kept = placed.slice(0, maxPlaced)
  const byRow = new Map<number, Placed[]>()
  for (const one of kept) {
    const row = Math.round(one.y / rowHeight)
    const others = byRow.get(row)
    if (others) others.push(one)
    else byRow.set(row, [one])
  }
  return { placed: kept, byRow }
}

/** The largest title that names a kind of paper, else the largest text that is larger than most. */
function titleOf({ titles }: PageFacts): Title | undefined {
  const naming = titles.filter(namesKind)
  const from = naming.length > 0 ? naming : titles.filter(({ size }) => size > 1.15)
  return from.reduce<Title | undefined>((best, title) => (!best || title.size > best.size ? title : best), undefined)
}

/** A boundary: the page before it, the page behind it, and the page that the part begins with. */
export type Boundary = { before: CutPage; behind: CutPage; first: CutPage; since: number; pages: number; at: number }

type Feature = readonly [name: string, of: (boundary: Boundary) => number]

/** Words that carry a page forward, and those that close a paper, in lower case. */
const carried = new RegExp(
  [
    String.raw`ubertrag|übertrag|carried|brought forward|report(?:é|e)?\b|à reporter|suma y sigue|suma anterior`,
    String.raw`riporto|transport\b|over te brengen|zwischensumme|sous-total|subtotal|fortsetzung|continued`,
    String.raw`suite\b|continuaci|continua\b|vervolg`,
  ].join('|'),
)
const closes = new RegExp(
  [
    String.raw`grüßen|grüssen|sincerely|regards|salutations|saludos|saluti|groeten|unterschrift|signature`,
    String.raw`firma\b|total|summe|gesamt|zahlbar|fällig|payable|due\b|à payer|betalen|pagare|thank you`,
    String.raw`vielen dank|merci|gracias|grazie|bedankt`,
  ].join('|'),
)
const numberWords = new Set(['nr', 'id', 'reference', 'code'])

export const cutFeatures: readonly Feature[] = [
  ['number: steps on', ({ before, behind }) => difference(numberOf(behind), numberOf(before))],
  ['number behind', ({ behind }) => numberOf(behind)],
  ['number before is the last', ({ before }) => isLast(before)],
  ['number behind is the last', ({ behind }) => isLast(behind)],
  ['number: of as many', ({ before, behind }) => sameTotal(before, behind)],
  ['number fits the first page', ({ behind, first, since }) => difference(numberOf(behind), numberOf(first)) - since],
  ['bare number: steps on', ({ before, behind }) => difference(anyNumber(behind), anyNumber(before))],
  ['bare number behind', ({ behind }) => anyNumber(behind)],
  ['page before has a number', ({ before }) => Number(before.facts.number !== null)],
  ['pages so far are as many as it says', ({ first, since }) => soManyAs(first, since)],
  ['title behind: size', ({ behind }) => behind.title?.size ?? 0],
  ['title behind: height', ({ behind }) => behind.title?.y ?? NaN],
  ['title behind names a paper', ({ behind }) => Number(behind.title !== undefined && namesKind(behind.title))],
  ['title before names a paper', ({ before }) => Number(before.title !== undefined && namesKind(before.title))],
  ['title of the first names a paper', ({ first }) => Number(first.title !== undefined && namesKind(first.title))],
  ['title is that before', ({ before, behind }) => sameTitle(before, behind)],
  ['title is that of the first', ({ first, behind }) => sameTitle(first, behind)],
  ['title behind against the first: size', ({ first, behind }) => (behind.title?.size ?? 0) / (first.title?.size ?? 1)],
  ['kinds agree', ({ before, behind }) => agreement(before, behind)],
  ['kind of the first', ({ first, behind }) => agreement(first, behind)],
  ['kind behind is sure', ({ behind }) => behind.kinds.reduce((most, share) => Math.max(most, share), 0)],
  ['labels: number is the same', ({ before, behind }) => labelled(before, behind, true).same],
  ['labels: number is another', ({ before, behind }) => labelled(before, behind, true).other],
  ['labels: value is the same', ({ before, behind }) => labelled(before, behind, false).same],
  ['labels: value is another', ({ before, behind }) => labelled(before, behind, false).other],
  ['labels of the first: number is the same', ({ first, behind }) => labelled(first, behind, true).same],
  ['labels of the first: number is another', ({ first, behind }) => labelled(first, behind, true).other],
  ['labels of the first: value is the same', ({ first, behind }) => labelled(first, behind, false).same],
  ['labels of the first: value is another', ({ first, behind }) => labelled(first, behind, false).other],
  ['number of the paper is the same', ({ first, behind }) => ofPaper(first, behind).same],
  ['number of the paper is another', ({ first, behind }) => ofPaper(first, behind).other],
  ['dates are the same', ({ first, behind }) => compareLabels(first, behind, isDate).same],
  ['dates are others', ({ first, behind }) => compareLabels(first, behind, isDate).other],
  ['codes in the opening', ({ behind }) => behind.codes.size],
  ['codes in the opening that are on the first', ({ first, behind }) => shared(behind.codes, first.facts.codes)],
  ['codes in the opening that are before', ({ before, behind }) => shared(behind.codes, before.facts.codes)],
  ['amounts in the opening', ({ behind }) => behind.amounts],
  ['places in the opening', ({ behind }) => behind.places],
  ['page: figures in place', ({ first, behind }) => inPlace(behind.all, first.all).figures],
  ['page: figures changed in place', ({ first, behind }) => inPlace(behind.all, first.all).changed],
  ['labels behind', ({ behind }) => behind.facts.labelled.size],
  ['labels before', ({ before }) => before.facts.labelled.size],
  ['head: words in place', ({ before, behind }) => inPlace(behind.head, before.all).words],
  ['head: figures in place', ({ before, behind }) => inPlace(behind.head, before.all).figures],
  ['head: figures changed in place', ({ before, behind }) => inPlace(behind.head, before.all).changed],
  ['head of the first: words in place', ({ first, behind }) => inPlace(behind.head, first.all).words],
  ['head of the first: figures in place', ({ first, behind }) => inPlace(behind.head, first.all).figures],
  ['head of the first: figures changed in place', ({ first, behind }) => inPlace(behind.head, first.all).changed],
  ['head of the first is there', ({ first, behind }) => inPlace(first.head, behind.all).words],
  ['foot: words in place', ({ before, behind }) => inPlace(behind.foot, before.foot).words],
  ['foot of the first: words in place', ({ first, behind }) => inPlace(behind.foot, first.foot).words],
  ['page: words in place', ({ first, behind }) => inPlace(behind.all, first.all).words],
  ['words that are there before', ({ before, behind }) => shared(behind.facts.words, before.facts.words)],
  ['words that are on the first', ({ first, behind }) => shared(behind.facts.words, first.facts.words)],
  ['words of the first that are there', ({ first, behind }) => shared(first.facts.words, behind.facts.words)],
  ['ids that are there before', ({ before, behind }) => shared(behind.facts.ids, before.facts.ids)],
  ['ids that are on the first', ({ first, behind }) => shared(behind.facts.ids, first.facts.ids)],
  ['ids behind', ({ behind }) => behind.facts.ids.size],
  ['words behind', ({ behind }) => behind.facts.words.size],
  ['words before', ({ before }) => before.facts.words.size],
  [
    'shape',
    ({ before, behind }) => ratio(before.facts.width / before.facts.height, behind.facts.width / behind.facts.height),
  ],
  ['width', ({ before, behind }) => ratio(before.facts.width, behind.facts.width)],
  ['origin is the same', ({ before, behind }) => Number(before.facts.origin === behind.facts.origin)],
  ['was recognised', ({ behind }) => Number(behind.facts.origin === 'ocr')],
  ['size of type', ({ before, behind }) => ratio(before.facts.fontSize, behind.facts.fontSize)],
  ['size of type of the first', ({ first, behind }) => ratio(first.facts.fontSize, behind.facts.fontSize)],
  ['left edge', ({ before, behind }) => Math.abs(before.facts.left - behind.facts.left)],
  ['top edge', ({ before, behind }) => behind.facts.top - before.facts.top],
  ['how full before', ({ before }) => bodyEnd(before)],
  ['how full behind', ({ behind }) => bodyEnd(behind)],
  ['carried forward before', ({ before }) => Number(carried.test(before.closing))],
  ['carried forward behind', ({ behind }) => Number(carried.test(behind.opening))],
  ['closes before', ({ before }) => Number(closes.test(before.closing))],
  ['head of a table goes on', ({ before, behind }) => sharedHeads(before, behind)],
  ['rows before', ({ before }) => before.facts.counts.rows],
  ['rows behind', ({ behind }) => behind.facts.counts.rows],
  ['places in the head behind', ({ behind }) => behind.facts.counts.places],
  ['places before', ({ before }) => before.facts.counts.places],
  ['dates behind', ({ behind }) => behind.facts.counts.dates],
  ['amounts behind', ({ behind }) => behind.facts.counts.amounts],
  ['first line goes on', ({ behind }) => Number(/^[a-zà-ÿ(]/.test(firstText(behind)))],
  ['numbers of rows go on', ({ before, behind }) => rowsGoOn(before, behind)],
  ['pages since the first', ({ since }) => since],
  ['pages', ({ pages }) => pages],
  ['pages left', ({ pages, at }) => pages - at],
]

/** What says whether a document begins with page `at`, where the one before it begins with page `start` (from 0). Pure. */
export function cutRow(pages: readonly CutPage[], start: number, at: number): Float32Array {
  const boundary: Boundary = {
    before: pages[at - 1]!,
    behind: pages[at]!,
    first: pages[start]!,
    since: at - start,
    pages: pages.length,
    at,
  }
  return Float32Array.from(cutFeatures, ([, of]) => of(boundary))
}

function numberOf({ facts: { number } }: CutPage): number {
  return number === null || number.isBare ? NaN : number.number
}

function anyNumber({ facts: { number } }: CutPage): number {
  return number?.number ?? NaN
}

function isLast({ facts: { number } }: CutPage): number {
  return number === null || number.of === null ? NaN : number.of - number.number
}

function sameTotal({ facts: one }: CutPage, { facts: other }: CutPage): number {
  const [left, right] = [one.number?.of ?? null, other.number?.of ?? null]
  return left === null || right === null ? NaN : Number(left === right)
}

function soManyAs({ facts: { number } }: CutPage, since: number): number {
  return number === null || number.of === null ? NaN : number.of - since
}

function difference(one: number, other: number): number {
  return one - other
}

function sameTitle(one: CutPage, other: CutPage): number {
  if (!one.title || !other.title) return NaN
  return Number(one.title.words.join(' ') === other.title.words.join(' '))
}

function agreement(one: CutPage, other: CutPage): number {
  return one.kinds.reduce((sum, share, kind) => sum + Math.sqrt(share * other.kinds[kind]!), 0)
}

type Compared = { same: number; other: number }

function labelled(one: CutPage, other: CutPage, onlyNumbers: boolean): Compared {
  return compareLabels(one, other, (words) => words.some((word) => numberWords.has(word)) === onlyNumbers)
}

/** The number that a paper has itself: its label names the paper («Invoice No.», «Rechnung»). */
function ofPaper(one: CutPage, other: CutPage): Compared {
  return compareLabels(one, other, (words) => words.some(isKindWord) && !words.includes('date'))
}

function isDate(words: readonly string[]): boolean {
  return words.includes('date')
}

/** How many values behind the same labels are the same on two pages, and how many are not. */
function compareLabels(one: CutPage, other: CutPage, isWanted: (words: readonly string[]) => boolean): Compared {
  let [same, differing] = [0, 0]
  for (const [label, value] of other.facts.labelled) {
    const before = one.facts.labelled.get(label)
    if (before === undefined || !isWanted(label.split(' '))) continue
    if (before === value) same++
    else differing++
  }
  return { same, other: differing }
}

type InPlace = { words: number; figures: number; changed: number }

/** Which share of a page's words stands in the same place on another, and how many figures do or changed there. */
function inPlace(zone: Zone, other: Zone): InPlace {
  let [words, found, figures, changed] = [0, 0, 0, 0]
  for (const one of zone.placed) {
    const there = standsThere(one, other)
    if (!one.hasDigit) {
      words++
      if (there?.key === one.key) found++
    } else if (there?.key === one.key) figures++
    else if (there?.hasDigit === true) changed++
  }
  return { words: words === 0 ? NaN : found / words, figures, changed }
}

/** What stands where a word stands; the same word before any other. */
function standsThere(one: Placed, { byRow }: Zone): Placed | undefined {
  const row = Math.round(one.y / rowHeight)
  let found: Placed | undefined
  for (let near = row - 1; near <= row + 1; near++)
    for (const other of byRow.get(near) ?? []) {
      if (Math.abs(other.x - one.x) > reachX) continue
      if (other.key === one.key) return other
      if (Math.abs(other.y - one.y) < rowHeight / 2) found ??= other
    }
  return found
}

function shared(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return NaN
  let found = 0
  for (const word of words) if (others.has(word)) found++
  return found / words.size
}

function ratio(one: number, other: number): number {
  return Math.abs(Math.log(Math.max(1e-6, one) / Math.max(1e-6, other)))
}

/** Where the last line above the foot stands. */
function bodyEnd({ facts: { lines } }: CutPage): number {
  return lines.reduce((lowest, { box }) => (box.y < footStart ? Math.max(lowest, box.y) : lowest), 0)
}

function sharedHeads(before: CutPage, behind: CutPage): number {
  let count = 0
  for (const key of behind.facts.heads.keys()) if (before.facts.heads.has(key)) count++
  return count
}

function firstText({ facts: { lines } }: CutPage): string {
  return lines[0]?.text ?? ''
}

/** Rows that are numbered go on behind the page: 1, or 0 where they begin anew, or nothing where they are not. */
function rowsGoOn(before: CutPage, behind: CutPage): number {
  const last = rowNumbers(before).at(-1)
  const next = rowNumbers(behind)[0]
  if (last === undefined || next === undefined) return NaN
  return Number(next === last + 1)
}

function rowNumbers({ facts: { lines } }: CutPage): number[] {
  return lines.flatMap(({ cells }) => {
    const text = cells[0]?.words[0]?.text ?? ''
    return cells.length >= 3 && /^\d{1,3}\.?$/.test(text) ? [Number.parseInt(text, 10)] : []
  })
}

import { concepts, partySides } from '../extraction/concepts.ts'
import type { Field, Side } from '../extraction/field.ts'
import { cellsBelow, joined, overlapX, positionOf, unionBox } from '../extraction/layout.ts'
import type { Cell, LayoutPage, Line, Word } from '../extraction/layout.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { currencyWords, stopWords } from '../extraction/lexicon.ts'
import { isKnownWord, meanings, meaningsOfEach, surfaceWords } from '../extraction/words.ts'
import { maxBy } from '../extraction/max-by.ts'
import { PhraseIndex } from '../extraction/likeness.ts'
import { abbreviates, spelledLike } from './spelling.ts'

/** Words that stand near a value and may name it, with how much they are like each field of the schema. */
export type Label = {
  words: readonly string[]
  letters: number
  colon: boolean
  hasDigit: boolean
  /** The number that a form gives it («16 State wages»), in small letters. */
  number: string | undefined
  /** For each field: likeness of all the words, of the last few, and of the words to the field's own name, 0..1. */
  whole: Float32Array
  ending: Float32Array
  named: Float32Array
  /** The highest of them, for comparing a field with the others. */
  mostWhole: Most
  mostEnding: Most
  /** For each field: the same as `ending` without its limit, where a label has few of the field's words, 0..1. */
  part: Float32Array
  /** How the words are spelled beside the name of each field. */
  spelling: Spelling
  /** For each field that asks for the first or last day of something: likeness to that without its ends, and to its name. */
  span: Float32Array
  namedSpan: Float32Array
  /** The known term that the words name best, and how well. */
  term: string | undefined
  termScore: number
  /** The same of its last words, whichever of them name one best. */
  endTerm: string | undefined
  endTermScore: number
  side: Side | undefined
}

/** The highest likeness to a field, and to any other than that. */
type Most = { field: number; most: number; next: number }

function mostOf(likeness: Float32Array): Most {
  const found = { field: -1, most: 0, next: 0 }
  for (let field = 0; field < likeness.length; field++) {
    const own = likeness[field]!
    if (own > found.most) Object.assign(found, { field, most: own, next: found.most })
    else if (own > found.next) found.next = own
  }
  return found
}

/** The highest likeness to other fields than one. */
export function mostOfOthers({ field, most, next }: Most, than: number): number {
  return field === than ? next : most
}

/** For each field how much a text is spelled like its name, 0..1, and how many letters of it abbreviate it. */
export type Spelling = { alike: Float32Array; letters: Float32Array }

/** How often the document says the same as the label left of a value, above it and over its column. */
type Times = { leftTimes: number; aboveTimes: number; headTimes: number }

/** The labels around one place: what is not there is undefined. */
export type Surroundings = Times & {
  before: Label | undefined
  left: Label | undefined
  /** Cells between the value and the label left of it, and the distance in em. */
  leftSteps: number
  leftGap: number
  above: Label | undefined
  aboveCell: Cell | undefined
  aboveGap: number
  /** How many cells of its line begin where cells of the line with the label above it begin, and of the line below. */
  columnsShared: number
  columnsUnder: number
  head: Label | undefined
  headSteps: number
  /** What names the row and what names the column together («Summe», «Stunden»), where both are there. */
  cross: Label | undefined
  heading: Label | undefined
  headingLines: number
  /** For each field the share of its words that the line holds, and the line above. */
  onLine: Float32Array
  lineAbove: Float32Array
  /** The nearest cell above that names one of the parties, and how many lines it is away. */
  over: SideOver | null
  below: Label | undefined
  after: Label | undefined
  own: Label
}

type SideOver = { side: Side; lines: number }
type Term = { id: string; side?: Side }
/** Words of a cell. */
type Stretch = { page: LayoutPage; line: Line; cell: Cell; from: number; to: number }

const terms = new PhraseIndex<Term>()
for (const [id, concept] of Object.entries(concepts)) {
  const term = { id }
  for (const text of [...concept.names, ...concept.labels]) terms.add(meanings(text), term)
}
for (const side of ['seller', 'buyer', 'delivery'] as const) {
  const term = { id: side, side }
  for (const text of partySides[side].labels) terms.add(meanings(text), term)
}

const longestLabel = 14
/** What asks for one end of a period; «flight start» without it is what «Flight Dates» names. */
const endWords = new Set(['start', 'end', 'first', 'last', 'date', 'day'])
/** What is said of a party has no more lines, its name no more words. */
const farthestSide = 16
const longestSide = 6
/** Letters; longer is no name of a row or column. */
const longestCross = 120

function spelledWords(text: string): string[] {
  return surfaceWords(text).filter((word) => /\p{L}/u.test(word) && !stopWords.has(word))
}

/** Finds and keeps the labels of one document for the fields of one schema. */
export class Labels {
  readonly #count: number
  /** The words of each field's name as they are spelled. */
  readonly #names: string[][]
  readonly #phrases = new PhraseIndex<{ field: number; weight: number; isName: boolean }>()
  readonly #spans = new PhraseIndex<{ field: number; weight: number; isName: boolean }>()
  readonly #byText = new Map<string, Label>()
  readonly #spellings = new Map<string, Spelling>()
  readonly #bySpan = new Map<Cell, Map<number, Surroundings>>()
  readonly #sides = new Map<Cell, SideOver | null>()
  readonly #heads = new Map<Cell, { cell: Cell; steps: number } | null>()
  readonly #shared = new Map<Line, Map<Line, number>>()
  readonly #covered = new Map<Line, Float32Array>()
  readonly #textCounts: ReadonlyMap<string, number>

  /** `textCounts`: how often each text of a cell stands in the document (Facts). */
  constructor(fields: readonly Field[], textCounts: ReadonlyMap<string, number> = new Map()) {
    this.#count = fields.length
    this.#names = fields.map(({ element: { name } }) => spelledWords(name))
    this.#textCounts = textCounts
    fields.forEach((one, field) =>
      one.phrases.forEach(({ words, weight }, place) =>
        this.#phrases.add(words, { field, weight, isName: place === 0 }),
      ),
    )
    fields.forEach(({ role, phrases }, field) => {
      if (role !== 'range-start' && role !== 'range-end') return
      phrases.forEach(({ words, weight }, place) => {
        const span = words.filter((word) => !endWords.has(word))
        if (span.length > 0) this.#spans.add(span, { field, weight, isName: place === 0 })
      })
    })
  }

  /** What stands around the words `from` to `to` of a cell. */
  around({ page, line, cell, from, to }: Stretch): Surroundings {
    const key = from * 4096 + to
    let known = this.#bySpan.get(cell)
    if (!known) this.#bySpan.set(cell, (known = new Map()))
    let found = known.get(key)
    if (!found) known.set(key, (found = this.#look(page, line, cell, from, to)))
    return found
  }

  of(words: readonly Word[]): Label | undefined {
    const text = joined(words.slice(-longestLabel))
    return text === '' ? undefined : this.ofText(text)
  }

  ofText(text: string): Label {
    let label = this.#byText.get(text)
    if (!label) this.#byText.set(text, (label = this.#score(text)))
    return label
  }

  /** How a text is spelled beside the name of each field. */
  spelling(text: string): Spelling {
    let found = this.#spellings.get(text)
    if (!found) {
      const words = spelledWords(text)
      const alike = Float32Array.from(this.#names, (name) => spelledLike(words, name))
      found = { alike, letters: Float32Array.from(this.#names, (name) => abbreviates(words, name)) }
      this.#spellings.set(text, found)
    }
    return found
  }

  #look(page: LayoutPage, line: Line, cell: Cell, from: number, to: number): Surroundings {
    const left = leftLabel(line, cell)
    // Two columns that stand close are one cell: what is over the words themselves is over the value.
    const box = unionBox(cell.words.slice(from, to).map((word) => word.box))
    const above = cellAbove(page, line, { ...cell, box })
    const head = this.#headOf(page, line, cell)
    const heading = headingOf(page, line, cell)
    const under = cellsBelow(page, cell, 1.6)[0]
    return {
      before: this.of(cell.words.slice(0, from)),
      left: this.#ofCell(left?.cell),
      leftSteps: left?.steps ?? NaN,
      leftGap: gapLeft(page, cell, left?.cell),
      above: this.#ofCell(above),
      aboveCell: above,
      aboveGap: gapAbove(page, cell, above),
      ...this.#timesOf({ left: left?.cell, above, head: head?.cell }),
      columnsShared: this.#columnsOver(page, line, above),
      columnsUnder: this.#columnsUnder(page, line),
      head: this.#ofCell(head?.cell),
      headSteps: head?.steps ?? NaN,
      cross: this.#crossOf(left?.cell, head?.cell),
      heading: this.#ofCell(heading?.cell),
      headingLines: heading?.lines ?? NaN,
      onLine: this.#coveredBy(line),
      lineAbove: this.#coveredBy(lineAbove(page, line, 1)),
      over: this.#sideOver(page, line, cell),
      below: this.#ofCell(under),
      after: this.of(cell.words.slice(to, to + 4)),
      own: this.ofText(joined(cell.words.slice(from, to).slice(0, longestLabel))),
    }
  }

  #ofCell(cell: Cell | undefined): Label | undefined {
    return cell && this.of(cell.words)
  }

  #crossOf(left: Cell | undefined, head: Cell | undefined): Label | undefined {
    return left && head && this.ofText(`${left.text} ${head.text}`.slice(0, longestCross))
  }

  #timesOf(labels: Record<'left' | 'above' | 'head', Cell | undefined>): Times {
    const times = (cell: Cell | undefined): number => (cell ? (this.#textCounts.get(fold(cell.text)) ?? 1) : NaN)
    return { leftTimes: times(labels.left), aboveTimes: times(labels.above), headTimes: times(labels.head) }
  }

  /** How many cells of a line begin where one begins in the line that holds `above`. */
  #columnsOver(page: LayoutPage, line: Line, above: Cell | undefined): number {
    return above ? this.#columns(page, page.lines[positionOf(page, above.line)]!, line) : NaN
  }

  /** For each field the share of its words that a line holds, whatever else it says, 0..1. */
  #coveredBy(line: Line | undefined): Float32Array {
    const known = line && this.#covered.get(line)
    if (known) return known
    const found = new Float32Array(this.#count)
    this.#phrases.each(meanings(line?.text ?? ''), ({ field, weight }, _, { covered }) => {
      found[field] = Math.max(found[field]!, weight * covered)
    })
    if (line) this.#covered.set(line, found)
    return found
  }

  #columns(page: LayoutPage, upper: Line, lower: Line): number {
    let known = this.#shared.get(lower)
    if (!known) this.#shared.set(lower, (known = new Map()))
    let count = known.get(upper)
    if (count === undefined) known.set(upper, (count = sharedColumns(page, upper, lower)))
    return count
  }

  /** The same of a line and the one right below it. */
  #columnsUnder(page: LayoutPage, line: Line): number {
    const next = lineAbove(page, line, -1)
    if (!next || next.box.y - line.box.y - line.box.height > page.lineHeight) return 0
    return this.#columns(page, line, next)
  }

  /** The party whose block a cell stands in by the nearest cell above that names one («Bill to»). */
  #sideOver(page: LayoutPage, line: Line, cell: Cell): SideOver | null {
    const known = this.#sides.get(cell)
    if (known !== undefined) return known
    let found: SideOver | null = null
    for (let lines = 1; lines <= farthestSide && !found; lines++) {
      const above = lineAbove(page, line, lines)
      if (!above) break
      const over = above.cells.find(
        (other) => overlapX(other.box, cell.box) > 0.3 || Math.abs(other.box.x - cell.box.x) < 1.5 * page.em,
      )
      const side = over && over.words.length <= longestSide ? sideOf(this.of(over.words)) : undefined
      if (side) found = { side, lines }
    }
    this.#sides.set(cell, found)
    return found
  }

  /** The first cell with words above a column of figures. */
  #headOf(page: LayoutPage, line: Line, cell: Cell): { cell: Cell; steps: number } | null {
    const known = this.#heads.get(cell)
    if (known !== undefined) return known
    const above = cellAbove(page, line, cell)
    let found: { cell: Cell; steps: number } | null = null
    if (above && isWords(above)) found = { cell: above, steps: 0 }
    else if (above) {
      const aboveLine = page.lines.find((one) => one.index === above.line)
      const further = aboveLine ? this.#headOf(page, aboveLine, above) : null
      found = further && { cell: further.cell, steps: further.steps + 1 }
    }
    this.#heads.set(cell, found)
    return found
  }

  #score(text: string): Label {
    const surface = text.split(' ')
    const each = meaningsOfEach(text)
    const words = each[0]!
    const endings = [1, 2, 3, 4]
      .filter((length) => length < surface.length)
      .map((length) => meanings(surface.slice(-length).join(' ')))
    const whole = new Float32Array(this.#count)
    const ending = new Float32Array(this.#count)
    const named = new Float32Array(this.#count)
    const part = new Float32Array(this.#count)
    const span = new Float32Array(this.#count)
    const namedSpan = new Float32Array(this.#count)
    for (const one of each)
      this.#phrases.each(one, ({ field, weight, isName }, score, { covered, meant }) => {
        whole[field] = Math.max(whole[field]!, weight * score)
        part[field] = Math.max(part[field]!, weight * covered * meant)
        if (isName) named[field] = Math.max(named[field]!, score)
      })
    ending.set(whole)
    for (const one of [words, ...endings])
      this.#spans.each(one, ({ field, weight, isName }, score) => {
        span[field] = Math.max(span[field]!, weight * score)
        if (isName) namedSpan[field] = Math.max(namedSpan[field]!, score)
      })
    for (const one of endings)
      this.#phrases.each(one, ({ field, weight }, score, { covered, meant }) => {
        ending[field] = Math.max(ending[field]!, weight * score)
        part[field] = Math.max(part[field]!, weight * covered * meant)
      })
    const best = maxBy(each.map(bestTerm), (one) => one?.score ?? 0) ?? termOfLast(surface.at(-1)!)
    const atEnd = maxBy(endings.map(bestTerm), (one) => one?.score ?? 0)
    return {
      words,
      letters: text.replace(/[^\p{L}]/gu, '').length,
      colon: /:\s*$/.test(text),
      hasDigit: /\d/.test(text),
      number: /^\(?(\d{1,3}[a-z]?|[a-z])[.):]?(?:\s|$)/iu.exec(text)?.[1]?.toLowerCase(),
      whole,
      ending,
      named,
      mostWhole: mostOf(whole),
      mostEnding: mostOf(ending),
      part,
      spelling: this.spelling(text),
      span,
      namedSpan,
      term: best?.term.id,
      termScore: best?.score ?? 0,
      endTerm: atEnd?.term.id,
      endTermScore: atEnd?.score ?? 0,
      side: best?.side,
    }
  }
}

type BestTerm = { term: Term; score: number; side: Side | undefined }

const mostKnown = 20_000
const bestTerms = new Map<string, BestTerm | undefined>()

/**
 * The term that words name best; where a party is named as well as that one is («Seller»), its side too. Labels end
 * alike and are the same on all papers, so what was looked up is kept.
 */
function bestTerm(words: readonly string[]): BestTerm | undefined {
  const key = words.join(' ')
  if (bestTerms.has(key)) return bestTerms.get(key)
  const best = lookUpTerm(words)
  if (bestTerms.size > mostKnown) bestTerms.clear()
  bestTerms.set(key, best)
  return best
}

function lookUpTerm(words: readonly string[]): BestTerm | undefined {
  let best: BestTerm | undefined
  terms.each(words.slice(0, 6), (term, score) => {
    if (score > (best?.score ?? 0)) best = { term, score, side: term.side }
    else if (best && score === best.score) best.side ??= term.side
  })
  return best
}

/** «OMB No. 1124-0003; Expires»: the last word names something where all of them do not, if no party. */
function termOfLast(word: string): BestTerm | undefined {
  const plain = fold(word).replace(/[^a-z]/g, '')
  const best = plain.length > 3 && !stopWords.has(plain) ? bestTerm(meanings(word)) : undefined
  return best && { ...best, side: undefined }
}

/** The known term that words are exactly the name of; undefined for none. */
export function termOf(words: readonly string[]): string | undefined {
  const best = bestTerm(words)
  return best && best.score > 0.99 ? best.term.id : undefined
}

const wordy = new WeakMap<Cell, boolean>()

/** A cell that says something in words («VAT 20 %») rather than being a value itself, or its currency. */
function isWords(cell: Cell): boolean {
  let known = wordy.get(cell)
  if (known === undefined) wordy.set(cell, (known = saysSomething(cell.text)))
  return known
}

function saysSomething(text: string): boolean {
  const words = surfaceWords(text).filter((word) => /^\p{L}/u.test(word))
  if (words.length === 1 && currencyWords.has(words[0]!)) return false
  const letters = text.replace(/[^\p{L}]/gu, '').length
  if (letters >= 2 && letters * 2 > text.replace(/\s/g, '').length) return true
  const [opening = ''] = text.split(' ')
  return opensRate.test(text) && words.includes(fold(opening)) && isKnownWord(fold(opening))
}

/** «VAT 20 %», «MWST 8,1 % von 4'176.65»: as many figures as letters, and still what names an amount. */
const opensRate = /^\p{L}{2,}\.? (?:\p{L}+ )?\d{1,2}(?:[.,]\d{1,2})? ?%/u

const farthestLabel = 5

function leftLabel(line: Line, cell: Cell): { cell: Cell; steps: number } | undefined {
  const at = line.cells.indexOf(cell)
  for (let index = at - 1; index >= 0 && at - index <= farthestLabel; index--) {
    const left = line.cells[index]!
    if (isWords(left)) return { cell: left, steps: at - index - 1 }
  }
  return undefined
}

function lineAbove(page: LayoutPage, line: Line, by: number): Line | undefined {
  return page.lines[positionOf(page, line.index) - by]
}

/** How far a cell stands from the one left of it, in em. */
function gapLeft(page: LayoutPage, cell: Cell, left: Cell | undefined): number {
  return left ? (cell.box.x - left.box.x - left.box.width) / Math.max(page.em, 1e-4) : NaN
}

/** The same to the one above, in lines. */
function gapAbove(page: LayoutPage, cell: Cell, above: Cell | undefined): number {
  return above ? (cell.box.y - above.box.y - above.box.height) / page.lineHeight : NaN
}

/** Counts the cells of two lines that begin at the same place; both go from left to right. */
function sharedColumns(page: LayoutPage, upper: Line, lower: Line): number {
  let count = 0
  let at = 0
  for (const { box } of lower.cells) {
    while (at < upper.cells.length && upper.cells[at]!.box.x < box.x - page.em / 2) at++
    if (at < upper.cells.length && upper.cells[at]!.box.x < box.x + page.em / 2) count++
  }
  return count
}

const highestGap = 12

/** The nearest cell above that stands over this one. */
function cellAbove(page: LayoutPage, line: Line, cell: Cell): Cell | undefined {
  for (let by = 1; by <= highestGap; by++) {
    const above = lineAbove(page, line, by)
    if (!above || cell.box.y - above.box.y > highestGap * page.lineHeight) return undefined
    const over = above.cells.find(
      (other) => overlapX(other.box, cell.box) > 0.3 || Math.abs(other.box.x - cell.box.x) < page.em,
    )
    if (over) return over
  }
  return undefined
}

/** What opens the block in which a cell stands: the cell above its first line, or that first line itself. */
function headingOf(page: LayoutPage, line: Line, cell: Cell): { cell: Cell; lines: number } | undefined {
  let current = cell
  let currentLine = line
  for (let lines = 1; lines <= 6; lines++) {
    const above = lineAbove(page, currentLine, 1)
    const over = above?.cells.find((other) => Math.abs(other.box.x - cell.box.x) < 1.5 * page.em)
    if (!above || !over || current.box.y - over.box.y > 3 * Math.max(page.lineHeight, current.box.height))
      return lines > 1 ? { cell: current, lines: lines - 1 } : undefined
    current = over
    currentLine = above
    if (over.text.endsWith(':')) return { cell: over, lines }
  }
  return { cell: current, lines: 6 }
}

/** Whether a text names one of the parties as whole («Bill to», «Kunde»). */
export function sideOf(label: Label | undefined): Side | undefined {
  return label && label.termScore > 0.8 ? label.side : undefined
}

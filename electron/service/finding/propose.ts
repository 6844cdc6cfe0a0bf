import { isValidIBAN } from 'ibantools'
import type { Value } from '../../../shared/domain/result.ts'
import { booleanCandidates, optionCandidates } from '../extraction/check-marks.ts'
import type { Candidate } from '../extraction/check-marks.ts'
import type { ValueKind } from '../extraction/concept.ts'
import type { Evidence } from '../extraction/evidence.ts'
import { isKnownLabel, rateAskedFor } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import { cellsBelow, joined, overlapX, textOf, unionBox, wordsOf } from '../extraction/layout.ts'
import type { Cell, Layout, LayoutPage, Line, Word } from '../extraction/layout.ts'
import { asBirth, findDates, parseCurrency, parseNumber } from '../extraction/parse-value.ts'
import { legalForm } from '../extraction/party-words.ts'
import { placeParts } from '../extraction/place-parts.ts'
import { bicPattern, postcodePattern, timePattern, vatPattern, wordsAt } from '../extraction/read-value.ts'
import { sentenceAnswers } from '../extraction/sentences.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { stopWords } from '../extraction/lexicon.ts'
import { meanings, surfaceWords } from '../extraction/words.ts'
import { termOf } from './labels.ts'
import { openingOf } from '../extraction/periods.ts'
import type { Box } from '../../../shared/domain/document.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** A stretch of words that may be the answer to a field, and the value that they spell. */
export type Proposal = {
  value: Exclude<Value, null>
  words: Word[]
  page: LayoutPage
  line: Line
  cell: Cell
  /** Where the stretch begins and ends among the words of its cell. */
  from: number
  to: number
  shape: Shape
  /** The last cell of what stands on several lines. */
  last?: Cell
  /** Of boxes to tick: how much the words beside the box are those of the field, 0..1. */
  statement?: number
}

/** What was recognised in a stretch; the judge knows it by its place in the list. */
export const shapes = [
  'number',
  'percent',
  'date',
  'code',
  'cell',
  'rest',
  'part',
  'block',
  'pattern',
  'mark',
  'option',
  'place',
] as const
export type Shape = (typeof shapes)[number]

/** Which readings can answer each kind of field. More would only cost time: the judge decides. */
const readingsOf: Readonly<Record<ValueKind, readonly Reader[]>> = {
  money: [numbers],
  number: [numbers, percents],
  percent: [percents, numbers],
  date: [dates],
  code: [codes, texts],
  iban: [patterns, brokenIbans],
  bic: [patterns],
  vatid: [patterns, codes],
  currency: [currencies],
  email: [patterns],
  phone: [patterns],
  url: [patterns],
  party: [texts, longNames, companies],
  address: [texts, addresses],
  postcode: [partsOfPlaces, patterns],
  city: [texts, partsOfPlaces],
  state: [texts, partsOfPlaces],
  time: [patterns],
  text: [texts, blocks, codes, dates],
  boolean: [],
}

/** Kinds whose values may be any words, also those of a label. */
const namedKinds: ReadonlySet<ValueKind> = new Set(['text', 'party', 'address', 'city', 'state'])

/** «for», «of the»: small words alone are a part of a label, and no value. */
function isSmallWords({ words }: Proposal): boolean {
  const own = surfaceWords(textOf(words))
  return own.length > 0 && own.every((word) => word.length > 1 && stopWords.has(word))
}

/**
 * What says no more than the name of the field is its label («Vessel» for «vessel_name»), not its value. A type is
 * called by such words («Invoice» for «invoice_type»).
 */
function withoutName({ phrases, role }: Field, found: readonly Proposal[]): Proposal[] {
  const name = new Set(phrases[0]?.words)
  if (role === 'document-type' || name.has('type') || name.has('category')) return [...found]
  return found.filter(
    ({ words }) => words.length > name.size || !meanings(textOf(words)).every((word) => name.has(word)),
  )
}

const asTexts = (found: readonly Proposal[]): Proposal[] =>
  found.map((one) => (typeof one.value === 'number' ? { ...one, value: textOf(one.words) } : one))

const wholeDay = /^(?=.*\d{4})[\p{L}\d\s.,/-]{8,24}$/u

type Reader = (context: Context, kind: ValueKind) => Proposal[]
type Context = { layout: Layout; evidence: Evidence }

/** Finds proposals for fields in one document; what several fields can use is read once. */
export class Proposer {
  readonly #known = new Map<string, Proposal[]>()
  readonly #context: Context

  constructor(layout: Layout, evidence: Evidence) {
    this.#context = { layout, evidence }
  }

  /** Everything that can be the value of a field by its kind alone; no label is looked at. */
  for(field: Field): Proposal[] {
    const { format } = field.element
    if (format === 'boolean') return marks(field, this.#context.layout)
    const asNumber = format === 'number'
    const own = readingsOf[field.kind]
    // «port», «parcel» as texts may be words.
    const asText = field.answer === 'person' ? [...own, names] : own
    const readers = asNumber ? numeric(field.kind) : own.includes(numbers) ? [...own, texts] : asText
    const read = readers.flatMap((reader) => this.#once(reader, field.kind)).filter((one) => !holdsBox(one))
    const found = namedKinds.has(field.kind) ? withoutName(field, read) : read
    if (asNumber)
      return ofRate(
        found.filter((one) => isNumberFor(field, one)),
        field,
        this.#context.layout,
      )
    if (field.concept === 'birthDate')
      return found.map((one) => ({ ...one, value: asBirth(String(one.value), textOf(one.words)) }))
    const { layout } = this.#context
    if (field.isLastFour) return maskedOf(found)
    if (field.allowed) return [...allowedValues(field.allowed, layout), ...ticked(field, layout)]
    if (field.kind === 'text') {
      const own = found.filter((one) => !isSmallWords(one) && !(field.asPrinted && one.shape === 'date'))
      const texts = asTexts([...own, ...ticked(field, layout)])
      return field.asPrinted ? texts : texts.map((one) => this.#asDay(one))
    }
    // A word without a figure is another label, but for codes such as «BC-OCT».
    if (field.kind === 'code') return found.filter((one) => isCodeLike(String(one.value)) && !hasNumberMark(one))
    if (field.kind === 'party') return found.map(withoutRegister)
    return asTexts(found)
  }

  numbers(): Proposal[] {
    return this.#once(numbers, 'money')
  }

  dates(): Proposal[] {
    return this.#once(dates, 'date')
  }

  /** A text that is a day with its whole year and nothing else is given as days are. */
  #asDay(one: Proposal): Proposal {
    const text = String(one.value)
    if (!wholeDay.test(text)) return one
    const [day] = findDates(text, this.#context.evidence.dates)
    return day && day.start === 0 && day.end === text.length ? { ...one, value: day.iso } : one
  }

  #once(reader: Reader, kind: ValueKind): Proposal[] {
    const key = reader === patterns || reader === partsOfPlaces ? `${reader.name} ${kind}` : reader.name
    let found = this.#known.get(key)
    if (!found) this.#known.set(key, (found = reader(this.#context, kind)))
    return found
  }
}

/** A discount of 231 is none in percent; «125 %» says that it is. */
function isNumberFor({ kind }: Field, { value, shape }: Proposal): boolean {
  return typeof value === 'number' && (kind !== 'percent' || shape === 'percent' || value <= mostPercent)
}

const mostPercent = 100

/**
 * What a bill says of one rate stands on a line with it: «20,00 % 569,70 113,94» has the tax and the net amount of the
 * other. Where no line adds up so, all that stands beside the rate may be meant; where the rate stands above its
 * amounts, any; a bill without the rate has neither.
 */
function ofRate(found: readonly Proposal[], field: Field, { text }: Layout): Proposal[] {
  const asked = rateAskedFor(field)
  if (asked === undefined) return [...found]
  const { rate, isSure } = asked
  const printed = new RegExp(String.raw`(?<![\d.,])${String(rate).replace('.', '[.,]')}(?:[.,]?0+)?\s?%`, 'u')
  const isPrinted = printed.test(text)
  // «19,00» under «MwSt-Satz %»
  const rates = isPrinted ? [] : found.filter(({ value }) => value === rate)
  const beside = found.filter((one) => printed.test(one.line.text) || rates.some((other) => isBeside(one, other)))
  if (beside.length === 0) return isSure && !isPrinted ? [] : [...found]
  const isTaxOf = (tax: Proposal, net: Proposal): boolean =>
    Math.abs((Number(net.value) * rate) / 100 - Number(tax.value)) <= roundedCent
  const proven = beside.filter((one) =>
    beside.some((other) => isBeside(one, other) && (field.role === 'net' ? isTaxOf(other, one) : isTaxOf(one, other))),
  )
  return proven.length > 0 ? proven : beside
}

function isBeside(one: Proposal, other: Proposal): boolean {
  return one !== other && one.line === other.line
}

/** Tax may be rounded up or down, and a number is none exactly. */
const roundedCent = 0.011

/** Numbers of which all but the last figures are masked («************2931»); where none is, all that end with four. */
function maskedOf(found: readonly Proposal[]): Proposal[] {
  const masked = found.filter(({ value }) => /[*•xX#]{2,}[\s-]?\d{4}$/u.test(String(value)))
  return masked.length > 0 ? masked : found.filter(({ value }) => /\d{4}$/u.test(String(value)))
}

/** Answers to a yes-or-no field: boxes to tick, yes and no beside the question, and sentences that say it. */
function marks(field: Field, layout: Layout): Proposal[] {
  const answers = [...booleanCandidates(field, layout), ...sentenceAnswers(field, layout)]
  return answers.flatMap((one) => placed(one, layout, 'mark'))
}

/** The texts of the ticked boxes behind a label. */
function ticked(field: Field, layout: Layout): Proposal[] {
  return optionCandidates([field], layout)[0]!.flatMap((one) => placed(one, layout, 'option'))
}

function placed(found: Candidate, layout: Layout, shape: Shape): Proposal[] {
  const first = found.words[0]
  const page = layout.pages.find((one) => one.number === found.page)
  const line = page?.lines.find((one) => one.cells.some((cell) => cell.words.some((word) => word.box === first?.box)))
  const cell = line?.cells.find((one) => one.words.some((word) => word.box === first?.box))
  if (!page || !line || !cell) return []
  const from = cell.words.findIndex((word) => word.box === first!.box)
  const to = Math.min(cell.words.length, from + found.words.length)
  return [{ value: found.value, words: found.words, page, line, cell, from, to, shape, statement: found.label }]
}

/** Where one of the values stands that the description allows. */
function allowedValues(allowed: readonly string[], layout: Layout): Proposal[] {
  const found: Proposal[] = []
  const values = allowed.map((value) => ({ value, plain: ` ${fold(value)} ` }))
  eachCell(layout, (cell, line, page) => {
    // Beside boxes only what is ticked is an answer.
    if (/[☐☒☑□✓✔]/u.test(line.text)) return
    const text = ` ${cell.words.map((word) => withoutEnd(fold(word.text), /[.,;:]/)).join(' ')} `
    for (const { value, plain } of values) {
      const at = text.indexOf(plain)
      if (at < 0) continue
      const from = text.slice(0, at + 1).split(' ').length - 2
      const to = from + value.split(' ').length
      const words = cell.words.slice(from, to)
      if (words.length > 0) found.push({ value, words, page, line, cell, from, to, shape: 'option' })
    }
  })
  return found
}

function numeric(kind: ValueKind): readonly Reader[] {
  return kind === 'percent' || kind === 'number' ? [numbers, percents] : [numbers]
}

function eachCell(layout: Layout, visit: (cell: Cell, line: Line, page: LayoutPage) => void): void {
  for (const page of layout.pages) for (const line of page.lines) for (const cell of line.cells) visit(cell, line, page)
}

/** Numbers as they are printed: thousands set apart by spaces and currencies beside them are joined. */
function numbers({ layout, evidence }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    for (let from = 0; from < words.length; from++) {
      const to = numberEnd(words, from, evidence)
      if (!to) continue
      const run = words.slice(from, to.end)
      // «down payment (EUR 5.814,88) by bank transfer»: what a sentence goes on behind is not negative.
      const isAside = run[0]!.text.startsWith('(') && /^\p{Ll}{2}/u.test(words[to.end]?.text ?? '')
      const value = isAside ? Math.abs(to.value) : to.value
      found.push({ value, words: run, page, line, cell, from, to: to.end, shape: 'number' })
      from = to.end - 1
    }
  })
  return found
}

const longestNumber = 4

function numberEnd(words: readonly Word[], from: number, evidence: Evidence): { end: number; value: number } | null {
  for (let length = Math.min(longestNumber, words.length - from); length >= 1; length--) {
    const run = words.slice(from, from + length)
    if (!canBeOneNumber(textOf(run), words[from + length]?.text)) continue
    const value = numberOf(run, evidence)
    if (value !== null) return { end: from + length, value }
  }
  return null
}

/** Whether words have figures, are no rate, and are not two numbers with a currency behind the second. */
function canBeOneNumber(text: string, behind = ''): boolean {
  if (!/\d/.test(text) || /%/.test(text) || behind.startsWith('%')) return false
  return !/^[\d.,]+ \d[\d.,]* *[€$£]/.test(text) || /^\d{1,3}( \d{3})+/.test(text)
}

/** The number that is printed, or the one that the file stores behind it where the two differ. */
function numberOf(run: readonly Word[], evidence: Evidence): number | null {
  const shown = parseNumber(textOf(run), { ...evidence.numbers, unit: run.length === 1 })
  const stored = run.length === 1 ? run[0]!.stored : undefined
  return stored === undefined || (shown !== null && close(shown, stored)) ? shown : stored
}

function close(shown: number, stored: number): boolean {
  return Math.abs(shown - stored) <= 0.01 + Math.abs(stored) * 0.005
}

function percents({ layout, evidence }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    cell.words.forEach((word, from) => {
      const glued = /^\(?([-+]?[\d.,]+)\s?%/.exec(word.text)
      const apart = !glued && cell.words[from + 1]?.text.startsWith('%') ? /^\(?([-+]?[\d.,]+)$/.exec(word.text) : null
      const text = (glued ?? apart)?.[1]
      const value = text === undefined ? null : parseNumber(text, evidence.numbers)
      if (value === null) return
      const to = from + (glued ? 1 : 2)
      // «19,000 %» has three decimals: there is no rate of nineteen thousand.
      const rate = Math.abs(value) >= 1000 && /^[-+]?\d{1,2}[.,]\d{3}$/.test(text!) ? value / 1000 : value
      found.push({ value: rate, words: cell.words.slice(from, to), page, line, cell, from, to, shape: 'percent' })
    })
  })
  return found
}

function dates({ layout, evidence }: Context): Proposal[] {
  const found: Proposal[] = []
  for (const page of layout.pages) {
    for (const line of page.lines) {
      const words = wordsOf(line)
      if (!words.some((word) => /\d/.test(word.text))) continue
      const text = joined(words)
      for (const date of findDates(text, evidence.dates)) {
        for (const { iso, start, end } of [date, ...openingOf(text, date, evidence)]) {
          const run = wordsAt(words, start, end)
          const cell = line.cells.find((one) => one.words.includes(run[0]!))
          if (!cell) continue
          const from = cell.words.indexOf(run[0]!)
          const to = Math.min(cell.words.length, from + run.length)
          found.push({ value: iso, words: run, page, line, cell, from, to, shape: 'date' })
        }
      }
    }
  }
  return found
}

const codeWord = /^[#(]?[\p{L}\d*•#][\p{L}\d./_\-–:+*•#()]*[,;]?$/u
const longestCode = 5

/** Figures, behind a word with figures or a capital letter first («of article 2» is none), or capitals («BC-OCT»). */
function isCodeLike(text: string): boolean {
  return /^\p{Lu}+[-_]\p{Lu}/u.test(text) || (/\d/.test(text) && /^[^\p{L}\d]*(?:\p{Lu}|\S*\d)/u.test(text))
}

/** Runs of words with figures in them that can be a number of something. */
function codes({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    for (let from = 0; from < words.length; from++) {
      if (!codeWord.test(words[from]!.text)) continue
      for (let to = from + 1; to <= Math.min(words.length, from + longestCode); to++) {
        const last = words[to - 1]!.text
        if (!codeWord.test(last)) break
        const run = words.slice(from, to)
        const text = strippedCode(textOf(run))
        // «SV21 KLM», «QQ 12 34 56 C»
        const isEnd = /\d/.test(last) || (/^[A-Z]{1,3}$/.test(last) && /\d/.test(words[to - 2]?.text ?? ''))
        if (isEnd && /\d/.test(text)) found.push({ value: text, words: run, page, line, cell, from, to, shape: 'code' })
        if (/[,;]$/.test(last)) break
      }
    }
  })
  return found
}

/** «N° BC25-03317»: the rest of it is proposed as well. */
function hasNumberMark({ words: [first] }: Proposal): boolean {
  return /^(?:n[°º]|nr\.?|no\.)$/iu.test(first!.text)
}

function strippedCode(text: string): string {
  return withoutEnd(text, /[,;:.]/)
    .replace(/^[#:]\s*/, '')
    .replace(/^\((.*)\)$/, '$1')
}

/** So many of the first words of a cell may be a label, before the rest. */
const mostFirst = 7

const emptyBox = /^[☐□]$/u

/** «good ☐ Yes»: what stands on both sides of a box is no one value. */
function holdsBox({ value }: Proposal): boolean {
  return typeof value === 'string' && /[☐☒☑□]/u.test(value)
}

/** A cell as a whole, its rest behind each of its first words, and its parts between separators. */
function texts({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    const at = line.cells.indexOf(cell)
    const around = [line.cells[at - 1]?.words.at(-1), ...words, line.cells[at + 1]?.words[0]]
    const add = (from: number, to: number, shape: Shape): void => {
      const run = words.slice(from, to)
      // What has a label in it is no value, but for a cell that is nothing else.
      if (shape !== 'cell' && run.slice(0, -1).some((word) => word.text.endsWith(':'))) return
      // What stands beside an empty box was not chosen.
      if (around.slice(from, to + 2).some((word) => word && emptyBox.test(word.text))) return
      const value = stripped(textOf(run))
      if (/[\p{L}\d]/u.test(value)) found.push({ value, words: run, page, line, cell, from, to, shape })
    }
    add(0, words.length, 'cell')
    const ends = new Set([words.length, labelBehind(words), bracketIn(words), dateIn(words)])
    for (const end of ends) {
      for (let from = 0; from < Math.min(end, mostFirst); from++)
        if (from > 0 || end < words.length) add(from, end, from > 0 ? 'rest' : 'part')
    }
    for (const [from, to] of [...partsOf(words), ...answersIn(words)])
      if (from > 0 || to < words.length) add(from, to, 'part')
  })
  return found
}

/** Of the words that stand before a colon so many at most are its label. */
const mostWordsOfLabel = 3
const mostLabels = 8

/** What stands behind each colon («Bank: First County Bank UTR: 4008229324»), up to where the next label may begin. */
function answersIn(words: readonly Word[]): [number, number][] {
  const colons = words.flatMap((word, at) => (/(?:^|\D):$/u.test(word.text) ? [at] : [])).slice(0, mostLabels)
  if (colons.length === 0 || (colons.length === 1 && colons[0]! < mostFirst)) return []
  return colons.flatMap((at, index): [number, number][] => {
    const next = colons[index + 1]
    if (next === undefined) return [[at + 1, words.length]]
    // In French a colon stands apart from its label.
    const last = words[next]!.text === ':' ? next - 1 : next
    const ends = Array.from({ length: mostWordsOfLabel }, (_, before) => last - before)
    return ends.filter((end) => end > at + 1).map((end) => [at + 1, end])
  })
}

/** Where in a cell another label begins («Hartmann GmbH Invoice Date»), or 0. */
function labelBehind(words: readonly Word[]): number {
  if (words.length < 2 || words.length > 16) return 0
  for (let from = 1; from < words.length; from++) {
    if (!/^\p{Lu}/u.test(words[from]!.text)) continue
    const rest = words.slice(from, from + 3)
    if (termOf(meanings(joined(rest))) !== undefined) return from
  }
  return 0
}

/**
 * «Hartmann GmbH (33722)»: what stands in brackets behind a name is often not part of it, unless the name goes on
 * («Hartmann (Nord) GmbH»). Returns 0 for none.
 */
function bracketIn(words: readonly Word[]): number {
  const at = words.findIndex((word, index) => index > 0 && word.text.startsWith('('))
  if (at < 0) return 0
  const end = words.findIndex((word, index) => index >= at && word.text.endsWith(')'))
  return end >= 0 && legalForm.test(joined(words.slice(end + 1))) ? 0 : at
}

/** Letters; more stand in no brackets of a register. */
const longestRegister = 40

/** The name of a company ends before its number in a register: «Hartmann Paper Sdn Bhd (1248717-W)». */
function withoutRegister(one: Proposal): Proposal {
  if (!one.words.at(-1)!.text.endsWith(')')) return one
  const at = one.words.findLastIndex((word) => word.text.startsWith('('))
  const inside = joined(one.words.slice(Math.max(0, at)))
  const words = one.words.slice(0, Math.max(0, at))
  if (inside.length > longestRegister || !/\d{4}/.test(inside) || !legalForm.test(joined(words))) return one
  return { ...one, words, value: stripped(textOf(words)) }
}

/** Where a day stands behind a text, as in the next column of a narrow table. Returns 0 for none. */
function dateIn(words: readonly Word[]): number {
  return Math.max(
    0,
    words.findIndex((word, index) => index > 0 && /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(word.text)),
  )
}

const dividers = /^[|•●·–—/-]$/u

function partsOf(words: readonly Word[]): [number, number][] {
  const cuts = [0]
  words.forEach((word, index) => {
    if (dividers.test(word.text)) cuts.push(index, index + 1)
    else if (/[,;:|]$/u.test(word.text)) cuts.push(index + 1)
  })
  cuts.push(words.length)
  const parts: [number, number][] = []
  for (let first = 0; first < cuts.length - 1; first++) {
    if (cuts[first + 1]! > cuts[first]!) parts.push([cuts[first]!, cuts[first + 1]!])
    // «Berger, Klaus»: two parts together
    if (cuts[first + 2] !== undefined && cuts[first + 2]! > cuts[first + 1]! && cuts[first + 1]! > cuts[first]!)
      parts.push([cuts[first]!, cuts[first + 2]!])
    if (parts.length > 12) break
  }
  return parts
}

function stripped(text: string): string {
  return withoutEnd(text.replace(/^[:.\-–|=•●_*☒☑☐□✓✔\s]+/u, ''), /[,;:|_☒☑☐□✓✔\s]/u)
}

/** A cell with the lines right under it, as long texts are set. */
function blocks({ layout }: Context): Proposal[] {
  return blocksOf(layout, 4, 4.5)
}

/** A cell with up to `most` of the lines right under it, as far as so many heights of a line. */
function blocksOf(layout: Layout, most: number, heights: number): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const starts = new Set([0, cell.words.findIndex((word) => word.text.endsWith(':')) + 1])
    const under = cellsBelow(page, cell, heights)
    for (const from of starts) {
      if (from >= cell.words.length) continue
      let words = cell.words.slice(from)
      const own = from === 0 ? cell.box : unionBox(words.map((word) => word.box))
      let above = cell
      for (const next of under.slice(0, most)) {
        if (next.box.y - above.box.y > 2.2 * Math.max(above.box.height, page.lineHeight)) break
        if (![own, cell.box, above.box].some((box) => isAligned(next.box, box, page))) break
        words = [...words, ...next.words]
        above = next
        const value = stripped(textOf(words))
        found.push({ value, words, page, line, cell, from, to: cell.words.length, shape: 'block', last: next })
      }
    }
  })
  return found
}

/** Lines of an address under its first; words of one in a sentence. */
const linesOfAddress = 5
const wordsOfAddress = 14

/** Addresses on several lines, and those between other words of a line. */
function addresses({ layout }: Context): Proposal[] {
  const found = blocksOf(layout, linesOfAddress, 2 * linesOfAddress)
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    for (const to of endsOfAddresses(words))
      for (let from = to - 1; from >= Math.max(0, to - wordsOfAddress); from--) {
        if (!canBeginAddress(words, from)) continue
        const run = words.slice(from, to)
        const value = withoutBracketsAndPoint(stripped(textOf(run)))
        if (run.length > 1) found.push({ value, words: run, page, line, cell, from, to, shape: 'place' })
      }
  })
  return found
}

/** «(Am Wall 3a, 76131 Karlsruhe)» and what ends a sentence, without the signs around it; «(EU) Am Wall» keeps them. */
function withoutBracketsAndPoint(text: string): string {
  return text.replace(/(?<!(?:^|\s)\p{L}{1,3})\.$/u, '').replace(/^[(„“"]([^()„”“"]*)[)”“"]?$/u, '$1')
}

/** Behind each town, state and postcode of a cell. What is as short as a label may be is proposed of all texts. */
function endsOfAddresses(words: readonly Word[]): number[] {
  const ends = new Set(placeParts(words).map(({ to }) => to))
  if (words.length <= mostFirst) ends.delete(words.length)
  return [...ends].slice(0, mostEnds)
}

/** No line holds more addresses; a row of numbers is none. */
const mostEnds = 9

/** Whether a word follows a separator, or with a capital or figure a small word («at») or the legal form of a company. */
function canBeginAddress(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]?.text
  const own = words[at]!.text
  if (before === undefined || /[,;:|.]$/u.test(before) || /^[(„“"]/u.test(own)) return true
  const isCapital = /^[\p{Lu}\d]/u.test(own)
  return isCapital && (/^[^\p{Lu}\d]/u.test(before) || nameEnd.test(before))
}

/** Whether two lines of a block begin at one edge, or stand around one middle. */
function isAligned(one: Box, other: Box, page: LayoutPage): boolean {
  const middles = one.x + one.width / 2 - other.x - other.width / 2
  return Math.abs(one.x - other.x) <= 2 * page.em || Math.abs(middles) <= page.em
}

/** Names on two or three lines, or so widely set that each word is a cell, as on signs and over receipts. */
function longNames({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    if (!isPartOfName(cell)) return
    const under = cellsBelow(page, cell, 3).filter((next) => isAligned(next.box, cell.box, page))
    const behind = line.cells.slice(line.cells.indexOf(cell) + 1)
    // «Brightline Electric Co.      INVOICE»: a label far behind a name is none of its words.
    const label = behind.findIndex(({ text }) => isKnownLabel(text))
    if (label >= 0) behind.length = label
    for (const more of [under.slice(0, 2), behind.slice(0, 3)]) {
      let words = cell.words
      for (const last of more) {
        if (!isPartOfName(last)) break
        words = [...words, ...last.words]
        const value = stripped(textOf(words))
        found.push({ value, words, page, line, cell, from: 0, to: cell.words.length, shape: 'block', last })
      }
    }
  })
  return found
}

const mostWordsOfCompany = 6
const nameEnd = new RegExp(`^(?:${legalForm.source})[.,;:]?$`, 'u')
/** What may stand small in a name: «Kolb und Söhne GmbH», and where no article is meant «Bank of Leeds plc». */
const smallWords = [/^(?:&|\+|and|und|et|y|e|en)$/u, /^(?:&|\+|and|und|et|y|e|en|of|de|di|du|des|der|van)$/u]

/** Companies in sentences («Payment to Hartmann Paper Ltd, sort code …»): from a capital letter to the legal form. */
function companies({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    words.forEach((last, at) => {
      if (!nameEnd.test(last.text)) return
      const starts = new Set(smallWords.map((small) => beginOfName(words, at, small)))
      for (const from of starts) {
        const run = words.slice(from, at + 1)
        // «… Hartmann Paper Ltd. Registered in …»: the point ends the sentence.
        const text = textOf(run).replace(/(?<=GmbH|[A-Z]G|Ltd|LLP|LLC|PLC|plc|Limited)\.$/u, '')
        if (from < at && run.length < words.length)
          found.push({ value: stripped(text), words: run, page, line, cell, from, to: at + 1, shape: 'part' })
      }
    })
  })
  return found
}

/** Where the name begins that ends with this word; `small` are words in it that need no capital. */
function beginOfName(words: readonly Word[], end: number, small: RegExp): number {
  let from = end
  while (from > 0 && end - from < mostWordsOfCompany) {
    const { text } = words[from - 1]!
    // What ends with a sign ends something else.
    const isName = /^[\p{Lu}\d(]/u.test(text) && !/[,;:!?]$/u.test(text) && !endsSentence.test(text)
    if (!isName && !small.test(text)) break
    from--
  }
  while (from < end && small.test(words[from]!.text)) from++
  return from
}

/** «Lupe Armijo» in «LUPE ARMIJO 3302», in «Signed: L. Adonis, PrQS» and in «… asks Ms Anna de Vries to …». */
function names({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const { words } = cell
    for (let at = 0; at < words.length; at++) {
      if (!partOfName.test(words[at]!.text)) continue
      const to = endOfName(words, at)
      // «Advisor Lupe Armijo»: the first word may be a label.
      const hasLabel = to - at > 2 && partOfName.test(words[at + 1]!.text)
      for (const from of hasLabel ? [at, at + 1] : [at]) {
        // A cell as a whole, and the rest of it behind its first words, are proposed of all texts.
        if (to === words.length && from < mostFirst) continue
        const run = words.slice(from, to)
        const value = withoutBracketsAndPoint(stripped(textOf(run)))
        found.push({ value, words: run, page, line, cell, from, to, shape: 'part' })
      }
      at = to - 1
    }
  })
  return found
}

const partOfName = /^[(„“"]?\p{Lu}[\p{L}.'’-]*[,;:)”“"]*$/u
const betweenNames =
  /^(?:de[nrls]?|du|d['’]|van|von|vom|zu[rm]?|di|da|das|del|della|dos?|la|las|le|los|el|op|te|te[nr]|’t|'t|af|bin|binti)$/u

/** Where a name ends that begins with this word: behind a sign, or before what is no part of one. */
function endOfName(words: readonly Word[], from: number): number {
  let to = from
  for (let at = from; at < words.length && at - from < longestPerson; at++) {
    const { text } = words[at]!
    if (partOfName.test(text)) to = at + 1
    else if (!betweenNames.test(text)) break
    if (/[,;:)”“"]$/u.test(text) || endsSentence.test(text)) break
  }
  return to
}

/** «… signed by Tom Bell. The board …»; not «Dr.», «L.». */
const endsSentence = /\p{Ll}{3}\.$/u

/** In words. */
const longestPerson = 7
const mostWordsOfName = 5

/** A few words without figures. */
function isPartOfName({ words, text }: Cell): boolean {
  return words.length <= mostWordsOfName && /[\p{L}&]/u.test(text) && !/[\d:]/.test(text)
}

const kindPatterns: Partial<Record<ValueKind, RegExp>> = {
  iban: /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b/gu,
  bic: new RegExp(bicPattern.source, 'gu'),
  vatid: new RegExp(vatPattern.source, 'gu'),
  email: /[\p{L}0-9._%+-]{1,64}\s?@\s?[\p{L}0-9.-]{1,80}\.\p{L}{2,}/gu,
  url: /(?:https?:\/\/|www\.)[^\s,;]+|\b[a-z0-9-]{1,63}\.(?:com|de|fr|es|ch|at|nl|it|be|net|org|eu|co\.uk|io|info|biz)\b(?:\/\S*)?/giu,
  phone: /(?:\+|00)?\(?\d[\d\s()/.\-–]{5,22}\d/gu,
  time: new RegExp(timePattern.source, 'giu'),
  postcode: new RegExp(postcodePattern.source, 'gu'),
}

/** Days with a whole year and times of day made blank: they are made of figures and signs as telephone numbers are. */
function withoutTimes(text: string): string {
  return text.replace(
    /(?<![\d./-])(?:\d{1,2}([./-])\d{1,2}\1(?:19|20)\d{2}|(?:19|20)\d{2}([./-])\d{1,2}\2\d{1,2}|\d{1,2}:\d{2}(?::\d{2})?)(?![./-]?\d)/g,
    (match) => '·'.repeat(match.length),
  )
}

/** «1:50» is a scale. */
const colonTime = /\b(?:[01]\d|2[0-3]):[0-5]\d(?!\d)|\b\d:[0-5]\d\s?[ap]\.?m/iu
const pointTime = /^\d{1,2}\.\d{2}$/u
const hours = /^\s?(?:uhr|h)(?!\p{L})/iu

/** An IBAN that goes on in the line below: its check digits prove it. */
function brokenIbans({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    const begun = /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]){0,30}$/u.exec(joined(cell.words))
    if (!begun || isValidIBAN(compact(begun[0]))) return
    const from = cell.words.length - begun[0].split(' ').length
    // Lines of other columns may stand between.
    const at = page.lines.indexOf(line)
    const below = page.lines.slice(at + 1, at + 1 + linesBelow).flatMap(({ cells }) => cells)
    for (const { words } of below.filter(({ box }) => overlapX(box, cell.box) > 0)) {
      const end = words.findIndex((_, last) => isValidIBAN(compact(begun[0] + textOf(words.slice(0, last + 1)))))
      if (end < 0) continue
      const rest = words.slice(0, end + 1)
      const run = [...cell.words.slice(from), ...rest]
      const value = withoutEnd(`${begun[0]} ${textOf(rest)}`, /[.,;)]/)
      found.push({ value, words: run, page, line, cell, from, to: cell.words.length, shape: 'pattern' })
    }
  })
  return found
}

const linesBelow = 3
const compact = (iban: string): string => iban.replace(/[^A-Z0-9]/gu, '')

function patterns({ layout }: Context, kind: ValueKind): Proposal[] {
  const pattern = kindPatterns[kind]
  const found: Proposal[] = []
  // Where one time of day is printed with a colon, «12.36» is an amount.
  const hasColons = kind === 'time' && colonTime.test(layout.text)
  if (pattern) {
    eachCell(layout, (cell, line, page) => {
      const text = joined(cell.words)
      for (const match of (kind === 'phone' ? withoutTimes(text) : text).matchAll(pattern)) {
        const run = wordsAt(cell.words, match.index, match.index + match[0].length)
        const isAmount = hasColons && pointTime.test(match[0]) && !hours.test(text.slice(match.index + match[0].length))
        if (run.length === 0 || isAmount) continue
        const from = cell.words.indexOf(run[0]!)
        const half = kind === 'time' && run.at(-1) === cell.words.at(-1) ? halfOfDay(line, cell, match[0]) : []
        const value = [match[0].replace(/[.,;]$/, ''), ...half.map((word) => word.text)]
          .join(' ')
          .replace(/\s+/g, ' ')
          .trim()
        found.push({ value, words: [...run, ...half], page, line, cell, from, to: from + run.length, shape: 'pattern' })
      }
    })
  }
  return found
}

/** «5:23      PM»: what is set apart from a time of day and belongs to it. */
function halfOfDay(line: Line, cell: Cell, time: string): Word[] {
  const next = line.cells[line.cells.indexOf(cell) + 1]?.words[0]
  return next && /^[ap]\.?m\.?$/iu.test(next.text) && /\d$/.test(time) ? [next] : []
}

function currencies({ layout }: Context): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    cell.words.forEach((word, from) => {
      const value = word.text.length <= 14 ? parseCurrency(word.text) : null
      if (value === null) return
      found.push({ value, words: [word], page, line, cell, from, to: from + 1, shape: 'pattern' })
    })
  })
  return found
}

/** Towns, states and postcodes in addresses. */
function partsOfPlaces({ layout }: Context, kind: ValueKind): Proposal[] {
  const found: Proposal[] = []
  eachCell(layout, (cell, line, page) => {
    for (const { part, from, to } of placeParts(cell.words)) {
      if (part !== kind) continue
      const words = cell.words.slice(from, to)
      const value = withoutBrackets(stripped(textOf(words)))
      found.push({ value, words, page, line, cell, from, to, shape: 'place' })
    }
  })
  return found
}

function withoutBrackets(text: string): string {
  return text.replace(/^\((.*)\)$/u, '$1')
}

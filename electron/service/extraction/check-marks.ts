import type { Value } from '../../../shared/domain/result.ts'
import type { Field } from './field.ts'
import { likeness } from './likeness.ts'
import { findWindows, labelScorer, type Window } from './labels.ts'
import { cellsBelow, joined, wordsOf, type Layout, type Line, type Word } from './layout.ts'
import { parseBoolean, parseCheckMark } from './parse-value.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { meanings, weightOf } from './words.ts'

/** An answer that boxes to tick or words of a question give, and how well what stands beside them names the field. */
export type Candidate = {
  value: Exclude<Value, null>
  words: Word[]
  page: number
  score: number
  label: number
}

/** A box to tick with the words that belong to it. */
type Option = { checked: boolean; words: Word[]; mark: Word[]; at: number; line: Line }

/** Answers to yes-or-no fields: ticked boxes beside their text, yes/no pairs, and the words themselves. */
export function booleanCandidates(field: Field, layout: Layout): Candidate[] {
  const wanted = wordingsOf(field)
  const found: Candidate[] = []
  const perLine = new Map<number, Option[]>()
  for (const line of layout.lines) {
    const options = optionsOf(line)
    perLine.set(line.index, options)
    for (const option of options) {
      if (answerOf(option) !== null) continue
      const score = statementScore(joined(option.words), wanted)
      if (score >= 0.6)
        found.push({
          value: option.checked,
          words: [...option.mark, ...option.words],
          page: line.page,
          score,
          label: score,
        })
    }
  }
  const scorer = labelScorer([{ ...field, phrases: wanted.map((words) => ({ words, weight: 1 })) }])
  for (const window of findWindows(layout)) {
    const label = Math.max(
      scorer(window.words)[0]! * window.trust,
      window.shape === 'whole'
        ? 0.95 * statementScore(joined(window.cell.words.slice(window.from, window.to)), wanted)
        : 0,
    )
    if (label < 0.6) continue
    const answer = answerBeside(window, layout, perLine)
    if (answer) found.push({ ...answer, page: window.page.number, score: label * 0.98, label })
  }
  return found.sort((left, right) => right.score - left.score)
}

/** For a text field whose label is followed by boxes to tick: the text of the ticked ones. */
export function optionCandidates(fields: readonly Field[], layout: Layout): Candidate[][] {
  const found: Candidate[][] = fields.map(() => [])
  const marked = new Map<number, Option[]>()
  for (const line of layout.lines) {
    const options = optionsOf(line)
    if (options.length > 0) marked.set(line.index, options)
  }
  if (marked.size === 0) return found
  const scorer = labelScorer(fields)
  for (const window of findWindows(layout)) {
    const scores = scorer(window.words)
    for (let index = 0; index < fields.length; index++) {
      const label = scores[index]! * window.trust
      if (
        label < 0.7 ||
        fields[index]!.element.format !== 'text' ||
        !['text', 'party', 'code'].includes(fields[index]!.kind)
      )
        continue
      const options = optionsAfter(window, marked)
      const ticked = options.filter((option) => option.checked && option.words.length > 0)
      if (options.length < 2 || ticked.length === 0) continue
      const words = ticked.flatMap((option) => option.words)
      const value = ticked.map((option) => joined(option.words)).join(', ')
      found[index]!.push({ value, words, page: window.page.number, score: label, label })
    }
  }
  return found
}

function optionsAfter(window: Window, marked: ReadonlyMap<number, Option[]>): Option[] {
  const position = window.cell.words[window.to - 1]!.box.x
  const behind = wordsOf(window.line).filter((word) => word.box.x > position)
  const own = (marked.get(window.line.index) ?? []).filter((option) => option.mark[0]!.box.x >= position)
  // The boxes belong to the label directly before them.
  const same = own[0] && (behind[0] === own[0].mark[0] || behind[0] === own[0].words[0]) ? own : []
  if (same.length > 0) return [...same, ...followers(window, marked, same[0]!.mark[0]!.box.x)]
  return followers(window, marked)
}

/** Boxes on the lines directly below, as long as each line begins with one. */
function followers(window: Window, marked: ReadonlyMap<number, Option[]>, x?: number): Option[] {
  const found: Option[] = []
  for (let index = window.line.index + 1; index < window.line.index + 9; index++) {
    const line = window.page.lines.find((one) => one.index === index)
    const options = marked.get(index) ?? []
    if (!line || options.length === 0 || options[0]!.at > 0) break
    if (x !== undefined && Math.abs(options[0]!.mark[0]!.box.x - x) > 2 * window.page.em) break
    found.push(...options)
  }
  return found
}

type Answer = Pick<Candidate, 'value' | 'words'>

/** The answer that the boxes or words beside, behind or below a label give. */
function answerBeside(window: Window, layout: Layout, perLine: ReadonlyMap<number, Option[]>): Answer | undefined {
  const position = window.cell.words[window.to - 1]!.box
  const inLine = (perLine.get(window.line.index) ?? []).filter((option) => option.mark[0]!.box.x >= position.x)
  const pair = pairAnswer(inLine)
  if (pair !== 'none') return pair
  const next = layout.lines.find((line) => line.index === window.line.index + 1 && line.page === window.line.page)
  if (inLine.length === 0 && next) {
    const under = pairAnswer(perLine.get(next.index) ?? [])
    if (under !== 'none') return under
  }
  const behind = window.cell.words.slice(window.to)
  const right = window.line.cells[window.line.cells.indexOf(window.cell) + 1]
  return (
    spokenAnswer(behind) ??
    spokenAnswer(right?.words ?? []) ??
    (behind.length === 0 ? answerBelow(window, right ? undefined : next) : undefined)
  )
}

/** «☒», «Yes, …», «ja», «X»: words that are an answer as a whole. */
function spokenAnswer(words: Word[]): Answer | undefined {
  const mark = markAt(words, 0)
  if (mark && words.length === mark.length) return { value: mark.checked, words }
  const first = words[0]
  if (!first || words.length > 4) return undefined
  const value = parseBoolean(first.text)
  if (value === null) return undefined
  const whole =
    first.text.length > 1
      ? words.length === 1 || /[,.;]$/.test(first.text)
      : words.length === 1 && /^[xXJNYO]$/.test(first.text)
  return whole ? { value, words: [first] } : undefined
}

/** A box under a label, or where nothing stands beside it a word on the next line. */
function answerBelow(window: Window, next: Line | undefined): Answer | undefined {
  return boxUnder(window) ?? (next ? answerUnder(window, next) : undefined)
}

/** In line heights: how far a box stands below the label over it; in em: how far its own text stands behind it. */
const farthestBox = 3
const ownText = 3

/** A box that stands alone under a label, as in the fields of a form; what stands behind it close by is its own text. */
function boxUnder({ page, cell }: Window): Answer | undefined {
  const under = cellsBelow(page, cell, farthestBox)[0]
  const mark = under && markAt(under.words, 0)
  if (!mark || mark.length !== under.words.length) return undefined
  const next = page.lines.find(({ index }) => index === under.line)?.cells.find(({ box }) => box.x > under.box.x)
  const isClose = next && next.box.x - under.box.x - under.box.width < ownText * page.em && !markAt(next.words, 0)
  return isClose ? undefined : { value: mark.checked, words: under.words }
}

/** A single word right under a label that has nothing beside it. */
function answerUnder(window: Window, next: Line): Answer | undefined {
  const under = next.cells.find((cell) => Math.abs(cell.box.x - window.cell.box.x) < window.page.em)
  const value = under?.words.length === 1 && under.text.length > 1 ? parseBoolean(under.text) : null
  return value === null ? undefined : { value, words: under!.words }
}

function pairAnswer(options: readonly Option[]): Answer | undefined | 'none' {
  const yes = options.find((option) => answerOf(option) === true)
  const no = options.find((option) => answerOf(option) === false)
  if (!yes && !no) return 'none'
  // Both ticked or neither: the paper does not say.
  if (yes?.checked === no?.checked && yes && no) return undefined
  if (yes?.checked) return { value: true, words: [...yes.mark, ...yes.words] }
  if (no?.checked) return { value: false, words: [...no.mark, ...no.words] }
  return undefined
}

function answerOf(option: Option): boolean | null {
  const first = option.words[0]
  return first && option.words.length <= 2 ? parseBoolean(first.text) : null
}

/** The boxes of a line; the text of a box stands behind it, or before it where boxes stand closer to what is before. */
function optionsOf(line: Line): Option[] {
  const words = wordsOf(line)
  const marks: { from: number; to: number; checked: boolean }[] = []
  for (let index = 0; index < words.length; index++) {
    const mark = markAt(words, index)
    if (!mark) continue
    marks.push({ from: index, to: index + mark.length, checked: mark.checked })
    index += mark.length - 1
  }
  if (marks.length === 0) return []
  const gap = (left: Word | undefined, right: Word | undefined): number =>
    left && right ? right.box.x - left.box.x - left.box.width : Infinity
  const votes = marks.map(({ from, to }) => {
    const nearer = gap(words[to - 1], words[to]) - gap(words[from - 1], words[from])
    return Math.abs(nearer) > words[from]!.box.width / 2 ? Math.sign(nearer) : 0
  })
  const before = votes.reduce((sum, vote) => sum + vote, 0) > 0
  return marks.map((mark, index) => {
    const from = before ? (marks[index - 1]?.to ?? 0) : mark.to
    const to = before ? mark.from : (marks[index + 1]?.from ?? words.length)
    const own = words.slice(from, to)
    const isOuter = before ? index === 0 : index === marks.length - 1
    if (isOuter) keepNearest(line, own, before)
    return { checked: mark.checked, words: own, mark: words.slice(mark.from, mark.to), at: mark.from, line }
  })
}

/** What stands before the first box of a line or behind its last one belongs to it as far as its cell goes. */
function keepNearest(line: Line, words: Word[], isBefore: boolean): void {
  const nearest = isBefore ? words.at(-1) : words[0]
  const cell = nearest && line.cells.find((one) => one.words.includes(nearest))
  if (cell) words.splice(0, words.length, ...words.filter((word) => cell.words.includes(word)))
}

function markAt(words: readonly Word[], index: number): { checked: boolean; length: number } | undefined {
  for (const length of [1, 2, 3]) {
    const text = words
      .slice(index, index + length)
      .map((word) => word.text)
      .join('')
    const checked = parseCheckMark(text)
    if (checked !== null && (length === 1 || /^[[(]/.test(text))) return { checked, length }
  }
  return undefined
}

/** A whole statement («I would like the newsletter») names a field when all its telling words are in it. */
export function statementScore(statement: string, wanted: readonly (readonly string[])[]): number {
  const text = meanings(statement)
  let best = 0
  for (const phrase of wanted) {
    const telling = phrase.filter((word) => weightOf(word) === 1)
    if (telling.length === 0) continue
    const share =
      telling.filter((word) => text.some((one) => one === word || sameStem(one, word))).length / telling.length
    const score = share === 1 ? 0.68 + 0.3 * likeness(text, phrase) : share >= 0.66 && telling.length >= 3 ? 0.6 : 0
    best = Math.max(best, score)
  }
  return best
}

function sameStem(left: string, right: string): boolean {
  const length = Math.min(left.length, right.length)
  return (
    length >= 6 &&
    left.slice(0, Math.max(6, Math.ceil(length * 0.75))) === right.slice(0, Math.max(6, Math.ceil(length * 0.75)))
  )
}

const fillers = new Set(
  'whether true false checked ticked box if is has does do did want wanted applie marked yes otherwise person document indicate given have been customer ob wenn angekreuzt kreuz ja nein ist hat si vrai coche case'.split(
    ' ',
  ),
)

/** The wordings, reduced to meanings, under which the statement of a box may name a yes-or-no field. */
export function wordingsOf(field: Field): (readonly string[])[] {
  return [...field.phrases.map((phrase) => phrase.words), ...questionWords(field)]
}

/** The telling words of the question that the description asks («Whether the goods were damaged»). */
function questionWords(field: Field): string[][] {
  const opening = field.element.description.split(/[.,;:(]/u)[0] ?? ''
  const words = meanings(opening).filter((word) => !fillers.has(word) && !fillers.has(fold(word)))
  const name = meanings(field.element.name).filter((word) => !fillers.has(word))
  return [words, name].filter((list) => list.length > 0)
}

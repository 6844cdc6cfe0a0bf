import type { Token } from '../../../shared/domain/document.ts'
import type { Picture } from '../recognise.ts'
import type { Character } from './characters.ts'

/** A word as the second reader saw it; places are pixels of the line's picture. */
export type SecondWord = { text: string; confidence: number; left: number; right: number }

/**
 * A word of a line with what both readers saw. All its ink stands from `left` to `right`, pixels of the line's
 * picture.
 */
export type Word = Pick<Token, 'text' | 'alternative' | 'agreed'> & { confidence: number; left: number; right: number }

/** A place of the line where one reader or both saw a character. */
type Pair = { first?: Character; second?: { text: string; word: SecondWord } }

// readers that differ in more than half of a line looked at different things
const minAlike = 0.5
// A gap without ink as wide as this part of the line's height parts two words where only the first reader read, which
// drops spaces: a space is 0.25 em wide and more, and the line's picture 1.4 em high.
const wordGap = 0.2
// between digits: the second reader tears numbers apart where digits stand a little wide
const numberGap = 0.16
// a gap that parts words whatever the readers say: wider than around any letter of a typewriter's
const widestGap = 0.45
// Some tills set letters far apart: between those of a word there are 0.35 to 0.55, between words 0.7 and more, where
// most printers have less than 0.2 between letters.
const [wideSpacing, widestSpacing, wordsBeyondLetters] = [0.25, 0.6, 1.2]
// Of fewer characters each may be a word of its own, unless together they are an amount.
const fewestGaps = 5
// Fewer letters in the mean are what the second reader tears such words into.
const lettersOfWords = 2.5
const amount = /^\W?\d+[.,]\d{2}$/
// evenly lit paper is 255
const darkestPaper = 160
const minConfidence = 0.25
// an accent that the second reader is less sure of is a speck
const minAccented = 0.5
// how sure the first reader is that a character is not there which the second saw
const unsureOfMissed = 0.5
// a word that the second reader alone saw
const minLonely = 0.6

/**
 * The words of one line from what both readers saw in its picture. Spaces are the second reader's, and the first one's
 * where it has any; without the second, wide gaps.
 */
export function wordsOfLine(first: readonly Character[], second: readonly SecondWord[], picture: Picture): Word[] {
  const hasInk = inkColumns(picture)
  const pairs = pairsOf(first, second)
  const alike = pairs.filter((pair) => isSame(pair)).length / Math.max(1, pairs.length)
  const usable = alike >= minAlike ? pairs : first.map((character): Pair => ({ first: character }))
  const gapOf = (word: readonly Pair[], pair: Pair): number =>
    emptyBetween(hasInk, middlesOf(word, picture.width).to, middlesOf([pair], picture.width).from).width /
    picture.height
  const gaps = usable.slice(1).map((pair, index) => gapOf([usable[index]!], pair))
  const widelySet = gapOfWidelySet(gaps, first.map(({ text }) => text).join(''))
  // Letters that stand far apart are words to a second reader that is torn by them, and to one that is not there.
  const goesByGaps =
    widelySet !== null && (usable !== pairs || meanOf(second.map(({ text }) => text.length)) < lettersOfWords)
  const words: Pair[][] = []
  for (const pair of usable) {
    const word = words.at(-1)
    const starts = (before: readonly Pair[]): boolean => {
      const gap = (): number => gapOf(before, pair)
      return gap() > (widelySet ?? widestGap) || (!goesByGaps && startsWord(before, pair, gap))
    }
    if (word === undefined || starts(word)) words.push([pair])
    else word.push(pair)
  }
  const places = words.map((word) => middlesOf(word, picture.width))
  return words.flatMap((word, index) => {
    const [before, here, after] = [places[index - 1], places[index]!, places[index + 1]]
    const [first, last] = [Math.round(Math.min(here.from, here.to)), Math.round(Math.max(here.from, here.to))]
    const left = before === undefined ? 0 : emptyBetween(hasInk, before.to, here.from).middle
    const right = after === undefined ? picture.width : emptyBetween(hasInk, here.to, after.from).middle
    const gap = wordGap * picture.height
    return wordOf(word, { left: endOfInk(hasInk, first, left, gap), right: endOfInk(hasInk, last, right, gap) })
  })
}

/** Which columns of a line's picture have ink. */
function inkColumns({ pixels, width }: Picture): boolean[] {
  const columns = new Array<boolean>(width).fill(false)
  for (let index = 0; index < pixels.length; index++) if (pixels[index]! < darkestPaper) columns[index % width] = true
  return columns
}

/** The widest run of columns without ink between two columns. */
function emptyBetween(hasInk: readonly boolean[], from: number, to: number): { middle: number; width: number } {
  let best = { middle: (from + to) / 2, width: 0 }
  let start = Math.round(from)
  for (let column = start; column <= Math.round(to); column++) {
    if (hasInk[column] === true) start = column + 1
    else if (column + 1 - start > best.width) best = { middle: (start + column + 1) / 2, width: column + 1 - start }
  }
  return best
}

/**
 * Where ink ends from a column towards a limit: a wide gap is the end, so that what stands beside a word (a box to
 * tick, a rule) is no part of it.
 */
function endOfInk(hasInk: readonly boolean[], from: number, limit: number, gap: number): number {
  const step = limit < from ? -1 : 1
  let end = from
  for (let column = from; column !== Math.round(limit) && Math.abs(column - end) <= gap; column += step)
    if (hasInk[column] === true) end = column
  return step < 0 ? end : end + 1
}

/** The middles of the first and the last character of a word. */
function middlesOf(word: readonly Pair[], width: number): { from: number; to: number } {
  const middles = word.flatMap(({ first }) => (first === undefined ? [] : [((first.start + first.end) / 2) * width]))
  const seconds = word.flatMap(({ second }) => (second === undefined ? [] : [second.word]))
  return { from: middles[0] ?? seconds[0]!.left, to: middles.at(-1) ?? seconds.at(-1)!.right }
}

/** Both readings side by side, with as few differences as can be (Levenshtein). */
function pairsOf(first: readonly Character[], words: readonly SecondWord[]): Pair[] {
  const second = words.flatMap((word) => [...word.text].map((text) => ({ text, word })))
  const columns = second.length + 1
  const costs = new Uint16Array((first.length + 1) * columns)
  const cost = (row: number, column: number): number => costs[row * columns + column]!
  for (let row = 0; row <= first.length; row++) {
    for (let column = 0; column <= second.length; column++) {
      if (row === 0 || column === 0) costs[row * columns + column] = row + column
      else {
        // a difference of both is dearer than one alone, and cheaper than two
        const both = cost(row - 1, column - 1) + differenceOf(first[row - 1]!.text, second[column - 1]!.text)
        costs[row * columns + column] = Math.min(both, cost(row - 1, column) + 1, cost(row, column - 1) + 1)
      }
    }
  }
  const pairs: Pair[] = []
  let [row, column] = [first.length, second.length]
  while (row > 0 || column > 0) {
    const here = cost(row, column)
    if (
      row > 0 &&
      column > 0 &&
      here === cost(row - 1, column - 1) + differenceOf(first[row - 1]!.text, second[column - 1]!.text)
    )
      pairs.push({ first: first[--row]!, second: second[--column]! })
    else if (row > 0 && here === cost(row - 1, column) + 1) pairs.push({ first: first[--row]! })
    else pairs.push({ second: second[--column]! })
  }
  return pairs.reverse()
}

function differenceOf(one: string, other: string): number {
  return one === other ? 0 : 1
}

function isSame({ first, second }: Pair): boolean {
  return first !== undefined && first.text === second?.text
}

/** The gap that parts words of a line whose letters stand far apart, of its height; null for a usual line. */
function gapOfWidelySet(gaps: readonly number[], text: string): number | null {
  if (gaps.length < fewestGaps && !amount.test(text)) return null
  const sorted = gaps.toSorted((left, right) => left - right)
  const [low, usual] = [0.4, 0.6].map((part) => sorted[Math.floor(part * sorted.length)]!)
  return low! >= wideSpacing && usual! <= widestSpacing ? Math.max(widestGap, wordsBeyondLetters * usual!) : null
}

function startsWord(word: readonly Pair[], pair: Pair, gap: () => number): boolean {
  if (pair.first?.afterSpace === true) return true
  const secondBefore = word.findLast((other) => other.second !== undefined)?.second
  if (secondBefore === undefined && pair.second === undefined) return gap() > wordGap
  if (secondBefore === undefined || pair.second === undefined || pair.second.word === secondBefore.word) return false
  return !tearsNumber(word, pair) || gap() > numberGap
}

function tearsNumber(word: readonly Pair[], { first }: Pair): boolean {
  const before = word.findLast((other) => other.first !== undefined)?.first
  return before !== undefined && first !== undefined && /[\d.,]$/.test(before.text) && /^[\d.,]/.test(first.text)
}

function wordOf(pairs: readonly Pair[], place: { left: number; right: number }): Word[] {
  const seen = pairs.flatMap((pair) => (pair.first === undefined ? [] : [pair.first]))
  const seenSecond = pairs.flatMap((pair) => (pair.second === undefined ? [] : [pair.second]))
  const one = {
    text: seen.map(({ text }) => text).join(''),
    confidence: meanOf(seen.map(({ confidence }) => confidence)),
  }
  const words = [...new Set(seenSecond.map(({ word }) => word))]
  const other = {
    text: seenSecond.map(({ text }) => text).join(''),
    confidence: meanOf(words.map(({ confidence }) => confidence)),
  }
  if (one.text === other.text) {
    const confidence = 1 - (1 - one.confidence) * (1 - other.confidence)
    return [{ text: one.text, confidence, agreed: true, ...place }]
  }
  const isLonely = one.text === '' || other.text === ''
  const [chosen, left] = prefersSecond(one, other, sureWhereDifferent(pairs)) ? [other, one] : [one, other]
  if (chosen.confidence < minConfidence || (seen.length === 0 && !isWorthAlone(other))) return []
  return [{ ...chosen, ...(isLonely ? {} : { alternative: left.text }), ...place }]
}

/** What the second reader alone saw is often a speck; € it sees alone, since the first does not know it. */
function isWorthAlone({ text, confidence }: Reading): boolean {
  return confidence >= minLonely && /[\p{L}\p{N}€]/u.test(text)
}

type Reading = { text: string; confidence: number }

/**
 * The first reader is better at digits (of 63 numbers on which the two differed and one was right it was the first in
 * 57), and only the second knows all accents, ß and €. Of other words, where the second was right in 45 of 106, it is
 * taken where it is surer than the first is of the characters in question.
 */
function prefersSecond(one: Reading, other: Reading, sure: number): boolean {
  if (one.text === '' || other.text === '') return one.text === ''
  if (['', lettersOf(one.text)].includes(lettersOf(other.text))) return false
  if (/[\u00c0-\u024f€]/.test(other.text) && other.confidence >= minAccented) return true
  const digits = [...one.text].filter((character) => /\d/.test(character)).length
  const letters = [...one.text].filter((character) => /\p{L}/u.test(character)).length
  return letters > digits && other.confidence > sure
}

/** Letters, digits and signs of money: what is left when the readers differ in commas and brackets only. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}€]/gu, '')
}

/** How sure the first reader is of the character that it doubts most among those that the second saw differently. */
function sureWhereDifferent(pairs: readonly Pair[]): number {
  const different = pairs.filter((pair) => !isSame(pair))
  return Math.min(...different.map((pair) => pair.first?.confidence ?? unsureOfMissed))
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

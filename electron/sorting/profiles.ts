import { lexicon } from '../service/extraction/lexicon.ts'
import type { PageFacts } from './page-facts.ts'

/**
 * How words speak for kinds of papers: for each word one character for each kind (`digits`), learned from papers and
 * from schemas alike. A word of `meanings` stands by itself, a word of a title or of a schema's name behind `title `.
 */
export type Profiles = { kinds: string[]; bias: string; words: Record<string, string> }

/** A weight as a character: the middle one is nothing, each step a tenth. */
const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ012345678'
const middle = digits.length >> 1
const perStep = 0.1

export function encoded(weights: readonly number[]): string {
  return weights
    .map((weight) => digits[Math.max(0, Math.min(digits.length - 1, Math.round(weight / perStep) + middle))])
    .join('')
}

function decoded(text: string): Float64Array {
  return Float64Array.from(text, (digit) => (digits.indexOf(digit) - middle) * perStep)
}

/** Profiles with their weights as numbers. */
export class Kinds {
  readonly #words: ReadonlyMap<string, Float64Array>
  readonly #bias: Float64Array

  constructor({ bias, words }: Profiles) {
    this.#bias = decoded(bias)
    this.#words = new Map(Object.entries(words).map(([word, text]) => [word, decoded(text)]))
  }

  /** How probable each kind is by these words; they sum up to 1. */
  of(words: Iterable<string>): Float64Array {
    const scores = Float64Array.from(this.#bias)
    const found: Float64Array[] = []
    for (const word of words) {
      const weights = this.#words.get(word)
      if (weights) found.push(weights)
    }
    const share = shareOf(found.length)
    for (const weights of found)
      for (let kind = 0; kind < scores.length; kind++) scores[kind]! += weights[kind]! * share
    return softmax(scores)
  }
}

/** What one of many words counts: a page of two hundred words is no surer than the square root says. */
export function shareOf(count: number): number {
  return 4 / Math.sqrt(count + 4)
}

export function softmax(scores: Float64Array): Float64Array {
  const most = scores.reduce((best, score) => Math.max(best, score), -Infinity)
  const all = scores.map((score) => Math.exp(score - most))
  const sum = all.reduce((total, value) => total + value, 0)
  return all.map((value) => value / sum)
}

/** A till slip is narrow, a plan or a timetable is wide. */
function shapeOf(ratio: number): string {
  return ratio < 1 ? 'wide' : ratio < 1.6 ? 'letter' : ratio < 2.2 ? 'long' : 'slip'
}

/** Into which of the ranges between some bounds a number falls. */
function amountOf(value: number, bounds: readonly number[]): string {
  return String(bounds.filter((bound) => value >= bound).length)
}

/** What of a page speaks for its kind: its words, its titles, and how it looks. */
export function kindWordsOf({ meanings, titles, counts, lines, width, height, words: all }: PageFacts): Set<string> {
  const words = new Set([
    `page ${shapeOf(height / Math.max(1, width))}`,
    `line ${amountOf(all.size / Math.max(1, lines.length), [2, 3, 5])}`,
    `amounts ${amountOf(counts.amounts, [1, 3, 10, 30])}`,
    `rows ${amountOf(counts.rows, [1, 3, 10])}`,
    `boxes ${amountOf(counts.boxes, [1, 4])}`,
    `lines ${amountOf(lines.length, [20, 40, 70])}`,
  ])
  for (const word of meanings) if (lexicon[word] !== undefined) words.add(word)
  for (const title of titles) for (const word of title.words) words.add(`title ${word}`)
  return words
}

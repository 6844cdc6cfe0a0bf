import { amountWords, currencyWords } from './lexicon.ts'
import { weightOf } from './words.ts'

/** A language-neutral word (`meanings`) with what it weighs, looked up once. */
type Known = {
  word: string
  weight: number
  mark: boolean
  kin: string | undefined
  isCurrency: boolean
  isAmount: boolean
}

/** «Number», «reference», «code» and «id» are said for one another. */
const marks = new Set(['nr', 'reference', 'code', 'id'])

/** Words of one sense: what one paper calls a fee, the next calls a cost. */
const kinOf: Readonly<Record<string, string>> = {
  fee: 'charge',
  cost: 'charge',
  surcharge: 'charge',
  amount: 'value',
  value: 'value',
  total: 'sum',
  subtotal: 'sum',
  paid: 'pay',
  payment: 'pay',
  duration: 'term',
  period: 'term',
  contract: 'term',
  seller: 'firm',
  company: 'firm',
}

const known = new Map<string, Known>()

function lookUp(word: string): Known {
  let entry = known.get(word)
  if (!entry) {
    if (known.size > 50_000) known.clear()
    entry = {
      word,
      weight: weightOf(word),
      mark: marks.has(word),
      kin: kinOf[word],
      isCurrency: currencyWords.has(word),
      isAmount: amountWords.has(word),
    }
    known.set(word, entry)
  }
  return entry
}

/** How well the words of a printed label name what a phrase names, 0..1. Missing and foreign words both cost. */
export function likeness(label: readonly string[], wanted: readonly string[]): number {
  return scoreOf(sharedWords(label.map(lookUp), wanted.map(lookUp)))
}

/** Of the words of a phrase the share that a label has, and of the words of the label the share that the phrase has. */
export type Shared = { covered: number; meant: number }

function scoreOf({ covered, meant }: Shared): number {
  return covered < leastCoverage ? 0 : covered * meant
}

function sharedWords(label: readonly Known[], wanted: readonly Known[]): Shared {
  const hasMark = label.some(isMark)
  let shared = 0
  let missing = 0
  for (const one of wanted) {
    const share = holds(label, one) ? 1 : (hasMark && one.mark) || hasKin(label, one) ? almost : 0
    shared += share * one.weight
    missing += (1 - share) * one.weight
  }
  if (shared === 0) return nothing
  const wantsMark = wanted.some(isMark)
  let foreign = 0
  // «Total EUR» names a total.
  for (const one of label)
    if (
      !(one.isCurrency && wanted.some(isAmount)) &&
      !holds(wanted, one) &&
      !(wantsMark && one.mark) &&
      !hasKin(wanted, one)
    )
      foreign += one.weight
  return { covered: shared / (shared + missing), meant: shared / (shared + almost * foreign) }
}

const nothing: Shared = { covered: 0, meant: 0 }

/** Words of one sense are almost the same, and a foreign word costs as much. */
const almost = 0.8
/** Less is another label that happens to have a word in common («Invoice» in «Invoice due date for deliveries»). */
const leastCoverage = 0.6

function isAmount(one: Known): boolean {
  return one.isAmount
}

function isMark(one: Known): boolean {
  return one.mark
}

function holds(words: readonly Known[], { word }: Known): boolean {
  for (const one of words) if (one.word === word) return true
  return false
}

function hasKin(words: readonly Known[], { kin }: Known): boolean {
  return kin !== undefined && words.some((one) => one.kin === kin)
}

type IndexedPhrase<Entry> = { words: readonly Known[]; entry: Entry; visit: number }

/** Phrases by the words that a label must share with them to be like them at all. */
export class PhraseIndex<Entry> {
  readonly #byWord = new Map<string, IndexedPhrase<Entry>[]>()
  #visits = 0

  add(words: readonly string[], entry: Entry): void {
    const phrase = { words: words.map(lookUp), entry, visit: 0 }
    for (const key of new Set(phrase.words.flatMap(keysOf))) {
      const phrases = this.#byWord.get(key)
      if (phrases) phrases.push(phrase)
      else this.#byWord.set(key, [phrase])
    }
  }

  /** Visits every phrase that shares words with the label, with the likeness and with what they share. */
  each(label: readonly string[], visit: (entry: Entry, score: number, shared: Shared) => void): void {
    const words = label.map(lookUp)
    const visits = ++this.#visits
    for (const key of words.flatMap(keysOf)) {
      for (const phrase of this.#byWord.get(key) ?? []) {
        // a phrase that shares two words is found twice
        if (phrase.visit === visits) continue
        phrase.visit = visits
        const shared = sharedWords(words, phrase.words)
        visit(phrase.entry, scoreOf(shared), shared)
      }
    }
  }
}

function keysOf({ word, mark, kin }: Known): string[] {
  return [word, ...(mark ? ['=mark'] : []), ...(kin === undefined ? [] : [`=${kin}`])]
}

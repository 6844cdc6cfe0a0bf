import { isShortNumber, likeness } from './question.ts'
import type { Term, Wanted } from './question.ts'
import { neutralWordsIn, wordsOf } from './words.ts'

/** The words of a text with the neutral ones, for finding terms in it. */
type Bag = { text: string; words: string[]; set: ReadonlySet<string> }

/** «accounts-payable@…» asks for no payment. */
const address = /\S+@\S+/g
/** «CAR-80» is no car. */
const code = /(?<![\p{L}\p{N}])\p{Lu}+[-/]?\p{N}[\p{L}\p{N}./-]*/gu

export function bagOfWords(text: string): Bag {
  const plain = text.replace(address, ' ')
  return { text, words: wordsOf(text), set: new Set([...wordsOf(plain), ...neutralWordsIn(plain.replace(code, ' '))]) }
}

/** How well a text matches a term, 0 to 1. */
export function matchStrength(bag: Bag, term: Term): number {
  if (isShortNumber(term)) return standsAlone(bag.text, term.words[0]!) ? 1 : 0
  if (term.exact) return hasPhrase(bag.words, term.words) ? 1 : 0
  const word = term.words[0]!
  const neutral =
    term.neutral.some((group) => group.every((part) => bag.set.has(part))) || term.form?.test(bag.text) ? 0.85 : 0
  if (term.words.length > 1) return hasPhrase(bag.words, term.words) ? 1 : neutral
  if (bag.set.has(word)) return 1
  const root = term.root !== null && bag.words.some((found) => found.startsWith(term.root!)) ? 0.6 : 0
  return Math.max(neutral, root, ...bag.words.map((found) => likeness(word, found)))
}

/**
 * True when a number stands in a text as a number of its own, not within an amount («7 408,63»), a date or a longer
 * code.
 */
function standsAlone(text: string, number: string): boolean {
  return new RegExp(
    `(?<![\\p{L}\\p{N}]|\\p{N} |[\\p{L}\\p{N}][.,/:'’-])${number}(?![\\p{L}\\p{N}]|[.,]? \\p{N}|[.,/:'’-][\\p{L}\\p{N}])`,
    'u',
  ).test(text)
}

/** The words stand in this order and nothing between them. */
export function hasPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  return words.some((_, start) => phrase.every((part, index) => words[start + index] === part))
}

/** A term of a question as the lines of one document are looked at. */
export type LineTerm = Term & {
  /** It says which document is meant (a code, or a word of its name) more than what is asked about it. */
  identifies: boolean
}

/** A term that only says which document is meant tells little about which of its lines. */
const identifyingShare = 0.25
const wantedValueBonus = 1.5
/** A value that stands under its label counts less than one beside it. */
const belowShare = 0.5
/** Who asks for the balance means the last one: of two lines that say the same the later one is the newer. */
const laterBonus = 0.1
/** A part of a total is not the total that is asked for. */
const partOfTotal = ['net', 'tax', 'subtotal', 'discount', 'deposit']
const partShare = 0.7
/** The heading of the items has a column of sums, which is not the sum of all. */
const itemHeading = ['quantity', 'unit', 'price', 'article', 'description', 'index']
const headingShare = 0.5

/**
 * The score of each line for a question: the terms in it, the rarer among these lines the more, and more when it has
 * the kind of value that is asked for. Lines without any term are 0. Pure.
 */
export function scoreLines(lines: readonly string[], terms: readonly LineTerm[], wants: Wanted): number[] {
  const bags = lines.map(bagOfWords)
  const strengths = terms.map((term) => bags.map((bag) => matchStrength(bag, term)))
  const weights = terms.map((term, index) => {
    const having = strengths[index]!.filter((strength) => strength > 0).length
    return (
      term.weight * (term.identifies ? identifyingShare : 1) * (1 + 0.5 * Math.log(lines.length / Math.max(1, having)))
    )
  })
  const weighted = (strengthOf: (strengths: readonly number[]) => number): number =>
    terms.reduce((sum, _, index) => sum + weights[index]! * strengthOf(strengths[index]!), 0)
  const asked = askedSums(terms)
  return lines.map((line, at) => {
    const own = weighted((strength) => strength[at]!)
    if (own === 0) return 0
    const below = at + 1 < lines.length && isLabel(line) ? at + 1 : null
    const under = below === null ? 0 : weighted((strength) => Math.max(0, strength[below]! - strength[at]!))
    const isTopical = terms.some((term, index) => !term.identifies && strengths[index]![at]! >= 0.5)
    const isHeading = (asked.total || asked.balance) && isItemHeading(bags[at]!)
    const isAnswered = isTopical && (hasValue(line, wants) || (below !== null && hasValue(lines[below]!, wants)))
    const value = own + belowShare * under + (isAnswered ? wantedValueBonus : 0)
    return value * sumShare(bags[at]!, asked, at / lines.length) * (isHeading ? headingShare : 1)
  })
}

/** Which sums of a document a question asks for. */
type AskedSums = { total: boolean; balance: boolean; part: boolean }

function askedSums(terms: readonly LineTerm[]): AskedSums {
  return {
    total: terms.some((term) => means(term, 'total')),
    balance: terms.some((term) => means(term, 'balance')) && !terms.some((term) => means(term, 'opening')),
    part: terms.some((term) =>
      partOfTotal.some((part) => term.words.includes(part) || term.neutral.flat().includes(part)),
    ),
  }
}

/** True when the term, by its first group, stands for this neutral word. */
function means(term: LineTerm, word: string): boolean {
  return term.words.includes(word) || (term.neutral[0]?.includes(word) ?? false)
}

function isItemHeading({ text, set }: Bag): boolean {
  return isLabel(text) && text.split('  ').length >= 3 && itemHeading.some((word) => set.has(word))
}

/** How far the sum in a line is the one that is asked for; `place` is 0 for the first line and near 1 for the last. */
function sumShare({ set }: Bag, asked: AskedSums, place: number): number {
  const isPart = partOfTotal.some((word) => set.has(word)) && !set.has('payable') && !set.has('gross')
  return (asked.total && !asked.part && isPart ? partShare : 1) * (asked.balance ? 1 + laterBonus * place : 1)
}

/** True when the lines have a value of the kind that is asked for beside or below a term. */
export function hasValueFor(lines: readonly string[], term: Term, wants: Wanted): boolean {
  return lines.some(
    (line, at) =>
      matchStrength(bagOfWords(line), term) >= 0.5 &&
      (hasValue(line, wants) || (isLabel(line) && hasValue(lines[at + 1] ?? '', wants))),
  )
}

/** A line of words only, whose values may stand in the line below it. */
export function isLabel(line: string): boolean {
  return line.length < 120 && !/\d/.test(line)
}

const fullDate = /\b\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}\b/g
const amount = /\d[.,\s]?\d*[.,]\d{2}(?!\d)|\d\s?[€$£]|[€$£]\s?\d|\b(?:EUR|USD|CHF|GBP)\b/
const date =
  /\b\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.?\s\p{L}{3,9}\.?,?\s\d{4}\b|\b\p{L}{3,9}\s\d{1,2},?\s\d{4}\b/u

/** True when a line has the kind of value that is asked for. */
export function hasValue(line: string, wants: Wanted): boolean {
  if (wants === null) return false
  return wants === 'date' ? date.test(line) : amount.test(line.replace(fullDate, ''))
}

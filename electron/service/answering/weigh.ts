import { likeness } from './question.ts'
import type { Term, Wanted } from './question.ts'
import { neutralWordsIn, wordsOf } from './words.ts'

/** The words of a text with the neutral ones, for looking terms up in it. */
export type Bag = { words: string[]; set: ReadonlySet<string> }

export function bagOf(text: string): Bag {
  const words = wordsOf(text)
  return { words, set: new Set([...words, ...neutralWordsIn(text)]) }
}

/** How well a text has a term, 0 to 1. */
export function strengthIn(bag: Bag, term: Term): number {
  if (term.exact) return hasPhrase(bag.words, term.words) ? 1 : 0
  const word = term.words[0]!
  if (bag.set.has(word)) return 1
  const neutral = term.neutral.some((group) => group.every((part) => bag.set.has(part))) ? 0.85 : 0
  const root = term.root !== null && bag.words.some((found) => found.startsWith(term.root!)) ? 0.6 : 0
  return Math.max(neutral, root, ...bag.words.map((found) => likeness(word, found)))
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

const identifyingShare = 0.25
const wantedValueBonus = 1.5
/** A value that stands under its label counts less than one beside it. */
const belowShare = 0.5
/** A part of a total is not the total that is asked for. */
const partOfTotal = ['net', 'tax', 'subtotal', 'discount', 'deposit']
const partShare = 0.7

/**
 * What each line says about a question: the terms in it, the rarer among these lines the more, and more when it has the kind
 * of value that is asked for. Lines without any term are 0. Pure.
 */
export function weighLines(lines: readonly string[], terms: readonly LineTerm[], wants: Wanted): number[] {
  const bags = lines.map(bagOf)
  const strengths = terms.map((term) => bags.map((bag) => strengthIn(bag, term)))
  const weights = terms.map((term, index) => {
    const having = strengths[index]!.filter((strength) => strength > 0).length
    return term.weight * (term.identifies ? identifyingShare : 1) * (1 + 0.5 * Math.log(lines.length / Math.max(1, having)))
  })
  const asksTotal = terms.some((term) => term.words[0] === 'total' || term.neutral.some((group) => group.includes('total')))
  const asksPart = terms.some((term) => partOfTotal.some((part) => term.words.includes(part) || term.neutral.flat().includes(part)))
  return lines.map((line, at) => {
    const own = terms.reduce((sum, _, index) => sum + weights[index]! * strengths[index]![at]!, 0)
    if (own === 0) return 0
    const below = at + 1 < lines.length && isLabel(line) ? at + 1 : null
    const under = below === null ? 0 : terms.reduce((sum, _, index) => sum + weights[index]! * Math.max(0, strengths[index]![below]! - strengths[index]![at]!), 0)
    const topical = terms.some((term, index) => !term.identifies && strengths[index]![at]! >= 0.5)
    const answered = topical && (hasValue(line, wants) || (below !== null && hasValue(lines[below]!, wants)))
    const isPart = partOfTotal.some((word) => bags[at]!.set.has(word)) && !bags[at]!.set.has('payable')
    const part = asksTotal && !asksPart && isPart ? partShare : 1
    return (own + belowShare * under + (answered ? wantedValueBonus : 0)) * part
  })
}

/** A line of words only, whose values may stand in the line below it. */
export function isLabel(line: string): boolean {
  return line.length < 120 && !/\d/.test(line)
}

const amount = /\d[.,\s]?\d*[.,]\d{2}(?!\d)|\d\s?[€$£]|[€$£]\s?\d|\b(?:EUR|USD|CHF|GBP)\b/
const date = /\b\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.?\s\p{L}{3,9}\.?,?\s\d{4}\b|\b\p{L}{3,9}\s\d{1,2},?\s\d{4}\b/u

/** True when a line has the kind of value that is asked for. */
export function hasValue(line: string, wants: Wanted): boolean {
  return wants !== null && (wants === 'amount' ? amount : date).test(line)
}

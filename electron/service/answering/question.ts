import type { Locale } from '../../../shared/sentences.ts'
import { isFunctionWord, localeOf } from './function-words.ts'
import { neutralWordsOf, wordsOf } from './words.ts'

/** One thing that a question names: a word with what it may look like in a document, or a number or code as it is written. */
export type Term = {
  /** Folded; more than one only for a code with parts («PO-70213»), which then stand next to one another. */
  words: string[]
  exact: boolean
  /** Written as a name: it says whom a question is about more than what it asks. */
  isName: boolean
  /** Groups of language-neutral words that say the same; a text must have all of one group. */
  neutral: string[][]
  /** What a German participle comes from: «geliefert» asks for what a document calls «Lieferung» or «Lieferdatum». */
  root: string | null
  weight: number
}

/** The kind of value that answers a question, where it says so. */
export type Wanted = 'amount' | 'date' | null

export type Question = {
  terms: Term[]
  /** What the question before was about; helps a follow-up («and the due date?») to stay with its document. */
  earlier: Term[]
  locale: Locale
  wants: Wanted
}

/** Longer questions are cut: no sentence has as many words that tell something. */
const maxTerms = 16
const codeWeight = 1.5
/** «What does it cost?»: the price says so without the verb. */
const impliedWeight = 0.3
/** «gekauft», «geliefert»: documents say it with a noun, or not at all. */
const participleWeight = 0.5

/** Reads a question; `before` are the person's earlier questions, the newest last. Pure. */
export function readQuestion(query: string, before: readonly string[] = []): Question {
  const locale = localeOf([query, ...before.toReversed()])
  const terms = termsOf(query, locale)
  const known = new Set(terms.map(keyOf))
  const last = before.at(-1)
  const earlier = last === undefined ? [] : termsOf(last, locale).filter((term) => !known.has(keyOf(term)))
  return { terms, earlier, locale, wants: wantedValue(query) }
}

/**
 * Expression for FTS5 that finds a term: the words as they are, their inflections and compounds by their beginning, and the
 * neutral words. Only folded letters and digits inside quotes: nothing of the person's text is syntax.
 */
export function matchExpression(term: Term): string {
  const phrase = `"${term.words.join(' ')}"`
  if (term.exact) return phrase
  const word = term.words[0]!
  const beginnings = [...(word.length >= 4 ? [beginningOf(word)] : []), ...(term.root === null ? [] : [term.root])]
  const neutral = term.neutral.map((group) => `(${group.map((part) => `"${part}"`).join(' AND ')})`)
  return [phrase, ...beginnings.map((beginning) => `"${beginning}"*`), ...neutral].join(' OR ')
}

/** How far a word of a document is the word of a question, 0 to 1: the same, an inflection, a compound that begins with it. */
export function likeness(asked: string, found: string): number {
  if (asked === found) return 1
  if (asked.length < 4 || !found.startsWith(beginningOf(asked))) return 0
  let shared = 0
  while (shared < asked.length && asked[shared] === found[shared]) shared++
  if (shared === asked.length) return found.length - shared <= 3 ? 0.95 : 0.75
  return found.length - shared <= 3 ? 0.85 : 0.4
}

/** The part of a word that its inflections share. */
function beginningOf(word: string): string {
  const cut = word.length >= 9 ? 3 : word.length >= 6 ? 2 : word.length === 5 ? 1 : 0
  return word.slice(0, word.length - cut)
}

function termsOf(text: string, locale: Locale): Term[] {
  const terms = new Map<string, Term>()
  const runs = text.split(/[\s«»"“”„()[\]{}]+/u).filter((run) => run !== '')
  runs.forEach((run, index) => {
    // German nouns are all written like names; a question begins like one.
    const isName = locale !== 'de' && index > 0 && /^\p{Lu}.*\p{Ll}/u.test(run)
    for (const term of termsOfRun(run, isName)) {
      if (terms.size < maxTerms) terms.set(keyOf(term), terms.get(keyOf(term)) ?? term)
    }
  })
  return [...terms.values()]
}

function termsOfRun(run: string, isName: boolean): Term[] {
  const words = wordsOf(run)
  if (words.some((word) => /^\p{N}+$/u.test(word))) {
    // «INV-20418» is one code; «2026» alone says little, since every date has it.
    return [{ words: words.slice(0, 12), exact: true, isName: false, neutral: [], root: null, weight: words.length > 1 || words[0]!.length > 4 ? codeWeight : 1 }]
  }
  return words
    .filter((word) => word.length > 1 && !isFunctionWord(word))
    .map((word) => {
      // German nouns («Gewicht») are no participles.
      const root = /^\p{Lu}/u.test(run) ? null : (/^ge(\p{L}{4,})(?:t|en)$/u.exec(word)?.[1] ?? null)
      return { words: [word], exact: false, isName, neutral: neutralGroupsOf(word), root, weight: impliedWords.has(word) ? impliedWeight : root === null ? 1 : participleWeight }
    })
}

/** A document that is asked for its total may only say what is to be paid. */
function neutralGroupsOf(word: string): string[][] {
  const neutral = neutralWordsOf(word)
  const own = neutral.length > 0 ? [neutral] : []
  return word === 'total' || neutral.includes('total') ? [...own, ['payable'], ['amount', 'due']] : own
}

function keyOf(term: Term): string {
  return term.words.join(' ')
}

const impliedWords = new Set(wordsOf('cost costs kostet kosten gekostet coute coutent coûté amount betrag montant'))
const explicitDate = /\b(?:when|date|wann|datum|\w+datum|quand)\b/
const amountWords = /\b(?:how much|totals?|amount|sum|prices?|costs?|balance|fee|wie viel|wieviel|wie hoch|\w*betrag|summe|gesamt\w*|\w*preis|kosten|kostet|gekostet|\w*saldo|\w*gebuhr|kontostand|combien|montant|prix|somme|solde|cout|coute|tarif|frais)\b/
const dateWords = /\b(?:deadline|due|termin|frist|\w+frist|fallig|falligkeit|echeance|delai)\b/

function wantedValue(query: string): Wanted {
  const folded = wordsOf(query).join(' ')
  if (explicitDate.test(folded)) return 'date'
  if (amountWords.test(folded)) return 'amount'
  return dateWords.test(folded) ? 'date' : null
}

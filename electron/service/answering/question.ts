import type { Locale } from '../../../shared/messages/sentences.ts'
import { genericWords } from '../extraction/lexicon.ts'
import { meaningsOf } from '../extraction/words.ts'
import { formOf, synonymsOf, isConcept, isPricedDocument } from './synonyms.ts'
import { isFunctionWord, localeOf } from './function-words.ts'
import { neutralWordsIn, neutralWordsOf, wordsOf } from './words.ts'

/**
 * One thing that a question names: a word with what it may look like in a document, or a number or code as it is
 * written.
 */
export type Term = {
  /**
   * Folded; more than one for a code with parts («PO-70213») and for two words that are one thing («tax number»): they
   * stand next to one another.
   */
  words: string[]
  exact: boolean
  /** Written as a name: it says whom a question is about more than what it asks. */
  isName: boolean
  /** Groups of language-neutral words that say the same; a text must have all of one group. */
  neutral: string[][]
  /** What a German participle comes from: «geliefert» asks for what a document calls «Lieferung» or «Lieferdatum». */
  root: string | null
  /** Asks for a value that documents state beside a label; the other terms then say in which document. */
  isConcept: boolean
  /** What an invoice costs is its total, without the question saying so. */
  isImplied: boolean
  /** What the value looks like where that alone tells it. */
  form: RegExp | null
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
  /** A short number and nothing else, which stands in many texts for many things. */
  isBareNumber: boolean
}

/** Longer questions are cut: no sentence has as many words that tell something. */
const maxTerms = 16
const codeWeight = 1.5
/** «What does it cost?»: the price says so without the verb. */
const impliedWeight = 0.3

/** Reads a question; `before` are the person's earlier questions, the newest last. Pure. */
export function readQuestion(query: string, before: readonly string[] = []): Question {
  const locale = localeOf([query, ...before.toReversed()])
  const wants = wantedValue(query)
  const terms = withConcept(termsOf(query, locale), wants)
  const known = new Set(terms.map(keyOf))
  const last = before.at(-1)
  const earlier = last === undefined ? [] : termsOf(last, locale).filter((term) => !known.has(keyOf(term)))
  const isBareNumber = earlier.length === 0 && terms.length === 1 && isShortNumber(terms[0]!)
  return { terms, earlier, locale, wants, isBareNumber }
}

/** A number that is no code: it must stand alone in a text, since «42» is no part of «42,4». */
export function isShortNumber(term: Term): boolean {
  return term.exact && term.words.length === 1 && /^\p{N}{1,3}$/u.test(term.words[0]!)
}

/**
 * Expression for FTS5 that finds a term: the words as they are, their inflections, compounds that begin with them, and
 * the neutral words. Only folded letters and digits inside quotes: nothing of the person's text is syntax.
 */
export function matchExpression(term: Term): string {
  const phrase = `"${term.words.join(' ')}"`
  if (term.exact) return phrase
  const word = term.words[0]!
  // The beginning of a long word finds its inflections as well.
  const inflected =
    term.words.length > 1 || word.length < 4 || word.length >= 9
      ? []
      : endings.flatMap((ending) => (ending === '' && word.length < 6 ? [] : [`"${stemOf(word)}${ending}"`]))
  const beginnings = [
    ...(term.words.length === 1 && word.length >= 6 ? [word.length >= 9 ? beginningOf(word) : word] : []),
    ...(term.root === null ? [] : [term.root]),
  ]
  const neutral = term.neutral.map((group) => `(${group.map((part) => `"${part}"`).join(' AND ')})`)
  return [phrase, ...inflected, ...beginnings.map((beginning) => `"${beginning}"*`), ...neutral].join(' OR ')
}

/** What words of the three languages end with when they are the same word. */
const endings = ['', ...'e en er es em ern n s r d t te ten st ing ed y ies x aux al ung ungen in innen'.split(' ')]
const endingSet = new Set(endings)

/** A word without its ending, for words long enough to have one. */
function stemOf(word: string): string {
  for (const length of [4, 3, 2, 1]) {
    if (word.length - length >= 4 && endingSet.has(word.slice(word.length - length))) return word.slice(0, -length)
  }
  return word
}

/**
 * How far a word of a document is the word of a question, 0 to 1: the same, an inflection, a compound that begins with
 * it. A short word says little about a compound («Auto» and «Autohaus»), and what goes on as another word is another
 * word («Hallo» and «Halles»).
 */
export function likeness(asked: string, found: string): number {
  if (asked === found) return 1
  if (asked.length < 4) return 0
  let shared = 0
  while (shared < asked.length && asked[shared] === found[shared]) shared++
  if (shared < 4 || shared < beginningOf(asked).length) return 0
  const [askedRest, foundRest] = [asked.slice(shared), found.slice(shared)]
  if (endingSet.has(askedRest) && endingSet.has(foundRest)) return askedRest === '' ? 0.95 : 0.85
  if (askedRest === '') return asked.length >= 6 ? 0.75 : 0.4
  return asked.length >= 9 ? 0.4 : 0
}

/** The part of a word that its inflections share. */
function beginningOf(word: string): string {
  const cut = word.length >= 9 ? 3 : word.length >= 6 ? 2 : word.length === 5 ? 1 : 0
  return word.slice(0, word.length - cut)
}

function termsOf(text: string, locale: Locale): Term[] {
  const terms = new Map<string, Term>()
  const runs = text.split(/[\s«»"“”„()[\]{}]+/u).filter((run) => run !== '')
  // German nouns are all written like names; a question begins like one.
  const all = runs.flatMap((run, index) =>
    termsOfRun(run, locale !== 'de' && index > 0 && /^\p{Lu}.*\p{Ll}/u.test(run)),
  )
  for (const term of joinPairs(all)) {
    if (terms.size < maxTerms) terms.set(keyOf(term), terms.get(keyOf(term)) ?? term)
  }
  return [...terms.values()]
}

/** «tax number», «USt-IdNr» and «credit note» are one thing each. */
function joinPairs(terms: readonly Term[]): Term[] {
  const joined: Term[] = []
  for (const term of terms) {
    const before = joined.at(-1)
    const pair =
      before === undefined || before.exact || term.exact || before.words.length > 1
        ? null
        : pairOf(before.words[0]!, term.words[0]!)
    if (pair === null) joined.push(term)
    else joined.splice(-1, 1, wordTerm([...before!.words, ...term.words], pair, false, null))
  }
  return joined
}

/** The neutral words of two words that are more than each of them; null when they are not. */
function pairOf(first: string, second: string): string[] | null {
  if (second === 'due' && (first === 'amount' || first === 'balance')) return ['total']
  const together = neutralWordsIn(`${first} ${second}`)
  const apart = [...meaningsOf(first), ...meaningsOf(second)]
  return together.some((word) => !apart.includes(word)) ? together : null
}

/**
 * What an invoice costs is its total, also where the question does not say so; beside a concept «number» and «date» say
 * nothing.
 */
function withConcept(terms: readonly Term[], wants: Wanted): Term[] {
  if (terms.some((term) => term.isConcept)) {
    return terms.map((term) =>
      term.isConcept || term.exact || !meaningsOf(term.words[0]!).some((word) => genericWords.has(word))
        ? term
        : { ...term, weight: Math.min(term.weight, impliedWeight) },
    )
  }
  const isOwed = terms.some((term) => owedWords.has(term.words[0]!))
  const isPriced = isOwed || terms.some((term) => isPricedDocument(term.neutral[0] ?? term.words))
  if (wants !== 'amount' || !isPriced || terms.length >= maxTerms) return [...terms]
  // «What does the carpet on the invoice cost?» asks for something else than its total.
  return [
    ...terms,
    { ...wordTerm(['total'], ['total'], false, null), isConcept: isOwed, isImplied: true, weight: impliedWeight },
  ]
}

/** A term that is nothing but its words. */
const plainTerm: Omit<Term, 'words'> = {
  exact: false,
  isName: false,
  neutral: [],
  root: null,
  isConcept: false,
  isImplied: false,
  form: null,
  weight: 1,
}

function wordTerm(words: string[], neutral: readonly string[], isName: boolean, root: string | null): Term {
  const meanings = neutral.length > 0 ? neutral : words
  const groups = synonymsOf(meanings)
  // A word that is its own neutral word is looked for as it is.
  const others = groups.filter((group) => group.length > 1 || !words.includes(group[0]!) || words.length > 1)
  return {
    ...plainTerm,
    words,
    isName,
    neutral: neutral.length > 0 || groups.length > 1 || formOf(meanings) !== null ? others : [],
    root,
    isConcept: isConcept(meanings),
    form: formOf(meanings),
  }
}

function termsOfRun(run: string, isName: boolean): Term[] {
  const words = wordsOf(run)
  if (words.some((word) => /^\p{N}+$/u.test(word))) {
    // «INV-20418» is one code; «2026» alone says little, since every date has it.
    const weight = words.length > 1 || words[0]!.length > 4 ? codeWeight : 1
    return [{ ...plainTerm, words: words.slice(0, 12), exact: true, weight }]
  }
  return words
    .filter((word) => word.length > 1 && !isFunctionWord(word))
    .map((word) => {
      // German nouns («Gewicht») are no participles.
      const root = /^\p{Lu}/u.test(run) ? null : (/^ge(\p{L}{4,})(?:t|en)$/u.exec(word)?.[1] ?? null)
      return {
        ...wordTerm([word], neutralWordsOf(word), isName, root),
        weight: impliedWords.has(word) || owedWords.has(word) ? impliedWeight : 1,
      }
    })
}

function keyOf(term: Term): string {
  return term.words.join(' ')
}

const impliedWords = new Set(wordsOf('cost costs kostet kosten gekostet coute coutent coûté amount betrag montant'))
/** «How much do we owe Pemberton?» */
const owedWords = new Set(wordsOf('owe owed owes schulde schulden schuldet devons dois doit'))
const explicitDate = /\b(?:when|date|wann|datum|\w+datum|quand)\b/
const amountWords =
  /\b(?:how much|totals?|amount|sum|prices?|costs?|balance|fee|wie viel|wieviel|wie hoch|\w*betrag|summe|gesamt\w*|\w*preis|kosten|kostet|gekostet|\w*saldo|\w*gebuhr|kontostand|combien|montant|prix|somme|solde|cout|coute|tarif|frais)\b/
const dateWords = /\b(?:deadline|due|termin|frist|\w+frist|fallig|falligkeit|echeance|delai)\b/

function wantedValue(query: string): Wanted {
  const folded = wordsOf(query).join(' ')
  if (explicitDate.test(folded)) return 'date'
  if (amountWords.test(folded)) return 'amount'
  return dateWords.test(folded) ? 'date' : null
}

/**
 * What a document states once beside a label: a question that names one asks for that line, and everything else in the
 * question says in which document. The words are the neutral ones of the office lexicon.
 */
const stated: ReadonlySet<string> = new Set(
  'total subtotal net due iban bic blz taxnumber vat balance email phone fax discount deposit tip mandate birth'.split(
    ' ',
  ),
)

/** Documents that have a total: who asks how high one is asks for that. */
const priced: ReadonlySet<string> = new Set('invoice receipt creditnote order quote'.split(' '))

/** Values that need no label, since their form says what they are. */
const forms: Readonly<Record<string, RegExp>> = {
  iban: /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}(?:\s?[A-Z0-9]{1,3})?\b/,
  email: /[\p{L}\p{N}._-]+@[\p{L}\p{N}-]+\.\p{L}{2,}/u,
}

/** Other ways in which documents say it; each group is complete in itself. */
const otherWords: Readonly<Record<string, string[][]>> = {
  total: [['payable'], ['amount', 'due'], ['balance', 'due']],
  due: [['payable', 'end'], ['zahlbar'], ['uberweisen', 'end'], ['payment', 'limit']],
  issue: [['invoice', 'date']],
}

/** The neutral words of a question's word in groups that say the same; empty when the lexicon does not know it. */
export function synonymsOf(neutral: readonly string[]): string[][] {
  if (neutral.length === 0) return []
  const main = neutral.find((word) => word in otherWords)
  // «Nettobetrag» is what a document calls «netto».
  const values = neutral.filter((word) => stated.has(word))
  return [values.length > 0 ? values : [...neutral], ...(main === undefined ? [] : otherWords[main]!)]
}

/** True for a word that asks for a value which a document states beside a label. */
export function isConcept(neutral: readonly string[]): boolean {
  return isLabelled(neutral) || (neutral.length > 1 && neutral.some((word) => word === 'nr' || word === 'date'))
}

/**
 * True when a document that states the value says so; a number or a date of something often stands there without its
 * label.
 */
export function isLabelled(neutral: readonly string[]): boolean {
  return neutral.some((word) => stated.has(word))
}

export function isPricedDocument(neutral: readonly string[]): boolean {
  return neutral.some((word) => priced.has(word))
}

export function formOf(neutral: readonly string[]): RegExp | null {
  const word = neutral.find((candidate) => candidate in forms)
  return word === undefined ? null : forms[word]!
}

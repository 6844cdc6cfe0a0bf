import { weightOf } from '../extraction/words.ts'

/** Language-neutral words (`meanings`) with what they weigh, looked up once. */
type Known = { weight: number; mark: boolean; kin: string | undefined }

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
    known.set(word, (entry = { weight: weightOf(word), mark: marks.has(word), kin: kinOf[word] }))
  }
  return entry
}

/** How well the words of a printed label name what a phrase names, 0..1. Missing and foreign words both cost. */
export function likeness(label: readonly string[], wanted: readonly string[]): number {
  let labelMark = false
  for (const word of label) labelMark ||= lookUp(word).mark
  let shared = 0
  let missing = 0
  let wantsMark = false
  for (const word of wanted) {
    const { weight, mark, kin } = lookUp(word)
    wantsMark ||= mark
    if (label.includes(word)) shared += weight
    else if ((labelMark && mark) || (kin !== undefined && label.some((one) => lookUp(one).kin === kin))) {
      shared += 0.8 * weight
      missing += 0.2 * weight
    } else missing += weight
  }
  if (shared === 0) return 0
  let foreign = 0
  for (const word of label) {
    const { weight, mark, kin } = lookUp(word)
    const fits = wanted.includes(word) || (wantsMark && mark)
    if (!fits && !(kin !== undefined && wanted.some((one) => lookUp(one).kin === kin))) foreign += weight
  }
  const coverage = shared / (shared + missing)
  return coverage < 0.6 ? 0 : coverage * (shared / (shared + 0.8 * foreign))
}

/** Phrases by the words that a label must share with them to be like them at all. */
export class PhraseIndex<Entry> {
  readonly #byWord = new Map<string, { words: readonly string[]; entry: Entry }[]>()

  add(words: readonly string[], entry: Entry): void {
    const keys = new Set(words.flatMap(keysOf))
    for (const key of keys) this.#byWord.set(key, [...(this.#byWord.get(key) ?? []), { words, entry }])
  }

  /** Visits every phrase that is like the label, with the likeness. */
  each(label: readonly string[], visit: (entry: Entry, score: number) => void): void {
    const seen = new Set<unknown>()
    for (const key of new Set(label.flatMap(keysOf))) {
      for (const phrase of this.#byWord.get(key) ?? []) {
        if (seen.has(phrase)) continue
        seen.add(phrase)
        const score = likeness(label, phrase.words)
        if (score > 0) visit(phrase.entry, score)
      }
    }
  }
}

function keysOf(word: string): string[] {
  const { mark, kin } = lookUp(word)
  return [word, ...(mark ? ['=mark'] : []), ...(kin === undefined ? [] : [`=${kin}`])]
}

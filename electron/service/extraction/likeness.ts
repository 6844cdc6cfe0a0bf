import { weightOf } from './words.ts'

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
  const hasMark = label.some((word) => lookUp(word).mark)
  let shared = 0
  let missing = 0
  for (const word of wanted) {
    const { weight, mark } = lookUp(word)
    const share = label.includes(word) ? 1 : (hasMark && mark) || hasKin(label, word) ? almost : 0
    shared += share * weight
    missing += (1 - share) * weight
  }
  if (shared === 0) return 0
  const wantsMark = wanted.some((word) => lookUp(word).mark)
  let foreign = 0
  for (const word of label) {
    const { weight, mark } = lookUp(word)
    if (!wanted.includes(word) && !(wantsMark && mark) && !hasKin(wanted, word)) foreign += weight
  }
  const coverage = shared / (shared + missing)
  return coverage < leastCoverage ? 0 : coverage * (shared / (shared + almost * foreign))
}

/** Words of one sense are almost the same, and a foreign word costs as much. */
const almost = 0.8
/** Less is another label that happens to have a word in common («Invoice» in «Invoice due date for deliveries»). */
const leastCoverage = 0.6

function hasKin(words: readonly string[], word: string): boolean {
  const { kin } = lookUp(word)
  return kin !== undefined && words.some((one) => lookUp(one).kin === kin)
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

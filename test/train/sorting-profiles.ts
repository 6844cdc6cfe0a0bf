import { encoded, shareOf, softmax } from '../../electron/sorting/profiles.ts'
import type { Profiles } from '../../electron/sorting/profiles.ts'

/** Words of a paper or of a schema, with the kind that it is, and how much it counts. */
export type ProfileExample = { words: ReadonlySet<string>; kind: string; weight: number }

/** Chosen on papers of senders that were left out: more rounds or less pull towards nothing gained nothing. */
const [rounds, rate, pull] = [30, 0.3, 1e-4]
/** A word that fewer papers have says nothing of its kind. */
const leastPapers = 4
/** Larger tables gained nothing, and the data file is to stay small. */
const mostWords = 900

/** Learns how words speak for kinds: a logistic regression, example by example in a fixed order. */
export function trainProfiles(examples: readonly ProfileExample[], titleWords: ReadonlySet<string>): Profiles {
  const kinds = [...new Set(examples.map(({ kind }) => kind))].toSorted()
  const numberOf = new Map(kinds.map((kind, index) => [kind, index]))
  const counts = new Map<string, number>()
  for (const { words } of examples) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const vocabulary = [...counts]
    .filter(([word, count]) => count >= leastPapers && (!word.startsWith('title ') || titleWords.has(word.slice(6))))
    .toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, mostWords)
    .map(([word]) => word)
    .toSorted()
  const place = new Map(vocabulary.map((word, index) => [word, index]))
  const rows = examples.map(({ words, kind, weight }) => ({
    words: [...words].flatMap((word) => place.get(word) ?? []),
    kind: numberOf.get(kind)!,
    weight,
  }))
  const weights = vocabulary.map(() => new Float64Array(kinds.length))
  const bias = new Float64Array(kinds.length)
  for (let round = 0; round < rounds; round++) {
    const step = rate / (1 + round / 6)
    for (let at = 0; at < rows.length; at++) {
      // Another order in each round, and always the same ones.
      const { words, kind, weight } = rows[(at * 7919 + round * 104_729) % rows.length]!
      const share = shareOf(words.length)
      const scores = Float64Array.from(bias)
      for (const word of words)
        for (let other = 0; other < scores.length; other++) scores[other]! += weights[word]![other]! * share
      const shares = softmax(scores)
      shares[kind]! -= 1
      for (let other = 0; other < shares.length; other++) {
        const gradient = shares[other]! * weight * step
        bias[other]! -= gradient * 0.1
        for (const word of words) {
          const own = weights[word]!
          own[other]! -= gradient * share * 0.25 + own[other]! * pull * step
        }
      }
    }
  }
  return {
    kinds,
    bias: encoded([...bias]),
    words: Object.fromEntries(vocabulary.map((word, index) => [word, encoded([...weights[index]!])])),
  }
}

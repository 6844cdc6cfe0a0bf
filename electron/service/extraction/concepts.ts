import type { Concept } from './concept.ts'
import data from './concepts.json' with { type: 'json' }

/** Everything a field can mean, the most usual first: what papers have in common, then what those of single trades ask. */
export const concepts = data.concepts as Readonly<Record<string, Concept>>

/** Words before or in a party's name field that say which of the two sides is meant. */
export const partySides: Readonly<Record<'seller' | 'buyer' | 'delivery', { words: string[]; labels: string[] }>> =
  data.partySides

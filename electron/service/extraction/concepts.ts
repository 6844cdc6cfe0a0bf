import type { Concept, Role, ValueKind } from './concept.ts'
import data from './concepts.json' with { type: 'json' }

type Lists = { names: string; labels: string; weak?: string }
type Entry = Lists & { kind: string; role?: string }

const listOf = (phrases: string): string[] => (phrases === '' ? [] : phrases.split(' | '))

function conceptOf({ kind, role, names, labels, weak }: Entry): Concept {
  return {
    kind: kind as ValueKind,
    ...(role !== undefined && { role: role as Role }),
    names: listOf(names),
    labels: listOf(labels),
    ...(weak !== undefined && { weak: listOf(weak) }),
  }
}

/** Everything a field can mean, the most usual first: what papers have in common, then what those of single trades ask. */
export const concepts: Readonly<Record<string, Concept>> = Object.fromEntries(
  Object.entries(data.concepts).map(([name, entry]) => [name, conceptOf(entry)]),
)

/** Words before or in a party's name field that say which of the two sides is meant. */
export const partySides = Object.fromEntries(
  Object.entries(data.partySides).map(([side, { words, labels }]) => [
    side,
    { words: listOf(words), labels: listOf(labels) },
  ]),
) as Readonly<Record<'seller' | 'buyer' | 'delivery', { words: string[]; labels: string[] }>>

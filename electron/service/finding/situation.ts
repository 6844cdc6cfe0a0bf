import type { Field } from '../extraction/field.ts'
import type { Facts } from './facts.ts'
import type { Surroundings } from './labels.ts'
import type { Proposal } from './propose.ts'

/** One proposal as the answer to one field, with all that is known of both. */
export type Situation = {
  field: Field
  /** The field's place among the fields that the labels were compared with. */
  index: number
  proposal: Proposal
  around: Surroundings
  /** What stands around the first day of the period that this date opens or closes. */
  opening: Surroundings | undefined
  facts: Facts
  text: string
}

/** A number that the judge sees of a situation. */
export type Feature = (one: Situation) => number

/**
 * A feature that only the value and its place decide. Six fields of a schema share a proposal in the mean, so that it is
 * measured once.
 */
export function ofValue(feature: Feature): Feature {
  const known = new WeakMap<Proposal, number>()
  return (one) => {
    let value = known.get(one.proposal)
    if (value === undefined) known.set(one.proposal, (value = feature(one)))
    return value
  }
}

export function flag(value: boolean): number {
  return value ? 1 : 0
}

/** How many of the characters of a text are like the pattern, 0..1. */
export const shareOf = (text: string, pattern: RegExp): number =>
  (text.match(pattern)?.length ?? 0) / Math.max(1, text.length)

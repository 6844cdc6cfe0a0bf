import type { Field } from '../extraction/field.ts'
import type { Facts } from './facts.ts'
import type { Surroundings } from './labels.ts'
import type { Proposal } from './propose.ts'

/** What is known of a proposal, whatever is asked for. */
export type Place = {
  proposal: Proposal
  around: Surroundings
  /** What stands around the first day of the period that this date opens or closes. */
  opening: Surroundings | undefined
  facts: Facts
  text: string
}

/** One proposal as the answer to one field, with all that is known of both. */
export type Situation = Place & {
  field: Field
  /** The field's place among the fields that the labels were compared with. */
  index: number
}

/** A number that the judge sees of a situation, by name. */
export type Feature = readonly [name: string, of: (one: Situation) => number]
/** The same where only the value and its place decide: fields share proposals, and it is measured once for all. */
export type PlaceFeature = readonly [name: string, of: (place: Place) => number]

const placeFeatures = new WeakSet<Feature>()

/** Marks what is measured once for each place. */
export function ofPlaces(features: readonly PlaceFeature[]): Feature[] {
  for (const feature of features) placeFeatures.add(feature)
  return [...features]
}

export function isOfPlace(feature: Feature | PlaceFeature): feature is PlaceFeature {
  return placeFeatures.has(feature)
}

export function flag(value: boolean): number {
  return value ? 1 : 0
}

/** How many of the characters of a text are like the pattern, 0..1. */
export const shareOf = (text: string, pattern: RegExp): number =>
  (text.match(pattern)?.length ?? 0) / Math.max(1, text.length)

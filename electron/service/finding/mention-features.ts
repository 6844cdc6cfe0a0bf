import type { Mentioned } from './mentions.ts'
import type { Feature, Situation } from './situation.ts'

const ofName =
  (feature: (mentioned: Mentioned) => number): Feature[1] =>
  (one) => {
    const mentioned = isName(one) ? one.facts.mentions.of(one.text) : undefined
    return mentioned ? feature(mentioned) : NaN
  }

function isName({ field }: Situation): boolean {
  return field.kind === 'party' || field.answer === 'company' || field.answer === 'person'
}

/** What the rest of a document says of a name: it stands in the head, in the foot, in what is to be paid to whom. */
export const mentionFeatures: readonly Feature[] = [
  ['name: mentions', ofName(({ exactly }) => exactly)],
  ['name: mentions in short', ofName(({ inShort }) => inShort)],
  ['name: alone', ofName(({ alone }) => alone)],
  ['name: first line', ofName(({ firstLine }) => firstLine)],
  ['name: largest type', ofName(({ size }) => size)],
  ['name: legal form somewhere', ofName(({ hasLegalForm }) => Number(hasLegalForm))],
]

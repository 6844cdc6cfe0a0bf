import type { Trees } from '../../electron/service/finding/trees.ts'
import { boostInThread } from './boost-thread.ts'
import { meanOf } from './boost.ts'
import type { BoostOptions, Examples } from './boost.ts'
import { paperSets } from './cases.ts'
import type { TrainingCase } from './cases.ts'

/**
 * The mean of a training with the papers that others made and of one without them, whose trees see other features: the
 * first knows papers of all kinds, the second those that real senders and we ourselves have most, such as plain invoices
 * and accounts (docs/decisions/0136).
 */
export async function withAndWithoutPapers<Taught extends { one: TrainingCase }>(
  real: readonly Taught[],
  examples: (real: readonly Taught[]) => Examples,
  options: BoostOptions,
): Promise<Trees> {
  const ofSenders = real.filter(({ one: { set } }) => !paperSets.includes(set))
  const withPapers = boostInThread(() => examples(real), options)
  const without = boostInThread(() => examples(ofSenders), { ...options, firstTree: options.trees })
  return meanOf([await withPapers, await without])
}

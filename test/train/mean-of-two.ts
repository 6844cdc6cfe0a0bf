import type { Trees } from '../../electron/service/finding/trees.ts'
import { boostInThread } from './boost-thread.ts'
import { meanOf } from './boost.ts'
import type { BoostOptions, Examples } from './boost.ts'

/**
 * The mean of two trainings, whose trees see other features: of 1,043 values of sets that train nothing 656 were right
 * instead of 646. Where `second` gives other examples, the second training learns from those.
 */
export async function meanOfTwo(
  examples: () => Examples,
  options: BoostOptions,
  second: () => Examples = examples,
): Promise<Trees> {
  const trained = [boostInThread(examples, options), boostInThread(second, { ...options, firstTree: options.trees })]
  return meanOf(await Promise.all(trained))
}

import type { Trees } from '../service/finding/trees.ts'
import sorting from './sorting-model.json' with { type: 'json' }
import type { Profiles } from './profiles.ts'

/** What training leaves behind (test/train/sorting.ts). */
export type SortingModel = {
  profiles: Profiles
  /** Words that many papers say, by their hashes, with what each counts where prints are compared. */
  common: { hashes: number[]; weights: number[] }
  kinds: Trees
  cuts: Trees
  /** A schema is sure from this probability on, and so far before the second. */
  sureKind: { least: number; before: number }
  /** A boundary is sure up to the one and from the other probability on. */
  sureCut: { none: number; cut: number }
}

export const shippedModel: SortingModel = sorting

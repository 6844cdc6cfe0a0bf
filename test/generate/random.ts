/** Numbers drawn by chance from a seed: the same seed gives the same numbers on every computer. */
export type Random = {
  /** 0 (included) to 1 (excluded). */
  next: () => number
  /** A whole number from `low` to `high`, both included. */
  int: (low: number, high: number) => number
  /** True with a probability of `share`. */
  chance: (share: number) => boolean
  pick: <T>(from: readonly T[]) => T
  /** Some of them in an order drawn by chance. */
  sample: <T>(from: readonly T[], count: number) => T[]
  shuffle: <T>(from: readonly T[]) => T[]
  /** Another source of numbers that depends on this one's seed and on `name` only. */
  fork: (name: string) => Random
}

/** Mulberry32, of which the seed is first scattered, so that seeds beside each other share nothing. */
export function randomFrom(seed: number): Random {
  let state = scatter(seed >>> 0)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  const shuffle = <T>(from: readonly T[]): T[] => {
    const all = [...from]
    for (let index = all.length - 1; index > 0; index--) {
      const other = int(0, index)
      ;[all[index], all[other]] = [all[other]!, all[index]!]
    }
    return all
  }
  return {
    next,
    int,
    shuffle,
    chance: (share) => next() < share,
    pick: (from) => from[int(0, from.length - 1)]!,
    sample: (from, count) => {
      const all = [...from]
      const most = Math.min(count, all.length)
      for (let index = 0; index < most; index++) {
        const other = int(index, all.length - 1)
        ;[all[index], all[other]] = [all[other]!, all[index]!]
      }
      return all.slice(0, most)
    },
    fork: (name) => randomFrom(hash(`${seed}:${name}`)),
  }
}

/** FNV-1a. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

function scatter(seed: number): number {
  let value = seed ^ 0x9e3779b9
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

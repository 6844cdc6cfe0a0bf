/** Numbers that are the same for the same seed (mulberry32): what one run met can be met again. */
export type Seeded = {
  /** 0 ≤ x < 1. */
  share: () => number
  /** A whole number, both ends included. */
  between: (least: number, most: number) => number
  /** True in this share of all cases. */
  chance: (share: number) => boolean
  pick: <T>(choices: readonly T[]) => T
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1))
  return { share, between, chance: (of) => share() < of, pick: (choices) => choices[between(0, choices.length - 1)]! }
}

/** A seed of its own for each run of a series, so that one run can be repeated without the others. */
export function seedOf(series: number, ...names: (string | number)[]): number {
  let mixed = series >>> 0
  for (const character of names.join('/')) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x01000193) >>> 0
  return mixed
}

/** The value in the middle, the upper one of two; undefined when there is none. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)]
}

/** The nearest number from 0 to 1: places on a page are fractions of it. */
export function clampToPage(value: number): number {
  return Math.min(1, Math.max(0, value))
}

type Summary = readonly { name: string; value: unknown }[]

/** Fewer documents than these do not show what is usual. */
const fewest = 5

/**
 * The median size of a field's amounts in other documents; null where too few have one. `summaries` are read at the
 * first question only: most documents have no amount that needs it.
 */
export function usualAmounts(summaries: () => readonly Summary[]): (name: string) => number | null {
  let read: readonly Summary[] | null = null
  return (name) => {
    read ??= summaries()
    const sizes = read
      .flatMap((summary) => summary.find((each) => each.name === name)?.value ?? [])
      .filter((value) => typeof value === 'number' && value !== 0)
      .map((value) => Math.abs(value as number))
      .sort((a, b) => a - b)
    return sizes.length < fewest ? null : sizes[Math.floor(sizes.length / 2)]!
  }
}

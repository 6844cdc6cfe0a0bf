/** The first item with the highest score, of those that score more than `above`. */
export function maxBy<T>(items: Iterable<T>, score: (item: T) => number, above = -Infinity): T | undefined {
  let best: T | undefined
  let highest = above
  for (const item of items) {
    const value = score(item)
    if (value <= highest) continue
    best = item
    highest = value
  }
  return best
}

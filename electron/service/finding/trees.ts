/**
 * Gradient-boosted trees as data: for each tree its nodes one behind another, the root first, behind each node all of
 * its left side and then its right side. `feature[n]` is the index of the feature that node n asks, -1 in a leaf;
 * `at[n]` is the threshold there (what is at most that, or not a number, goes left), in a leaf the value.
 */
export type Trees = { bias: number; feature: number[][]; at: number[][] }

/** The nodes of all trees in one row, which is quicker to walk: where each tree begins, and each node's right side. */
type Packed = { starts: Int32Array; feature: Int16Array; at: Float64Array; right: Int32Array }
const packed = new WeakMap<Trees, Packed>()

function packedOf(trees: Trees): Packed {
  const known = packed.get(trees)
  if (known) return known
  const feature = Int16Array.from(trees.feature.flat())
  const right = new Int32Array(feature.length)
  const open: number[] = []
  feature.forEach((asked, node) => {
    if (asked >= 0) open.push(node)
    // A leaf ends the left side of the last node that has no right side yet.
    else if (open.length > 0) right[open.pop()!] = node + 1
  })
  let next = 0
  const starts = Int32Array.from(trees.feature, ({ length }) => (next += length) - length)
  const made: Packed = { starts, feature, at: Float64Array.from(trees.at.flat()), right }
  packed.set(trees, made)
  return made
}

/** The probability, 0..1, that the trees give to one row of features. */
export function probability(trees: Trees, row: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-trees.bias - sumOf(trees, row, trees.feature.length)))
}

/** What the first `count` trees give to one row of features: orders rows much as all trees do, and costs less. */
export function sumOf(trees: Trees, row: ArrayLike<number>, count: number): number {
  return sumsOf(trees, [row], count)[0]!
}

/** The same of several rows, each of which goes through a tree before the next tree: half as long as row by row. */
export function sumsOf(trees: Trees, rows: readonly ArrayLike<number>[], count: number): Float64Array {
  const { starts, feature, at, right } = packedOf(trees)
  const sums = new Float64Array(rows.length)
  for (let tree = 0; tree < count; tree++) {
    const root = starts[tree]!
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!
      let node = root
      while (feature[node]! >= 0) node = row[feature[node]!]! > at[node]! ? right[node]! : node + 1
      sums[index]! += at[node]!
    }
  }
  return sums
}

/**
 * How probable each answer to one question is by trees that were trained to choose: the answers, each with its row of
 * features, and «none of them», to which they give 0, share what is certain.
 */
export function sharesOf(trees: Trees, rows: readonly ArrayLike<number>[]): number[] {
  const sums = sumsOf(trees, rows, trees.feature.length)
  const highest = Math.max(0, ...sums)
  const parts = Array.from(sums, (sum) => Math.exp(sum - highest))
  const all = parts.reduce((total, part) => total + part, Math.exp(-highest))
  return parts.map((part) => part / all)
}

/** The log of the odds of a probability. */
export const logit = (p: number): number => Math.log(Math.max(1e-4, p) / Math.max(1e-4, 1 - p))

/**
 * Gradient-boosted trees as data: for each tree its nodes one behind another, the root first. `feature[n]` is the
 * index of the feature that node n asks, -1 in a leaf; `at[n]` is the threshold there (what is at most that, or not a
 * number, goes left), in a leaf the value; the right child is `right[n]`, the left one the node behind n.
 */
export type Trees = { bias: number; feature: number[][]; at: number[][]; right: number[][] }

/** The probability, 0..1, that the trees give to one row of features. */
export function probability(trees: Trees, row: ArrayLike<number>): number {
  return 1 / (1 + Math.exp(-trees.bias - sumOf(trees, row, trees.feature.length)))
}

/** What the first `count` trees give to one row of features: orders rows much as all trees do, and costs less. */
export function sumOf(trees: Trees, row: ArrayLike<number>, count: number): number {
  let sum = 0
  for (let tree = 0; tree < count; tree++) {
    const feature = trees.feature[tree]!
    const at = trees.at[tree]!
    const right = trees.right[tree]!
    let node = 0
    while (feature[node]! >= 0) node = row[feature[node]!]! > at[node]! ? right[node]! : node + 1
    sum += at[node]!
  }
  return sum
}

/**
 * How probable each answer to one question is by trees that were trained to choose: the answers, each with its row of
 * features, and «none of them», to which they give 0, share what is certain.
 */
export function sharesOf(trees: Trees, rows: readonly ArrayLike<number>[]): number[] {
  const sums = rows.map((row) => sumOf(trees, row, trees.feature.length))
  const highest = Math.max(0, ...sums)
  const parts = sums.map((sum) => Math.exp(sum - highest))
  const all = parts.reduce((total, part) => total + part, Math.exp(-highest))
  return parts.map((part) => part / all)
}

import type { Trees } from '../../electron/service/finding/trees.ts'
import { hash } from './hash.ts'

/** Rows of features one behind another, with what each is (1 right, 0 wrong) and how much it counts. */
export type Examples = {
  width: number
  values: Float32Array
  labels: Uint8Array
  weights: Float32Array
  /** Where rows are possible answers to questions; without it each row is judged by itself. */
  questions?: Questions
  /** The fold of each row, where trees are to be trained from all folds but one. */
  folds?: Uint8Array
}

type Taught = Pick<Examples, 'labels' | 'weights' | 'questions'>

/** Of each row the number of its question, one behind another, and how many left out ones it stands for with itself. */
export type Questions = { numbers: Uint32Array; copies: Float32Array }

export type BoostOptions = {
  trees: number
  leaves: number
  rate: number
  leastWeight: number
  lambda: number
  /** Each tree sees this share of the features, another one each time. */
  share: number
  /** What trees see goes by their number, which begins here; 0 without it. */
  firstTree?: number
  /** The fold whose rows train nothing. */
  leftOut?: number
}

const bins = 32
/**
 * Trains gradient-boosted trees by histograms of at most 32 bins for each feature, growing each tree at the leaf that
 * gains most: with logistic loss, or where rows answer questions with the loss of a choice among the rows of one
 * question and «none of them», whose score is 0 (softmax). There is no chance in it, which features a tree sees is
 * reckoned from its number: the same examples give the same trees.
 */
export function boost(all: Examples, options: BoostOptions): Trees {
  const { width } = all
  const taught = rowsBut(all, options.leftOut)
  const examples = atRows(all, taught)
  const edges = Array.from({ length: width }, (_, feature) => edgesOf(all, taught, feature))
  const binned = binAll(all, taught, edges)
  const count = taught.length
  const bias = examples.questions ? 0 : rounded(oddsOf(examples))
  const scores = new Float64Array(count)
  const gradients = new Float64Array(count)
  const hessians = new Float64Array(count)
  const trees: Trees = { bias, feature: [], at: [] }
  scores.fill(bias)
  const { firstTree = 0 } = options
  for (let tree = 0; tree < options.trees; tree++) {
    if (examples.questions) stepsOfQuestions(examples, examples.questions, scores, gradients, hessians)
    else stepsOfRows(examples, scores, gradients, hessians)
    const features = featuresOf(firstTree + tree, width, options.share)
    const order = rowsInOrder(count)
    const root = grow({ binned: pick(binned, width, features), features, gradients, hessians, order }, options)
    store(trees, root, edges)
    for (const leaf of leavesOf(root)) addTo(scores, order, leaf)
  }
  return trees
}

/** The rows of all folds but one. */
function rowsBut({ labels, folds }: Examples, leftOut: number | undefined): Uint32Array {
  const rows = rowsInOrder(labels.length)
  return folds && leftOut !== undefined ? rows.filter((row) => folds[row] !== leftOut) : rows
}

/** What is known of some rows beside their values. */
function atRows({ labels, weights, questions }: Examples, rows: Uint32Array): Taught {
  return {
    labels: Uint8Array.from(rows, (row) => labels[row]!),
    weights: Float32Array.from(rows, (row) => weights[row]!),
    ...(questions && {
      questions: {
        numbers: Uint32Array.from(rows, (row) => questions.numbers[row]!),
        copies: Float32Array.from(rows, (row) => questions.copies[row]!),
      },
    }),
  }
}

/** What several trees say in the mean. */
export function meanOf(trained: readonly Trees[]): Trees {
  const part = 1 / trained.length
  return {
    bias: rounded(part * trained.reduce((sum, { bias }) => sum + bias, 0)),
    feature: trained.flatMap(({ feature }) => feature),
    at: trained.flatMap(({ feature, at }) =>
      at.map((nodes, tree) => nodes.map((value, node) => (feature[tree]![node]! < 0 ? rounded(value * part) : value))),
    ),
  }
}

function rowsInOrder(count: number): Uint32Array {
  const order = new Uint32Array(count)
  for (let row = 0; row < count; row++) order[row] = row
  return order
}

function addTo(scores: Float64Array, order: Uint32Array, { from, to, value }: Node): void {
  for (let at = from; at < to; at++) scores[order[at]!]! += value
}

function oddsOf({ labels, weights }: Taught): number {
  let positive = 0
  let all = 0
  for (let index = 0; index < labels.length; index++) {
    positive += weights[index]! * labels[index]!
    all += weights[index]!
  }
  return Math.log((positive + 1) / (all - positive + 1))
}

/** How far each row is from what it should be, and how steep the loss is there. */
function stepsOfRows(
  { labels, weights }: Taught,
  scores: Float64Array,
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  for (let index = 0; index < labels.length; index++) {
    const p = 1 / (1 + Math.exp(-scores[index]!))
    gradients[index] = weights[index]! * (labels[index]! - p)
    hessians[index] = weights[index]! * Math.max(1e-6, p * (1 - p))
  }
}

/**
 * The same where rows answer questions: a question is answered by one of its right rows, whichever, or by none where
 * it has none.
 */
function stepsOfQuestions(
  { labels, weights }: Taught,
  { numbers, copies }: Questions,
  scores: Float64Array,
  gradients: Float64Array,
  hessians: Float64Array,
): void {
  for (let from = 0, to = 0; from < labels.length; from = to) {
    let highest = 0
    for (to = from; numbers[to] === numbers[from]; to++) highest = Math.max(highest, scores[to]!)
    let all = Math.exp(-highest)
    let right = 0
    for (let row = from; row < to; row++) {
      const part = copies[row]! * Math.exp(scores[row]! - highest)
      all += part
      right += part * labels[row]!
      // Kept here until the sums are known.
      hessians[row] = part
    }
    for (let row = from; row < to; row++) {
      const part = hessians[row]!
      const p = part / all
      const wanted = labels[row] ? part / right : 0
      gradients[row] = weights[row]! * (wanted - p)
      hessians[row] = weights[row]! * Math.max(1e-6, p * (1 - p))
    }
  }
}

type Node = {
  /** Its rows are those from here to there in the order of the tree. */
  from: number
  to: number
  /** For each bin of each feature that the tree sees the sum of the gradients, and behind it that of the hessians. */
  sums: Float64Array
  gradient: number
  hessian: number
  value: number
  best: { gain: number; feature: number; bin: number } | null
  split?: { feature: number; bin: number; left: Node; right: Node }
}

/** What one tree is grown from: the features that it sees, and how far each row is from what it should be. */
type TreeInput = {
  /** The bins of these features only, row by row. */
  binned: Uint8Array
  features: readonly number[]
  gradients: Float64Array
  hessians: Float64Array
  /** The rows, those of one node behind one another, each node's in their first order. */
  order: Uint32Array
}

function featuresOf(tree: number, width: number, share: number): number[] {
  const order = Array.from({ length: width }, (_, feature) => ({ feature, place: hash(`${tree} ${feature}`) }))
  order.sort((left, right) => left.place - right.place)
  const chosen = order.slice(0, Math.max(1, Math.round(share * width)))
  return chosen.map(({ feature }) => feature).sort((left, right) => left - right)
}

/** The columns of some features, row by row: what a tree does not see would only be carried along. */
function pick(binned: Uint8Array, width: number, features: readonly number[]): Uint8Array {
  const picked = new Uint8Array((binned.length / width) * features.length)
  for (let base = 0, at = 0; base < binned.length; base += width)
    for (let place = 0; place < features.length; place++) picked[at++] = binned[base + features[place]!]!
  return picked
}

function grow(input: TreeInput, options: BoostOptions): Node {
  const { features, order } = input
  const root = nodeOf(0, order.length, histogram(0, order.length, input), features, options)
  const open = [root]
  for (let leaves = 1; leaves < options.leaves; leaves++) {
    let next: Node | undefined
    for (const node of open) if (node.best && (!next || node.best.gain > next.best!.gain)) next = node
    if (!next) break
    const { from, to, best } = next
    const middle = part(next, input)
    const isLeftSmall = middle - from < to - middle
    const counted = isLeftSmall ? histogram(from, middle, input) : histogram(middle, to, input)
    // What is not in the smaller part is in the larger one.
    const rest = next.sums.map((value, index) => value - counted[index]!)
    const left = nodeOf(from, middle, isLeftSmall ? counted : rest, features, options)
    const right = nodeOf(middle, to, isLeftSmall ? rest : counted, features, options)
    next.split = { feature: best!.feature, bin: best!.bin, left, right }
    next.sums = new Float64Array(0)
    open.splice(open.indexOf(next), 1, left, right)
  }
  return root
}

/** Moves the rows of a node that go left before those that go right, and says where these begin. */
function part({ from, to, best }: Node, { binned, features, order }: TreeInput): number {
  const { feature, bin } = best!
  const place = features.indexOf(feature)
  const right = new Uint32Array(to - from)
  let middle = from
  let count = 0
  for (let at = from; at < to; at++) {
    const row = order[at]!
    if (binned[row * features.length + place]! <= bin) order[middle++] = row
    else right[count++] = row
  }
  order.set(right.subarray(0, count), middle)
  return middle
}

function histogram(
  from: number,
  to: number,
  { binned, features, gradients, hessians, order }: TreeInput,
): Float64Array {
  const width = features.length
  const sums = new Float64Array(width * bins * 2)
  for (let at = from; at < to; at++) {
    const row = order[at]!
    const gradient = gradients[row]!
    const hessian = hessians[row]!
    const base = row * width
    for (let place = 0; place < width; place++) {
      const slot = (place * bins + binned[base + place]!) * 2
      sums[slot]! += gradient
      sums[slot + 1]! += hessian
    }
  }
  return sums
}

function nodeOf(
  from: number,
  to: number,
  sums: Float64Array,
  features: readonly number[],
  options: BoostOptions,
): Node {
  let gradient = 0
  let hessian = 0
  for (let bin = 0; bin < bins; bin++) {
    gradient += sums[bin * 2]!
    hessian += sums[bin * 2 + 1]!
  }
  const value = rounded((options.rate * gradient) / (hessian + options.lambda))
  return { from, to, sums, gradient, hessian, value, best: bestSplit(sums, features, gradient, hessian, options) }
}

function bestSplit(
  sums: Float64Array,
  features: readonly number[],
  gradient: number,
  hessian: number,
  { lambda, leastWeight }: BoostOptions,
): Node['best'] {
  const before = (gradient * gradient) / (hessian + lambda)
  let best: Node['best'] = null
  for (const [place, feature] of features.entries()) {
    let left = 0
    let leftHessian = 0
    for (let bin = 0; bin < bins - 1; bin++) {
      left += sums[(place * bins + bin) * 2]!
      leftHessian += sums[(place * bins + bin) * 2 + 1]!
      const rightHessian = hessian - leftHessian
      if (leftHessian < leastWeight) continue
      if (rightHessian < leastWeight) break
      const right = gradient - left
      const gain = (left * left) / (leftHessian + lambda) + (right * right) / (rightHessian + lambda) - before
      if (gain > 1e-3 && (!best || gain > best.gain)) best = { gain, feature, bin }
    }
  }
  return best
}

function leavesOf(node: Node): Node[] {
  return node.split ? [...leavesOf(node.split.left), ...leavesOf(node.split.right)] : [node]
}

/** Adds a tree. */
function store(trees: Trees, root: Node, edges: Float32Array[]): void {
  const [feature, at]: [number[], number[]] = [[], []]
  const visit = (node: Node): void => {
    feature.push(node.split ? node.split.feature : -1)
    at.push(rounded(node.split ? edges[node.split.feature]![node.split.bin]! : node.value))
    if (!node.split) return
    visit(node.split.left)
    visit(node.split.right)
  }
  visit(root)
  trees.feature.push(feature)
  trees.at.push(at)
}

/** Upper edges of the bins of a feature, from a sample of its values. */
function edgesOf({ width, values }: Examples, rows: Uint32Array, feature: number): Float32Array {
  const step = Math.max(1, Math.floor(rows.length / 20_000))
  const sample: number[] = []
  let isMissing = false
  for (let at = 0; at < rows.length; at += step) {
    const value = values[rows[at]! * width + feature]!
    if (Number.isNaN(value)) isMissing = true
    else sample.push(value)
  }
  const counts = new Map<number, number>()
  for (const value of sample.sort((left, right) => left - right)) counts.set(value, (counts.get(value) ?? 0) + 1)
  const distinct = [...counts]
  const upper = evenEdges(distinct, distinct.length < bins - 1 ? 0 : sample.length)
  // What is missing goes left of everything, also of the smallest value.
  if (isMissing && distinct.length > 0) upper.unshift(distinct[0]![0] - 1)
  // Thresholds are stored with few digits, so the bins are cut where the stored ones are.
  return Float32Array.from([...new Set(upper.map(rounded))])
}

/**
 * Edges between values with their counts, smallest first: a value that fills a bin has one of its own, and the others
 * share the rest evenly. Most rows have a likeness of 0: by equal counts the likenesses would share few bins.
 */
function evenEdges(counts: readonly (readonly [value: number, count: number])[], all: number): number[] {
  const isLarge = ([, count]: readonly [value: number, count: number]): boolean => count * (bins - 1) >= all
  const large = counts.filter(isLarge)
  const rest = all - large.reduce((sum, [, count]) => sum + count, 0)
  const share = rest / Math.max(1, bins - 2 - 2 * large.length)
  const edges: number[] = []
  let held = 0
  for (const [index, [value, count]] of counts.slice(0, -1).entries()) {
    held += count
    const next = counts[index + 1]!
    if (!isLarge([value, count]) && !isLarge(next) && held < share) continue
    edges.push((value + next[0]) / 2)
    held = 0
  }
  return edges.slice(0, bins - 2)
}

function binAll({ width, values }: Examples, rows: Uint32Array, edges: Float32Array[]): Uint8Array {
  const binned = new Uint8Array(rows.length * width)
  let at = 0
  for (const row of rows) {
    for (let feature = 0; feature < width; feature++) {
      const upper = edges[feature]!
      const value = values[row * width + feature]!
      let low = 0
      let high = Number.isNaN(value) ? 0 : upper.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value > upper[middle]!) low = middle + 1
        else high = middle
      }
      binned[at++] = low
    }
  }
  return binned
}

function rounded(value: number): number {
  return Number(value.toPrecision(5))
}

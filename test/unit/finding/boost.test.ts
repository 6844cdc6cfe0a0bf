import { describe, expect, it } from 'vitest'
import { probability, sumOf } from '../../../electron/service/finding/trees.ts'
import { boost, meanOf } from '../../train/boost.ts'
import type { Examples } from '../../train/boost.ts'
import { hash } from '../../train/hash.ts'

/** Right where the first feature is above 0.5 and the second is not a number. */
function examples(count: number): Examples {
  const values = new Float32Array(count * 2)
  const labels = new Uint8Array(count)
  for (let row = 0; row < count; row++) {
    const [first, second] = [(row * 37) % 100, row % 3 === 0 ? NaN : row % 7]
    values.set([first / 100, second], row * 2)
    labels[row] = Number(first > 50 && Number.isNaN(second))
  }
  return { width: 2, values, labels, weights: new Float32Array(count).fill(1) }
}

/** Of the rows of a question the one with the highest feature is right where that is above 0.4; else none is. */
function questions(count: number): Examples {
  const size = 5
  const values = Float32Array.from({ length: count * size }, (_, row) => (hash(String(row)) % 100) / 100)
  const numbers = Uint32Array.from(values, (_, row) => Math.floor(row / size))
  const labels = Uint8Array.from(values, (value, row) => {
    const start = row - (row % size)
    return Number(value > 0.4 && value === Math.max(...values.subarray(start, start + size)))
  })
  const [weights, copies] = [new Float32Array(values.length).fill(1), new Float32Array(values.length).fill(1)]
  return { width: 1, values, labels, weights, questions: { numbers, copies } }
}

const options = { trees: 40, leaves: 4, rate: 0.3, leastWeight: 1, lambda: 1, share: 1 }

describe('boosted trees', () => {
  const trees = boost(examples(2000), options)

  it('learn what two features say together, one of them by its absence', () => {
    expect(probability(trees, [0.9, NaN])).toBeGreaterThan(0.95)
    expect(probability(trees, [0.9, 3])).toBeLessThan(0.05)
    expect(probability(trees, [0.1, NaN])).toBeLessThan(0.05)
  })

  it('are the same for the same examples', () => {
    expect(JSON.stringify(boost(examples(2000), options))).toBe(JSON.stringify(trees))
  })

  it('are the same without the rows of a fold as where these are not among the examples', () => {
    const all = examples(1000)
    const folds = Uint8Array.from(all.labels, (_, row) => row % 3)
    const rows = [...folds.keys()].filter((row) => folds[row] !== 1)
    const others: Examples = {
      width: 2,
      values: Float32Array.from(rows.flatMap((row) => [...all.values.subarray(row * 2, row * 2 + 2)])),
      labels: Uint8Array.from(rows, (row) => all.labels[row]!),
      weights: new Float32Array(rows.length).fill(1),
    }
    const without = boost({ ...all, folds }, { ...options, leftOut: 1 })
    expect(without).toEqual(boost(others, options))
    expect(without).not.toEqual(boost(all, options))
  })

  it('each see only their share of the features, and together all', () => {
    const { feature } = boost(examples(2000), { ...options, share: 0.5 })
    const asked = feature.map((nodes) => new Set(nodes.filter((one) => one >= 0)))
    expect(Math.max(...asked.map((one) => one.size))).toBe(1)
    expect(new Set(asked.flatMap((one) => [...one]))).toEqual(new Set([0, 1]))
  })

  it('see other features from another first tree on', () => {
    const half = { ...options, share: 0.5 }
    const others = boost(examples(2000), { ...half, firstTree: options.trees })
    expect(others.feature).not.toEqual(boost(examples(2000), half).feature)
  })

  it('of different examples have a mean, which gives a row the mean of what they give', () => {
    const others = boost(examples(300), { ...options, trees: 30 })
    const mean = meanOf([trees, others])
    for (const row of [
      [0.9, NaN],
      [0.1, 3],
    ]) {
      const each = [trees, others].map((one) => one.bias + sumOf(one, row, one.feature.length))
      expect(mean.bias + sumOf(mean, row, mean.feature.length)).toBeCloseTo((each[0]! + each[1]!) / 2, 2)
    }
  })

  it('tell values apart that few rows have, where most rows have the same one', () => {
    const values = Float32Array.from({ length: 4000 }, (_, row) =>
      row % 20 === 0 ? (hash(String(row)) % 100) / 100 : 0,
    )
    const labels = Uint8Array.from(values, (value) => Number(value > 0.6 && value <= 0.68))
    const weights = new Float32Array(values.length).fill(1)
    const narrow = boost({ width: 1, values, labels, weights }, { ...options, leastWeight: 0.01, trees: 100 })
    expect(probability(narrow, [0.64])).toBeGreaterThan(0.7)
    for (const value of [0, 0.5, 0.56, 0.72, 0.8]) expect(probability(narrow, [value])).toBeLessThan(0.2)
  })

  it('that answer questions learn to choose one row of each, or none', () => {
    const chosen = boost(questions(2000), { ...options, trees: 200 })
    const scoreOf = (value: number): number => sumOf(chosen, [value], chosen.feature.length)
    expect(chosen.bias).toBe(0)
    // Against «none», whose score is 0.
    for (const value of [0.05, 0.2, 0.35]) expect(scoreOf(value)).toBeLessThan(-2)
    for (const value of [0.5, 0.7, 0.95]) expect(scoreOf(value)).toBeGreaterThan(1)
    // The higher one of two is right, though both alone would be.
    expect(scoreOf(0.95)).toBeGreaterThan(scoreOf(0.7) + 1)
    expect(scoreOf(0.7)).toBeGreaterThan(scoreOf(0.5) + 1)
  })

  it('take a row that stands for many as so many wrong answers', () => {
    const wrongOf = (copies: number): number => {
      const one: Examples = {
        width: 1,
        values: Float32Array.of(0, 1),
        labels: Uint8Array.of(0, 1),
        weights: Float32Array.of(1, 1),
        questions: { numbers: Uint32Array.of(0, 0), copies: Float32Array.of(copies, 1) },
      }
      return sumOf(boost(one, { ...options, trees: 1, leastWeight: 0 }), [0], 1)
    }
    expect(wrongOf(8)).toBeLessThan(wrongOf(1))
  })
})

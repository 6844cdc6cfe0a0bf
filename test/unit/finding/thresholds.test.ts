import { expect, it } from 'vitest'
import { thresholdsOf } from '../../train/fields.ts'
import type { Outcome } from '../../train/fields.ts'

const some = (count: number, trust: number, isRight: boolean): Outcome[] =>
  Array.from({ length: count }, () => ({ trust, isRight, isWanted: true, isUsable: true, kind: 'text' }))

it('values are given from the lowest trust that serves as well as the best but for half a percent', () => {
  const outcomes = [...some(1000, 0.9, true), ...some(1, 0.5, true), ...some(3, 0.5, false), ...some(20, 0.3, false)]
  expect(thresholdsOf(outcomes).given).toBe(0.5)
})

it('values go without a flag from the lowest trust above which 99 of 100 are right', () => {
  const outcomes = [...some(990, 0.9, true), ...some(4, 0.8, false), ...some(20, 0.7, false)]
  // of the first two 990 of 994 are right, of all 990 of 1014; with what follows 2990 of 3014
  expect(thresholdsOf(outcomes).sure).toBe(0.8)
  expect(thresholdsOf([...outcomes, ...some(2000, 0.6, true)]).sure).toBe(0.6)
})

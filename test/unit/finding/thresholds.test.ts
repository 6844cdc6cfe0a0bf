import { expect, it } from 'vitest'
import { thresholdsOf } from '../../train/fields.ts'
import type { Outcome } from '../../train/fields.ts'

const some = (count: number, trust: number, isRight: boolean, isPicture = false): Outcome[] =>
  Array.from({ length: count }, () => ({ trust, isRight, isWanted: true, isUsable: true, kind: 'text', isPicture }))

/** So many outcomes of a trust, of which as many are right as it says. */
const asTrusted = (count: number, trust: number): Outcome[] => [
  ...some(Math.round(count * trust), trust, true),
  ...some(Math.round(count * (1 - trust)), trust, false),
]

const usual = [...asTrusted(1000, 0.99), ...asTrusted(500, 0.7), ...asTrusted(200, 0.4), ...asTrusted(200, 0.2)]

it('values are given from the trust on at which one of three is right', () => {
  expect(thresholdsOf(usual).given).toBe(0.4)
})

it('a few right ones of little trust change nothing', () => {
  expect(thresholdsOf([...usual, ...some(3, 0.1, true)]).given).toBe(0.4)
})

it('where trusts promise too much, more of it is asked for', () => {
  const flattered = [
    ...asTrusted(1000, 0.99),
    ...some(250, 0.7, true),
    ...some(250, 0.7, false),
    ...some(80, 0.4, true),
    ...some(320, 0.4, false),
  ]
  expect(thresholdsOf(flattered).given).toBe(0.7)
})

it('values go without a flag from the lowest trust above which 98 of 100 are right', () => {
  const sure = (others: number): number => thresholdsOf([...usual, ...asTrusted(others, 0.9)]).sure.text
  expect(sure(30)).toBe(0.9)
  expect(sure(400)).toBe(0.99)
})

it('what was recognised in pictures needs as much trust as proves right there', () => {
  const pictures = [...some(200, 0.99, true, true), ...some(20, 0.95, true, true), ...some(10, 0.95, false, true)]
  expect(thresholdsOf([...usual, ...some(100, 0.95, true), ...pictures]).sure).toEqual({ text: 0.95, picture: 0.99 })
})

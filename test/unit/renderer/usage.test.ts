import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import { capFrom } from '../../../renderer/screens/usage/cap-panel.tsx'
import { dayText, roundTop, spanUntilToday } from '../../../renderer/screens/usage/days.ts'

describe('a span of days', () => {
  it('ends today and counts both ends', () => {
    expect(spanUntilToday(7, new Date(2026, 2, 9, 0, 1))).toEqual({ from: '2026-03-03', to: '2026-03-09' })
    expect(spanUntilToday(1, new Date(2026, 11, 31, 23, 59))).toEqual({ from: '2026-12-31', to: '2026-12-31' })
  })

  it('does not slip over the days on which the clock changes', () => {
    for (let day = 1; day <= 31; day++)
      expect(spanUntilToday(90, new Date(2026, 2, day)).to).toBe(`2026-03-${String(day).padStart(2, '0')}`)
    expect(spanUntilToday(2, new Date(2026, 2, 30, 0, 30)).from).toBe('2026-03-29')
    expect(spanUntilToday(2, new Date(2026, 9, 26, 23, 30)).from).toBe('2026-10-25')
  })

  it('is written as people of the language write a day', () => {
    expect(dayText('2026-03-09', formatsFor('de-DE'))).toBe('09.03.2026')
    expect(formatsFor('fr-FR').dayOfMonth('2026-03-09')).toBe('9 mars')
  })
})

describe('the axis of a chart', () => {
  it('ends at a round number that is not less than the most, and can be halved', () => {
    for (const most of [0, 1, 2, 3, 7, 11, 99, 101, 1234, 57_000, 999_999]) {
      const top = roundTop(most)
      expect(top).toBeGreaterThanOrEqual(most)
      expect(Number.isInteger(top / 2)).toBe(true)
    }
    expect(roundTop(57_000)).toBe(60_000)
    expect(roundTop(0)).toBe(2)
  })
})

describe('a cap that is typed', () => {
  it('is a whole number however its digits are grouped, or none', () => {
    expect(capFrom('40', 100)).toBe(40)
    expect(capFrom('1.000.000', 1_000_000)).toBe(1_000_000)
    expect(capFrom('36\u202f000', 100_000)).toBe(36_000)
    expect(capFrom('  ', 100)).toBeNull()
  })

  it('is refused when it is no number, zero or too large', () => {
    for (const text of ['0', '-4', 'forty', '101', '1e3', '2.5', '1,25', '999999999999999999'])
      expect(capFrom(text, 100)).toBeUndefined()
  })
})

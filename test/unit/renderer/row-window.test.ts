import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  lowestTop,
  movedBy,
  placesFrom,
  shareOf,
  showing,
  topAt,
} from '../../../renderer/screens/documents/row-window.ts'
import type { Rows } from '../../../renderer/screens/documents/row-window.ts'

const million: Rows = { count: 1_000_000, heightOf: (index) => (index % 7 === 0 ? 54 : 38), viewPx: 600 }

describe('a window on a million rows', () => {
  it('shows the first row at the upper end of the scroll bar and the last at the lower', () => {
    expect(placesFrom(topAt(0, million), million)[0]).toMatchObject({ index: 0, startPx: 0 })
    const last = placesFrom(topAt(1, million), million).at(-1)!
    expect(last.index).toBe(999_999)
    expect(last.startPx + last.heightPx).toBeCloseTo(600, 5)
  })

  it('moves by exact pixels, there and back, and not beyond the ends', () => {
    const middle = topAt(0.5, million)
    const moved = movedBy(middle, 1234, million)
    expect(movedBy(moved, -1234, million)).toEqual(middle)
    expect(movedBy({ index: 0, px: 10 }, -500, million)).toEqual({ index: 0, px: 0 })
    expect(movedBy(lowestTop(million), 500, million)).toEqual(lowestTop(million))
  })

  it('gives back the place that a scroll bar was set to', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        expect(shareOf(topAt(share, million), million)).toBeCloseTo(share, 6)
      }),
    )
  })

  it('shows any row as a whole by the shortest way', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), fc.double({ min: 0, max: 1, noNaN: true }), (index, share) => {
        const before = topAt(share, million)
        const top = showing(index, before, million)
        const place = placesFrom(top, million).find((row) => row.index === index)!
        expect(place.startPx).toBeGreaterThanOrEqual(-1e-6)
        expect(place.startPx + place.heightPx).toBeLessThanOrEqual(600 + 1e-6)
        expect(showing(index, top, million)).toEqual(top)
      }),
    )
  })

  it('covers the screen without a gap wherever it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const places = placesFrom(topAt(share, million), million)
        expect(places[0]!.startPx).toBeLessThanOrEqual(0)
        expect(places.at(-1)!.startPx + places.at(-1)!.heightPx).toBeGreaterThanOrEqual(600 - 1e-6)
        for (const [at, row] of places.entries())
          if (at > 0) expect(row.startPx).toBeCloseTo(places[at - 1]!.startPx + places[at - 1]!.heightPx, 6)
        expect(places.length).toBeLessThan(40)
      }),
    )
  })

  it('stands still at the top of a list that is shorter than the screen, or empty', () => {
    const short: Rows = { ...million, count: 3 }
    expect(movedBy({ index: 0, px: 0 }, 100, short)).toEqual({ index: 0, px: 0 })
    expect(showing(2, { index: 0, px: 0 }, short)).toEqual({ index: 0, px: 0 })
    expect(shareOf({ index: 0, px: 0 }, short)).toBe(0)
    expect(placesFrom({ index: 0, px: 0 }, { ...million, count: 0 })).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { seedOf } from './harness/seeded.ts'
import { killOnce } from './kill/one-run.ts'
import { points } from './kill/points.ts'
import type { Mode } from './kill/points.ts'
import { findingsOf } from './kill/series.ts'
import { scaled } from '../helpers/scale.ts'

/**
 * The short version of `npm run faults`; the same seed always, so that a failure is a change of the product. A change
 * is killed once at each point, in one mode and the other in turns; a night is in both.
 */
const series = 20_261_121

for (const [at, { id, what, asynchronous }] of points.entries()) {
  const mode = asynchronous === true || at % 2 === 1 ? 'async' : 'sync'
  describe(`${id} ${what}`, () => {
    it.concurrent.each(scaled<Mode[]>([mode], ['sync', 'async']))(
      'loses nothing and pays for nothing twice when the program is killed there, in mode %s',
      async (mode) => {
        const seed = seedOf(series, id, mode)
        expect(
          findingsOf(await killOnce(id, mode, seed)),
          `npm run faults -- --point ${id} --mode ${mode} --seed ${seed}`,
        ).toEqual([])
      },
    )
  })
}

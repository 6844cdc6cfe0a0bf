import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from './harness/program.ts'
import type { BuiltProgram } from './harness/program.ts'
import { seedOf } from './harness/seeded.ts'
import { killOnce } from './kill/one-run.ts'
import { points } from './kill/points.ts'
import { findingsOf } from './kill/series.ts'

/** The short version of `npm run faults`; the same seed always, so that a failure is a change of the product. */
const series = 20_261_121
let built: BuiltProgram

beforeAll(async () => {
  built = await buildProgram()
})

afterAll(() => built.remove())

for (const { id, what } of points) {
  describe(`${id} ${what}`, () => {
    it.concurrent.each(['sync', 'async'] as const)(
      'loses nothing and pays for nothing twice when the program is killed there, in mode %s',
      async (mode) => {
        const seed = seedOf(series, id, mode)
        expect(
          findingsOf(await killOnce(built, id, mode, seed)),
          `npm run faults -- --point ${id} --mode ${mode} --seed ${seed}`,
        ).toEqual([])
      },
    )
  })
}

import { describe, expect, it } from 'vitest'
import { runChaos } from './chaos/chaos.ts'
import { findingsOf, lineOf } from './chaos/report.ts'
import { scaled } from '../helpers/scale.ts'

/** The short version of `npm run chaos`. */
const given = { documents: scaled(30, 120), seed: 20_261_121 }

describe('a service that fails in every way, with restarts in between', () => {
  it.runIf(process.platform === 'linux')(
    'leaves each document in one known state, billed once and once for each approved resend',
    async () => {
      const begun = performance.now()
      const outcome = await runChaos(given.documents, given.seed)
      expect(findingsOf(outcome), `npm run chaos -- --documents ${given.documents} --seed ${given.seed}`).toEqual([])
      process.stdout.write(`${lineOf(outcome, given, (performance.now() - begun) / 1000)}\n`)
    },
  )
})

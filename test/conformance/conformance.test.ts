import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOwnService } from './own-service.ts'
import type { OwnService } from './own-service.ts'
import { writeReport } from './report.ts'
import { ask, cases } from './suite.ts'
import type { Asked } from './suite.ts'

let service: OwnService
const asked: Asked[] = []
beforeAll(async () => {
  service = await startOwnService()
})
afterAll(() => service.close())

describe('the conformance suite', () => {
  it('has one id for each case and asks at least 150', () => {
    const ids = cases.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.length).toBeGreaterThanOrEqual(150)
  })
})

describe('the service keeps to the interface', () => {
  it.each(cases.map((one) => [`${one.section}: ${one.name} [${one.id}]`, one] as const))(
    '%s',
    { timeout: 190_000 },
    async (_, one) => {
      const outcome = await ask(one, service.target, true)
      asked.push({ one, outcome })
      expect(outcome, JSON.stringify(outcome)).toEqual({ result: 'passed' })
    },
  )

  it('in every case, of which test-results/conformance.md tells', async () => {
    expect(asked).toHaveLength(cases.length)
    await writeReport(asked)
  })
})

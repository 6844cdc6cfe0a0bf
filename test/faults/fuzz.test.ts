import { describe, expect, it } from 'vitest'
import { fuzz } from './fuzz/kit.ts'
import { targets } from './fuzz/targets.ts'

/** So few that all of them take seconds; `npm run fuzz -- --inputs 100000` tries the rest. */
const inputs: Record<string, number> = { wire: 800, schemas: 500, readers: 200, callbacks: 300, calls: 400, names: 200 }
const seed = 20261121
/** `growth` measures times, which no test does. */
const tried = targets.filter(({ name }) => name in inputs)

describe('inputs that nobody should send', () => {
  it.each(tried.map((target) => [target.name, target] as const))('break nothing in %s', async (name, target) => {
    const figures = await fuzz(target, { seed, inputs: inputs[name]! })
    expect(figures.failures).toEqual([])
    expect(figures).toMatchObject({ inputs: inputs[name]!, crashes: 0 })
  })
})

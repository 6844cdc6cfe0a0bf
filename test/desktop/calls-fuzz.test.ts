import { expect, it } from 'vitest'
import { fuzz } from '../faults/fuzz/kit.ts'
import { senders } from '../faults/fuzz/senders.ts'
import { scaled } from '../helpers/scale.ts'

const inputs = scaled(2000, 100_000)

it('F41, F42: calls of strangers, and of the window with what no call takes, are refused without a secret or a path', async () => {
  const figures = await fuzz(senders, { seed: 20261126, inputs })
  expect(figures.failures).toEqual([])
  expect(figures).toMatchObject({ inputs, crashes: 0, hangs: 0 })
})

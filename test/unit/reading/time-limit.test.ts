import { expect, it } from 'vitest'
import { limitTime } from '../../../electron/reading/time-limit.ts'

it('What a thread used counts also when another took its place, which begins at nothing', async () => {
  const told = [1000, 1300, 100]
  let asked = 0
  const over = await new Promise<number>((resolve) => {
    limitTime({
      limitMs: 500,
      usedMs: () => Promise.resolve(told[asked++] ?? 400),
      onOver: () => resolve(asked),
    })
  })
  expect(over).toBe(4)
})

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TextFill } from '../../../electron/core/text-fill.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function filling(given: { isBusy?: () => boolean; wasThere?: () => boolean } = {}) {
  const read: number[] = []
  const fill = new TextFill({
    idleMs: 500,
    read: async (documentId) => (read.push(documentId), given.wasThere?.() ?? true),
    isBusy: given.isBusy ?? (() => false),
  })
  return { fill, read }
}

it('reads the newest document first, each once', async () => {
  const { fill, read } = filling()
  fill.begin(() => [1, 2])
  for (const id of [7, 2, 9, 7]) fill.add(id)
  await vi.advanceTimersByTimeAsync(10_000)
  fill.add(9)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toEqual([9, 7, 2, 1])
})

it('leaves what is being extracted its time', async () => {
  let isBusy = true
  const { fill, read } = filling({ isBusy: () => isBusy })
  fill.add(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toEqual([])
  isBusy = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(read).toEqual([1])
})

it('looks again when a file that was elsewhere changes', async () => {
  const { fill, read } = filling({ wasThere: () => read.length > 1 })
  for (const _change of [1, 2, 3]) {
    fill.add(1)
    await vi.advanceTimersByTimeAsync(10_000)
  }
  expect(read).toEqual([1, 1])
})

it('begins nothing any more once it is stopped', async () => {
  const { fill, read } = filling()
  fill.add(1)
  fill.stop()
  fill.add(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(read).toEqual([])
})

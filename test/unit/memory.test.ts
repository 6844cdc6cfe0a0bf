import { getHeapStatistics } from 'node:v8'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { releaseMemoryAfterWork } from '../../electron/system/memory.ts'

const megabyte = 1024 * 1024
const heldMb = (): number => getHeapStatistics().total_heap_size / megabyte

let computedMs: number
beforeEach(() => {
  vi.useFakeTimers()
  computedMs = 0
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: computedMs * 1000, system: 0 }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Fills a hundred megabytes and more of the heap, of which nothing is needed afterwards. */
function litter(): void {
  const before = heldMb()
  const kept: unknown[] = []
  while (heldMb() < before + 100) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ name: `x${index}` })))
}

/** How much less V8 holds after the next minute. */
function givenBackInAMinute(): number {
  const before = heldMb()
  vi.advanceTimersByTime(60_000)
  return before - heldMb()
}

describe('memory that is no longer used', () => {
  it('goes back to the system after work', () => {
    releaseMemoryAfterWork()
    litter()
    computedMs = 6000
    expect(givenBackInAMinute()).toBeGreaterThan(60)
  })

  it('stays while there was no work, so that a resting program is not woken', () => {
    releaseMemoryAfterWork()
    litter()
    expect(givenBackInAMinute()).toBeLessThan(10)
  })

  it('goes back again only after a hundred times what that cost', () => {
    releaseMemoryAfterWork()
    // Each look at the clock is 30 ms later than the one before.
    vi.mocked(process.cpuUsage).mockImplementation(() => ({ user: (computedMs += 30) * 1000, system: 0 }))
    computedMs = 6000
    vi.advanceTimersByTime(60_000)
    litter()
    computedMs = 8900
    expect(givenBackInAMinute()).toBeLessThan(10)
    computedMs = 9100
    expect(givenBackInAMinute()).toBeGreaterThan(60)
  })
})

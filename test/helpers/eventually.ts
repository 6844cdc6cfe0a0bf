import { vi } from 'vitest'

/** Resolves once the expectation holds; the limit is for what hangs, not a measurement: the machine may be busy. */
export function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: 60_000, interval: 20 })
}

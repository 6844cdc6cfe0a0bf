import { vi } from 'vitest'
import { hangMs } from './scale.ts'

/** Resolves once the expectation holds. */
export function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: hangMs, interval: 20 })
}

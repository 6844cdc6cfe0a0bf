import { setTimeout } from 'node:timers/promises'

/** Work that has begun, so that the database is not closed under what it writes. */
export class PendingWork {
  readonly #pending = new Set<Promise<unknown>>()

  /** Returns the work as it is; a failure that nobody handles is no crash. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.catch(() => undefined).finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
    return work
  }

  /** Resolves when all of it has ended, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void> {
    return waitAtMost(timeoutMs, Promise.all(this.#pending))
  }
}

/** Resolves when the work has ended, or after `timeoutMs`. Throws what the work throws before. */
export async function waitAtMost(timeoutMs: number, work: Promise<unknown> | null): Promise<void> {
  const timer = new AbortController()
  const timeout = setTimeout(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined)
  await Promise.race([work, timeout])
  timer.abort()
}

import { setTimeout } from 'node:timers/promises'

/** Answers that are not done with, so that the database is not closed under what they still write down. */
export class Unfinished {
  readonly #works = new Set<Promise<unknown>>()

  /** Passes the work on as it is. */
  track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.catch(() => undefined).finally(() => this.#works.delete(tracked))
    this.#works.add(tracked)
    return work
  }

  /** Resolves when all of it has ended, or after `limitMs`. */
  async settled(limitMs: number): Promise<void> {
    const waiting = new AbortController()
    const limit = setTimeout(limitMs, undefined, { signal: waiting.signal }).catch(() => undefined)
    await Promise.race([Promise.all(this.#works), limit])
    waiting.abort()
  }
}

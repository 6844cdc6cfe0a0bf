/**
 * spec, Limits, «Proxy». Whoever runs the service can set `streamDurationMs` (`--stream-limit`); the others are set by
 * tests only.
 */
export type CompatLimits = {
  /** Requests of an organization within `rateWindowMs`, over all of its tokens and both endpoints. */
  requestsPerWindow: number
  rateWindowMs: number
  /** Generations of an organization at once. */
  generations: number
  /** From the first byte of a streamed answer to its last. */
  streamDurationMs: number
}

export const defaultCompatLimits: CompatLimits = {
  requestsPerWindow: 100,
  rateWindowMs: 60_000,
  generations: 4,
  streamDurationMs: 5 * 60_000,
}

/** spec, Limits, «Output tokens». */
export const maxOutputTokens = 8192

/**
 * Counts the accepted requests of each organization in a sliding window. A refused request does not count, so that a
 * client that keeps asking is let in as soon as the window has moved on.
 */
export class RateLimit {
  readonly #limit: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #accepted = new Map<string, number[]>()

  constructor(
    limits: Pick<CompatLimits, 'requestsPerWindow' | 'rateWindowMs'>,
    now: () => number = () => performance.now(),
  ) {
    this.#limit = limits.requestsPerWindow
    this.#windowMs = limits.rateWindowMs
    this.#now = now
  }

  /** Counts a request and returns null, or returns the whole seconds (at least 1) until the next one is free. */
  take(organizationId: string): number | null {
    const now = this.#now()
    const times = (this.#accepted.get(organizationId) ?? []).filter((time) => now - time < this.#windowMs)
    this.#accepted.set(organizationId, times)
    if (times.length < this.#limit) {
      times.push(now)
      return null
    }
    return Math.max(1, Math.ceil((times[0]! + this.#windowMs - now) / 1000))
  }
}

/** At most so many generations of each organization at once; one too many is refused, not queued. */
export class ConcurrencyLimit {
  readonly #limit: number
  readonly #running = new Map<string, number>()

  constructor(limits: Pick<CompatLimits, 'generations'>) {
    this.#limit = limits.generations
  }

  /** The function that releases what was acquired (once, however often it is called); null when all are taken. */
  acquire(organizationId: string): (() => void) | null {
    const running = this.#running.get(organizationId) ?? 0
    if (running >= this.#limit) return null
    this.#running.set(organizationId, running + 1)
    let held = true
    return () => {
      if (!held) return
      held = false
      const left = this.#running.get(organizationId)! - 1
      if (left === 0) this.#running.delete(organizationId)
      else this.#running.set(organizationId, left)
    }
  }
}

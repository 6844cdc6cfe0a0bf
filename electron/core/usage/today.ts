import { startOfDay } from './days.ts'

/** By so much the clock may be set without anybody asking how much time has really passed. */
const toleranceMs = 60 * 60_000

/**
 * The day that the cap counts. A clock that is set forward does not begin a new one: until the old day would have
 * ended, by the time for which the computer has been running (asleep or not), everything since its beginning still
 * counts. One that is set back counts more, never less.
 */
export class Today {
  readonly #now: () => number
  readonly #uptimeMs: () => number
  #known: { clock: number; uptimeMs: number }

  constructor(now: () => number, uptimeMs: () => number) {
    this.#now = now
    this.#uptimeMs = uptimeMs
    this.#known = { clock: now(), uptimeMs: uptimeMs() }
  }

  /** Its beginning, epoch ms. */
  start(): number {
    const clock = this.#now()
    const uptimeMs = this.#uptimeMs()
    const passed = this.#known.clock + uptimeMs - this.#known.uptimeMs
    const isAhead = clock - passed > toleranceMs
    if (isAhead && startOfDay(passed) === startOfDay(this.#known.clock)) return startOfDay(passed)
    // What is behind is not followed: it may be set right again within the day.
    if (clock >= passed) this.#known = { clock, uptimeMs }
    return startOfDay(clock)
  }
}

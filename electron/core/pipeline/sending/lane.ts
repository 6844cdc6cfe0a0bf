import PQueue from 'p-queue'
import { retryDelayMs } from '../../timings.ts'
import type { Context } from '../context.ts'

/** After so many lost answers in a row the lane is throttled. */
const maxLosses = 3

/** One connection's work: how much of it runs at once, and when it goes on after refusals and lost answers. */
export class Lane {
  readonly #context: Pick<Context, 'now' | 'timings'>
  /** p-queue only limits what runs now; what waits is in the table. */
  readonly #slots: PQueue
  #failures = 0
  /** Answers lost in a row. */
  #losses = 0
  /** After a jump of the clock or a refusal one document goes first; the others follow once it is through. */
  #probes = false
  /** The throttle that was asked for in this run, also by a clock that nobody sets (`performance.now()`). */
  #throttle: { until: number; endsAt: number } | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(context: Pick<Context, 'now' | 'timings'>, concurrency: number) {
    this.#context = context
    this.#slots = new PQueue({ concurrency })
  }

  setConcurrency(concurrency: number): void {
    this.#slots.concurrency = concurrency
  }

  /** How many documents may be under way at once now. */
  get width(): number {
    return this.#probes ? 1 : this.#slots.concurrency
  }

  /** Refusals in a row since the service last answered. */
  get failures(): number {
    return this.#failures
  }

  add(work: () => Promise<void>): void {
    void this.#slots.add(work)
  }

  onIdle(): Promise<void> {
    return this.#slots.onIdle()
  }

  /** One document goes first. */
  probe(): void {
    this.#probes = true
  }

  /** The service answered a document: the way there works. */
  passed(): void {
    this.#failures = 0
    this.#losses = 0
    this.#probes = false
  }

  /**
   * An answer was lost; true when that is one too many. Each of them may be billed: a service that answers nothing to
   * anybody is asked with one document at a time, and rarely.
   */
  lost(): boolean {
    this.#losses += 1
    return this.#losses >= maxLosses
  }

  /**
   * When a throttled lane goes on, by the clock; null when it goes on now. Of two clocks the one counts by which less
   * is left: a throttle that is longer than any was asked for by a clock that was wrong.
   */
  throttleEnd(throttledUntil: number | null): number | null {
    const { now, timings } = this.#context
    if (throttledUntil === null) return null
    const left = throttledUntil - now()
    const leftOfAsked = this.#throttle?.until === throttledUntil ? this.#throttle.endsAt - performance.now() : left
    if (left <= 0 || left > timings.longestThrottleMs || leftOfAsked <= 0) return null
    return now() + Math.min(left, leftOfAsked)
  }

  /**
   * Everything waits, so that 5,000 files are not 5,000 refusals; those that were under way together are one refusal.
   * `askedMs` is what the service asks for. Returns until when, epoch ms; null when the throttle there is
   * (`throttledUntil`) is longer.
   */
  refused(askedMs: number, throttledUntil: number | null): number | null {
    const { now, timings } = this.#context
    const current = this.throttleEnd(throttledUntil)
    if (current === null) this.#failures += 1
    this.#probes = true
    // Zero, or a date that is over, says nothing about how long to wait.
    const delayMs =
      askedMs > 0
        ? Math.min(Math.max(Math.ceil(askedMs), timings.firstRetryMs), timings.longestThrottleMs)
        : retryDelayMs(timings, this.#failures)
    const until = now() + delayMs
    if (current !== null && until <= current) return null
    this.#throttle = { until, endsAt: performance.now() + delayMs }
    return until
  }

  /** Calls `wake` at that time, and at no other that was said before. */
  wakeAt(at: number, wake: () => void): void {
    this.stopTimer()
    const delayMs = Math.min(Math.max(at - this.#context.now(), 10), this.#context.timings.longestRetryMs)
    this.#timer = setTimeout(wake, delayMs)
  }

  stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}

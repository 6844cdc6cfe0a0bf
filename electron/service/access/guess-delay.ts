import { setTimeout } from 'node:timers/promises'
import { HttpError } from '../http/http-error.ts'

/** So often somebody mistypes a secret, or a program tries with an old one before it is told. */
const freeFailures = 10
/** The delay before the next try, doubled by each that fails: 500 guesses take an hour and more. */
const firstDelayMs = 100
const longestDelayMs = 10_000
/** So many may wait for their turn with one client; what comes beyond is told to come again. */
const maxWaiting = 20
/** Whom it is remembered of, at some 200 bytes each. */
const maxRemembered = 1000

type Guesses = { failures: number; waiting: number; turn: Promise<unknown> }

/**
 * Slows down whoever guesses secrets: after the first few failures the tries of one kind go one after another, each
 * after a longer delay, whether they are right or not, since an answer that comes at once would tell. A success ends
 * it. Others do not wait.
 */
export class GuessDelay {
  readonly #guesses = new Map<string, Guesses>()
  readonly #wait: (ms: number) => Promise<unknown>

  constructor(wait: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms, null, { ref: false })) {
    this.#wait = wait
  }

  /**
   * Runs `check` when it is the turn of `key`: who asks, and for whom. Throws what it throws, which is a failure where
   * `isFailure` says so, and 429 `too_many_requests` where too many wait.
   */
  async run<T>(key: string, check: () => T, isFailure: (error: unknown) => boolean): Promise<T> {
    const counted = (): T => {
      try {
        const found = check()
        this.#guesses.delete(key)
        return found
      } catch (error) {
        if (isFailure(error)) this.#addFailure(key)
        throw error
      }
    }
    const guesses = this.#guesses.get(key)
    return guesses === undefined || guesses.failures < freeFailures ? counted() : this.#inTurn(guesses, counted)
  }

  async #inTurn<T>(guesses: Guesses, check: () => T): Promise<T> {
    if (guesses.waiting >= maxWaiting)
      throw new HttpError(429, 'too_many_requests', 'The client secret was wrong too often.', 'Try again later.', {
        'retry-after': String(longestDelayMs / 1000),
      })
    guesses.waiting += 1
    const turn = guesses.turn.then(async () => {
      await this.#wait(Math.min(firstDelayMs * 2 ** (guesses.failures - freeFailures), longestDelayMs))
      guesses.waiting -= 1
      return check()
    })
    guesses.turn = turn.catch(() => undefined)
    return turn
  }

  #addFailure(key: string): void {
    const known = this.#guesses.get(key)
    if (known !== undefined) {
      known.failures += 1
      return
    }
    if (this.#guesses.size >= maxRemembered) this.#forgetOne()
    this.#guesses.set(key, { failures: 1, waiting: 0, turn: Promise.resolve() })
  }

  /** The oldest of those with the fewest failures, so that guesses under many names do not make room for one. */
  #forgetOne(): void {
    let fewest: [string, Guesses] | null = null
    for (const entry of this.#guesses) if (fewest === null || entry[1].failures < fewest[1].failures) fewest = entry
    if (fewest !== null) this.#guesses.delete(fewest[0])
  }
}

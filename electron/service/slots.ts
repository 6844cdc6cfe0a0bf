/** Whether somebody waits for the end of the work (`now`), or it is done in the background (`later`). */
export type Urgency = 'now' | 'later'

/** After so many urgent turns in a row one that is not urgent has its turn, so that it is never put off for ever. */
const urgentInARow = 3

/** At most `count` holders at once. What is urgent goes before what is not; otherwise the others wait in the order they came. */
export class Slots {
  #free: number
  #urgentTurns = 0
  readonly #waiting: Record<Urgency, (() => void)[]> = { now: [], later: [] }

  constructor(count: number) {
    this.#free = count
  }

  /** Runs `work` in a slot. Throws the reason of `signal` when that is aborted before a slot is free. */
  async run<T>(work: () => Promise<T>, urgency: Urgency, signal?: AbortSignal): Promise<T> {
    await this.#take(this.#waiting[urgency], signal)
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  async #take(waiting: (() => void)[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        const place = waiting.indexOf(turn)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal?.reason as Error)
      }
      waiting.push(turn)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #give(): void {
    const { now, later } = this.#waiting
    const isLatersTurn = now.length === 0 || (later.length > 0 && this.#urgentTurns >= urgentInARow)
    this.#urgentTurns = isLatersTurn ? 0 : this.#urgentTurns + 1
    const next = isLatersTurn ? later.shift() : now.shift()
    if (next) next()
    else this.#free++
  }
}

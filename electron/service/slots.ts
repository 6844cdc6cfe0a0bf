/** Whether a caller waits for the end of the work, or nobody does. */
export type Priority = 'foreground' | 'background'

/** After this many turns of the foreground the background gets one, so that it never starves. */
const maxForegroundTurns = 3

/** A semaphore of `count` permits: the foreground goes before the background, and each in the order it came. */
export class Slots {
  #free: number
  #foregroundTurns = 0
  readonly #waiting: Record<Priority, (() => void)[]> = { foreground: [], background: [] }

  constructor(count: number) {
    this.#free = count
  }

  /** Runs `work` in a slot. Throws the reason of `signal` when that is aborted before a slot is free. */
  async run<T>(work: () => Promise<T>, priority: Priority, signal?: AbortSignal): Promise<T> {
    await this.#acquire(this.#waiting[priority], signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #acquire(waiting: (() => void)[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        const place = waiting.indexOf(turn)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal?.reason as Error)
      }
      waiting.push(turn)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  #release(): void {
    const { foreground, background } = this.#waiting
    const isBackgroundTurn =
      foreground.length === 0 || (background.length > 0 && this.#foregroundTurns >= maxForegroundTurns)
    this.#foregroundTurns = isBackgroundTurn ? 0 : this.#foregroundTurns + 1
    const next = isBackgroundTurn ? background.shift() : foreground.shift()
    if (next) next()
    else this.#free++
  }
}

/** One timer for many wishes: the earliest wins, so that one far away does not put off another that came later. */
export class EarliestTimer {
  readonly #run: () => void
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0

  constructor(run: () => void) {
    this.#run = run
  }

  /** Runs in so many ms, or earlier where that was wished already. */
  within(delayMs: number): void {
    const dueAt = performance.now() + delayMs
    if (this.#timer !== null && this.#dueAt <= dueAt) return
    this.clear()
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#run()
    }, delayMs)
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** Many calls in a row run `run` once, so many ms after the first of them. */
export function coalesce(run: () => void, delayMs: number): { call: () => void; stop: () => void } {
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  return {
    call: () => {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = null
        run()
      }, delayMs)
    },
    stop: () => {
      stopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/**
 * Work in the background that is begun again when it was asked for meanwhile; what fails is not tried again by itself.
 */
export function oneAtATime(work: () => Promise<void>): { begin: () => void; settled: () => Promise<void> } {
  let running: Promise<void> | null = null
  let again = false
  const begin = (): void => {
    if (running !== null) {
      again = true
      return
    }
    again = false
    running = work()
      .catch(() => undefined)
      .finally(() => {
        running = null
        if (again) begin()
      })
  }
  return { begin, settled: async () => running ?? undefined }
}

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

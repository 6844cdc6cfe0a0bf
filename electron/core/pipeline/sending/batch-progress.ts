export type Progress = { settled: number; total: number; msLeft: number | null }

/** How far the documents are that were sent since the queue was last idle, and how long the rest will take. */
export class BatchProgress {
  #batch: { startedAt: number; settled: number } | null = null
  #pausedAt: number | null = null

  /** A document begins; the first one begins a batch. */
  begin(): void {
    this.#batch ??= { startedAt: performance.now(), settled: 0 }
  }

  settled(): void {
    if (this.#batch !== null) this.#batch.settled += 1
  }

  /** Nothing is open any more. */
  end(): void {
    this.#batch = null
  }

  /** What a batch takes is judged by the time in which it goes on. */
  setPaused(paused: boolean): void {
    if (paused) this.#pausedAt ??= performance.now()
    else if (this.#pausedAt !== null) {
      if (this.#batch !== null)
        this.#batch.startedAt += performance.now() - Math.max(this.#pausedAt, this.#batch.startedAt)
      this.#pausedAt = null
    }
  }

  /** `open`: how many documents are not over. Null when there are none, or none of them began. */
  of(open: number): Progress | null {
    if (open === 0 || this.#batch === null) return null
    const { settled, startedAt } = this.#batch
    const msLeft = settled === 0 ? null : ((performance.now() - startedAt) / settled) * open
    return { settled, total: settled + open, msLeft }
  }
}

import { isStorageTrouble } from './storage-trouble.ts'

/** What happens together is indexed together. */
const gatherMs = 50
/** So many documents at once: more would hold up whoever asks for something else. */
const atOnce = 100
/** For each millisecond of indexing so many are left to others, for as long as an earlier version's documents take. */
const restFor = 3
/** So many when that was all: a document is indexed as a whole, and somebody may be typing into a long one. A search does not wait for it. */
const restAtEnd = 20
const longestRestMs = 5000
/** While nothing can be written. */
const retryMs = 60_000

/** Puts what changed into the index of words, a moment after it changed and a little at a time. */
export class SearchFill {
  readonly #catchUp: (limit: number) => number
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  /** `catchUp` indexes at most so many documents and says how many there were. */
  constructor(catchUp: (limit: number) => number) {
    this.#catchUp = catchUp
  }

  /** Something may have changed. */
  soon(): void {
    this.#after(gatherMs)
  }

  /** Before a search: what changed a moment ago is found. On a full disk it is not, and the search answers all the same. */
  now(): void {
    try {
      this.#catchUp(atOnce)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
    }
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #after(delayMs: number): void {
    if (this.#stopped) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#step()
    }, delayMs)
    this.#timer.unref()
  }

  #step(): void {
    const began = performance.now()
    try {
      const indexed = this.#catchUp(atOnce)
      const tookMs = performance.now() - began
      if (indexed > 0) this.#after(indexed < atOnce ? Math.min(longestRestMs, restAtEnd * tookMs) : restFor * tookMs)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.#after(retryMs)
    }
  }
}

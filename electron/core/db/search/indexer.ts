import { isStorageTrouble } from '../durability/storage-trouble.ts'

/** What happens together is indexed together. */
const debounceMs = 50
/** So many documents at once: more would hold up whoever asks for something else. */
const batchSize = 100
/** For each millisecond of indexing so many are left to others, for as long as an earlier version's documents take. */
const restPerMs = 3
/**
 * So many when that was all: a document is indexed as a whole, and somebody may be typing into a long one. A search
 * does not wait for it.
 */
const restPerMsAtEnd = 20
const maxRestMs = 5000
/** While nothing can be written. */
const retryMs = 60_000

/** Puts what changed into the index of words, a moment after it changed and a little at a time. */
export class SearchIndexer {
  readonly #catchUp: (limit: number) => number
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  /** `catchUp` indexes at most so many documents and says how many there were. */
  constructor(catchUp: (limit: number) => number) {
    this.#catchUp = catchUp
  }

  /** Something may have changed. */
  schedule(): void {
    this.#after(debounceMs)
  }

  /**
   * Before a search: what changed a moment ago is found. On a full disk it is not, and the search answers all the same.
   */
  indexNow(): void {
    try {
      this.#catchUp(batchSize)
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
      const indexed = this.#catchUp(batchSize)
      const tookMs = performance.now() - began
      if (indexed > 0)
        this.#after(indexed < batchSize ? Math.min(maxRestMs, restPerMsAtEnd * tookMs) : restPerMs * tookMs)
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.#after(retryMs)
    }
  }
}

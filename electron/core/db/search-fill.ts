import { isStorageTrouble } from './storage-trouble.ts'

/** What happens together is indexed together: a long document is indexed as a whole, and somebody may be typing into it. A search does not wait for it. */
const gatherMs = 5000
/** So many documents at once: more would hold up whoever asks for something else. */
const atOnce = 100
/** For each millisecond of indexing so many are left to others, for as long as an earlier version's documents take. */
const restFor = 3
/** While nothing can be written. */
const retryMs = 60_000

/** Puts what changed into the index of words, a moment after it changed and a little at a time. */
export class SearchFill {
  readonly #catchUp: (limit: number) => boolean
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  /** `catchUp` indexes at most so many documents and says whether there were any. */
  constructor(catchUp: (limit: number) => boolean) {
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
      if (this.#catchUp(atOnce)) this.#after(restFor * (performance.now() - began))
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.#after(retryMs)
    }
  }
}

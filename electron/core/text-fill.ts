/** The newest of those that wait; so many of the newest documents are looked at for what an earlier run left. */
const maxQueued = 10_000

type Options = {
  /** `textFillIdleMs` of the timings. */
  idleMs: number
  /** True while documents are being extracted: they come first. */
  isBusy: () => boolean
  /**
   * Reads one document and puts what it says into the index of words; false when its file is elsewhere. Throws nothing.
   */
  read: (documentId: number) => Promise<boolean>
}

/**
 * Reads what was extracted once more when nothing else is to be done, the newest first, so that a search finds all of
 * its words.
 */
export class TextFill {
  readonly #options: Options
  /** The last one that came is read first. */
  readonly #queued: number[] = []
  /** What cannot be read is tried again by the next start, and a file that was elsewhere when it changes. */
  readonly #seen = new Set<number>()
  #timer: NodeJS.Timeout | null = null
  #isReading = false
  #stopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** `earlier`: ids of documents of earlier runs among so many of the newest, the oldest first. */
  begin(earlier: (among: number) => number[]): void {
    for (const documentId of earlier(maxQueued)) this.add(documentId)
  }

  /** A document was extracted, or changed after that. */
  add(documentId: number): void {
    if (this.#seen.has(documentId)) return
    this.#seen.add(documentId)
    this.#queued.push(documentId)
    if (this.#queued.length > maxQueued) this.#queued.shift()
    this.#schedule()
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#stopped || this.#queued.length === 0 || this.#isReading) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#next()
    }, this.#options.idleMs)
    this.#timer.unref()
  }

  #next(): void {
    if (this.#options.isBusy()) return this.#schedule()
    const newest = this.#queued.pop()!
    this.#isReading = true
    void this.#options.read(newest).then((wasThere) => {
      if (!wasThere) this.#seen.delete(newest)
      this.#isReading = false
      this.#schedule()
    })
  }
}

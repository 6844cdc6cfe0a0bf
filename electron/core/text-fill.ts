/** A batch goes on at once where it was only between two documents. */
const restMs = 500
/** The newest of those that wait; so many of the newest documents are looked at for what an earlier run left. */
const mostDue = 10_000

type Given = {
  /** True while documents are being extracted: they come first. */
  isBusy: () => boolean
  /** Reads one document and puts what it says into the index of words; false when its file is elsewhere. Throws nothing. */
  read: (jobId: number) => Promise<boolean>
}

/** Reads what was extracted once more when nothing else is to be done, the newest first, so that a search finds all of its words. */
export class TextFill {
  readonly #given: Given
  /** The last one that came is read first. */
  readonly #due: number[] = []
  /** What cannot be read is tried again by the next start, and a file that was elsewhere when it changes. */
  readonly #seen = new Set<number>()
  #timer: NodeJS.Timeout | null = null
  #isReading = false
  #stopped = false

  constructor(given: Given) {
    this.#given = given
  }

  /** `earlier`: ids of documents of earlier runs among so many of the newest, the oldest first. */
  begin(earlier: (among: number) => number[]): void {
    for (const jobId of earlier(mostDue)) this.add(jobId)
  }

  /** A document was extracted, or changed after that. */
  add(jobId: number): void {
    if (this.#seen.has(jobId)) return
    this.#seen.add(jobId)
    this.#due.push(jobId)
    if (this.#due.length > mostDue) this.#due.shift()
    this.#soon()
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #soon(): void {
    if (this.#stopped || this.#due.length === 0 || this.#isReading) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#next()
    }, restMs)
    this.#timer.unref()
  }

  #next(): void {
    if (this.#given.isBusy()) return this.#soon()
    const newest = this.#due.pop()!
    this.#isReading = true
    void this.#given.read(newest).then((wasThere) => {
      if (!wasThere) this.#seen.delete(newest)
      this.#isReading = false
      this.#soon()
    })
  }
}

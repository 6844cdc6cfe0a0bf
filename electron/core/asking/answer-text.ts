/** At most so often does the window hear of more text. */
const toldEveryMs = 30
/** At most so much of an answer is lost when the process is killed. */
const storedEveryMs = 500

/** The text of one answer while it comes: told in steps that a window can follow, stored in steps that a disk can. */
export class AnswerText {
  readonly #tell: (offset: number, text: string) => void
  readonly #store: (text: string) => void
  #text = ''
  #told = 0
  #toldAt = 0
  #telling: NodeJS.Timeout | null = null
  #storing: NodeJS.Timeout | null = null

  /** `tell` gets what is new and where it belongs (UTF-16 units), `store` everything so far. */
  constructor(tell: (offset: number, text: string) => void, store: (text: string) => void) {
    this.#tell = tell
    this.#store = store
  }

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    if (text === '') return
    this.#text += text
    this.#telling ??= setTimeout(() => this.#tellNew(), Math.max(0, this.#toldAt + toldEveryMs - performance.now()))
    this.#storing ??= setTimeout(() => this.#storeAll(), storedEveryMs)
  }

  /** Tells what is left. Storing the end is the caller's: together with the state. */
  end(): void {
    if (this.#storing !== null) clearTimeout(this.#storing)
    if (this.#telling !== null) clearTimeout(this.#telling)
    if (this.#told < this.#text.length) this.#tellNew()
  }

  #tellNew(): void {
    this.#telling = null
    const offset = this.#told
    this.#told = this.#text.length
    this.#toldAt = performance.now()
    this.#tell(offset, this.#text.slice(offset))
  }

  #storeAll(): void {
    this.#storing = null
    this.#store(this.#text)
  }
}

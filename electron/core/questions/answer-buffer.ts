/** How often at most new text is sent to the window. */
const emitEveryMs = 30
/** How often the text is stored: at most this much of it is lost when the process is killed. */
const storedEveryMs = 500

/** The text of one answer while it comes, emitted and stored in batches: the window and the disk have limits. */
export class AnswerBuffer {
  readonly #emit: (offset: number, text: string) => void
  readonly #store: (text: string) => void
  #text = ''
  #emitted = 0
  #emittedAt = 0
  #emitTimer: NodeJS.Timeout | null = null
  #storeTimer: NodeJS.Timeout | null = null

  /** `emit` gets the new text and its offset (UTF-16 units), `store` everything so far. */
  constructor(emit: (offset: number, text: string) => void, store: (text: string) => void) {
    this.#emit = emit
    this.#store = store
  }

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    if (text === '') return
    this.#text += text
    this.#emitTimer ??= setTimeout(
      () => this.#emitNew(),
      Math.max(0, this.#emittedAt + emitEveryMs - performance.now()),
    )
    this.#storeTimer ??= setTimeout(() => this.#storeAll(), storedEveryMs)
  }

  /** Emits what is left. The caller stores the end, together with the state. */
  end(): void {
    if (this.#storeTimer !== null) clearTimeout(this.#storeTimer)
    if (this.#emitTimer !== null) clearTimeout(this.#emitTimer)
    if (this.#emitted < this.#text.length) this.#emitNew()
  }

  #emitNew(): void {
    this.#emitTimer = null
    const offset = this.#emitted
    this.#emitted = this.#text.length
    this.#emittedAt = performance.now()
    this.#emit(offset, this.#text.slice(offset))
  }

  #storeAll(): void {
    this.#storeTimer = null
    this.#store(this.#text)
  }
}

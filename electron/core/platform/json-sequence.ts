import { AppError } from '../../../shared/domain/errors.ts'

/** RFC 7464, 2.2: stands before each value. */
export const recordSeparator = '\x1e'

/**
 * `stray`: after a value, what is neither one nor stands between two (`between`), or only looks like one (`broken`).
 */
type SequenceItem = { json: unknown } | { text: string } | { stray: 'between' | 'broken' }

/**
 * Splits text that comes in pieces into its JSON values, whatever stands between them: lines (NDJSON), nothing, a
 * list's commas, record separators (RFC 7464), one object over many lines. Text that only begins like JSON comes out as
 * text; of text between values it is only told that there is some.
 */
export class JsonSequence {
  readonly #maxChars: number
  readonly #takesStrings: boolean
  #value = ''
  #depth = 0
  #inString = false
  #escaped = false
  #parsed = 0
  #isText = false

  /** `maxChars`: the longest value. `takesStrings`: a quotation mark begins a value; otherwise only a brace does. */
  constructor(maxChars: number, takesStrings: boolean) {
    this.#maxChars = maxChars
    this.#takesStrings = takesStrings
  }

  /** The values that are whole now. Throws `answer_unreadable` for one that is too long. */
  *feed(text: string): Generator<SequenceItem> {
    let begin = this.#isInside ? 0 : -1
    for (let index = 0; index < text.length; index += 1) {
      if (this.#isText) return yield { text: text.slice(index) }
      const character = text[index]!
      if (begin === -1) {
        if (!this.#begins(character)) {
          if (character === recordSeparator || /[\s,[\]]/.test(character)) continue
          if (this.#parsed > 0) {
            yield { stray: 'between' }
            continue
          }
          this.#isText = true
          return yield { text: text.slice(index) }
        }
        begin = index
      } else {
        this.#step(character)
      }
      if (this.#isInside) continue
      yield this.#parse(this.#value + text.slice(begin, index + 1))
      begin = -1
    }
    if (begin !== -1) this.#value += text.slice(begin)
    if (this.#value.length > this.#maxChars)
      throw new AppError('answer_unreadable', { detail: 'a part of it has no end' })
  }

  /** What is left. Throws `answer_incomplete` when a value has begun and not ended. */
  *end(): Generator<SequenceItem> {
    if (!this.#isInside) return
    if (this.#parsed > 0 || /^\{\s*("|$)/.test(this.#value)) throw new AppError('answer_incomplete')
    yield { text: this.#value }
  }

  get #isInside(): boolean {
    return this.#depth > 0 || this.#inString
  }

  #begins(character: string): boolean {
    if (character === '{') this.#depth = 1
    else if (character === '"' && this.#takesStrings) this.#inString = true
    else return false
    return true
  }

  #step(character: string): void {
    if (this.#escaped) this.#escaped = false
    else if (this.#inString) {
      if (character === '\\') this.#escaped = true
      else if (character === '"') this.#inString = false
    } else if (character === '"') this.#inString = true
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') this.#depth -= 1
  }

  #parse(whole: string): SequenceItem {
    this.#value = ''
    try {
      const json: unknown = JSON.parse(whole)
      this.#parsed += 1
      return { json }
    } catch {
      if (this.#parsed > 0) return { stray: 'broken' }
      this.#isText = true
      return { text: whole }
    }
  }
}

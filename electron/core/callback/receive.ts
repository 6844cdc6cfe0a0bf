import type { Attempt } from '../db/attempts.ts'
import type { Context } from '../pipeline/context.ts'
import { isStorageTrouble } from '../pipeline/extract.ts'
import { readStoredAnswers, recordAnswer } from '../pipeline/record.ts'
import { redacted } from '../platform/redact.ts'
import type { InstallationKey } from './installation-key.ts'
import { isOwnToken } from './token.ts'

/** A callback as it came, whichever way: the method, headers and signature of a webhook are not shown in the spec (Events). */
export type Callback = { method: string; contentType: string | null; body: Buffer }

/** `stored`: durable here, whoever brought it may forget it. `unknown`: no token of this installation. */
export type Receipt = 'stored' | 'unknown'

/**
 * Takes callbacks from the listener and from the mailbox alike. The token alone says whose result it is. The bytes are
 * stored before they are read; the same again changes nothing, others for a settled attempt are kept beside its result.
 */
export class CallbackReceiver {
  readonly #context: Context
  readonly #key: InstallationKey
  readonly #canary: (token: string, body: Buffer) => void
  /** Something may be stored that could not be read yet. */
  #unread = false

  constructor(context: Context, key: InstallationKey, canary: (token: string, body: Buffer) => void) {
    this.#context = context
    this.#key = key
    this.#canary = canary
  }

  /** Whether `receive` would take a callback with this token: asked before its body is read. */
  accepts(token: string): boolean {
    return this.#attemptOf(token) !== null || this.#isOwn('attempt', token) || this.#isOwn('canary', token)
  }

  /** Throws when the bytes could not be stored; then the callback has to come again. */
  receive(token: string, { contentType, body: said }: Callback): Receipt {
    if (said.length === 0) return 'unknown'
    // A service may name the address that it calls.
    const body = redacted(said, [token])
    try {
      const attempt = this.#attemptOf(token)
      if (attempt !== null) this.#record(attempt, contentType, body)
      else if (this.#isOwn('canary', token)) this.#canary(token, body)
      // Ours, and the database does not know it: it was restored to a time before the attempt.
      else if (this.#isOwn('attempt', token)) this.#context.tables.callbacks.storeStray(token, contentType, body, this.#context.now())
      else return 'unknown'
      return 'stored'
    } catch (error) {
      if (isStorageTrouble(error)) {
        this.#unread = true
        this.#context.onStorageTrouble(error)
      }
      throw error
    }
  }

  /** Callbacks that came while their attempt was not known, and is now. Called at a start. */
  recordKnownStrays(): void {
    const { callbacks, attempts } = this.#context.tables
    for (let stray = callbacks.nextKnownStray(); stray !== null; stray = callbacks.nextKnownStray()) {
      this.#record(attempts.get(stray.attemptId), stray.contentType, stray.body)
      callbacks.removeStray(stray.id)
    }
  }

  /** Reads what was stored and could not be read then, since the disk was full in between. */
  readUnread(): void {
    if (!this.#unread) return
    readStoredAnswers(this.#context)
    this.#unread = false
  }

  #record(attempt: Attempt, contentType: string | null, body: Buffer): void {
    recordAnswer(this.#context, attempt, { attemptId: attempt.id, source: 'callback', httpStatus: null, contentType, complete: true, body }, 0)
  }

  #attemptOf(token: string): Attempt | null {
    return this.#context.tables.attempts.findByToken(token)
  }

  #isOwn(purpose: 'attempt' | 'canary', token: string): boolean {
    const key = this.#key.known()
    return key !== null && isOwnToken(key, purpose, token)
  }
}

import { maxCallbackBytes } from '../../../shared/wire/mailbox.ts'
import type { Attempt, Kept, NewAnswer } from '../db/tables/attempts.ts'
import type { Context } from '../pipeline/context.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import { applyAnswer, isNews, readStoredAnswer, readStoredAnswers } from '../pipeline/record.ts'
import { readAnswer } from '../platform/answer.ts'
import { redacted } from '../platform/redact.ts'
import type { InstallationKey } from './callback-token.ts'
import { isOwnToken } from './callback-token.ts'

/**
 * A callback as it came, whichever way: the method, headers and signature of a webhook are not shown in the spec
 * (Events).
 */
export type Callback = { method: string; contentType: string | null; body: Buffer }

/**
 * `stored`: durable here, or not needed; the sender may forget it. `unknown`: no token of this installation.
 */
export type Receipt = 'stored' | 'unknown'

/**
 * So much is kept for one token. A result, or a failure, is kept beyond it: what is more changes nothing, and could
 * fill the disk.
 */
const maxKept: Kept = { answers: 100, bytes: 2 * maxCallbackBytes }

function hasRoom({ answers, bytes }: Kept, body: Buffer): boolean {
  return answers < maxKept.answers && bytes + body.length <= maxKept.bytes
}

function callbackAnswer(attemptId: number, contentType: string | null, body: Buffer): NewAnswer {
  return { attemptId, source: 'callback', httpStatus: null, contentType, complete: true, body }
}

/**
 * The outcome of a check on bytes that are not stored yet; false where it fails unexpectedly, since that is no reason
 * to refuse the callback. Throws what the storage says.
 */
function isSafely(judge: () => boolean): boolean {
  try {
    return judge()
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    return false
  }
}

/** Reading a larger body takes long, so its sender is answered first. */
const readAtOnceBytes = 1024 * 1024

/**
 * Takes callbacks from the listener and from the mailbox alike. The token alone says whose result it is. The bytes are
 * stored before they are read; the same again changes nothing, others for a settled attempt are kept beside its result.
 */
export class CallbackReceiver {
  readonly #context: Context
  readonly #key: InstallationKey
  readonly #onProbe: (token: string, body: Buffer) => void
  /** Something may be stored that could not be read yet; at a start that is not known. */
  #unread = true
  #reading: NodeJS.Immediate | null = null

  constructor(context: Context, key: InstallationKey, probe: (token: string, body: Buffer) => void) {
    this.#context = context
    this.#key = key
    this.#onProbe = probe
  }

  /** Whether `receive` would take a callback with this token: asked before its body is read. */
  accepts(token: string): boolean {
    return this.#attemptOf(token) !== null || this.#isOwn('attempt', token) || this.#isOwn('probe', token)
  }

  /**
   * Throws what the storage says; then the callback has to be sent again. Bytes that cannot be read are stored as well.
   */
  receive(token: string, { contentType, body: said }: Callback): Receipt {
    if (said.length === 0) return 'unknown'
    // A service may name the address that it calls.
    const body = redacted(said, [token])
    try {
      const attempt = this.#attemptOf(token)
      if (attempt !== null) this.#record(attempt, contentType, body)
      else if (this.#isOwn('probe', token)) this.#onProbe(token, body)
      // Ours, and the database does not know it: it was restored to a time before the attempt.
      else if (this.#isOwn('attempt', token)) this.#keepUnmatched(token, contentType, body)
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

  /**
   * Stores and reads what came while the disk was full, or while its attempt was not known. Throws what the storage
   * says.
   */
  readUnread(): void {
    if (!this.#unread) return
    // The journal may have what the database could not take.
    this.#context.tables.catchUp()
    this.#assignUnmatched()
    readStoredAnswers(this.#context)
    this.#unread = false
  }

  #assignUnmatched(): void {
    const { tables, now } = this.#context
    for (let stray = tables.callbacks.nextMatched(); stray !== null; stray = tables.callbacks.nextMatched()) {
      tables.attempts.storeAnswer(callbackAnswer(stray.attemptId, stray.contentType, stray.body), now())
      tables.callbacks.removeUnmatched(stray.id)
    }
  }

  /** What is not read by now is read at the next start. */
  stop(): void {
    if (this.#reading !== null) clearImmediate(this.#reading)
  }

  #record(attempt: Attempt, contentType: string | null, body: Buffer): void {
    const { tables, now } = this.#context
    if (
      !hasRoom(tables.attempts.callbacksKept(attempt.id), body) &&
      !isSafely(() => isNews(this.#context, attempt, body))
    )
      return
    const answer = callbackAnswer(attempt.id, contentType, body)
    const id = tables.attempts.storeAnswer(answer, now())
    if (body.length > readAtOnceBytes) return this.#readSoon()
    try {
      applyAnswer(this.#context, attempt, { ...answer, id }, null, attempt.bytesSent)
    } catch (error) {
      if (isStorageTrouble(error)) throw error
      // It is stored and unread: judged as what a start finds.
      this.#readSoon()
    }
  }

  #keepUnmatched(token: string, contentType: string | null, body: Buffer): void {
    const { callbacks } = this.#context.tables
    // How far it is says nothing once it is known again.
    if (
      isSafely(() => readAnswer(body, 'callback').kind === 'started') ||
      !hasRoom(callbacks.unmatchedKept(token), body)
    )
      return
    callbacks.storeUnmatched(token, contentType, body, this.#context.now())
  }

  /** One in each turn of the loop. */
  #readSoon(): void {
    this.#reading ??= setImmediate(() => {
      this.#reading = null
      try {
        if (readStoredAnswer(this.#context)) this.#readSoon()
      } catch (error) {
        // The next look tries again.
        this.#unread = true
        if (isStorageTrouble(error)) this.#context.onStorageTrouble(error)
      }
    })
  }

  #attemptOf(token: string): Attempt | null {
    return this.#context.tables.attempts.findByToken(token)
  }

  #isOwn(purpose: 'attempt' | 'probe', token: string): boolean {
    const key = this.#key.known()
    return key !== null && isOwnToken(key, purpose, token)
  }
}

import { maxCallbackBytes } from '../../../shared/mailbox.ts'
import type { Attempt, Kept, NewAnswer } from '../db/attempts.ts'
import type { Context } from '../pipeline/context.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { actUpon, isNews, readStoredAnswer, readStoredAnswers } from '../pipeline/record.ts'
import { readAnswer } from '../platform/answer.ts'
import { redacted } from '../platform/redact.ts'
import type { InstallationKey } from './installation-key.ts'
import { isOwnToken } from './token.ts'

/** A callback as it came, whichever way: the method, headers and signature of a webhook are not shown in the spec (Events). */
export type Callback = { method: string; contentType: string | null; body: Buffer }

/** `stored`: durable here, or nothing that is needed: whoever brought it may forget it. `unknown`: no token of this installation. */
export type Receipt = 'stored' | 'unknown'

/** So much is kept for one token. A result, or a failure, is kept beyond it: what is more changes nothing, and could fill the disk. */
const mostKept: Kept = { answers: 100, bytes: 2 * maxCallbackBytes }

function hasRoom({ answers, bytes }: Kept, body: Buffer): boolean {
  return answers < mostKept.answers && bytes + body.length <= mostKept.bytes
}

function callbackAnswer(attemptId: number, contentType: string | null, body: Buffer): NewAnswer {
  return { attemptId, source: 'callback', httpStatus: null, contentType, complete: true, body }
}

/** What bytes say before they are stored; false of bytes that make Sheaf stumble: no reason not to take the callback. */
function foreseen(judge: () => boolean): boolean {
  try {
    return judge()
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    return false
  }
}

/** Reading more takes long: whoever brought it is answered before, as is everybody else. */
const readAtOnceBytes = 1024 * 1024

/**
 * Takes callbacks from the listener and from the mailbox alike. The token alone says whose result it is. The bytes are
 * stored before they are read; the same again changes nothing, others for a settled attempt are kept beside its result.
 */
export class CallbackReceiver {
  readonly #context: Context
  readonly #key: InstallationKey
  readonly #canary: (token: string, body: Buffer) => void
  /** Something may be stored that could not be read yet; at a start that is not known. */
  #unread = true
  #reading: NodeJS.Immediate | null = null

  constructor(context: Context, key: InstallationKey, canary: (token: string, body: Buffer) => void) {
    this.#context = context
    this.#key = key
    this.#canary = canary
  }

  /** Whether `receive` would take a callback with this token: asked before its body is read. */
  accepts(token: string): boolean {
    return this.#attemptOf(token) !== null || this.#isOwn('attempt', token) || this.#isOwn('canary', token)
  }

  /** Throws what the storage says; then the callback has to come again. That Sheaf stumbles over its bytes is no reason. */
  receive(token: string, { contentType, body: said }: Callback): Receipt {
    if (said.length === 0) return 'unknown'
    // A service may name the address that it calls.
    const body = redacted(said, [token])
    try {
      const attempt = this.#attemptOf(token)
      if (attempt !== null) this.#record(attempt, contentType, body)
      else if (this.#isOwn('canary', token)) this.#canary(token, body)
      // Ours, and the database does not know it: it was restored to a time before the attempt.
      else if (this.#isOwn('attempt', token)) this.#keepStray(token, contentType, body)
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

  /** Stores and reads what came while the disk was full, or while its attempt was not known. Throws what the storage says. */
  readUnread(): void {
    if (!this.#unread) return
    // The journal may have what the database could not take.
    this.#context.tables.catchUp()
    this.#storeKnownStrays()
    readStoredAnswers(this.#context)
    this.#unread = false
  }

  #storeKnownStrays(): void {
    const { tables, now } = this.#context
    for (let stray = tables.callbacks.nextKnownStray(); stray !== null; stray = tables.callbacks.nextKnownStray()) {
      tables.attempts.storeAnswer(callbackAnswer(stray.attemptId, stray.contentType, stray.body), now())
      tables.callbacks.removeStray(stray.id)
    }
  }

  /** What is not read by now is read at the next start. */
  stop(): void {
    if (this.#reading !== null) clearImmediate(this.#reading)
  }

  #record(attempt: Attempt, contentType: string | null, body: Buffer): void {
    const { tables, now } = this.#context
    if (!hasRoom(tables.attempts.callbacksKept(attempt.id), body) && !foreseen(() => isNews(this.#context, attempt, body))) return
    const answer = callbackAnswer(attempt.id, contentType, body)
    const id = tables.attempts.storeAnswer(answer, now())
    if (body.length > readAtOnceBytes) return this.#readSoon()
    try {
      actUpon(this.#context, attempt, { ...answer, id }, null, attempt.bytesSent)
    } catch (error) {
      if (isStorageTrouble(error)) throw error
      // It is stored and unread: judged as what a start finds.
      this.#readSoon()
    }
  }

  #keepStray(token: string, contentType: string | null, body: Buffer): void {
    const { callbacks } = this.#context.tables
    // How far it is says nothing once it is known again.
    if (foreseen(() => readAnswer(body, 'callback').kind === 'started') || !hasRoom(callbacks.straysKept(token), body)) return
    callbacks.storeStray(token, contentType, body, this.#context.now())
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

  #isOwn(purpose: 'attempt' | 'canary', token: string): boolean {
    const key = this.#key.known()
    return key !== null && isOwnToken(key, purpose, token)
  }
}

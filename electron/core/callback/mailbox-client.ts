import { setTimeout } from 'node:timers/promises'
import type { CallbackState } from '../../../shared/contract/callbacks.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { maxWaitSeconds } from '../../../shared/wire/mailbox.ts'
import { isStorageTrouble, troubleIn } from '../db/durability/storage-trouble.ts'
import type { SecretStore } from '../platform/connect.ts'
import type { HttpClient } from '../platform/http.ts'
import { abortable } from '../platform/abort.ts'
import { quarantine } from './quarantine.ts'
import {
  accessKeyHash,
  boxesIn,
  isUnreadable,
  keyMissing,
  keyPairOf,
  keyringIn,
  keyUnavailable,
  makeKeys,
  pairing,
  withoutPlace,
  withPlace,
  openMessage,
} from './mailbox-keys.ts'
import type { Box, Keys, Pairing } from './mailbox-keys.ts'
import { MailboxApi, parsePairingCode, unreachable } from './mailbox-api.ts'
import type { MailboxAddress, WaitingMessage } from './mailbox-api.ts'
import type { Callback, Receipt } from './receive.ts'

type MailboxClientOptions = {
  http: HttpClient
  secrets: SecretStore
  dataDir: string
  /** This computer's name, for the list of the mailbox's operator. */
  name: string
  /**
   * Which mailbox is paired: not a secret, and read at each use. The secrets know it too, for a database that was
   * restored.
   */
  stored: { get: () => unknown; set: (value: unknown) => void }
  /** Stores a callback; throws when it could not, and then it comes again. */
  receive: (token: string, callback: Callback) => Receipt | Promise<Receipt>
  onChange: () => void
  /** More of what waits has come. */
  onProgress: () => void
  now: () => number
  /** The wait after a first failure, doubled by each that follows, up to a minute. */
  firstRetryMs: number
}

type Fetched = { count: number; failed: AppError | null; isIncomplete: boolean }

const maxRetryMs = 60_000
/** After this many failures in a row a problem is shown. */
const failuresBeforeReport = 2
/** How long the mailbox is asked to wait for a message. */
const waitSeconds = maxWaitSeconds - 5
/**
 * How long what is coming in is waited for at once, and how often: longer than the mailbox lets anything come in (5
 * minutes).
 */
const arrivalWait = { seconds: 5, times: 80 }

/**
 * The desktop's side of the mailbox: asks for what waits as long as it runs, opens it, has it stored, and only then
 * lets the mailbox delete it. Whatever fails is tried again, so a callback may come twice but is never lost.
 */
export class MailboxClient {
  readonly #options: MailboxClientOptions
  readonly #api: MailboxApi
  #running: { end: AbortController; done: Promise<void> } | null = null
  #started = false
  #answeredAt: number | null = null
  #problem: AppError | null = null
  /** Messages that could not be fetched, the one that failed last at the end. */
  readonly #unfetched = new Map<number, { error: AppError; failures: number }>()

  constructor(options: MailboxClientOptions) {
    this.#options = options
    this.#api = new MailboxApi(options.http, options.onProgress)
  }

  /** Begins to fetch, now or once a mailbox is paired. */
  start(): void {
    this.#started = true
    this.#startFetching()
  }

  /** Ends when what is being stored is stored. */
  async stop(): Promise<void> {
    this.#started = false
    await this.#stopFetching()
  }

  /** Null when no mailbox is paired. */
  state(): CallbackState['mailbox'] {
    const paired = this.#paired()
    if (paired === null) return null
    const { url, pairedAt } = paired
    return { url, pairedAt, answeredAt: this.#answeredAt, problem: this.trouble()?.reason ?? null }
  }

  /** The public address for the result with this token; null when no mailbox is paired. */
  addressFor(token: string): string | null {
    const paired = this.#paired()
    return paired === null ? null : `${paired.url}/in/${paired.boxId}/${token}`
  }

  /**
   * Pairs with the mailbox that made the code. One that was paired before is emptied and ended first. Throws
   * `mailbox_code_invalid`, `mailbox_unreachable`, `mailbox_key_unavailable`, `storage_…`: then the earlier pairing
   * stays. When `signal` is aborted as well, with its reason.
   */
  async pair(code: string, signal: AbortSignal): Promise<void> {
    const { url, secret } = parsePairingCode(code)
    await this.#stopFetching()
    try {
      const keyring = await this.#loadKeyring(signal)
      const earlier = this.#boxesIn(keyring)
      const made = await makeKeys()
      const request = {
        publicKey: made.publicKey,
        accessKeyHash: accessKeyHash(made),
        name: this.#options.name.slice(0, 100),
      }
      const boxId = await this.#api.pair(url, secret, request, signal)
      await this.#replace(
        keyring,
        earlier,
        { paired: { url, boxId, pairedAt: this.#options.now() }, keys: { boxId, ...made } },
        signal,
      )
      this.#answeredAt = this.#options.now()
      this.#clearProblems()
    } finally {
      this.#startFetching()
    }
    this.#options.onChange()
  }

  /**
   * Ends the pairing, here and at the mailbox, once everything that waits there is stored here. Throws when that is not
   * possible now (`mailbox_unreachable`, `mailbox_key_unavailable`, `storage_…`, the reason of `signal`); with
   * `discard` the first two end it here only, and what waits is left to the mailbox's operator.
   */
  async unpair({ discard }: { discard: boolean }, signal: AbortSignal): Promise<void> {
    await this.#stopFetching()
    try {
      const isGivenUp = (error: unknown): boolean => {
        if (discard && isOutOfReach(error)) return true
        throw problemOf(error)
      }
      let keyring: Keys[] = []
      try {
        keyring = await this.#loadKeyring(signal)
        for (const box of this.#boxesIn(keyring)) {
          const isLeft = await this.#endBox(box, signal).then(() => false, isGivenUp)
          keyring = keyring.flatMap((keys) => (keys !== box.keys ? [keys] : isLeft ? [withoutPlace(keys)] : []))
        }
      } catch (error) {
        isGivenUp(error)
      }
      this.#options.stored.set(null)
      // As long as the keys name it, it is found again: then it was not ended.
      await this.#saveKeyring(keyring)
      this.#answeredAt = null
      this.#clearProblems()
    } finally {
      this.#startFetching()
    }
    this.#options.onChange()
  }

  #startFetching(): void {
    if (!this.#started || this.#running !== null) return
    const end = new AbortController()
    this.#running = { end, done: this.#fetchLoop(end.signal) }
  }

  async #stopFetching(): Promise<void> {
    const running = this.#running
    this.#running = null
    running?.end.abort()
    await running?.done
  }

  async #fetchLoop(signal: AbortSignal): Promise<void> {
    let failures = 0
    let emptyAnswers = 0
    let release = true
    while (!signal.aborted) {
      try {
        const box = await this.#activeBox(signal)
        if (box === null) return
        const askedAt = performance.now()
        const fetched = await this.#fetch(box, { waitSeconds, release }, signal)
        failures = 0
        release = fetched.isIncomplete
        // A mailbox that answers «nothing waits» at once, without waiting, must not be asked in a tight loop.
        emptyAnswers =
          fetched.count === 0 && performance.now() - askedAt < (waitSeconds * 1000) / 2 ? emptyAnswers + 1 : 0
      } catch (error) {
        if (signal.aborted) return
        // What was handed out and not acknowledged is asked for again.
        release = true
        failures += 1
        if (failures >= failuresBeforeReport || !(error instanceof AppError && error.code === 'mailbox_unreachable'))
          this.#setProblem(problemOf(error))
      }
      const failedInRow = Math.max(failures, emptyAnswers)
      if (failedInRow > 0)
        await setTimeout(Math.min(this.#options.firstRetryMs * 2 ** (failedInRow - 1), maxRetryMs), undefined, {
          signal,
        }).catch(() => undefined)
    }
  }

  /**
   * One question, and the answer stored and acknowledged. Says how many messages it had, which error one of them ended
   * with, and whether others were not tried after that.
   */
  async #fetch(
    { paired, keys }: Box,
    how: { waitSeconds: number; release: boolean },
    signal: AbortSignal,
  ): Promise<Fetched> {
    const place = addressOf(paired, keys)
    const messages = await this.#api.messages(place, how, signal)
    this.#onAnswer(how.release ? messages : null)
    const stored: number[] = []
    let failed: AppError | null = null
    try {
      for (const message of this.#inFetchOrder(messages)) {
        if (signal.aborted) break
        const sealed = await this.#sealedOf(place, message, signal)
        if (sealed instanceof AppError) {
          failed = sealed
          break
        }
        if (sealed === null) continue
        await this.#accept(paired, keys, message, sealed)
        stored.push(message.id)
      }
    } finally {
      if (stored.length > 0) await this.#api.acknowledge(place, stored)
    }
    const isIncomplete = failed !== null && messages.some(({ id }) => !stored.includes(id) && !this.#unfetched.has(id))
    return { count: messages.length, failed, isIncomplete }
  }

  /** What could not be fetched waits until nothing else does, so that one such message holds up no other. */
  #inFetchOrder(messages: readonly WaitingMessage[]): readonly WaitingMessage[] {
    const others = messages.filter(({ id }) => !this.#unfetched.has(id))
    if (others.length > 0) return others
    const order = [...this.#unfetched.keys()]
    return messages.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
  }

  /** Null when it is not there any more, the error when it could not be fetched. Throws the reason of `signal`. */
  async #sealedOf(
    place: MailboxAddress,
    { id, sealed }: WaitingMessage,
    signal: AbortSignal,
  ): Promise<Buffer | AppError | null> {
    if (sealed !== null) return Buffer.from(sealed, 'base64url')
    try {
      const fetched = await this.#api.message(place, id, signal)
      this.#update(() => this.#unfetched.delete(id))
      return fetched
    } catch (error) {
      if (signal.aborted) throw error
      const unfetched = { error: toAppError(error), failures: (this.#unfetched.get(id)?.failures ?? 0) + 1 }
      this.#update(() => {
        this.#unfetched.delete(id)
        this.#unfetched.set(id, unfetched)
      })
      return unfetched.error
    }
  }

  /** Returns when nothing of the message can be lost here any more. */
  async #accept(paired: Pairing, keys: Keys, message: WaitingMessage, sealed: Buffer): Promise<void> {
    const opened = await openMessage(sealed, keyPairOf(keys)).catch(() => null)
    const name = `${paired.boxId.slice(0, 8)}-${message.id}`
    if (opened === null) return quarantine(this.#options.dataDir, `${name}.sealed`, sealed)
    const { token, method, contentType } = opened.head
    const receipt = await this.#options.receive(token, { method, contentType, body: opened.body })
    if (receipt === 'unknown') quarantine(this.#options.dataDir, `${name}.body`, opened.body)
  }

  /**
   * Has all that waits, or is coming in, stored, then ends the box. Throws while anything may be there: it would be
   * lost.
   */
  async #endBox(box: Box, signal: AbortSignal): Promise<void> {
    const place = addressOf(box.paired, box.keys)
    try {
      await this.#empty(box, 0, signal)
      for (let times = 0; !(await this.#api.remove(place, signal)); times += 1) {
        if (times === arrivalWait.times) throw unreachable(place.url, 'HTTP 409')
        await this.#empty(box, arrivalWait.seconds, signal)
      }
    } catch (error) {
      // It was ended before.
      if (!(error instanceof AppError && error.code === 'mailbox_refused')) throw error
    }
  }

  /**
   * Has stored what waits, and before that what comes within `wait` seconds. Throws when something could not be
   * fetched.
   */
  async #empty(box: Box, wait: number, signal: AbortSignal): Promise<void> {
    for (let more = true, waitSeconds = wait; more; waitSeconds = 0) {
      const { count, failed } = await this.#fetch(box, { waitSeconds, release: true }, signal)
      if (failed !== null) throw failed
      more = count > 0
    }
  }

  /**
   * The new pairing takes the place of the earlier ones, whose boxes are ended, or those stay. When the last step
   * fails, a full disk here, none is left; then nothing waits anywhere.
   */
  async #replace(keyring: Keys[], earlier: Box[], next: Box, signal: AbortSignal): Promise<void> {
    try {
      // All of them, since the two stores do not change at once.
      await this.#saveKeyring([...keyring, next.keys])
      for (const box of earlier) await this.#endBox(box, signal)
      this.#options.stored.set(next.paired)
    } catch (error) {
      // Best effort: the operator can remove a box that is not used any more.
      const isRemoved = await this.#api.remove(addressOf(next.paired, next.keys), signal).catch(() => false)
      if (isRemoved) await this.#saveKeyring(keyring).catch(() => undefined)
      throw problemOf(error)
    }
    const ended = earlier.map(({ keys }) => keys)
    // Else the next question does.
    await this.#saveKeyring([
      ...keyring.filter((keys) => !ended.includes(keys)),
      withPlace(next.keys, next.paired),
    ]).catch(() => undefined)
  }

  /** Throws `mailbox_key_unavailable`, `storage_…`. */
  async #saveKeyring(keyring: Keys[]): Promise<void> {
    const { secrets } = this.#options
    await (keyring.length === 0 ? secrets.remove('mailbox') : secrets.set('mailbox', JSON.stringify(keyring))).catch(
      (error: unknown) => {
        throw isStorageTrouble(error) ? problemOf(error) : keyUnavailable(error)
      },
    )
  }

  /**
   * The box that is asked for messages; null when no mailbox is paired. A database that was restored to a time before
   * the pairing learns of it. Throws `mailbox_key_unavailable`, and SQLite's error.
   */
  async #activeBox(signal: AbortSignal): Promise<Box | null> {
    const keyring = await this.#loadKeyring(signal)
    const [box] = this.#boxesIn(keyring)
    if (box === undefined) {
      this.#update(() => this.#clearProblems())
      return null
    }
    const { paired, keys } = box
    if (paired.boxId !== this.#paired()?.boxId) {
      this.#options.stored.set(paired)
      this.#options.onChange()
    }
    if (keys.place === undefined)
      await this.#saveKeyring(keyring.map((each) => (each === keys ? withPlace(keys, paired) : each))).catch(
        () => undefined,
      )
    return box
  }

  /**
   * `boxesIn` for the pairing in the database. Throws `mailbox_key_unavailable` where there is one and no key at all.
   */
  #boxesIn(keyring: readonly Keys[]): Box[] {
    const paired = this.#paired()
    const boxes = boxesIn(keyring, paired)
    if (boxes.length === 0 && paired !== null) throw keyMissing()
    return boxes
  }

  #paired(): Pairing | null {
    const parsed = pairing.safeParse(this.#options.stored.get())
    return parsed.success ? parsed.data : null
  }

  /**
   * A keychain may not answer, or wait for the person. Throws `mailbox_key_unavailable`, and the reason of `signal`.
   */
  async #loadKeyring(signal: AbortSignal): Promise<Keys[]> {
    try {
      return keyringIn(await abortable(this.#options.secrets.get('mailbox'), signal))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // A damaged keyring opens nothing, and without a pairing nothing needs it.
      if (isUnreadable(error) && this.#paired() === null) return []
      throw keyUnavailable(error)
    }
  }

  /** The problem to show: nothing can be fetched, or one message cannot; null for none. */
  trouble(): AppError | null {
    return (
      this.#problem ??
      [...this.#unfetched.values()].find(({ failures }) => failures >= failuresBeforeReport)?.error ??
      null
    )
  }

  /** With a list that begins with the oldest message, those that were there and are not any more are forgotten. */
  #onAnswer(fromOldest: readonly WaitingMessage[] | null): void {
    this.#update(() => {
      this.#answeredAt = this.#options.now()
      this.#problem = null
      if (fromOldest === null) return
      const there = new Set(fromOldest.map(({ id }) => id))
      for (const id of this.#unfetched.keys()) if (!there.has(id)) this.#unfetched.delete(id)
    })
  }

  #setProblem(problem: AppError): void {
    this.#update(() => (this.#problem = problem))
  }

  #clearProblems(): void {
    this.#problem = null
    this.#unfetched.clear()
  }

  /** Changes the state, and says so when that is news. */
  #update(change: () => void): void {
    const reported = (): string => `${this.#answeredAt === null} ${this.trouble()?.message}`
    const before = reported()
    change()
    if (reported() !== before) this.#options.onChange()
  }
}

function addressOf({ url, boxId }: Pairing, { accessKey }: Keys): MailboxAddress {
  return { url, boxId, accessKey }
}

/** Nothing of what waits can be had now, and perhaps never. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'mailbox_unreachable' || error.code === 'mailbox_key_unavailable')
}

function problemOf(error: unknown): AppError {
  return isStorageTrouble(error) ? new AppError(`storage_${troubleIn(error)}`, {}, { cause: error }) : toAppError(error)
}

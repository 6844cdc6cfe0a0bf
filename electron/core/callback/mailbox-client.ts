import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { CallbackState } from '../../../shared/contract-reliability.ts'
import { AppError, toAppError } from '../../../shared/errors.ts'
import { maxWaitSeconds, pairingCode, pairingCodePrefix } from '../../../shared/mailbox.ts'
import { isStorageTrouble } from '../pipeline/extract.ts'
import { normaliseBaseAddress } from '../platform/base-address.ts'
import type { SecretStore } from '../platform/connect.ts'
import type { HttpClient } from '../platform/http.ts'
import { setAside } from './mailbox-aside.ts'
import { makeKeyPair, openMessage } from './mailbox-open.ts'
import type { KeyPair } from './mailbox-open.ts'
import { MailboxWire } from './mailbox-wire.ts'
import type { MailboxPlace, WaitingMessage } from './mailbox-wire.ts'
import type { Callback, Receipt } from './receive.ts'

export type MailboxClientOptions = {
  http: HttpClient
  secrets: SecretStore
  dataDir: string
  /** This computer's name, for the list of the mailbox's operator. */
  name: string
  /** Which mailbox is paired: not a secret, and read at each use. */
  stored: { get: () => unknown; set: (value: unknown) => void }
  /** Stores a callback; throws when it could not, and then it comes again. */
  receive: (token: string, callback: Callback) => Receipt | Promise<Receipt>
  onChange: () => void
  now: () => number
  /** The wait after a first failure, doubled by each that follows, up to a minute. */
  firstRetryMs: number
}

const pairing = z.object({ url: z.string(), boxId: z.string(), pairedAt: z.number() })
type Pairing = z.infer<typeof pairing>

/** What lies in the secret store: of one pairing, and for a moment of two, since not both stores change at once. */
const keyring = z.array(z.object({ boxId: z.string(), publicKey: z.string(), privateKey: z.string(), accessKey: z.string() }))
type Keys = z.infer<typeof keyring>[number]

const longestRetryMs = 60_000
/** One failure is a blip; after this many in a row a person is told. */
const failuresTold = 2
/** How long the end of a pairing takes what still waits. */
const drainMs = 2 * 60_000

/**
 * The desktop's side of the mailbox: asks for what waits as long as it runs, opens it, has it stored, and only then lets
 * the mailbox delete it. Whatever fails is tried again, so a callback may come twice but is never lost.
 */
export class MailboxClient {
  readonly #options: MailboxClientOptions
  readonly #wire: MailboxWire
  #running: { end: AbortController; done: Promise<void> } | null = null
  #started = false
  #answeredAt: number | null = null
  #problem: AppError | null = null

  constructor(options: MailboxClientOptions) {
    this.#options = options
    this.#wire = new MailboxWire(options.http)
  }

  /** Begins to fetch, now or once a mailbox is paired. */
  start(): void {
    this.#started = true
    this.#run()
  }

  /** Ends when what is being stored is stored. */
  async stop(): Promise<void> {
    this.#started = false
    await this.#halt()
  }

  /** Null when no mailbox is paired. */
  state(): CallbackState['mailbox'] {
    const paired = this.#paired()
    if (paired === null) return null
    const problem = this.#problem === null ? null : { code: this.#problem.code, details: this.#problem.details }
    return { url: paired.url, pairedAt: paired.pairedAt, answeredAt: this.#answeredAt, problem }
  }

  /** The public address for the result with this token; null when no mailbox is paired. */
  addressFor(token: string): string | null {
    const paired = this.#paired()
    return paired === null ? null : `${paired.url}/in/${paired.boxId}/${token}`
  }

  /**
   * Pairs with the mailbox that made the code. Of one that was paired before, what waits there is fetched first.
   * Throws `mailbox_code_invalid`, `mailbox_unreachable`, `mailbox_key_unavailable` when the keys cannot be kept.
   */
  async pair(code: string): Promise<void> {
    const { url, secret } = readCode(code)
    await this.#halt()
    try {
      const before = this.#paired()
      const beforeKeys = before === null ? null : await this.#keysOf(before).catch(() => null)
      if (before !== null && beforeKeys !== null) await this.#drain(before, beforeKeys)
      const pair = await makeKeyPair()
      const accessKey = randomBytes(32).toString('base64url')
      const accessKeyHash = createHash('sha256').update(accessKey).digest('base64url')
      const boxId = await this.#wire.pair(url, secret, { publicKey: base64url(pair.publicKey), accessKeyHash, name: this.#options.name.slice(0, 100) })
      const keys: Keys = { boxId, publicKey: base64url(pair.publicKey), privateKey: base64url(pair.privateKey), accessKey }
      await this.#keep(url, keys, beforeKeys)
      if (before !== null && beforeKeys !== null) await this.#forget(before, beforeKeys)
      this.#answeredAt = this.#options.now()
      this.#problem = null
    } finally {
      this.#run()
    }
    this.#options.onChange()
  }

  /** Ends the pairing, here and at the mailbox; what waits there is fetched first. Throws when that could not be stored. */
  async unpair(): Promise<void> {
    await this.#halt()
    try {
      const paired = this.#paired()
      if (paired === null) return
      const keys = await this.#keysOf(paired).catch(() => null)
      if (keys !== null) {
        await this.#drain(paired, keys)
        await this.#forget(paired, keys)
      }
      this.#options.stored.set(null)
      // Without the pairing the keys open nothing that is still to come.
      await this.#options.secrets.remove('mailbox').catch(() => undefined)
      this.#answeredAt = null
      this.#problem = null
    } finally {
      this.#run()
    }
    this.#options.onChange()
  }

  #run(): void {
    if (!this.#started || this.#running !== null || this.#paired() === null) return
    const end = new AbortController()
    this.#running = { end, done: this.#fetchUntil(end.signal) }
  }

  async #halt(): Promise<void> {
    const running = this.#running
    this.#running = null
    running?.end.abort()
    await running?.done
  }

  async #fetchUntil(signal: AbortSignal): Promise<void> {
    let failures = 0
    let release = true
    while (!signal.aborted) {
      try {
        const paired = this.#paired()
        if (paired === null) return
        const keys = await this.#keysOf(paired)
        await this.#fetch(paired, keys, { waitSeconds: maxWaitSeconds - 5, release }, signal)
        failures = 0
        release = false
      } catch (error) {
        if (signal.aborted) return
        // What was handed out and not acknowledged is asked for again.
        release = true
        failures += 1
        if (failures >= failuresTold || !(error instanceof AppError && error.code === 'mailbox_unreachable')) this.#tell(problemOf(error))
        await setTimeout(Math.min(this.#options.firstRetryMs * 2 ** (failures - 1), longestRetryMs), undefined, { signal }).catch(() => undefined)
      }
    }
  }

  /** One question, and the answer stored and acknowledged. Returns the number of messages. */
  async #fetch(paired: Pairing, keys: Keys, how: { waitSeconds: number; release: boolean }, signal: AbortSignal): Promise<number> {
    const place = placeOf(paired, keys)
    const messages = await this.#wire.messages(place, how, signal)
    this.#answered()
    const stored: number[] = []
    try {
      for (const message of messages) {
        if (signal.aborted) break
        const sealed = message.sealed === null ? await this.#wire.message(place, message.id, signal) : Buffer.from(message.sealed, 'base64url')
        if (sealed === null) continue
        await this.#take(paired, keys, message, sealed)
        stored.push(message.id)
      }
    } finally {
      if (stored.length > 0) await this.#wire.acknowledge(place, stored)
    }
    return messages.length
  }

  /** Returns when nothing of the message can be lost here any more. */
  async #take(paired: Pairing, keys: Keys, message: WaitingMessage, sealed: Buffer): Promise<void> {
    const opened = await openMessage(sealed, keyPairOf(keys)).catch(() => null)
    const name = `${paired.boxId.slice(0, 8)}-${message.id}`
    if (opened === null) return setAside(this.#options.dataDir, `${name}.sealed`, sealed)
    const { token, method, contentType } = opened.head
    const receipt = await this.#options.receive(token, { method, contentType, body: opened.body })
    if (receipt === 'unknown') setAside(this.#options.dataDir, `${name}.body`, opened.body)
  }

  /** Takes all that waits, as far as the mailbox can be reached. Throws when something could not be stored: it must stay there. */
  async #drain(paired: Pairing, keys: Keys): Promise<void> {
    const signal = AbortSignal.timeout(drainMs)
    try {
      while ((await this.#fetch(paired, keys, { waitSeconds: 0, release: true }, signal)) > 0);
    } catch (error) {
      const isAway = signal.aborted || (error instanceof AppError && (error.code === 'mailbox_unreachable' || error.code === 'mailbox_refused'))
      if (!isAway) throw problemOf(error)
    }
  }

  /** Both stores name the new pairing, or neither does. */
  async #keep(url: string, keys: Keys, before: Keys | null): Promise<void> {
    const paired = { url, boxId: keys.boxId, pairedAt: this.#options.now() }
    try {
      await this.#options.secrets.set('mailbox', JSON.stringify(before === null ? [keys] : [before, keys]))
      this.#options.stored.set(paired)
    } catch (error) {
      await this.#forget(paired, keys)
      throw isStorageTrouble(error) ? problemOf(error) : keyUnavailable(error)
    }
    if (before !== null) await this.#options.secrets.set('mailbox', JSON.stringify([keys])).catch(() => undefined)
  }

  /** Best effort: a box that nobody asks for any more can be removed by its operator. */
  async #forget(paired: Pairing, keys: Keys): Promise<void> {
    await this.#wire.remove(placeOf(paired, keys)).catch(() => undefined)
  }

  #paired(): Pairing | null {
    const parsed = pairing.safeParse(this.#options.stored.get())
    return parsed.success ? parsed.data : null
  }

  /** Throws `mailbox_key_unavailable`. */
  async #keysOf({ boxId }: Pairing): Promise<Keys> {
    let stored: string | null
    try {
      stored = await this.#options.secrets.get('mailbox')
    } catch (error) {
      throw keyUnavailable(error)
    }
    const keys = readKeyring(stored).find((each) => each.boxId === boxId)
    if (keys === undefined) throw new AppError('mailbox_key_unavailable', { detail: stored === null ? 'it is missing' : 'it is damaged' })
    return keys
  }

  #answered(): void {
    const isNews = this.#answeredAt === null || this.#problem !== null
    this.#answeredAt = this.#options.now()
    this.#problem = null
    if (isNews) this.#options.onChange()
  }

  #tell(problem: AppError): void {
    const isNews = this.#problem?.message !== problem.message
    this.#problem = problem
    if (isNews) this.#options.onChange()
  }
}

/** Throws `mailbox_code_invalid`. */
function readCode(code: string): { url: string; secret: string } {
  try {
    const text = code.replace(/\s/g, '')
    if (!text.startsWith(pairingCodePrefix)) throw new AppError('mailbox_code_invalid')
    const { url, secret } = pairingCode.parse(JSON.parse(Buffer.from(text.slice(pairingCodePrefix.length), 'base64url').toString('utf8')))
    return { url: normaliseBaseAddress(url), secret }
  } catch (error) {
    throw new AppError('mailbox_code_invalid', {}, { cause: error })
  }
}

function readKeyring(stored: string | null): Keys[] {
  try {
    return stored === null ? [] : keyring.parse(JSON.parse(stored))
  } catch {
    return []
  }
}

function placeOf({ url, boxId }: Pairing, { accessKey }: Keys): MailboxPlace {
  return { url, boxId, accessKey }
}

function keyPairOf({ publicKey, privateKey }: Keys): KeyPair {
  return { publicKey: Buffer.from(publicKey, 'base64url'), privateKey: Buffer.from(privateKey, 'base64url') }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function keyUnavailable(error: unknown): AppError {
  const detail = error instanceof AppError ? String(error.details['problem'] ?? error.code) : 'it is damaged'
  return new AppError('mailbox_key_unavailable', { detail }, { cause: error })
}

function problemOf(error: unknown): AppError {
  return isStorageTrouble(error) ? new AppError('storage_full', {}, { cause: error }) : toAppError(error)
}

import { hostname } from 'node:os'
import type { CallbackInput, CallbackState } from '../../../shared/contract-reliability.ts'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { Context } from '../pipeline/context.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { isLoopback } from '../platform/base-address.ts'
import type { SecretStore, WayBack } from '../platform/connect.ts'
import { HttpClient } from '../platform/http.ts'
import { InstallationKey } from './installation-key.ts'
import { Doors } from './doors.ts'
import { callbackPrefix } from './listener.ts'
import { MailboxClient } from './mailbox-client.ts'
import { OverduePatrol } from './overdue.ts'
import { CallbackReceiver } from './receive.ts'
import { SelfTest } from './self-test.ts'
import type { CanaryWay } from './self-test.ts'
import { makeToken } from './token.ts'
import { changedWay, placeOf, portOf, prefixesOf, publicAddressFor, readWay, remembering, withEarlier } from './way.ts'
import type { StoredWay } from './way.ts'

/** What callbacks need besides the context of every stage. */
export type CallbackSurroundings = {
  dataDir: string
  secrets: SecretStore
  /** Documents may go now that waited for a way back. */
  onQueued: () => void
}

/**
 * How results come back: for services on this computer to a port on loopback; for those elsewhere over a public address
 * that leads to a listener, or through a mailbox. The way for those elsewhere is used once a test of it succeeded today.
 */
export class Callbacks {
  readonly #context: Context
  readonly #onQueued: () => void
  readonly #http = new HttpClient()
  readonly #key: InstallationKey
  readonly #receiver: CallbackReceiver
  readonly #doors: Doors
  readonly #mailbox: MailboxClient
  readonly #selfTest: SelfTest
  readonly #patrol: OverduePatrol
  #way: StoredWay
  /** Why nothing listens where the public address leads to. */
  #closed: AppError | null = null
  #changes: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  /** The way is being changed: no document is given an address that may lead nowhere afterwards. */
  #isChanging = false
  #stopped = false
  readonly #end = new AbortController()

  constructor(context: Context, { dataDir, secrets, onQueued }: CallbackSurroundings) {
    this.#context = context
    this.#onQueued = onQueued
    this.#key = new InstallationKey(dataDir)
    this.#receiver = new CallbackReceiver(context, this.#key, (token, body) => this.#selfTest.arrived(token, body))
    this.#doors = new Doors(this.#receiver, { bodyMs: context.timings.callbackBodyMs }, () => prefixesOf(this.#way))
    this.#selfTest = new SelfTest(context, this.#http, () => this.#canaryWay(), () => this.#tested())
    this.#patrol = new OverduePatrol(context)
    const { callbacks } = context.tables
    this.#way = readWay(callbacks.setting('callbackWay'))
    this.#mailbox = new MailboxClient({
      http: this.#http,
      secrets,
      dataDir,
      name: hostname(),
      stored: { get: () => callbacks.setting('mailbox'), set: (value) => callbacks.setSetting('mailbox', value) },
      receive: (token, callback) => this.#receiver.receive(token, callback),
      onChange: () => this.#mailboxChanged(),
      onProgress: () => {
        // What waits comes in turn, and a canary over the mailbox is the last.
        if (this.#way.way === 'mailbox') this.#selfTest.progressed()
      },
      now: context.now,
      firstRetryMs: context.timings.firstRetryMs,
    })
  }

  /**
   * Records what came for attempts that were not known then, and listens on the port of the last run where it is still
   * free, so that answers under way find us; `moved` when it is not.
   */
  async start(): Promise<{ moved: boolean }> {
    const { settings } = this.#context.tables
    this.#storing(() => this.#receiver.readUnread())
    const last = settings.callbackPort()
    await this.#doors.openInner(last ?? 0)
    const port = this.#doors.innerPort
    const moved = last !== null && port !== last
    if (moved) this.#storing(() => this.#leave(last))
    if (port !== last) settings.setCallbackPort(port)
    await this.#listen()
    this.#mailbox.start()
    this.#look()
    this.#timer = setInterval(() => this.#look(), this.#context.timings.callbackPatrolMs)
    return { moved }
  }

  /**
   * The way back for an attempt: from a service on this computer, or from one elsewhere over the tested way. The error says
   * why there is none.
   */
  async wayBack(reachesUs: boolean): Promise<WayBack | AppError> {
    if (reachesUs) return () => this.#toInner()
    const problem = this.#way.way === 'none' ? new AppError('callback_not_set_up') : await this.#tryWay()
    // Nothing begins any more, least of all without the way that it should have gone.
    if (this.#stopped) throw problem ?? new AppError('callback_not_set_up')
    if (problem !== null) return problem
    return this.#addressFor('') === null ? new AppError('no_callback') : () => this.#toOuter()
  }

  /** For the state of the app. */
  get standing(): 'none' | 'untested' | 'tested' | 'failed' {
    if (this.#way.way === 'none') return 'none'
    if (this.#closed !== null || this.#selfTest.failure !== null) return 'failed'
    return this.#selfTest.passedToday ? 'tested' : 'untested'
  }

  state(): CallbackState {
    const { way, address, testedAt } = this.#way
    return {
      way,
      address: way === 'address' ? (address?.url ?? null) : null,
      network: way === 'address' && address !== null && address.network,
      port: (way === 'address' ? portOf(this.#way) : null) ?? this.#doors.innerPort,
      mailbox: this.#mailbox.state(),
      testedAt,
      testing: this.#selfTest.testing,
      problem: this.#problem(),
      overdue: this.#context.tables.callbacks.overdueCount(),
      awaited: this.#context.tables.callbacks.awaitedCount(this.#windowStart),
    }
  }

  /** Chooses a way and tests it in the background. Throws `address_invalid`, `callback_address_local`, `callback_port_taken`, `mailbox_not_paired`. */
  save(input: CallbackInput): Promise<void> {
    return this.#changeWay(async () => {
      if (input.way === 'mailbox' && this.#mailbox.state() === null) throw new AppError('mailbox_not_paired')
      await this.#choose(changedWay(this.#way, input))
    })
  }

  /** Sends a canary over the way that is chosen and waits for it; `state` says what came of it. Without a way nothing happens. */
  async test(): Promise<void> {
    await this.#change(() => this.#listen())
    if (this.#way.way !== 'none') await this.#selfTest.run()
  }

  /** Pairs with a mailbox and chooses it (`MailboxClient.pair`, also for what it throws). */
  pair(code: string): Promise<void> {
    return this.#changeWay(async () => {
      await this.#mailbox.pair(code, this.#end.signal)
      await this.#choose(changedWay(this.#way, { way: 'mailbox' }))
    })
  }

  /** Ends the pairing (`MailboxClient.unpair`, also for what it throws), and chooses no way where that was it. */
  unpair(how: { discard: boolean }): Promise<void> {
    return this.#changeWay(async () => {
      await this.#mailbox.unpair(how, this.#end.signal)
      if (this.#way.way === 'mailbox') await this.#choose(changedWay(this.#way, { way: 'none' }))
      this.#changed()
    })
  }

  /** A test or a pairing that is under way ends, so that no document waits for it. To be called before the queue is stopped. */
  endTest(): void {
    this.#stopped = true
    this.#end.abort()
    this.#selfTest.end()
  }

  async stop(): Promise<void> {
    this.endTest()
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#changes
    await this.#mailbox.stop()
    await this.#doors.stop()
    this.#receiver.stop()
    await this.#http.close()
  }

  #toInner(): { token: string; address: string } {
    const token = makeToken(this.#key.get(), 'attempt')
    return { token, address: `http://127.0.0.1:${this.#doors.innerPort}${callbackPrefix}${token}` }
  }

  /** Null when the way is not the one that was tested any more. */
  #toOuter(): { token: string; address: string } | null {
    if (this.#isChanging || !this.#selfTest.passedToday) return null
    const token = makeToken(this.#key.get(), 'attempt')
    const address = this.#addressFor(token)
    return address === null ? null : { token, address }
  }

  /** Where a service elsewhere sends the result with this token; null when no way is chosen. */
  #addressFor(token: string): string | null {
    const { way, address } = this.#way
    if (way === 'mailbox') return this.#mailbox.addressFor(token)
    return way === 'address' && address !== null ? publicAddressFor(address.url, token) : null
  }

  #canaryWay(): CanaryWay | AppError {
    if (this.#closed !== null) return this.#closed
    const token = makeToken(this.#key.get(), 'canary')
    const url = this.#addressFor(token)
    return url === null ? new AppError(this.#way.way === 'mailbox' ? 'mailbox_not_paired' : 'callback_not_set_up') : { token, url }
  }

  async #tryWay(): Promise<AppError | null> {
    await this.#changes
    // Another program may have let go of the port since.
    if (this.#closed !== null) await this.#change(() => this.#listen())
    return this.#selfTest.ensure()
  }

  #problem(): CallbackState['problem'] {
    // Only the locked keychain knows which mailbox is paired: what waits there is not fetched.
    const unknown = this.#mailbox.state() === null ? this.#mailbox.trouble() : null
    const error = unknown ?? this.#wayProblem()
    return error === null ? null : { code: error.code, details: error.details }
  }

  #wayProblem(): AppError | null {
    return this.#way.way === 'none' ? (this.#sendsElsewhere() ? new AppError('callback_not_set_up') : null) : (this.#closed ?? this.#selfTest.failure)
  }

  /** Whether any service stands elsewhere: those on this computer need no public way. */
  #sendsElsewhere(): boolean {
    return this.#context.tables.connections.list().some(({ baseUrl }) => baseUrl !== null && URL.canParse(baseUrl) && !isLoopback(new URL(baseUrl).hostname))
  }

  /** One change after another. */
  #change(work: () => Promise<void>): Promise<void> {
    const change = this.#changes.then(work)
    this.#changes = change.catch(() => undefined)
    return change
  }

  #changeWay(work: () => Promise<void>): Promise<void> {
    return this.#change(async () => {
      this.#isChanging = true
      await work().finally(() => (this.#isChanging = false))
    })
  }

  async #choose(way: StoredWay): Promise<void> {
    const before = this.#way
    this.#way = remembering(before, way, this.#context.tables.callbacks.newestAttempt())
    try {
      await this.#arrange()
      this.#store({ ...this.#way })
    } catch (error) {
      this.#way = before
      await this.#listen()
      throw error
    }
    this.#selfTest.reset()
    if (way.way !== 'none') void this.#selfTest.run()
    this.#changed()
  }

  /** Opens what the way needs. What it no longer needs stays open as long as results may be under way to it. Throws `callback_port_taken`. */
  async #arrange(): Promise<void> {
    const isOpen = this.#way.way === 'address' || this.#isAwaited()
    const earlier = this.#way.earlier.filter(({ upTo }) => this.#isAwaited(upTo))
    this.#way = { ...this.#way, earlier }
    const port = await this.#doors.open(isOpen ? placeOf(this.#way, this.#doors.innerPort) : null, earlier)
    if (port !== null && portOf(this.#way) === null) this.#way = { ...this.#way, keptPort: port }
    this.#closed = null
  }

  /** Whether a result may be under way to us, of an attempt up to that one. */
  #isAwaited(upTo?: number): boolean {
    return this.#context.tables.callbacks.isAnyAwaited(this.#windowStart, upTo)
  }

  /** Results of attempts that began before are not reckoned with, unless their document waits. */
  get #windowStart(): number {
    return this.#context.now() - this.#context.timings.callbackWindowMs
  }

  /** Another program has the port on which we listened for this computer: results may still come to it, and a proxy may lead there. */
  #leave(port: number): void {
    if (this.#way.address !== null && placeOf(this.#way, port)?.port === port) this.#way = { ...this.#way, keptPort: port }
    else if (this.#isAwaited()) this.#way = withEarlier(this.#way, { path: '', network: false, port, upTo: this.#context.tables.callbacks.newestAttempt() })
    this.#store(this.#way)
  }

  /** As `arrange`; what cannot be had is kept as the way's problem. */
  async #listen(): Promise<void> {
    const before = this.#closed
    try {
      await this.#arrange()
    } catch (error) {
      this.#closed = this.#way.way === 'address' ? toAppError(error) : null
    }
    if (before === null || this.#closed !== null) return
    // What was found out while nothing listened is over.
    this.#selfTest.reset()
    if (this.#way.way !== 'none') void this.#selfTest.run()
    this.#changed()
  }

  #store(way: StoredWay): void {
    this.#way = way
    this.#context.tables.callbacks.setSetting('callbackWay', way)
  }

  /** A test began or ended. */
  #tested(): void {
    if (this.#stopped) return
    if (!this.#selfTest.testing && this.#selfTest.passedToday) {
      this.#storing(() => {
        this.#store({ ...this.#way, testedAt: this.#context.now() })
        this.#context.tables.callbacks.releaseWaiting()
        this.#onQueued()
      })
    }
    this.#changed()
  }

  #mailboxChanged(): void {
    // Whatever was tested this morning: results would wait where they cannot be fetched, or come nowhere at all.
    if (this.#way.way === 'mailbox' && this.#mailbox.trouble() !== null) this.#selfTest.doubt()
    this.#changed()
  }

  #changed(): void {
    this.#context.emit('callbacks.changed', {})
    this.#context.emit('app.changed', {})
  }

  #look(): void {
    this.#storing(() => {
      this.#receiver.readUnread()
      if (!this.#patrol.look(this.#canArrive)) return
      this.#onQueued()
      this.#changed()
    })
    // A port may be free again, or nothing be under way any more to one that is open.
    void this.#change(() => this.#listen())
  }

  get #canArrive(): boolean {
    return this.#closed === null && this.#mailbox.trouble() === null
  }

  /** What a full disk refuses now is done at the next look. */
  #storing(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.#context.onStorageTrouble(error)
    }
  }
}

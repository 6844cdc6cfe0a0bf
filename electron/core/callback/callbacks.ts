import { hostname } from 'node:os'
import { refusedBy } from '../../../shared/domain/policies.ts'
import type { CallbackInput, CallbackState } from '../../../shared/contract/callbacks.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { ProxyFor } from '../../system/tunnel.ts'
import { isLoopback } from '../../system/loopback.ts'
import type { Context } from '../pipeline/context.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import type { SecretStore, CallbackRoute } from '../platform/connect.ts'
import { HttpClient } from '../platform/http.ts'
import { InstallationKey, makeToken } from './callback-token.ts'
import { CallbackListeners } from './callback-listeners.ts'
import { callbackPrefix } from './listener.ts'
import { MailboxClient } from './mailbox-client.ts'
import { OverdueCheck } from './overdue.ts'
import { CallbackReceiver } from './receive.ts'
import { SelfTest } from './self-test.ts'
import type { ProbeTarget } from './self-test.ts'
import {
  changedRoute,
  listenAddressOf,
  portOf,
  prefixesOf,
  publicAddressFor,
  readRoute,
  rememberingEarlier,
  withEarlier,
} from './callback-route.ts'
import type { StoredRoute } from './callback-route.ts'

/** What callbacks need besides the context of every stage. */
type CallbackOptions = {
  dataDir: string
  secrets: SecretStore
  /** Documents that waited for a callback route may be sent now. */
  onQueued: () => void
  /** Results that are waited for are looked at, every `timings.callbackCheckMs`. */
  onCheck: () => void
  proxyFor: ProxyFor | undefined
}

/**
 * How results come back: for services on this computer to a port on loopback; for those elsewhere over a public address
 * that leads to a listener, or through a mailbox. The route for those elsewhere is used once a test of it succeeded
 * today.
 */
export class Callbacks {
  readonly #context: Context
  readonly #onQueued: () => void
  readonly #onCheck: () => void
  readonly #http: HttpClient
  readonly #key: InstallationKey
  readonly #receiver: CallbackReceiver
  readonly #listeners: CallbackListeners
  readonly #mailbox: MailboxClient
  readonly #selfTest: SelfTest
  readonly #overdue: OverdueCheck
  #stored: StoredRoute
  /** Why nothing listens where the public address leads to. */
  #listenError: AppError | null = null
  #changes: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  /** While the route is changed no document is given an address, since it may lead nowhere afterwards. */
  #isChanging = false
  #stopped = false
  readonly #end = new AbortController()

  constructor(context: Context, { dataDir, secrets, onQueued, onCheck, proxyFor }: CallbackOptions) {
    this.#http = new HttpClient(proxyFor)
    this.#context = context
    this.#onQueued = onQueued
    this.#onCheck = onCheck
    this.#key = new InstallationKey(dataDir)
    this.#receiver = new CallbackReceiver(context, this.#key, (token, body) => this.#selfTest.arrived(token, body))
    this.#listeners = new CallbackListeners(this.#receiver, { bodyMs: context.timings.callbackBodyMs }, () =>
      prefixesOf(this.#stored),
    )
    this.#selfTest = new SelfTest(
      context,
      this.#http,
      () => this.#probeTarget(),
      () => this.#onTest(),
    )
    this.#overdue = new OverdueCheck(context)
    const { callbacks } = context.tables
    this.#stored = readRoute(callbacks.setting('callbackRoute'))
    this.#mailbox = new MailboxClient({
      http: this.#http,
      secrets,
      dataDir,
      name: hostname(),
      stored: { get: () => callbacks.setting('mailbox'), set: (value) => callbacks.setSetting('mailbox', value) },
      receive: (token, callback) => this.#receiver.receive(token, callback),
      onChange: () => this.#onMailboxChange(),
      onProgress: () => {
        // Messages arrive in order, and a probe over the mailbox is behind those that wait.
        if (this.#stored.route === 'mailbox') this.#selfTest.progressed()
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
    this.#unlessFull(() => this.#receiver.readUnread())
    const last = settings.callbackPort()
    await this.#listeners.openInner(last ?? 0)
    const port = this.#listeners.innerPort
    const moved = last !== null && port !== last
    if (moved) this.#unlessFull(() => this.#leavePort(last))
    if (port !== last) settings.setCallbackPort(port)
    await this.#listen()
    this.#mailbox.start()
    this.#check()
    this.#timer = setInterval(() => this.#check(), this.#context.timings.callbackCheckMs)
    return { moved }
  }

  /**
   * The callback route for an attempt: from a service on this computer (`reachesUs`), or from one elsewhere over the
   * tested route. The error says why there is none.
   */
  async callbackRoute(reachesUs: boolean): Promise<CallbackRoute | AppError> {
    if (reachesUs) return () => this.#innerTarget()
    const problem = this.#route === 'none' ? this.#missingRoute() : await this.#testRoute()
    // Sheaf is stopping: no document is to be sent synchronously instead.
    if (this.#stopped) throw problem ?? new AppError('callback_not_set_up')
    if (problem !== null) return problem
    return this.#addressFor('') === null ? new AppError('no_callback') : () => this.#outerTarget()
  }

  /** For the state of the app. */
  get routeStatus(): 'none' | 'untested' | 'tested' | 'failed' {
    if (this.#route === 'none') return 'none'
    if (this.#listenError !== null || this.#selfTest.failure !== null) return 'failed'
    return this.#selfTest.passedToday ? 'tested' : 'untested'
  }

  state(): CallbackState {
    const { route, address, testedAt } = this.#stored
    return {
      route,
      address: route === 'address' ? (address?.url ?? null) : null,
      network: route === 'address' && address !== null && address.network,
      port: (route === 'address' ? portOf(this.#stored) : null) ?? this.#listeners.innerPort,
      mailbox: this.#mailbox.state(),
      testedAt,
      testing: this.#selfTest.testing,
      problem: this.#problem(),
      overdue: this.#context.tables.callbacks.overdueCount(),
      awaited: this.#context.tables.callbacks.awaitedCount(this.#windowStart),
    }
  }

  /**
   * Chooses a route and tests it in the background. Throws `address_invalid`, `callback_address_local`,
   * `callback_port_taken`, `mailbox_not_paired`, `set_by_administrator`.
   */
  save(input: CallbackInput): Promise<void> {
    return this.#changeRoute(async () => {
      this.#requireAllowed(input.route)
      if (input.route === 'mailbox' && this.#mailbox.state() === null) throw new AppError('mailbox_not_paired')
      await this.#choose(changedRoute(this.#stored, input))
    })
  }

  /**
   * Sends a probe over the route that is chosen and waits for it; `state` says what came of it. Without a route nothing
   * happens.
   */
  async test(): Promise<void> {
    await this.#change(() => this.#listen())
    if (this.#route !== 'none') await this.#selfTest.run()
  }

  /**
   * Pairs with a mailbox and chooses it (`MailboxClient.pair`, also for what it throws). Throws `set_by_administrator`.
   */
  pair(code: string): Promise<void> {
    return this.#changeRoute(async () => {
      this.#requireAllowed('mailbox')
      await this.#mailbox.pair(code, this.#end.signal)
      await this.#choose(changedRoute(this.#stored, { route: 'mailbox' }))
    })
  }

  /** Ends the pairing (`MailboxClient.unpair`, also for what it throws), and chooses no route where that was it. */
  unpair(how: { discard: boolean }): Promise<void> {
    return this.#changeRoute(async () => {
      await this.#mailbox.unpair(how, this.#end.signal)
      if (this.#stored.route === 'mailbox') await this.#choose(changedRoute(this.#stored, { route: 'none' }))
      this.#notify()
    })
  }

  /**
   * A test or a pairing that is under way ends, so that no document waits for it. To be called before the queue is
   * stopped.
   */
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
    await this.#listeners.stop()
    this.#receiver.stop()
    await this.#http.close()
  }

  /** The chosen route; none where an administrator does not allow it, which still takes what is under way to it. */
  get #route(): StoredRoute['route'] {
    const { route } = this.#stored
    return this.#isAllowed(route) ? route : 'none'
  }

  #isAllowed(route: StoredRoute['route']): boolean {
    return route === 'none' || (this.#context.policies.AllowedCallbackRoutes?.includes(route) ?? true)
  }

  #requireAllowed(route: StoredRoute['route']): void {
    if (!this.#isAllowed(route)) throw refusedBy('AllowedCallbackRoutes')
  }

  /** Why there is no route. */
  #missingRoute(): AppError {
    return this.#stored.route === 'none' ? new AppError('callback_not_set_up') : refusedBy('AllowedCallbackRoutes')
  }

  #innerTarget(): { token: string; address: string } {
    const token = makeToken(this.#key.get(), 'attempt')
    return { token, address: `http://127.0.0.1:${this.#listeners.innerPort}${callbackPrefix}${token}` }
  }

  /** Null when the route is not the one that was tested any more. */
  #outerTarget(): { token: string; address: string } | null {
    if (this.#isChanging || !this.#selfTest.passedToday) return null
    const token = makeToken(this.#key.get(), 'attempt')
    const address = this.#addressFor(token)
    return address === null ? null : { token, address }
  }

  /** Where a service elsewhere sends the result with this token; null when no route is chosen. */
  #addressFor(token: string): string | null {
    const { route, address } = this.#stored
    if (route === 'mailbox') return this.#mailbox.addressFor(token)
    return route === 'address' && address !== null ? publicAddressFor(address.url, token) : null
  }

  #probeTarget(): ProbeTarget | AppError {
    if (this.#listenError !== null) return this.#listenError
    const token = makeToken(this.#key.get(), 'probe')
    const url = this.#addressFor(token)
    return url === null
      ? new AppError(this.#stored.route === 'mailbox' ? 'mailbox_not_paired' : 'callback_not_set_up')
      : { token, url }
  }

  async #testRoute(): Promise<AppError | null> {
    await this.#changes
    // Another program may have let go of the port since.
    if (this.#listenError !== null) await this.#change(() => this.#listen())
    return this.#selfTest.ensure()
  }

  #problem(): CallbackState['problem'] {
    // Only the locked keychain knows which mailbox is paired: what waits there is not fetched.
    const unknown = this.#mailbox.state() === null ? this.#mailbox.trouble() : null
    return (unknown ?? this.#routeProblem())?.reason ?? null
  }

  #routeProblem(): AppError | null {
    return this.#route === 'none'
      ? this.#sendsElsewhere()
        ? this.#missingRoute()
        : null
      : (this.#listenError ?? this.#selfTest.failure)
  }

  /** Whether any service stands elsewhere: those on this computer need no public route. */
  #sendsElsewhere(): boolean {
    return this.#context.tables.connections
      .list()
      .some(({ baseUrl }) => baseUrl !== null && URL.canParse(baseUrl) && !isLoopback(new URL(baseUrl).hostname))
  }

  /** One change after another. */
  #change(work: () => Promise<void>): Promise<void> {
    const change = this.#changes.then(work)
    this.#changes = change.catch(() => undefined)
    return change
  }

  #changeRoute(work: () => Promise<void>): Promise<void> {
    return this.#change(async () => {
      this.#isChanging = true
      await work().finally(() => (this.#isChanging = false))
    })
  }

  async #choose(route: StoredRoute): Promise<void> {
    const before = this.#stored
    this.#stored = rememberingEarlier(before, route, this.#context.tables.callbacks.newestAttempt())
    try {
      await this.#openListeners()
      this.#store({ ...this.#stored })
    } catch (error) {
      this.#stored = before
      await this.#listen()
      throw error
    }
    this.#selfTest.reset()
    if (route.route !== 'none') void this.#selfTest.run()
    this.#notify()
  }

  /**
   * Opens what the route needs. What it no longer needs stays open as long as results may be under way to it. Throws
   * `callback_port_taken`.
   */
  async #openListeners(): Promise<void> {
    const isOpen = this.#route === 'address' || this.#isAwaited()
    const earlier = this.#stored.earlier.filter(({ upTo }) => this.#isAwaited(upTo))
    this.#stored = { ...this.#stored, earlier }
    const port = await this.#listeners.open(
      isOpen ? listenAddressOf(this.#stored, this.#listeners.innerPort) : null,
      earlier,
    )
    if (port !== null && portOf(this.#stored) === null) this.#stored = { ...this.#stored, keptPort: port }
    this.#listenError = null
  }

  /** Whether a result may be under way to us, of an attempt up to that one. */
  #isAwaited(upTo?: number): boolean {
    return this.#context.tables.callbacks.isAnyAwaited(this.#windowStart, upTo)
  }

  /** Attempts that began earlier are not awaited any more, unless their document waits. */
  get #windowStart(): number {
    return this.#context.now() - this.#context.timings.callbackWindowMs
  }

  /**
   * Another program has the port on which we listened for this computer: results may still come to it, and a proxy may
   * lead there.
   */
  #leavePort(port: number): void {
    if (this.#stored.address !== null && listenAddressOf(this.#stored, port)?.port === port)
      this.#stored = { ...this.#stored, keptPort: port }
    else if (this.#isAwaited())
      this.#stored = withEarlier(this.#stored, {
        path: '',
        network: false,
        port,
        upTo: this.#context.tables.callbacks.newestAttempt(),
      })
    this.#store(this.#stored)
  }

  /** As `arrange`; what cannot be had is kept as the route's problem. */
  async #listen(): Promise<void> {
    const before = this.#listenError
    try {
      await this.#openListeners()
    } catch (error) {
      this.#listenError = this.#route === 'address' ? toAppError(error) : null
    }
    if (before === null || this.#listenError !== null) return
    // Test results from the time when nothing listened no longer apply.
    this.#selfTest.reset()
    if (this.#route !== 'none') void this.#selfTest.run()
    this.#notify()
  }

  #store(route: StoredRoute): void {
    this.#stored = route
    this.#context.tables.callbacks.setSetting('callbackRoute', route)
  }

  /** The self-test began or ended. */
  #onTest(): void {
    if (this.#stopped) return
    if (!this.#selfTest.testing && this.#selfTest.passedToday) {
      this.#unlessFull(() => {
        this.#store({ ...this.#stored, testedAt: this.#context.now() })
        this.#context.tables.callbacks.releaseWaiting()
        this.#onQueued()
      })
    }
    this.#notify()
  }

  #onMailboxChange(): void {
    // An earlier test no longer counts: results would wait where they cannot be fetched, or never arrive.
    if (this.#stored.route === 'mailbox' && this.#mailbox.trouble() !== null) this.#selfTest.invalidate()
    this.#notify()
  }

  #notify(): void {
    this.#context.emit('callbacks.changed', {})
    this.#context.emit('app.changed', {})
  }

  #check(): void {
    this.#unlessFull(() => {
      this.#onCheck()
      this.#receiver.readUnread()
      if (!this.#overdue.run(this.#canArrive)) return
      this.#onQueued()
      this.#notify()
    })
    // A port may be free again, or nothing be under way any more to one that is open.
    void this.#change(() => this.#listen())
  }

  get #canArrive(): boolean {
    return this.#listenError === null && this.#mailbox.trouble() === null
  }

  /** What a full disk refuses now is done at the next check. */
  #unlessFull(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.#context.onStorageTrouble(error)
    }
  }
}

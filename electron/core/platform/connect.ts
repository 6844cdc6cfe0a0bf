import { AppError } from '../../../shared/domain/errors.ts'
import type { ControlCallName, ControlInput, ControlOutput } from '../../../shared/wire/service-control.ts'
import type { ConnectionsTable } from '../db/tables/connections.ts'
import type { ExchangesTable } from '../db/tables/exchanges.ts'
import type { ProxyFor } from '../../system/tunnel.ts'
import { isLoopback } from '../../system/loopback.ts'
import { abortable } from './abort.ts'
import { Documentalist } from './documentalist.ts'
import { Extractor } from './extractor.ts'
import { HttpClient } from './http.ts'
import type { LocalSwitch } from './local-switch.ts'
import { Models } from './models.ts'
import { callService } from './service-control.ts'
import { TokenSource } from './token.ts'
import type { Credentials } from './token.ts'

/** A connection's client secret, by the connection's id, or what opens this computer's mailbox. */
export type SecretKey = number | 'mailbox'

/** Where secrets are kept: the system's keychain, a 0600 file, or the environment. Never the database. */
export type SecretStore = {
  get(key: SecretKey): Promise<string | null>
  set(key: SecretKey, secret: string): Promise<void>
  remove(key: SecretKey): Promise<void>
  /** Whether a secret is in memory only, and forgotten when the host ends. A store without this keeps all of them. */
  isTemporary?(key: SecretKey): boolean
}

/**
 * The client secret of a connection. Throws `keychain_unavailable` while the store is locked, `secret_unavailable` for
 * a secret that it cannot read, `secret_missing` for none, and `interrupted` when `ended` is aborted: the system may
 * ask the person for a password meanwhile.
 */
export async function readSecret(secrets: SecretStore, connectionId: number, ended: AbortSignal): Promise<string> {
  const secret = await abortable(secrets.get(connectionId), ended).catch((error: unknown) => {
    const isLocked = error instanceof AppError && error.code === 'keychain_unavailable'
    const code = isLocked ? 'keychain_unavailable' : 'secret_unavailable'
    throw new AppError(ended.aborted ? 'interrupted' : code, {}, { cause: error })
  })
  if (secret === null) throw new AppError('secret_missing')
  return secret
}

/**
 * How a callback reaches this computer: makes the token and the address for the result of the attempt that is opened
 * now. Null when the route is no longer usable.
 */
export type CallbackRoute = () => { token: string; address: string } | null

/** The way to one connection's service. */
export type Route = {
  extractor: Extractor
  documentalist: Documentalist
  models: Models
  /** Host and port, for the attempt's row and for sentences. */
  host: string
  /** False for this computer: what was lost on the way is simply sent again. */
  bills: boolean
  /** For a document that goes asynchronously; the error says why no callback would arrive. */
  callbackRoute: () => Promise<CallbackRoute | AppError>
}

/** `callService` to the service that runs now. */
type Control = <N extends ControlCallName>(name: N, input: ControlInput<N>) => Promise<ControlOutput<N>>

/** The tables that connections are read from, and that record what was sent to them. */
type ConnectionTables = {
  connections: ConnectionsTable
  exchanges: ExchangesTable
  now: () => number
  /** Throws while nothing may be sent, since no start would know of it (`Storage.requireInPlace`). */
  requireInPlace: () => void
  /** Throws `set_by_administrator` for an address that no connection or model server may have. */
  requireAllowed: (policy: 'AllowedPlatformHosts' | 'AllowedModelServerHosts', address: string) => void
}

/** Routes to connections; each has one token for all its documents. */
export class Connections {
  readonly #tables: ConnectionTables
  readonly #secrets: SecretStore
  readonly #local: LocalSwitch
  readonly #callbackRoute: (reachesUs: boolean) => Promise<CallbackRoute | AppError>
  readonly #ended: AbortSignal
  readonly #tokens = new Map<number, TokenSource>()
  readonly #versions = new Map<number, number>()
  readonly #changes = new Map<number, Promise<unknown>>()
  readonly http: HttpClient

  constructor(
    books: ConnectionTables,
    secrets: SecretStore,
    local: LocalSwitch,
    callbackRoute: (reachesUs: boolean) => Promise<CallbackRoute | AppError>,
    ended: AbortSignal,
    proxyFor?: ProxyFor,
  ) {
    this.http = new HttpClient(proxyFor)
    this.#ended = ended
    this.#tables = books
    this.#secrets = secrets
    this.#local = local
    this.#callbackRoute = callbackRoute
  }

  /**
   * The way with address and credentials as they are now, which it keeps: what began before a change of them ends with
   * the old ones. Throws `not_found` for a removed connection, `service_not_started`, `service_off`,
   * what `readSecret` throws, `set_by_administrator` for a host that is not allowed, or `storage_moved`.
   */
  async routeTo(connectionId: number): Promise<Route> {
    // Also before a token is asked for: the secret may lie in the data folder as well.
    this.#tables.requireInPlace()
    const credentials = await this.#credentialsOf(connectionId)
    const isLocal = this.#tables.connections.get(connectionId)?.kind === 'local'
    const url = new URL(credentials.baseUrl)
    const tokens = this.#tokensOf(connectionId, credentials)
    // Only a service on this computer reaches a listener on loopback; one that a person runs may be configured not to.
    const reachesUs = isLoopback(url.hostname) && (!isLocal || (await this.#local.start()).privateCallbacks)
    const onSent = (bytes: number): void => void this.#recordSent(connectionId, isLocal, url, bytes)
    return {
      extractor: new Extractor(this.http, tokens, isLocal),
      documentalist: new Documentalist(this.http, tokens, onSent),
      models: new Models(this.http, tokens, onSent, isLocal ? () => this.#servedModels() : null),
      host: url.host,
      bills: !isLocal,
      callbackRoute: () => this.#callbackRoute(reachesUs),
    }
  }

  /**
   * The way to manage the service on this computer, which is started for it. Throws `service_not_started` or
   * `service_off`.
   */
  async control(): Promise<Control> {
    const { control } = await this.#local.start()
    return (name, input) => callService(control, name, input)
  }

  /**
   * Runs a change of a connection's address, its secret or both, one after another. Until it has ended nobody is given
   * a way there, so that no address meets the secret of another. Throws what `work` throws.
   */
  change<T>(connectionId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#changes.get(connectionId) ?? Promise.resolve()
    const change = before.then(work, work)
    this.#changes.set(connectionId, change)
    return change
  }

  async #credentialsOf(connectionId: number): Promise<Credentials> {
    for (;;) {
      const change = this.#changes.get(connectionId)
      const reading = Promise.allSettled([change]).then(() => this.#readCredentials(connectionId))
      await Promise.allSettled([reading])
      // What was read while a change began may be half of it.
      if (this.#changes.get(connectionId) === change) return reading
    }
  }

  async #readCredentials(connectionId: number): Promise<Credentials> {
    const connection = this.#tables.connections.list().find(({ id }) => id === connectionId)
    if (connection === undefined) throw new AppError('not_found', { what: 'connection' })
    if (connection.kind === 'local') return this.#local.start()
    this.#tables.requireAllowed('AllowedPlatformHosts', connection.baseUrl!)
    const clientSecret = await readSecret(this.#secrets, connectionId, this.#ended)
    return { baseUrl: connection.baseUrl!, clientId: connection.clientId!, clientSecret }
  }

  /** After a change of address or credentials the old token is worth nothing. */
  forget(connectionId: number): void {
    this.#tokens.delete(connectionId)
    this.#versions.set(connectionId, this.versionOf(connectionId) + 1)
  }

  /** Another one after each `forget`: a refusal of what an earlier version sent says nothing about this one. */
  versionOf(connectionId: number): number {
    return this.#versions.get(connectionId) ?? 0
  }

  /**
   * Keeps how much of questions, chats and drafts went to another computer: to the platform, or through the service on
   * this computer to a model server elsewhere (which then gets passages of documents besides the question).
   */
  async #recordSent(connectionId: number, isLocal: boolean, url: URL, bytes: number): Promise<void> {
    try {
      const target = isLocal ? await this.#modelServer() : url
      if (target !== null && !isLoopback(target.hostname))
        this.#tables.exchanges.addSent(connectionId, target.host, bytes, this.#tables.now())
    } catch {
      // The question is on its way: a failure to record its size must not break the answer.
    }
  }

  /**
   * The service on this computer lists both aliases always: those behind which a model stands. Throws `no_model_server`
   * for none, `set_by_administrator` for those of a server that is not allowed.
   */
  async #servedModels(): Promise<string[]> {
    const control = await this.control()
    const { baseUrl, large, small } = await control('models.get', {})
    const served = [...(large === null ? [] : ['svc-large']), ...(small === null ? [] : ['svc-small'])]
    if (baseUrl === null || served.length === 0) throw new AppError('no_model_server')
    this.#tables.requireAllowed('AllowedModelServerHosts', baseUrl)
    return served
  }

  async #modelServer(): Promise<URL | null> {
    const control = await this.control()
    const { baseUrl } = await control('models.get', {})
    return baseUrl === null ? null : new URL(baseUrl)
  }

  #tokensOf(connectionId: number, credentials: Credentials): TokenSource {
    let tokens = this.#tokens.get(connectionId)
    if (tokens === undefined || !tokens.isFor(credentials)) {
      tokens = new TokenSource(this.http, credentials)
      this.#tokens.set(connectionId, tokens)
    }
    return tokens
  }
}

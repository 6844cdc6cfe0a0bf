import { AppError } from '../../../shared/errors.ts'
import type { ConnectionsTable } from '../db/connections.ts'
import { Extractor } from './extractor.ts'
import { HttpClient } from './http.ts'
import { TokenSource } from './token.ts'
import type { Credentials } from './token.ts'

/** Where client secrets are kept: the system's keychain, a 0600 file, or the environment. Never the database. */
export type SecretStore = {
  get(connectionId: number): Promise<string | null>
  set(connectionId: number, secret: string): Promise<void>
  remove(connectionId: number): Promise<void>
}

/** The platform's service on this computer, a process of its own: started when first needed. */
export type LocalService = {
  start(): Promise<Credentials>
  stop(): Promise<void>
}

/** The way to one connection's service. */
export type Route = {
  extractor: Extractor
  /** Host and port, for the attempt's row and for sentences. */
  host: string
  /** False for this computer: what was lost on the way is simply sent again. */
  bills: boolean
  /** The address for a callback with this token, or null when the service has no way back to us. */
  callbackAddress: (token: string) => string | null
}

/** Routes to connections; each has one token for all its jobs. */
export class Connections {
  readonly #table: ConnectionsTable
  readonly #secrets: SecretStore
  readonly #local: LocalService
  readonly #callbackAddress: (token: string) => string
  readonly #tokens = new Map<number, TokenSource>()
  readonly http = new HttpClient()

  constructor(table: ConnectionsTable, secrets: SecretStore, local: LocalService, callbackAddress: (token: string) => string) {
    this.#table = table
    this.#secrets = secrets
    this.#local = local
    this.#callbackAddress = callbackAddress
  }

  /** Throws `service_not_started`, `secret_unavailable`, or `credentials_refused` when no secret is stored. */
  async routeTo(connectionId: number): Promise<Route> {
    const credentials = (): Promise<Credentials> => this.credentialsOf(connectionId)
    const { baseUrl } = await credentials()
    const isLocal = this.#table.get(connectionId)?.kind === 'local'
    const url = new URL(baseUrl)
    return {
      extractor: new Extractor(this.http, this.#tokensOf(connectionId), credentials, isLocal),
      host: url.host,
      bills: !isLocal,
      // Only a service on this computer reaches a listener on loopback.
      callbackAddress: (token) => (isLoopback(url.hostname) ? this.#callbackAddress(token) : null),
    }
  }

  async credentialsOf(connectionId: number): Promise<Credentials> {
    const connection = this.#table.get(connectionId)
    if (connection === null) throw new AppError('not_found', { what: 'connection' })
    if (connection.kind === 'local') return this.#local.start()
    const clientSecret = await this.#secrets.get(connectionId).catch((error: unknown) => {
      const detail = error instanceof AppError ? String(error.details['problem'] ?? error.code) : 'it is damaged'
      throw new AppError('secret_unavailable', { detail }, { cause: error })
    })
    if (clientSecret === null) throw new AppError('credentials_refused', { host: new URL(connection.baseUrl!).host })
    return { baseUrl: connection.baseUrl!, clientId: connection.clientId!, clientSecret }
  }

  /** After a change of address or credentials the old token is worth nothing. */
  forget(connectionId: number): void {
    this.#tokens.delete(connectionId)
  }

  #tokensOf(connectionId: number): TokenSource {
    let tokens = this.#tokens.get(connectionId)
    if (tokens === undefined) {
      tokens = new TokenSource(this.http, () => this.credentialsOf(connectionId))
      this.#tokens.set(connectionId, tokens)
    }
    return tokens
  }
}

/** 127.0.0.0/8, ::1 and localhost (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

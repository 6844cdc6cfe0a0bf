import { AppError } from '../../../shared/errors.ts'
import { tokenResponse } from '../../../shared/platform.ts'
import type { HttpClient } from './http.ts'

export type Credentials = { baseUrl: string; clientId: string; clientSecret: string }

const tokenTimeoutMs = 30_000
/** A token is renewed this long before its end, so that none expires on the way. */
const renewAheadMs = 60_000
const defaultLifetimeMs = 5 * 60_000
const longestLifetimeMs = 24 * 60 * 60_000

/** One token for everybody who speaks to a connection: asked for once, renewed ahead of time, single flight. */
export class TokenSource {
  readonly #http: HttpClient
  readonly #credentials: () => Promise<Credentials>
  #current: { token: string; renewAt: number } | null = null
  #pending: Promise<string> | null = null

  constructor(http: HttpClient, credentials: () => Promise<Credentials>) {
    this.#http = http
    this.#credentials = credentials
  }

  /**
   * A token that is not known to be bad. `refused` is the one that the service just answered with 401:
   * however many ask at once with it, one request renews it for all.
   */
  async get(refused?: string): Promise<string> {
    if (this.#current !== null && this.#current.token !== refused && Date.now() < this.#current.renewAt) return this.#current.token
    this.#pending ??= this.#ask().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #ask(): Promise<string> {
    const token = await requestToken(this.#http, await this.#credentials())
    this.#current = { token: token.value, renewAt: token.expiresAt - Math.min(renewAheadMs, (token.expiresAt - Date.now()) / 4) }
    return token.value
  }
}

/**
 * Asks `GET /v2/token` (spec, Endpoints). Throws `credentials_refused`, `access_denied`, `rate_limited`,
 * `service_unavailable`, `not_a_platform`, or the errors of `HttpClient.send`; nothing is billed by it.
 */
export async function requestToken(http: HttpClient, credentials: Credentials): Promise<{ value: string; expiresAt: number }> {
  const url = new URL(`${credentials.baseUrl.replace(/\/+$/, '')}/v2/token`)
  const host = url.host
  url.searchParams.set('client_id', credentials.clientId)
  url.searchParams.set('client_secret', credentials.clientSecret)
  const answer = await http.send({ method: 'GET', url: url.href, timeoutMs: tokenTimeoutMs })
  const retry = answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }
  // A platform says why it refuses; a proxy or some other server with 403 is no platform at all.
  if (answer.status === 403) throw new AppError(parseJson(answer.body) === null ? 'not_a_platform' : 'access_denied', { host, status: 403 })
  if (answer.status === 429) throw new AppError('rate_limited', { host }, retry)
  if (answer.status >= 500) throw new AppError('service_unavailable', { host }, retry)
  if (answer.status === 400 || answer.status === 401) throw new AppError('credentials_refused', { host, status: answer.status })
  const parsed = tokenResponse.safeParse(answer.status === 200 ? parseJson(answer.body) : null)
  if (!parsed.success) throw new AppError('not_a_platform', { host, status: answer.status })
  return { value: parsed.data.access_token, expiresAt: expiryOf(parsed.data.access_token, parsed.data.expires_in, Date.now()) }
}

/**
 * When a token ends, epoch ms: from the JWT's own `exp` (RFC 7519, 4.1.4), else from `expires_in`, whose unit the
 * spec does not show: more than a week of seconds is taken for milliseconds. Without either, five minutes.
 */
export function expiryOf(token: string, expiresIn: string | number | undefined, now: number): number {
  const expiry = jwtExpiry(token)
  if (expiry !== null) return expiry
  const number = expiresIn === undefined || expiresIn === '' ? 0 : Number(expiresIn)
  if (!Number.isFinite(number) || number <= 0) return now + defaultLifetimeMs
  const lifetimeMs = number > 7 * 24 * 3600 ? number : number * 1000
  return now + Math.min(lifetimeMs, longestLifetimeMs)
}

function jwtExpiry(token: string): number | null {
  const payload = token.split('.')[1]
  if (payload === undefined) return null
  const claims = parseJson(Buffer.from(payload, 'base64url'))
  const expiry = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : null
  return typeof expiry === 'number' ? expiry * 1000 : null
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

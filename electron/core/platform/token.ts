import { AppError } from '../../../shared/errors.ts'
import { tokenResponse } from '../../../shared/platform.ts'
import { isSuccess } from './http.ts'
import type { HttpAnswer, HttpClient } from './http.ts'
import { accountRefusal, isPage, isRecord, refusesToken, serviceWords, wordsOf } from './problem.ts'

export type Credentials = { baseUrl: string; clientId: string; clientSecret: string }

const tokenTimeoutMs = 30_000
/** A token is renewed this long before its end, so that none expires on the way. */
const renewAheadMs = 60_000
const defaultLifetimeMs = 5 * 60_000

/**
 * One token for everybody who speaks to a connection: asked for once, renewed ahead of time, single flight. Its address
 * and credentials never change, so that no token and no secret goes to an address that it is not for: another address is
 * another source.
 */
export class TokenSource {
  readonly #http: HttpClient
  readonly #credentials: Credentials
  readonly #timeoutMs: number
  #current: { token: string; renewAt: number } | null = null
  #pending: Promise<string> | null = null

  constructor(http: HttpClient, credentials: Credentials, timeoutMs = tokenTimeoutMs) {
    this.#http = http
    this.#credentials = credentials
    this.#timeoutMs = timeoutMs
  }

  /** The address that the tokens are for. */
  get baseUrl(): string {
    return this.#credentials.baseUrl
  }

  /** True when these are the credentials that tokens are asked for with. */
  isFor({ baseUrl, clientId, clientSecret }: Credentials): boolean {
    const own = this.#credentials
    return own.baseUrl === baseUrl && own.clientId === clientId && own.clientSecret === clientSecret
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

  /**
   * Runs an exchange with a token, and once more with a new one when the answer refused the first (`refusesToken`). What
   * was refused so was not worked on. Waiting for a token ends with the reason of `signal`; others go on to wait for it.
   */
  async use<T extends { status: number; body: unknown }>(exchange: (token: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const token = await orAborted(this.get(), signal)
    const answer = await exchange(token)
    return refusesToken(answer) ? exchange(await orAborted(this.get(token), signal)) : answer
  }

  async #ask(): Promise<string> {
    const token = await requestToken(this.#http, this.#credentials, this.#timeoutMs)
    this.#current = { token: token.value, renewAt: token.expiresAt - Math.min(renewAheadMs, (token.expiresAt - Date.now()) / 4) }
    return token.value
  }
}

async function orAborted<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return wait
  const over = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over.signal })
  })
  return Promise.race([wait, aborted]).finally(() => over.abort())
}

/** The address of an endpoint below a base address, whether that ends in a slash or not. */
export function endpoint(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}

/**
 * Asks `GET /v2/token` (spec, Endpoints). Throws `credentials_refused`, `access_denied`, `rate_limited`,
 * `service_unavailable`, `not_a_platform`, or the errors of `HttpClient.send`; nothing is billed by it.
 */
export async function requestToken(http: HttpClient, credentials: Credentials, timeoutMs = tokenTimeoutMs): Promise<{ value: string; expiresAt: number }> {
  const url = new URL(endpoint(credentials.baseUrl, '/v2/token'))
  const host = url.host
  url.searchParams.set('client_id', credentials.clientId)
  url.searchParams.set('client_secret', credentials.clientSecret)
  const answer = await http.send({ method: 'GET', url: url.href, timeoutMs })
  const { status } = answer
  if (isSuccess(status)) return tokenIn(answer, host)
  if (status >= 500) throw new AppError('service_unavailable', { host, status }, answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs })
  // A platform says why it refuses; a page for people is from something else that stands under this address.
  if (status !== 429 && (status < 400 || status === 404 || !isPlatformWords(answer))) throw new AppError('not_a_platform', { host, status })
  const refusal = accountRefusal(answer, serviceWords(answer.body), { host })
  if (refusal !== null) throw refusal
  throw new AppError(status === 400 || status === 422 ? 'credentials_refused' : 'not_a_platform', { host, status })
}

function tokenIn(answer: HttpAnswer, host: string): { value: string; expiresAt: number } {
  const value = parseJson(answer.body)
  const parsed = tokenResponse.safeParse(value)
  // A value that no header can carry is no token.
  if (parsed.success && /^[\x21-\x7e]+$/.test(parsed.data.access_token)) return { value: parsed.data.access_token, expiresAt: expiryOf(parsed.data.access_token, parsed.data.expires_in, Date.now()) }
  // An envelope under 200 that carries the status of a refusal.
  const words = wordsOf(value)
  const refusal = words.status === null ? null : accountRefusal({ ...answer, status: words.status }, words, { host })
  throw refusal ?? new AppError('not_a_platform', { host, status: answer.status })
}

/** JSON; or 401 with anything but a page for people, since many say that with a word or none. */
function isPlatformWords(answer: HttpAnswer): boolean {
  if (parseJson(answer.body) !== null) return true
  return answer.status === 401 && !isPage(answer.body)
}

const dayMs = 24 * 60 * 60_000
/** Beyond this a JWT's time is in milliseconds, whatever the RFC says: the year 5138 in seconds. */
const latestSeconds = 1e11

/**
 * When a token ends, epoch ms. From the JWT (RFC 7519, 4.1.4): its span from `iat` to `exp`, which no wrong clock of this
 * computer can falsify, or `exp` alone. Else from `expires_in`, whose unit the spec does not show: more than a day of
 * seconds is taken for milliseconds, since renewing early costs nothing. Without a usable one (a token that is over on
 * arrival means that the clocks differ) five minutes. At most a day: a refused token is renewed anyway.
 */
export function expiryOf(token: string, expiresIn: string | number | undefined, now: number): number {
  return now + Math.min(jwtLifetime(token, now) ?? statedLifetime(expiresIn) ?? defaultLifetimeMs, dayMs)
}

function statedLifetime(expiresIn: string | number | undefined): number | null {
  const number = expiresIn === undefined || expiresIn === '' ? 0 : Number(expiresIn)
  if (!Number.isFinite(number) || number <= 0) return null
  return number * 1000 > dayMs ? number : number * 1000
}

function jwtLifetime(token: string, now: number): number | null {
  const payload = token.split('.')[1]
  if (payload === undefined) return null
  const claims = parseJson(Buffer.from(payload, 'base64url'))
  if (!isRecord(claims)) return null
  const end = claimedTime(claims['exp'])
  const begin = claimedTime(claims['iat'])
  if (end === null) return null
  const lifetimeMs = begin !== null && begin < end ? end - begin : end - now
  return lifetimeMs > 0 ? lifetimeMs : null
}

function claimedTime(claim: unknown): number | null {
  if (typeof claim !== 'number' || !Number.isFinite(claim) || claim <= 0) return null
  return claim > latestSeconds ? claim : claim * 1000
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

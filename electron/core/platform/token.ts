import { AppError } from '../../../shared/domain/errors.ts'
import { isRecord, parseJson } from '../../../shared/domain/json.ts'
import { tokenResponse } from './wire-shapes.ts'
import { isSuccess } from './http.ts'
import type { HttpAnswer, HttpClient } from './http.ts'
import { abortable } from './abort.ts'
import { redacted, redactedStream } from './redact.ts'
import { accountRefusal, isPage, refusesToken, serviceWords } from './problem.ts'

export type Credentials = { baseUrl: string; clientId: string; clientSecret: string }

const tokenTimeoutMs = 30_000
/** A token is renewed this long before its end, so that none expires on the way. */
const renewAheadMs = 60_000
const defaultLifetimeMs = 5 * 60_000
/**
 * Whatever a token or an answer says, it is renewed once in this time at most: no service is asked for tokens in a
 * storm.
 */
const minRenewalMs = 60_000

/**
 * One token for everybody who speaks to a connection: asked for once, renewed ahead of time, single flight. Its address
 * and credentials never change, so that no token and no secret goes to an address that it is not for: another address
 * is another source.
 */
export class TokenSource {
  readonly #http: HttpClient
  readonly #credentials: Credentials
  readonly #timeoutMs: number
  readonly #minRenewalMs: number
  /** `renewAt` is a time of `performance.now()`, which no change of the clock moves. */
  #current: { token: string; renewAt: number; isAccepted: boolean } | null = null
  #renewedAt: number | null = null
  #pending: Promise<string> | null = null

  constructor(http: HttpClient, credentials: Credentials, timeoutMs = tokenTimeoutMs, renewalMs = minRenewalMs) {
    this.#http = http
    this.#credentials = credentials
    this.#timeoutMs = timeoutMs
    this.#minRenewalMs = renewalMs
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
   * however many ask at once with it, one request renews it for all, and not before a minute has passed since the last
   * renewal. Within that minute one that was never accepted is given once more: another would not be either, and nobody
   * waits to hear it.
   */
  async get(refused?: string): Promise<string> {
    if (this.#current !== null && this.#current.token === refused && !this.#current.isAccepted && this.#waitMs() > 0)
      return refused
    if (this.#current !== null && this.#current.token !== refused && performance.now() < this.#current.renewAt)
      return this.#current.token
    this.#pending ??= this.#ask().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  /** Resolves when there is a token, or as `use` ends waiting for one. */
  async ready(signal: AbortSignal): Promise<void> {
    await abortable(this.get(), signal)
  }

  /**
   * Runs an exchange with a token, and once more with a new one when the answer refused the first (`refusesToken`).
   * What was refused so was not worked on. Waiting for a token ends with the reason of `signal`; others go on to wait
   * for it.
   */
  async use<T extends { status: number; body: unknown; contentType?: string | null }>(
    exchange: (token: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const token = await abortable(this.get(), signal)
    const answer = await exchange(token)
    if (!refusesToken(answer)) return this.#accepted(answer, token)
    const renewed = await abortable(this.get(token), signal)
    const second = await exchange(renewed)
    return refusesToken(second) ? this.withoutSecrets(second, renewed) : this.#accepted(second, renewed)
  }

  #accepted<T extends { body: unknown; contentType?: string | null }>(answer: T, token: string): T {
    if (this.#current?.token === token) this.#current.isAccepted = true
    return this.withoutSecrets(answer, token)
  }

  /** How long the next renewal has to wait. */
  #waitMs(): number {
    return this.#renewedAt === null ? 0 : Math.max(0, this.#renewedAt + this.#minRenewalMs - performance.now())
  }

  /**
   * An answer without the token and the secret of these credentials: a service may say what it was sent, and that must
   * not be stored or shown.
   */
  withoutSecrets<T extends { body: unknown; contentType?: string | null }>(answer: T, token: string): T {
    const secrets = [token, this.#credentials.clientSecret]
    const type = answer.contentType ?? null
    const head = type === null ? answer : { ...answer, contentType: redacted(Buffer.from(type), secrets).toString() }
    if (Buffer.isBuffer(answer.body)) return { ...head, body: redacted(answer.body, secrets) }
    return isStream(answer.body) ? { ...head, body: redactedStream(answer.body, secrets) } : head
  }

  async #ask(): Promise<string> {
    const isRenewal = this.#current !== null
    if (isRenewal) await pause(this.#waitMs())
    const { value, lifetimeMs } = await requestToken(this.#http, this.#credentials, this.#timeoutMs)
    const now = performance.now()
    if (isRenewal) this.#renewedAt = now
    this.#current = {
      token: value,
      renewAt: now + Math.max(lifetimeMs - Math.min(renewAheadMs, lifetimeMs / 4), this.#minRenewalMs),
      isAccepted: false,
    }
    return value
  }
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Does not keep the process alive: waiting for a token is aborted at the end. */
async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
}

/** The address of an endpoint below a base address, whether that ends in a slash or not. */
export function endpoint(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path
}

/**
 * Asks `GET /v2/token` (spec, Endpoints). Throws `credentials_refused`, `access_denied`, `rate_limited`,
 * `service_unavailable`, `not_a_platform`, or the errors of `HttpClient.send`; nothing is billed by it.
 */
async function requestToken(
  http: HttpClient,
  credentials: Credentials,
  timeoutMs = tokenTimeoutMs,
): Promise<{ value: string; lifetimeMs: number }> {
  const url = new URL(endpoint(credentials.baseUrl, '/v2/token'))
  const host = url.host
  url.searchParams.set('client_id', credentials.clientId)
  url.searchParams.set('client_secret', credentials.clientSecret)
  const said = await http.send({ method: 'GET', url: url.href, timeoutMs })
  const answer = { ...said, body: redacted(said.body, [credentials.clientSecret]) }
  const { status } = answer
  if (isSuccess(status)) return tokenIn(said) ?? refuse(answer, host)
  if (status >= 500)
    throw new AppError(
      'service_unavailable',
      { host, status },
      answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs },
    )
  // A platform says why it refuses; a page for people is from something else that stands under this address.
  if (status !== 429 && (status < 400 || status === 404 || !isPlatformWords(answer)))
    throw new AppError('not_a_platform', { host, status })
  const refusal = accountRefusal(answer, serviceWords(answer.body), { host })
  if (refusal !== null) throw refusal
  throw new AppError(status === 400 || status === 422 ? 'credentials_refused' : 'not_a_platform', { host, status })
}

function tokenIn({ body }: HttpAnswer): { value: string; lifetimeMs: number } | null {
  const parsed = tokenResponse.safeParse(parseJson(body.toString('utf8')))
  // A value that no header can carry is no token.
  if (!parsed.success || !/^[\x21-\x7e]+$/.test(parsed.data.access_token)) return null
  const { access_token: value, expires_in: expiresIn } = parsed.data
  const now = Date.now()
  return { value, lifetimeMs: expiryOf(value, expiresIn, now) - now }
}

/** An envelope under 200 that carries the status of a refusal, or what is no answer of a platform. */
function refuse(answer: HttpAnswer, host: string): never {
  const words = serviceWords(answer.body)
  const refusal = words.status === null ? null : accountRefusal({ ...answer, status: words.status }, words, { host })
  throw refusal ?? new AppError('not_a_platform', { host, status: answer.status })
}

/** JSON; or 401 with anything but a page for people, since many say that with a word or none. */
function isPlatformWords(answer: HttpAnswer): boolean {
  if ((parseJson(answer.body.toString('utf8')) ?? null) !== null) return true
  return answer.status === 401 && !isPage(answer.body)
}

const dayMs = 24 * 60 * 60_000
/** Beyond this a JWT's time is in milliseconds, whatever the RFC says: the year 5138 in seconds. */
const maxSeconds = 1e11

/**
 * When a token ends, epoch ms. From the JWT (RFC 7519, 4.1.4): its span from `iat` to `exp`, which no wrong clock of
 * this computer can falsify, or `exp` alone. Else from `expires_in`, whose unit the spec does not show: more than a day
 * of seconds is taken for milliseconds, since renewing early costs nothing. Without a usable one (a token that is over
 * on arrival means that the clocks differ) five minutes. At most a day: a refused token is renewed anyway.
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
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
  if (!isRecord(claims)) return null
  const end = claimedTime(claims['exp'])
  const begin = claimedTime(claims['iat'])
  if (end === null) return null
  const lifetimeMs = begin !== null && begin < end ? end - begin : end - now
  return lifetimeMs > 0 ? lifetimeMs : null
}

function claimedTime(claim: unknown): number | null {
  if (typeof claim !== 'number' || !Number.isFinite(claim) || claim <= 0) return null
  return claim > maxSeconds ? claim : claim * 1000
}

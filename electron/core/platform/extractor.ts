import { AppError } from '../../../shared/errors.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { sourcesHeader } from '../../../shared/platform.ts'
import type { HttpAnswer, HttpClient } from './http.ts'
import type { Credentials, TokenSource } from './token.ts'
import { uploadBody } from './upload.ts'
import type { UploadFile } from './upload.ts'

export type ExtractionCall = {
  file: UploadFile
  /** The schema for the global extractor; null when an agent has its own. */
  params: SchemaElement[] | null
  agentReference: string | null
  /** Asynchronous when given: where the service shall send the result. */
  callback: string | null
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/** A synchronous answer may take long; after this the outcome is unknown. */
const syncTimeoutMs = 10 * 60_000
const asyncTimeoutMs = 5 * 60_000

/** The four extractor endpoints of one connection (spec, Endpoints, «Extractor endpoints»). */
export class Extractor {
  readonly #http: HttpClient
  readonly #tokens: TokenSource
  readonly #credentials: () => Promise<Credentials>
  readonly #wantsSources: boolean

  constructor(http: HttpClient, tokens: TokenSource, credentials: () => Promise<Credentials>, wantsSources: boolean) {
    this.#http = http
    this.#tokens = tokens
    this.#credentials = credentials
    this.#wantsSources = wantsSources
  }

  /**
   * Sends one file. A 401 renews the token and replays once: a refused credential was not worked on.
   * Returns whatever was answered, of any status; `refusalOf` says what a status means.
   */
  async send(call: ExtractionCall): Promise<HttpAnswer> {
    const token = await this.#tokens.get()
    const answer = await this.#post(call, token)
    if (answer.status !== 401) return answer
    return this.#post(call, await this.#tokens.get(token))
  }

  async #post(call: ExtractionCall, token: string): Promise<HttpAnswer> {
    const { baseUrl } = await this.#credentials()
    const path = ['/v2/extractor', call.callback === null ? null : 'async', call.agentReference === null ? null : encodeURIComponent(call.agentReference)]
    const body = uploadBody(call.file, {
      ...(call.params === null ? {} : { params: call.params }),
      ...(call.callback === null ? {} : { callback: call.callback }),
    })
    return this.#http.send({
      method: 'POST',
      url: baseUrl.replace(/\/+$/, '') + path.filter((part) => part !== null).join('/'),
      headers: {
        'content-type': 'application/json',
        'x-api-key': token,
        ...(this.#wantsSources ? { [sourcesHeader]: '1' } : {}),
      },
      body,
      timeoutMs: call.callback === null ? syncTimeoutMs : asyncTimeoutMs,
      signal: call.signal,
      onSent: call.onSent,
    })
  }
}

/**
 * What a status other than 2xx means (the outcome table of docs/architecture.md), as the error that says so;
 * null for 2xx. `detail` is the service's own words, shown as text.
 */
export function refusalOf(answer: HttpAnswer, host: string, agentReference: string | null): AppError | null {
  const { status } = answer
  if (status >= 200 && status < 300) return null
  const words = serviceWords(answer.body)
  const retry = answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs }
  if (status === 401) return new AppError('credentials_refused', { host, status })
  if (status === 402 || /quota|spending_limit/.test(words.code)) return new AppError('quota_reached', { host, status })
  if (status === 403) return new AppError('access_denied', { host, status })
  if (status === 404 && agentReference !== null) return new AppError('agent_not_found', { host, agent: agentReference })
  if (status === 429) return new AppError('rate_limited', { host, status }, retry)
  if (status === 503) return new AppError('service_unavailable', { host, status }, retry)
  if (status >= 500) return new AppError('service_failed', { host, status })
  if (status >= 400) return new AppError('service_rejected', { status, serviceCode: words.code, detail: words.text || `status ${status}` })
  // A redirect is never followed with somebody's document.
  return new AppError('service_rejected', { status, detail: `status ${status}` })
}

const maxWords = 500

/** `code` and the words of an error envelope of any shape (spec, «Other endpoints», «not shown»), cut short. */
export function serviceWords(body: Buffer): { code: string; text: string } {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return { code: '', text: '' }
  }
  if (typeof value !== 'object' || value === null) return { code: '', text: typeof value === 'string' ? value.slice(0, maxWords) : '' }
  const fields = value as Record<string, unknown>
  const inner = typeof fields['error'] === 'object' && fields['error'] !== null ? (fields['error'] as Record<string, unknown>) : fields
  const text = [inner['error'] ?? inner['message'], fields['detail']].filter((part) => part !== undefined && part !== null && part !== '')
  const unique = [...new Set(text.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))))]
  return { code: typeof inner['code'] === 'string' ? inner['code'] : '', text: unique.join(': ').slice(0, maxWords) }
}

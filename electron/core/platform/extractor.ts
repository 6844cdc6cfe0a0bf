import { AppError } from '../../../shared/domain/errors.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { sourcesHeader } from '../../../shared/wire/platform.ts'
import { isSuccess } from './http.ts'
import type { HttpAnswer, HttpClient } from './http.ts'
import { paramsOf } from './params.ts'
import { accountRefusal, refusesToken, serviceWords } from './problem.ts'
import { redacted } from './redact.ts'
import { endpoint } from './token.ts'
import type { TokenSource } from './token.ts'
import { uploadBody } from './upload.ts'
import type { UploadFile } from './upload.ts'

type ExtractionCall = {
  file: UploadFile
  /** The schema for the global extractor; null when an agent has its own. */
  params: SchemaElement[] | null
  agentReference: string | null
  /** Asynchronous when given: where the service shall send the result. */
  callback: string | null
  /** From the last byte sent to the last byte received; after it the outcome is unknown. */
  timeoutMs: number
  /** The longest that no byte of the file leaves. */
  stallMs: number
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/** The four extractor endpoints of one connection (spec, Endpoints, «Extractor endpoints»). */
export class Extractor {
  readonly #http: HttpClient
  readonly #tokens: TokenSource
  readonly #wantsSources: boolean

  constructor(http: HttpClient, tokens: TokenSource, wantsSources: boolean) {
    this.#http = http
    this.#tokens = tokens
    this.#wantsSources = wantsSources
  }

  /**
   * Sends one file, once more with a new token when that was refused (`TokenSource.use`).
   * Returns whatever was answered, of any status and as far as it came; `refusalOf` says what a status means. Throws
   * the errors of `requestToken` and `HttpClient.send`; when `signal` ends the wait for a token nothing was sent.
   */
  send(call: ExtractionCall): Promise<HttpAnswer> {
    return this.#unlessStopped(
      this.#tokens.use((token) => this.#post(call, token), call.signal),
      call.signal,
    )
  }

  /**
   * Waits for a token, so that what ends before there is one has sent nothing and is no attempt. Throws as `send` does.
   */
  ready(signal: AbortSignal): Promise<void> {
    return this.#unlessStopped(this.#tokens.ready(signal), signal)
  }

  async #unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error !== signal.reason) throw error
      throw new AppError(
        'connection_refused',
        { host: new URL(this.#tokens.baseUrl).host, detail: 'stopped' },
        { cause: error },
      )
    }
  }

  async #post(call: ExtractionCall, token: string): Promise<HttpAnswer> {
    const path = [
      '/v2/extractor',
      call.callback === null ? null : 'async',
      call.agentReference === null ? null : encodeURIComponent(call.agentReference),
    ]
    const body = uploadBody(call.file, {
      ...(call.params === null ? {} : { params: paramsOf(call.params) }),
      ...(call.callback === null ? {} : { callback: call.callback }),
    })
    const answer = await this.#http.send({
      method: 'POST',
      url: endpoint(this.#tokens.baseUrl, path.filter((part) => part !== null).join('/')),
      headers: {
        'content-type': 'application/json',
        'x-api-key': token,
        ...(this.#wantsSources ? { [sourcesHeader]: '1' } : {}),
      },
      body,
      timeoutMs: call.timeoutMs,
      stallMs: call.stallMs,
      signal: call.signal,
      keepsPartial: true,
      onSent: call.onSent,
    })
    // A receipt may name the address that will be called: its last part is a secret of this attempt.
    return call.callback === null
      ? answer
      : { ...answer, body: redacted(answer.body, [new URL(call.callback).pathname.split('/').at(-1)!]) }
  }
}

/**
 * What a status other than 2xx means for a document (the outcome table of docs/reliability.md), as the error that says
 * so; null for 2xx, but for an envelope that carries 401. `detail` is the service's own words, shown as text.
 */
export function refusalOf(
  answer: Omit<HttpAnswer, 'contentType' | 'bytesSent' | 'interruption'>,
  host: string,
  agentReference: string | null,
): AppError | null {
  const { status } = answer
  if (isSuccess(status) && !refusesToken(answer)) return null
  const words = serviceWords(answer.body)
  const refusal = accountRefusal(isSuccess(status) ? { ...answer, status: 401 } : answer, words, {
    host,
    ...(agentReference === null ? {} : { agent: agentReference }),
  })
  if (refusal !== null) return refusal
  if (status === 503)
    return new AppError(
      'service_unavailable',
      { host, status },
      answer.retryAfterMs === null ? {} : { retryAfterMs: answer.retryAfterMs },
    )
  if (status >= 500) return new AppError('service_failed', { host, status })
  if (status >= 400)
    return new AppError('service_rejected', {
      status,
      serviceCode: words.code,
      detail: words.text || `status ${status}`,
    })
  // A redirect is never followed with somebody's document.
  return new AppError('service_rejected', { status, detail: `status ${status}` })
}

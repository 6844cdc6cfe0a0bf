import type { Dispatcher } from 'undici'
import { createParser } from 'eventsource-parser'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseRetryAfter } from '../../../shared/wire/retry-after.ts'
import { HttpAgent } from '../../system/http-agent.ts'
import { parseChunk, parseCompletion, parseModelIds } from './completion.ts'
import type { Completion, CompletionChunk, CompletionRequest } from './completion.ts'
import { ParameterFallbacks } from './parameter-fallbacks.ts'

/** The base that has `/models` and `/chat/completions` below it, and the key that goes with it. */
export type ModelAddress = { baseUrl: string; apiKey: string | null }

const connectTimeoutMs = 10_000
const listTimeoutMs = 10_000
const maxAnswerBytes = 16 * 1024 * 1024
const maxRefusalBytes = 64 * 1024
const defaultRetryAfterMs = 5000

/**
 * The one place that speaks to a model server. Whatever goes wrong there becomes `model_unavailable` (not reached, or
 * it says «not now», «not you» or «no such model»), `model_timeout` or `model_failed`; none of its words and not its
 * address leave with the error. Redirects are not followed and answers are bounded.
 */
export class Upstream {
  // Time limits are given by the callers, so the library's own are off.
  readonly #agent = new HttpAgent({ connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 })
  readonly #fallbacks = new ParameterFallbacks()

  /**
   * The identifiers of the server's models, for the person who names it: unlike the failure of an answer, what goes
   * wrong here says where and why. Throws `connection_refused`, `host_not_found`, `certificate_invalid`,
   * `model_key_refused`, `no_such_endpoint`, `model_unavailable` or `model_timeout`.
   */
  async models(address: ModelAddress): Promise<string[]> {
    const { host } = new URL(address.baseUrl)
    const watchdog = new Watchdog(new AbortController().signal)
    watchdog.arm(listTimeoutMs)
    try {
      const response = await this.#send(address, '/models', null, watchdog.signal)
      if (response.statusCode !== 200) throw listingRefused(response, host)
      return parseModelIds(await readJson(response.body))
    } catch (error) {
      throw listingFailure(watchdog.reasonOr(error), host)
    } finally {
      watchdog.stop()
    }
  }

  /** A whole answer. Throws the reason of `signal` when that is aborted. */
  async complete(
    address: ModelAddress,
    query: CompletionRequest,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<Completion> {
    const watchdog = new Watchdog(options.signal)
    watchdog.arm(options.timeoutMs)
    try {
      const response = await this.#ask(address, query, watchdog.signal)
      return parseCompletion(await readJson(response.body))
    } catch (error) {
      throw watchdog.reasonOr(error)
    } finally {
      watchdog.stop()
    }
  }

  /**
   * The chunks of a streamed answer as they come. Returns only when the answer is whole: with a finish reason and
   * `[DONE]`. `silenceTimeoutMs` is the longest wait for the first chunk and between two; comments do not shorten it.
   * Leaving the loop, and an abort of `signal`, break the connection off.
   */
  async *stream(
    address: ModelAddress,
    query: CompletionRequest,
    options: { signal: AbortSignal; silenceTimeoutMs: number },
  ): AsyncGenerator<CompletionChunk, void> {
    const watchdog = new Watchdog(options.signal)
    watchdog.arm(options.silenceTimeoutMs)
    let finished = false
    try {
      const response = await this.#ask(address, query, watchdog.signal)
      for await (const data of eventsOf(response.body)) {
        if (data === '[DONE]') {
          if (!finished) throw new AppError('model_failed')
          return
        }
        const chunk = parseChunk(data)
        // Some servers give an empty reason while they still write.
        finished ||= Boolean(chunk.finishReason)
        // The time until the reader asks for more is the reader's, not the model's.
        watchdog.disarm()
        yield chunk
        watchdog.arm(options.silenceTimeoutMs)
      }
      throw new AppError('model_failed')
    } catch (error) {
      throw watchdog.reasonOr(error)
    } finally {
      watchdog.stop()
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  /**
   * Sends a completion request, in other words where the server does not know a parameter. Gives an answer with status
   * 200.
   */
  async #ask(address: ModelAddress, query: CompletionRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const attempt = this.#fallbacks.attempt(address.baseUrl, query)
    for (;;) {
      const response = await this.#send(address, '/chat/completions', attempt.body, signal)
      if (response.statusCode === 200) {
        attempt.accepted()
        return response
      }
      const refusal =
        response.statusCode === 400 || response.statusCode === 422
          ? await readText(response.body, maxRefusalBytes)
          : null
      if (refusal === null || !attempt.fallBack(refusal)) throw failureOf(response)
    }
  }

  #send(
    address: ModelAddress,
    path: string,
    body: object | null,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    return this.#agent.request(`${address.baseUrl}${path}`, {
      method: body === null ? 'GET' : 'POST',
      // No kept connection: one that died unnoticed would look like a model that failed.
      reset: true,
      headers: {
        ...(address.apiKey === null ? {} : { authorization: `Bearer ${address.apiKey}` }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: body === null ? null : JSON.stringify(body),
      signal,
    })
  }
}

/** The time limit of one exchange: its signal is aborted by the caller's signal, by silence, and at the end. */
class Watchdog {
  readonly #stopped = new AbortController()
  readonly signal: AbortSignal
  #timer: NodeJS.Timeout | undefined

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.#stopped.signal])
  }

  /** From now on something must come within `timeoutMs`, else the exchange is aborted with `model_timeout`. */
  arm(timeoutMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#stopped.abort(new AppError('model_timeout')), timeoutMs)
  }

  disarm(): void {
    clearTimeout(this.#timer)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#stopped.abort(new AppError('model_failed'))
  }

  /** Why the exchange ended, when it was ended from here; else what `error` means. */
  reasonOr(error: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason as unknown
    return error instanceof AppError ? error : connectionFailure(error)
  }
}

const notReached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])
const certificateRefused = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_)/

/**
 * A broken exchange: never begun is «not reached», everything later is a failure of the model. The cause stays inside.
 */
function connectionFailure(error: unknown): AppError {
  const code = codeOf(error)
  if (notReached.has(code) || certificateRefused.test(code)) return unavailable(null, error)
  return new AppError('model_failed', {}, { cause: error })
}

function listingRefused(response: Dispatcher.ResponseData, host: string): AppError {
  const failure = failureOf(response)
  if (response.statusCode === 401 || response.statusCode === 403) return new AppError('model_key_refused', { host })
  return response.statusCode === 404 || response.statusCode === 405
    ? new AppError('no_such_endpoint', { host })
    : failure
}

function listingFailure(error: unknown, host: string): unknown {
  if (!(error instanceof AppError)) return error
  const code = codeOf(error.cause)
  if (certificateRefused.test(code))
    return new AppError('certificate_invalid', { host, detail: code }, { cause: error })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new AppError('host_not_found', { host }, { cause: error })
  if (notReached.has(code)) return new AppError('connection_refused', { host, detail: code }, { cause: error })
  // Something answers, in words that are no list of models.
  return error.code === 'model_failed' ? new AppError('no_such_endpoint', { host }, { cause: error }) : error
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  // Several addresses of one name failed, each in its way.
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

/**
 * spec, Errors: 503 for an outage that passes or that only the person who runs the service ends, 504 for no answer in
 * time, 502 for the rest.
 */
function failureOf(response: Dispatcher.ResponseData): AppError {
  response.body.on('error', () => undefined)
  response.body.destroy()
  switch (response.statusCode) {
    case 401:
    case 403:
    case 404:
    case 429:
    case 503: {
      const header = response.headers['retry-after']
      return unavailable((Array.isArray(header) ? header[0] : header) ?? null)
    }
    case 408:
    case 504:
      return new AppError('model_timeout')
    default:
      return new AppError('model_failed')
  }
}

function unavailable(retryAfter: string | null, cause?: unknown): AppError {
  return new AppError(
    'model_unavailable',
    {},
    { retryAfterMs: parseRetryAfter(retryAfter, Date.now()) ?? defaultRetryAfterMs, cause },
  )
}

async function readJson(body: AsyncIterable<Buffer>): Promise<unknown> {
  const text = await readText(body, maxAnswerBytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AppError('model_failed', {}, { cause: error })
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of bounded(body, maxBytes)) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function* bounded(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0
  for await (const part of body) {
    sizeBytes += part.byteLength
    if (sizeBytes > maxBytes) throw new AppError('model_failed')
    yield part
  }
}

/** The data of each server-sent event; comments and keep-alives are none. */
async function* eventsOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const found: string[] = []
  const parser = createParser({ onEvent: (event) => void found.push(event.data) })
  const decoder = new TextDecoder()
  for await (const part of bounded(body, maxAnswerBytes)) {
    parser.feed(decoder.decode(part, { stream: true }))
    yield* found.splice(0)
  }
  // Some servers leave the last blank line out.
  parser.feed('\n\n')
  yield* found
}

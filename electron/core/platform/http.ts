import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseRetryAfter } from '../../../shared/wire/retry-after.ts'
import { HttpAgent } from '../../system/http-agent.ts'
import { ProxyError } from '../../system/tunnel.ts'
import type { ProxyFor } from '../../system/tunnel.ts'
import { forwardAbort } from './abort.ts'

export type HttpRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** Pulled once, and only when the connection stands: pulling it is what «sent» means. */
  body?: { chunks: AsyncIterable<Uint8Array>; sizeBytes: number }
  /** From the body's last byte sent (the call, where there is none) to the last byte received. */
  timeoutMs: number
  /**
   * The longest that a piece of the body may take to leave; `timeoutMs` when absent. Where the body comes from has
   * limits of its own.
   */
  stallMs?: number
  signal?: AbortSignal
  /** An answer that is interrupted while its body comes counts as an answer, as far as it came. */
  keepsPartial?: boolean
  /** Bytes of the body handed to the connection so far. */
  onSent?: (bytes: number) => void
}

type HttpHead = { status: number; contentType: string | null; retryAfterMs: number | null }

/** `interruption` says why `body` is only the beginning of what was to come; null when it is whole. */
export type HttpAnswer = HttpHead & { body: Buffer; bytesSent: number; interruption: AppError | null }

/**
 * An answer that is read while it comes: `body` is to be read to its end or left by `return`, which closes the
 * connection. Of a status other than 2xx it is what was said (the first 64 KB of it), already read.
 */
export type HttpStream = HttpHead & { body: AsyncIterable<Uint8Array> | Buffer }

export type StreamRequest = HttpRequest & {
  /** `timeoutMs` is the time to the head of the answer; this is the longest silence between two pieces of its body. */
  silenceMs: number
  /** From the first byte sent to the last byte received, however busy the stream is. */
  totalMs: number
  maxBytes: number
}

const connectTimeoutMs = 15_000
const maxAnswerBytes = 64 * 1024 * 1024
/** What a refusal may say; of a streamed request more of it is cut off. */
export const maxRefusalBytes = 64 * 1024

/** Time limits are ours (`timeoutMs`), so the library's own, for the head and between two pieces of a body, are off. */
export const libraryLimits = { connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 } as const

/**
 * One HTTP exchange, sent at most once: no retry, no redirect, no reused connection (a kept-alive one can be
 * dead without anyone knowing, which would make a request «may be billed» that never arrived).
 */
export class HttpClient {
  readonly #agent: HttpAgent

  /** `proxyFor`: which proxies lead to a host; none when absent. */
  constructor(proxyFor?: ProxyFor) {
    this.#agent = new HttpAgent(libraryLimits, proxyFor)
  }

  /**
   * Throws `connection_refused`, `host_not_found`, `proxy_refused`, `certificate_invalid`, `not_a_platform` when
   * provably nothing was sent, and `connection_lost` or `answer_timeout` when the other side may have got it. Any
   * status is an answer.
   */
  async send(query: HttpRequest): Promise<HttpAnswer> {
    const sent = sentOf(query)
    const { host } = new URL(query.url)
    const limit = new AbortController()
    const release = forwardAbort(query.signal, limit)
    const stopAfter = (ms: number, why: () => Error): NodeJS.Timeout => setTimeout(() => limit.abort(why()), ms).unref()
    let timer = stopAfter(query.timeoutMs, timeoutError)
    // How long a large body takes is a matter of the line: each piece has its own time to leave. That in which the next
    // one is read is not the line's: what cannot be read breaks the body off itself, before it is whole.
    const steps: BodySteps = {
      onRead: () => clearTimeout(timer),
      onPiece: () =>
        (timer = stopAfter(
          query.stallMs ?? query.timeoutMs,
          () => new AppError('connection_lost', { host, detail: 'the document did not leave' }),
        )),
      onSent: (bytes) => {
        clearTimeout(timer)
        if (bytes === query.body?.sizeBytes) timer = stopAfter(query.timeoutMs, timeoutError)
        query.onSent?.(bytes)
      },
    }
    const failure = (error: unknown, started: boolean): AppError =>
      error instanceof AppError ? error : classify(error, host, started, hasTimedOut(limit, query.signal))
    try {
      const response = await this.#request(query, sent, limit.signal, steps)
      const { body, error } = await readBounded(response.body)
      const interruption = error === null ? null : failure(error, sent.started)
      if (interruption !== null && query.keepsPartial !== true) throw interruption
      return { ...headOf(response), body, bytesSent: sent.bytes, interruption }
    } catch (error) {
      throw failure(error, sent.started)
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  /**
   * As `send`, with the body of a 2xx handed on while it comes. Throws as `send` does; reading the body throws
   * `connection_lost`, or `answer_timeout` after too long a silence or in all. When `signal` is aborted both throw its
   * reason.
   */
  async open(query: StreamRequest): Promise<HttpStream> {
    const sent = sentOf(query)
    const limit = new AbortController()
    const unfollow = forwardAbort(query.signal, limit)
    const release = (): void => {
      clearTimeout(total)
      unfollow()
    }
    const late = (): void => {
      limit.abort()
      release()
    }
    const total = setTimeout(late, query.totalMs).unref()
    const timer = setTimeout(late, query.timeoutMs)
    const failure = (error: unknown, started: boolean): unknown => {
      if (query.signal?.aborted === true) return query.signal.reason
      if (error instanceof AppError) return error
      return classify(error, new URL(query.url).host, started, hasTimedOut(limit, query.signal))
    }
    try {
      const response = await this.#request(query, sent, limit.signal)
      const head = headOf(response)
      if (isSuccess(head.status))
        return { ...head, body: limitedBody(response.body, { ...query, late, release }, failure) }
      const body = await readBeginning(response.body)
      release()
      return { ...head, body }
    } catch (error) {
      release()
      throw failure(error, sent.started)
    } finally {
      clearTimeout(timer)
    }
  }

  #request(
    query: HttpRequest,
    sent: SentBytes,
    signal: AbortSignal,
    steps: BodySteps = query,
  ): Promise<Dispatcher.ResponseData> {
    return this.#agent.request(query.url, {
      method: query.method,
      reset: true,
      headers: {
        accept: 'application/json',
        ...query.headers,
        ...(query.body === undefined ? {} : { 'content-length': String(query.body.sizeBytes) }),
      },
      // undici writes any iterable, chunk by chunk with back-pressure; its types only know of streams. A stream
      // between would read ahead, and hold twice the memory.
      body: query.body === undefined ? null : (countingChunks(query.body.chunks, sent, steps) as unknown as Readable),
      signal,
    })
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** Whether a time limit aborted the request, and not its caller. */
function hasTimedOut(limit: AbortController, asked: AbortSignal | undefined): boolean {
  return limit.signal.aborted && asked?.aborted !== true
}

/** As `AbortSignal.timeout` says it. */
function timeoutError(): Error {
  return new DOMException('no answer came in time', 'TimeoutError')
}

/** True for the statuses of which the body is an answer (RFC 9110, 15.3). */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** A JSON value as a request's body of known length. */
export function jsonBody(value: unknown): NonNullable<HttpRequest['body']> {
  const bytes = Buffer.from(JSON.stringify(value))
  return { sizeBytes: bytes.length, chunks: singleChunk(bytes) }
}

async function* singleChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

type SentBytes = { started: boolean; bytes: number }

function sentOf(query: HttpRequest): SentBytes {
  return { started: query.body === undefined && query.method === 'POST', bytes: 0 }
}

function headOf(response: Dispatcher.ResponseData): HttpHead {
  return {
    status: response.statusCode,
    contentType: firstValue(response.headers['content-type']),
    retryAfterMs: parseRetryAfter(firstValue(response.headers['retry-after']), timeOf(response) ?? Date.now()),
  }
}

/** When it was answered by the clock that a date in Retry-After is meant by, which need not be this computer's. */
function timeOf(response: Dispatcher.ResponseData): number | null {
  const time = Date.parse(firstValue(response.headers['date']) ?? '')
  return Number.isNaN(time) ? null : time
}

/** Before the next piece is asked for, once it is here, and when the connection took it: `bytes` of the body so far. */
type BodySteps = { onRead?: () => void; onPiece?: () => void; onSent?: (bytes: number) => void }

async function* countingChunks(
  chunks: AsyncIterable<Uint8Array>,
  sent: SentBytes,
  steps: BodySteps,
): AsyncGenerator<Uint8Array> {
  sent.started = true
  steps.onRead?.()
  for await (const chunk of chunks) {
    steps.onPiece?.()
    yield chunk
    sent.bytes += chunk.byteLength
    steps.onSent?.(sent.bytes)
  }
}

async function* limitedBody(
  body: AsyncIterable<Uint8Array>,
  limits: { silenceMs: number; maxBytes: number; late: () => void; release: () => void },
  failure: (error: unknown, started: boolean) => unknown,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  let size = 0
  try {
    for (;;) {
      // Only waiting for the other side counts as its silence, not the time that the reader takes.
      const timer = setTimeout(limits.late, limits.silenceMs)
      const piece = await pieces.next().finally(() => clearTimeout(timer))
      if (piece.done === true) return
      size += piece.value.byteLength
      if (size > limits.maxBytes) throw new AppError('connection_lost', { detail: 'the answer is too long' })
      yield piece.value
    }
  } catch (error) {
    throw failure(error, true)
  } finally {
    limits.release()
    await pieces.return?.()
  }
}

/** As much as came, and the error that interrupted it. */
async function readBounded(body: AsyncIterable<Buffer>): Promise<{ body: Buffer; error: unknown }> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of body) {
      size += part.byteLength
      if (size > maxAnswerBytes) throw new AppError('connection_lost', { detail: 'the answer is larger than 64 MB' })
      parts.push(part)
    }
    return { body: Buffer.concat(parts), error: null }
  } catch (error) {
    return { body: Buffer.concat(parts), error }
  }
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    parts.push(part)
    size += part.byteLength
    if (size >= maxRefusalBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxRefusalBytes)
}

/** What answers speaks no HTTP, or none behind TLS. */
const otherProtocol = /^(HTTPParserError|HPE_|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))/
const certificateErrors = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_)/

function classify(error: unknown, host: string, started: boolean, timedOut: boolean): AppError {
  const code = errorCode(error)
  // Whatever failed between here and the end of the tunnel: nothing of the request goes there before it stands.
  if (error instanceof ProxyError)
    return new AppError('proxy_refused', { host, proxy: error.proxy, detail: code }, { cause: error })
  if (!started) {
    if (otherProtocol.test(code)) return new AppError('not_a_platform', { host, status: code }, { cause: error })
    if (certificateErrors.test(code))
      return new AppError('certificate_invalid', { host, detail: code }, { cause: error })
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new AppError('host_not_found', { host }, { cause: error })
    return new AppError('connection_refused', { host, detail: code }, { cause: error })
  }
  return new AppError(timedOut ? 'answer_timeout' : 'connection_lost', { host, detail: code }, { cause: error })
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause instanceof Error ? errorCode(error.cause) : error.name
}

function firstValue(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}

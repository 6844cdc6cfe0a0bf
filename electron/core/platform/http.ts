import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { AppError } from '../../../shared/errors.ts'

export type HttpRequest = {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** Pulled once, and only when the connection stands: pulling it is what «sent» means. */
  body?: { chunks: AsyncIterable<Uint8Array>; sizeBytes: number }
  /** From the first byte sent to the last byte received. */
  timeoutMs: number
  signal?: AbortSignal
  /** Bytes of the body handed to the connection so far. */
  onSent?: (bytes: number) => void
}

export type HttpAnswer = { status: number; contentType: string | null; retryAfterMs: number | null; body: Buffer; bytesSent: number }

const connectTimeoutMs = 15_000
const maxAnswerBytes = 64 * 1024 * 1024
/** Delays beyond this are taken for nonsense: an absurd Retry-After must not stop a lane for a year. */
const maxRetryAfterMs = 60 * 60 * 1000

/**
 * One HTTP exchange, sent at most once: no retry, no redirect, no reused connection (a kept-alive one can be
 * dead without anyone knowing, which would make a request «may be billed» that never arrived).
 */
export class HttpClient {
  // Time limits are ours (`timeoutMs`), so the library's own are off.
  readonly #agent = new Agent({ connect: { timeout: connectTimeoutMs }, headersTimeout: 0, bodyTimeout: 0 })

  /**
   * Throws `connection_refused`, `host_not_found`, `certificate_invalid` when provably nothing was sent, and
   * `connection_lost` or `answer_timeout` when the other side may have got it. Any status is an answer.
   */
  async send(query: HttpRequest): Promise<HttpAnswer> {
    const url = new URL(query.url)
    const sent = { started: query.body === undefined && query.method === 'POST', bytes: 0 }
    const timeout = AbortSignal.timeout(query.timeoutMs)
    const signal = query.signal === undefined ? timeout : AbortSignal.any([timeout, query.signal])
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method: query.method,
        reset: true,
        headers: {
          accept: 'application/json',
          ...query.headers,
          ...(query.body === undefined ? {} : { 'content-length': String(query.body.sizeBytes) }),
        },
        // undici writes any iterable, chunk by chunk with back-pressure; its types only know of streams. A stream
        // between would read ahead, and hold twice the memory.
        body: query.body === undefined ? null : (counted(query.body.chunks, sent, query.onSent) as unknown as Readable),
        signal,
      })
      const body = await readBounded(response.body)
      return {
        status: response.statusCode,
        contentType: single(response.headers['content-type']),
        retryAfterMs: parseRetryAfter(single(response.headers['retry-after']), Date.now()),
        body,
        bytesSent: sent.bytes,
      }
    } catch (error) {
      if (error instanceof AppError) throw error
      throw classify(error, url.host, sent.started, timeout.aborted)
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  sent: { started: boolean; bytes: number },
  onSent: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  sent.started = true
  for await (const chunk of chunks) {
    yield chunk
    sent.bytes += chunk.byteLength
    onSent?.(sent.bytes)
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxAnswerBytes) throw new AppError('connection_lost', { detail: 'the answer is larger than 64 MB' })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const certificateErrors = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_)/

function classify(error: unknown, host: string, started: boolean, timedOut: boolean): AppError {
  const code = errorCode(error)
  if (!started) {
    if (certificateErrors.test(code)) return new AppError('certificate_invalid', { host, detail: code }, { cause: error })
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

function single(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null
}

/**
 * Milliseconds to wait from a Retry-After header, either form (RFC 9110, 10.2.3), at most an hour;
 * null when it is absent or says nothing usable.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const delayMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(delayMs, 0), maxRetryAfterMs)
}

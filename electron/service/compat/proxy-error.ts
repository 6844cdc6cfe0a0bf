import { toHttpError } from '../http/http-error.ts'

/**
 * spec, Errors, «Proxy error format»: one row for each code. The messages are constant: nothing of a model server's
 * words is in them.
 */
const rows = {
  model_not_found: {
    status: 400,
    type: 'invalid_request_error',
    message: 'There is no such model. The models are listed at /compat/v1/models.',
  },
  unsupported_parameter: { status: 400, type: 'invalid_request_error', message: 'A parameter is not supported.' },
  invalid_value: { status: 400, type: 'invalid_request_error', message: '`stream` must be true or false.' },
  invalid_request: { status: 400, type: 'invalid_request_error', message: 'The request is not valid.' },
  invalid_api_key: {
    status: 401,
    type: 'invalid_request_error',
    message: 'The access token is missing or not valid. Send it as `Authorization: Bearer <ACCESS_TOKEN>`.',
  },
  access_denied: {
    status: 403,
    type: 'permission_error',
    message: 'The organization or the account has no access to the API.',
  },
  not_found: { status: 404, type: 'invalid_request_error', message: 'There is nothing at this path for this method.' },
  missing_content_length: { status: 411, type: 'invalid_request_error', message: 'The body needs a Content-Length.' },
  request_too_large: { status: 413, type: 'invalid_request_error', message: 'The body is larger than 2097152 bytes.' },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'More than 100 requests in a minute. Retry after the delay in `Retry-After`.',
  },
  concurrent_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many generations at once. Retry when one completes.',
  },
  spending_limit_reached: {
    status: 429,
    type: 'insufficient_quota',
    message: 'The spending limit of the organization is reached.',
  },
  internal_error: { status: 500, type: 'api_error', message: 'Something went wrong inside the service.' },
  upstream: { status: 502, type: 'api_error', message: 'The model returned an error.' },
  unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The model is not available at the moment. Retry after the delay in `Retry-After`.',
  },
  timeout: { status: 504, type: 'api_error', message: 'The model did not respond in time.' },
} as const

type ProxyErrorCode = keyof typeof rows

const defaultRetryAfterSeconds = 5

/**
 * A request to the proxy that is answered with `{error: {message, type, code}}`. `message` replaces the constant one.
 */
export class ProxyError extends Error {
  readonly code: ProxyErrorCode
  readonly status: (typeof rows)[ProxyErrorCode]['status']
  readonly headers: Record<string, string>

  constructor(code: ProxyErrorCode, options: { message?: string; retryAfterSeconds?: number } = {}) {
    super(options.message ?? rows[code].message)
    this.name = 'ProxyError'
    this.code = code
    this.status = rows[code].status
    const seconds = options.retryAfterSeconds ?? (code === 'unavailable' ? defaultRetryAfterSeconds : null)
    this.headers = seconds === null ? {} : { 'retry-after': String(seconds) }
  }

  /** Also what an error frame of a stream holds. */
  get body(): { error: { message: string; type: string; code: string } } {
    return { error: { message: this.message, type: rows[this.code].type, code: this.code } }
  }

  toResponse(): Response {
    return Response.json(this.body, { status: this.status, headers: this.headers })
  }
}

/** What the codes of the rest of the service are on the proxy. */
const proxyCodes: Record<string, ProxyErrorCode> = {
  invalid_token: 'invalid_api_key',
  access_denied: 'access_denied',
  spending_limit_reached: 'spending_limit_reached',
  model_failed: 'upstream',
  model_timeout: 'timeout',
}

/**
 * Any thrown thing in the proxy's error format; what nobody expected is `internal_error` and says nothing of its cause.
 */
export function toProxyError(thrown: unknown): ProxyError {
  if (thrown instanceof ProxyError) return thrown
  const error = toHttpError(thrown)
  const code = proxyCodes[error.code]
  if (code !== undefined) return new ProxyError(code)
  // A model that is not reached, or something that the service needs itself, such as room on the disk.
  if (error.status === 503)
    return new ProxyError('unavailable', {
      retryAfterSeconds: Math.max(1, Number(error.headers['retry-after'] ?? defaultRetryAfterSeconds)),
    })
  return new ProxyError('internal_error')
}

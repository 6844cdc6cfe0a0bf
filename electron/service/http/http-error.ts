import { isErrorCode, toAppError } from '../../../shared/domain/errors.ts'
import type { AppError, ErrorCode } from '../../../shared/domain/errors.ts'
import type { Envelope } from '../../../shared/wire/platform.ts'
import { sentenceFor } from '../../../shared/messages/sentences.ts'

type HttpErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 411
  | 413
  | 415
  | 422
  | 429
  | 431
  | 500
  | 501
  | 502
  | 503
  | 504

/** A request that is answered with the envelope of spec, «Errors», Other endpoints. */
export class HttpError extends Error {
  readonly status: HttpErrorStatus
  readonly code: string
  readonly detail: string
  readonly headers: Record<string, string>

  constructor(
    status: HttpErrorStatus,
    code: string,
    message: string,
    detail = '',
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = code
    this.detail = detail
    this.headers = headers
  }

  get envelope(): Envelope {
    return { status: 'error', code: this.code, error: this.message, detail: this.detail }
  }
}

/** What a model server may do to a question (spec, Errors: 502, 503, 504). */
const modelFailures: Partial<Record<ErrorCode, HttpErrorStatus>> = {
  model_failed: 502,
  model_unavailable: 503,
  model_timeout: 504,
}

export function invalidRequest(detail: string): HttpError {
  return new HttpError(400, 'invalid_request', 'The request is not valid.', detail)
}

/**
 * Any thrown thing as an HTTP error. What is wrong with the document itself becomes 422 with its own
 * code; a model server that fails is 502, 503 or 504; a full disk is 503, since the same request can
 * work later; everything nobody expected is 500 `internal_error`, whose cause never leaves the process.
 */
export function toHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown
  if (isDiskFull(thrown)) {
    return new HttpError(503, 'storage_full', sentenceFor('storage_full', {}, 'en'), '', { 'retry-after': '60' })
  }
  const error = toAppError(thrown)
  // The readers were stopped, so the service is ending: nothing is wrong with the document.
  if (error.code === 'interrupted')
    return new HttpError(503, 'service_unavailable', sentenceFor('service_unavailable', {}, 'en'), '', {
      'retry-after': '5',
    })
  const ofModel = modelFailures[error.code]
  if (ofModel !== undefined) {
    const headers: Record<string, string> =
      ofModel === 503 ? { 'retry-after': String(Math.ceil((error.retryAfterMs ?? 5000) / 1000)) } : {}
    return new HttpError(ofModel, error.code, sentenceFor(error.code, error.details, 'en'), '', headers)
  }
  if (error.code === 'schema_invalid')
    return new HttpError(400, 'invalid_request', sentenceFor(error.code, error.details, 'en'), detailOf(error))
  if (isAboutTheDocument(error))
    return new HttpError(422, error.code, sentenceFor(error.code, error.details, 'en'), detailOf(error))
  return new HttpError(500, 'internal_error', 'Something went wrong inside the service.')
}

/** The body of a webhook for a failed extraction (spec, «Events»): no `status` field. */
export function failurePayload(
  extractId: string,
  thrown: unknown,
): { extract_id: string; error: string; detail: string } {
  const error = toHttpError(thrown)
  return { extract_id: extractId, error: error.code, detail: error.message }
}

function isAboutTheDocument(error: AppError): boolean {
  return isErrorCode(error.code) && (error.policy === 'fail' || error.policy === 'skip')
}

function isDiskFull(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return code === 'ENOSPC' || code === 'SQLITE_FULL'
}

function detailOf(error: AppError): string {
  const detail = error.details['detail'] ?? error.details['problem']
  return typeof detail === 'string' ? detail : ''
}

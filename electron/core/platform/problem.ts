import { AppError } from '../../../shared/domain/errors.ts'
import type { ErrorCode } from '../../../shared/domain/errors.ts'
import { isRecord, parseJson } from '../../../shared/domain/json.ts'
import { isSuccess, maxRefusalBytes } from './http.ts'

/** What was answered, or as much of it as stands in a frame of a stream. */
type ServiceResponse = { status: number; retryAfterMs: number | null; body: Buffer }

/** What was asked for: names for the sentence. Without an agent and a model it is the proxy's list of models. */
export type RequestTarget = { host: string; agent?: string; model?: string }

/** spec, Errors, «Proxy error format»: its codes, and what Sheaf's own service calls them elsewhere. */
const byCode: Readonly<Record<string, ErrorCode>> = {
  model_not_found: 'model_not_found',
  unsupported_parameter: 'unsupported_parameter',
  invalid_value: 'invalid_value',
  invalid_request: 'invalid_request',
  invalid_api_key: 'credentials_refused',
  access_denied: 'access_denied',
  missing_content_length: 'missing_content_length',
  request_too_large: 'request_too_large',
  rate_limit_exceeded: 'rate_limited',
  concurrent_limit_exceeded: 'concurrent_limit_exceeded',
  internal_error: 'service_internal',
  upstream: 'model_failed',
  unavailable: 'model_unavailable',
  timeout: 'model_timeout',
  model_failed: 'model_failed',
  model_unavailable: 'model_unavailable',
  model_timeout: 'model_timeout',
}

/**
 * Where the code is unknown or absent the status speaks: of the proxy, behind which a model answers, and of an agent.
 */
const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'no_such_endpoint',
  405: 'no_such_endpoint',
  411: 'missing_content_length',
  413: 'request_too_large',
}
const byProxyStatus: Readonly<Record<number, ErrorCode>> = {
  ...byStatus,
  500: 'service_internal',
  501: 'no_such_endpoint',
  502: 'model_failed',
  503: 'model_unavailable',
  504: 'model_timeout',
}
const byAgentStatus: Readonly<Record<number, ErrorCode>> = {
  ...byStatus,
  503: 'service_unavailable',
  504: 'answer_timeout',
}

/**
 * The error behind a refused question or a refused list of models (spec, Errors): by its code where that is known, else
 * by its status; a body of any shape. An envelope that says `error` under a status of success counts as what it says.
 */
export function problemOf(answered: ServiceResponse, asked: RequestTarget): AppError {
  const words = serviceWords(answered.body)
  const status = answered.status >= 300 ? answered.status : (words.status ?? answered.status)
  const named = Object.hasOwn(byCode, words.code) ? byCode[words.code] : undefined
  const code =
    namedRefusal(status, words, asked) ??
    named ??
    plainRefusal(status, asked) ??
    (asked.agent === undefined ? byProxyStatus : byAgentStatus)[status] ??
    fallback(status)
  return errorOf(code, answered, status, words, asked)
}

function fallback(status: number): ErrorCode {
  if (status >= 500) return 'service_failed'
  // A redirect is never followed with somebody's question; a platform answers under its address.
  return status >= 300 && status < 400 ? 'not_a_platform' : 'service_rejected'
}

/** What an account or an agent is refused for, the same for documents and questions; null when it is something else. */
export function accountRefusal(answered: ServiceResponse, words: ServiceWords, asked: RequestTarget): AppError | null {
  const code = namedRefusal(answered.status, words, asked) ?? plainRefusal(answered.status, asked)
  return code === null ? null : errorOf(code, answered, answered.status, words, asked)
}

/**
 * Limits of the account, and what an agent is: spec, «What the service does» (private ones, Writer without interface).
 */
function namedRefusal(status: number, words: ServiceWords, asked: RequestTarget): ErrorCode | null {
  const codes = `${words.code} ${words.type}`
  const hasAgent = asked.agent !== undefined
  if (words.code.includes('spending_limit')) return 'spending_limit_reached'
  if (status === 402 || codes.includes('quota')) return 'quota_reached'
  if (words.code === 'agent_private' || (hasAgent && status === 403 && /\bprivate\b|\bvisibility\b/i.test(words.text)))
    return 'agent_private'
  if (words.code.endsWith('wrong_kind')) return 'agent_wrong_kind'
  if (words.code.endsWith('coming_soon') || (hasAgent && status === 501)) return 'agent_coming_soon'
  return words.code === 'agent_not_found' ? 'agent_not_found' : null
}

function plainRefusal(status: number, asked: RequestTarget): ErrorCode | null {
  if (status === 401) return 'credentials_refused'
  if (status === 403) return 'access_denied'
  if (status === 404 && asked.agent !== undefined) return 'agent_not_found'
  return status === 429 ? 'rate_limited' : null
}

function errorOf(
  code: ErrorCode,
  answered: ServiceResponse,
  status: number,
  words: ServiceWords,
  asked: RequestTarget,
): AppError {
  const retry = answered.retryAfterMs === null ? {} : { retryAfterMs: answered.retryAfterMs }
  return new AppError(
    code,
    {
      ...asked,
      status,
      ...(words.code === '' ? {} : { serviceCode: words.code }),
      detail: words.text || `status ${status}`,
    },
    retry,
  )
}

/** «invalid_token», «TokenExpired», «jwt-malformed»; a key alone may be one of a JSON object. */
const tokenThing = '(?:(?:access|auth|bearer|security|session)[ _-]?)*(?:token|jwt)|(?:api|access)[ _-]?key'
const isRefused = '(?:invalid|expired|malformed|revoked|not valid|no longer valid)'
const tokenCode = new RegExp(
  `^(?:${isRefused}[ _-]?(?:${tokenThing})|(?:${tokenThing})[ _-]?(?:is[ _-]?|has[ _-]?)?${isRefused})$`,
  'i',
)
/** «Invalid or expired token», «the API key provided is invalid». */
const tokenWords = new RegExp(
  `(?:\\b${isRefused}\\b(?:[\\s,/]+(?:or|and|the|your|missing|${isRefused})\\b)*[\\s,/]+(?:${tokenThing})\\b` +
    `|\\b(?:${tokenThing})\\b(?:\\s+(?:is|has|was|been|you|sent|provided|given|already|either)\\b)*\\s+${isRefused}\\b)(?!\\s+(?:at|near|['"<«{]))`,
  'i',
)
/** Beside these «invalid token» is a parser's word for what stands in a document. */
const documentWords =
  /\b(?:extract\w*|documents?|files?|pages?|lines?|bytes?|columns?|position|offset|char\w*|pars(?:e[rd]?|ing)|syntax|unexpected|input|output|model|json|xml|pdf|docx|xlsx)\b/i
const tokenStatuses = [400, 403, 419, 440, 498]

/**
 * Whether an answer refuses the token, which is «not shown» for agents (spec, Authentication): 401; an envelope under
 * 2xx that carries 401; or a refusal whose code or words say that the token or key is invalid or expired. A quota of
 * tokens, and a key that may not do something, are other matters. So is a failed extraction, which may be billed and
 * would be sent twice: it names an `extract_id`, or documents, or answers 400 with `error` and no `code` (spec, «Other
 * endpoints»). `body` counts where it was read whole.
 */
export function refusesToken({ status, body }: { status: number; body: unknown }): boolean {
  if (status === 401) return true
  if (!Buffer.isBuffer(body) || body.length > maxRefusalBytes) return false
  const words = serviceWords(body)
  if (isSuccess(status)) return words.status === 401
  if (!tokenStatuses.includes(status) || words.isExtraction) return false
  if (tokenCode.test(words.code)) return true
  return tokenWords.test(words.text) && !documentWords.test(words.text) && (status !== 400 || words.hasCode)
}

/** What a service says is shown up to this length. */
export const maxWords = 500

/**
 * `code`, `type` and the words of an error body of any shape; `status` where the body carries a status of HTTP's. A
 * code that is a number is one as well (`hasCode`); a number of an extraction makes it an answer to that.
 */
type ServiceWords = {
  code: string
  type: string
  text: string
  status: number | null
  hasCode: boolean
  isExtraction: boolean
}

const noWords: ServiceWords = { code: '', type: '', text: '', status: null, hasCode: false, isExtraction: false }

/** Reads an error body (spec, Errors: the proxy's format, and the envelope whose fields are «not shown»), cut short. */
export function serviceWords(body: Buffer): ServiceWords {
  return wordsOf(parseJson(body.toString('utf8')))
}

/** The same of a parsed value. */
export function wordsOf(value: unknown): ServiceWords {
  const outer: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(outer)) return { ...noWords, text: typeof outer === 'string' ? outer.slice(0, maxWords) : '' }
  const inner = innermost(outer)
  const parts = [
    inner['error'] ?? inner['message'] ?? inner['msg'] ?? (inner === outer ? null : unnamed(inner)),
    outer['detail'],
  ].filter((part) => part !== undefined && part !== null && part !== '')
  const texts = [...new Set(parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))))]
  const codes = [inner['code'], outer['code']].filter((code) => typeof code === 'string')
  return {
    code: codes.find((code) => !/^\d*$/.test(code)) ?? '',
    type: typeof inner['type'] === 'string' ? inner['type'] : '',
    text: texts.join(': ').slice(0, maxWords),
    status: httpStatusIn([outer['status'], outer['code'], outer['statusCode'], inner['status'], inner['code']]),
    hasCode: [inner['code'], outer['code']].some((code) => code !== undefined && code !== null && code !== ''),
    isExtraction: outer['extract_id'] !== undefined,
  }
}

/** An error of keys that nobody knows, as it is; null where it has nothing but what is read by name. */
function unnamed(error: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(error).some((key) => !['code', 'type', 'status', 'statusCode', 'detail'].includes(key))
    ? error
    : null
}

/** `{error: {…}}`, `{error: {error: {…}}}`, `{errors: [{…}]}`: the part that has the words. */
function innermost(outer: Record<string, unknown>): Record<string, unknown> {
  let inner = outer
  for (let depth = 0; depth < 3; depth += 1) {
    const list: unknown = inner['errors']
    const next: unknown = inner['error'] ?? (Array.isArray(list) ? list[0] : list)
    if (typeof next === 'string' && inner['error'] === undefined) return { ...inner, error: next }
    if (!isRecord(next)) return inner
    inner = next
  }
  return inner
}

function httpStatusIn(candidates: unknown[]): number | null {
  for (const candidate of candidates) {
    const number = typeof candidate === 'string' && /^\d{3}$/.test(candidate) ? Number(candidate) : candidate
    if (typeof number === 'number' && number >= 400 && number < 600) return number
  }
  return null
}

/** True for the beginning of an HTML page: what a proxy, a portal or a web server says, never a platform. */
export function isPage(body: Buffer): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(
    body
      .subarray(0, 200)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, ''),
  )
}

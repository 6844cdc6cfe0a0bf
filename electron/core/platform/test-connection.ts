import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { normaliseBaseAddress } from './base-address.ts'
import type { HttpClient } from './http.ts'
import { Models } from './models.ts'
import { TokenSource } from './token.ts'
import type { Credentials } from './token.ts'

type ConnectionTest = {
  problem: ErrorReason | null
  baseUrl: string
  models: string[] | null
  modelsProblem: ErrorReason | null
}

/** `requireAllowed` throws for an address at which nothing may be asked. */
type TestOptions = { timeoutMs?: number; requireAllowed?: (address: string) => void }

/** Somebody waits before the window: less patience than the pipeline has. */
const testTimeoutMs = 15_000

/**
 * Whether a platform answers under an address as typed, with these credentials: asks for a token, then for the models.
 * An account without access to the proxy (spec, Authentication, 6) can still extract, so that is told apart. Never
 * throws for anything that the other side does.
 */
export async function testConnection(
  http: HttpClient,
  typed: Credentials,
  { timeoutMs = testTimeoutMs, requireAllowed = () => undefined }: TestOptions = {},
): Promise<ConnectionTest> {
  let baseUrl = typed.baseUrl
  try {
    baseUrl = normaliseBaseAddress(typed.baseUrl)
    requireAllowed(baseUrl)
    const credentials = { ...typed, baseUrl }
    const tokens = new TokenSource(http, credentials, timeoutMs)
    await tokens.get()
    const models = new Models(http, tokens)
    const listed = await models.list(undefined, timeoutMs).catch((error: unknown) => toAppError(error))
    if (listed instanceof AppError) return { problem: null, baseUrl, models: null, modelsProblem: reasonOf(listed) }
    return { problem: null, baseUrl, models: listed, modelsProblem: null }
  } catch (error) {
    return { problem: reasonOf(toAppError(error)), baseUrl, models: null, modelsProblem: null }
  }
}

/**
 * For the queue a token request without an answer is a connection to retry; for a person it is a time-out.
 */
function reasonOf(error: AppError): ErrorReason {
  const code =
    error.code === 'connection_refused' && error.details['detail'] === 'TimeoutError' ? 'answer_timeout' : error.code
  return { code, details: error.details }
}

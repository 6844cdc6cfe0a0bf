import { AppError } from '../../../../shared/domain/errors.ts'
import type { Attempt, NewAnswer } from '../../db/tables/attempts.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import { readAnswer } from '../../platform/answer.ts'
import { refusalOf } from '../../platform/extractor.ts'
import { serviceWords } from '../../platform/problem.ts'

/** What is known of a response besides its bytes: how long the service asks to wait, and why it is not whole. */
export type Circumstances = { retryAfterMs: number | null; interruption: AppError | null }

/** Of an answer that was read from the database nothing else is known. */
export const noCircumstances: Circumstances = { retryAfterMs: null, interruption: null }

/** Who was asked: the words of a refusal name them. */
type Addressee = { host: string; agentReference: string | null }

export function addresseeOf({ agentReference }: StoredDocument, { host }: Attempt): Addressee {
  return { host, agentReference }
}

/**
 * The refusal that stands in the place of an answer; null when there is an answer to read, as in every callback. Pure.
 */
export function refusalIn(
  answer: Pick<NewAnswer, 'source' | 'httpStatus' | 'body' | 'complete'>,
  { host, agentReference }: Addressee,
  { retryAfterMs, interruption }: Circumstances,
): AppError | null {
  if (answer.source === 'callback' || answer.httpStatus === null) return null
  const { body } = answer
  const refusal = refusalOf({ status: answer.httpStatus, body, retryAfterMs }, host, agentReference)
  // 422 and the like from a service that says why is a failed extraction, read like any other.
  if (refusal !== null) return refusal.code === 'service_rejected' && saysWhy(body) ? null : refusal
  // What parses completely was all here before the connection broke.
  const meaning = answer.complete ? null : readAnswer(body)
  if (meaning?.kind !== 'failed' || meaning.error.code !== 'answer_unreadable') return null
  return interruption ?? new AppError('connection_lost', { host })
}

/** A body in the form of an extraction failure (spec, «Other endpoints»), which `readAnswer` understands. */
function saysWhy(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string'
  } catch {
    return false
  }
}

/** The error for a receipt where the values themselves were asked for. Pure. */
export function onlyStarted(body: Buffer): AppError {
  const said = serviceWords(body).text
  return new AppError('answer_unreadable', { detail: `«started» is no answer here${said === '' ? '' : `: ${said}`}` })
}

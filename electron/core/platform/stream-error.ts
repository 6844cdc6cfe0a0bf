import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { problemOf } from './problem.ts'
import type { RequestTarget } from './problem.ts'

/** A frame of a stream that says that something went wrong; `streamError` says what. */
export class ErrorFrame extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('the stream carries an error')
    this.name = 'ErrorFrame'
    this.value = value
  }
}

/** What an error in the middle of a stream means: with text before it, an answer of which the end is missing. */
export function streamError(error: unknown, yielded: boolean, asked: RequestTarget, status: number): AppError {
  const cause = error instanceof ErrorFrame ? frameProblem(error, asked, status) : toAppError(error)
  if (!yielded || cause.code === 'internal')
    return new AppError(cause.code, { ...asked, ...cause.details }, { cause: error })
  return new AppError('answer_incomplete', { ...asked, ...cause.details, because: cause.code }, { cause: error })
}

/** spec, Endpoints, «Error frame»: the constant one of the proxy is `upstream`; another may say more. */
function frameProblem(frame: ErrorFrame, asked: RequestTarget, status: number): AppError {
  const value = typeof frame.value === 'string' ? { error: frame.value } : frame.value
  const problem = problemOf({ status, retryAfterMs: null, body: Buffer.from(JSON.stringify(value ?? null)) }, asked)
  const saysNothing = problem.code === 'service_rejected' && problem.details['detail'] === `status ${status}`
  return saysNothing ? new AppError('model_failed', problem.details) : problem
}

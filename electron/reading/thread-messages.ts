import { AppError, isErrorCode, toAppError } from '../../shared/domain/errors.ts'
import type { ErrorDetails } from '../../shared/domain/errors.ts'
import type { Picture, Recognised } from './recognise.ts'

/** What crosses between a pool and its threads. A thread runs one task at a time. */
export type ToThread =
  | { type: 'run'; task: string; input: unknown }
  | { type: 'recognised'; request: number; recognised: Recognised }
  | { type: 'unrecognised'; request: number; error: SerializedError }
  | { type: 'reserved' }

export type FromThread =
  | { type: 'done'; result: unknown }
  | { type: 'failed'; error: SerializedError }
  | { type: 'recognise'; request: number; picture: Picture }
  | { type: 'reserve'; bytes: number }

/** An AppError without its class, which a thread boundary strips. */
type SerializedError = { code: string; details: ErrorDetails }

export function serializeError(error: unknown): SerializedError {
  const { code, details } = toAppError(error)
  return { code, details: { ...details } }
}

export function deserializeError(error: SerializedError): AppError {
  return isErrorCode(error.code)
    ? new AppError(error.code, error.details)
    : new AppError('internal', { detail: error.code })
}

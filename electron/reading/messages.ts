import type { Token } from '../../shared/document.ts'
import { AppError, isErrorCode, toAppError } from '../../shared/errors.ts'
import type { ErrorDetails } from '../../shared/errors.ts'
import type { Picture } from './recognise.ts'

/** What crosses between a pool and its threads. One work at a time for each thread. */
export type ToThread =
  | { type: 'run'; work: string; input: unknown }
  | { type: 'recognised'; request: number; tokens: Token[] }
  | { type: 'unrecognised'; request: number; error: CarriedError }

export type FromThread =
  | { type: 'done'; result: unknown }
  | { type: 'failed'; error: CarriedError }
  | { type: 'recognise'; request: number; picture: Picture }

/** An AppError without its class, which a thread boundary strips. */
export type CarriedError = { code: string; details: ErrorDetails }

export function carry(error: unknown): CarriedError {
  const { code, details } = toAppError(error)
  return { code, details: { ...details } }
}

export function uncarry(error: CarriedError): AppError {
  return isErrorCode(error.code) ? new AppError(error.code, error.details) : new AppError('internal', { detail: error.code })
}

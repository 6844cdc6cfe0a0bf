import { AppError } from '../../shared/domain/errors.ts'

/** What a parser threw over a file as AppError `file_damaged`, unless it is an AppError of its own. */
export function asDamaged(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('file_damaged', {}, { cause: error })
}

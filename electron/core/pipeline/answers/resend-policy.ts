import { AppError } from '../../../../shared/domain/errors.ts'
import type { Attempt } from '../../db/tables/attempts.ts'
import { retryDelayMs } from '../../timings.ts'
import type { Timings } from '../../timings.ts'

/**
 * A document that ends the service on this computer so often while that has no other is left alone. Why a process
 * ended cannot be known (the system that is short of memory kills as a person does), but whom it had then: after each
 * breakdown one document goes first, so that one which is to blame soon is alone, and fails after five starts of about
 * a second. That somebody else ends the service five times in a row just then, and no document passes in between, is
 * no accident any more.
 */
const maxBreakdowns = 5
/** So many attempts in a row go without a person: what is lost as often will be lost again. */
const maxLosses = 3

/**
 * Where nothing is billed a lost request is sent again, but not for ever. So is one whose credentials were refused: the
 * next way there has those of the service that runs then. `breakdowns` are those in a row with this document alone.
 * Pure.
 */
export function afterBreakdown(error: AppError, breakdowns: number): AppError {
  if (error.code === 'credentials_refused' && breakdowns < maxBreakdowns) return new AppError('service_interrupted')
  if (error.policy !== 'unknown') return error
  return breakdowns >= maxBreakdowns
    ? new AppError('service_gave_up', { tries: breakdowns })
    : new AppError('service_interrupted')
}

/** How long a document whose answer was lost waits until it is sent again; null when only a person may say so. Pure. */
export function resendDelayMs(timings: Timings, attempts: Attempt[]): number | null {
  const losses = lossesInARow(attempts)
  return losses >= maxLosses ? null : retryDelayMs(timings, losses)
}

/** Since a person last let it go. `attempts` begin with the newest. */
function lossesInARow(attempts: Attempt[]): number {
  let losses = 0
  for (const { outcome, approved } of attempts.filter((attempt) => attempt.outcome !== 'returned')) {
    if (outcome !== 'lost') break
    losses += 1
    if (approved === 'person') break
  }
  return losses
}

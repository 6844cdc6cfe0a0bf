import type { DocumentReview } from '../../../shared/contract-review.ts'
import { isSameJson, valueAt } from '../../../shared/pointer.ts'
import type { Job } from '../db/jobs.ts'
import type { HandlerContext } from './types.ts'

/** How far the check of a document is, or of the one that it is a copy of. */
export function reviewOf({ tables }: Pick<HandlerContext, 'tables'>, job: Job): DocumentReview {
  const checked = job.resultId === null && job.originalJobId !== null ? tables.jobs.get(job.originalJobId) : job
  if (checked === null || checked.resultId === null) return { state: null, flags: [], corrections: [], approved: null }
  const { said, records } = tables.results.get(checked.resultId)
  // The last hand on each place.
  const last = new Map(tables.reviews.corrections(checked.id).map(({ pointer, person, at }) => [pointer, { person, at }]))
  return {
    state: tables.reviews.state(checked.id),
    flags: tables.reviews.flags(checked.resultId),
    corrections: [...last].flatMap(([pointer, hand]) => {
      const before = valueAt(said, pointer) ?? null
      return isSameJson(before, valueAt(records, pointer) ?? null) ? [] : [{ pointer, said: before, ...hand }]
    }),
    approved: tables.reviews.approval(checked.id),
  }
}

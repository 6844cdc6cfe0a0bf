import type { DocumentReview } from '../../../shared/contract-review.ts'
import { isSameJson, valueAt } from '../../../shared/pointer.ts'
import type { Job } from '../db/jobs.ts'
import type { HandlerContext } from './types.ts'

/** How far the check of a document is, or of the one that it is a copy of; with the corrections that are asked for. */
export function reviewOf({ tables }: Pick<HandlerContext, 'tables'>, job: Job, isAsked: (pointer: string) => boolean = () => true): DocumentReview {
  const checked = job.resultId === null && job.originalJobId !== null ? tables.jobs.get(job.originalJobId) : job
  if (checked === null || checked.resultId === null) return { state: null, flags: [], corrections: [], approved: null }
  return {
    state: tables.reviews.state(checked.id),
    flags: tables.reviews.flags(checked.resultId),
    corrections: correctionsOf(tables, checked.id, checked.resultId, isAsked),
    approved: tables.reviews.approval(checked.id),
  }
}

/** Where it differs from what the service said, with the last hand on each place. */
function correctionsOf(tables: HandlerContext['tables'], jobId: number, resultId: number, isAsked: (pointer: string) => boolean): DocumentReview['corrections'] {
  const last = new Map(tables.reviews.corrections(jobId, isAsked).map(({ pointer, person, at }) => [pointer, { person, at }]))
  if (last.size === 0) return []
  const { said, records } = tables.results.get(resultId)
  return [...last].flatMap(([pointer, hand]) => {
    const before = valueAt(said, pointer) ?? null
    return isSameJson(before, valueAt(records, pointer) ?? null) ? [] : [{ pointer, said: before, ...hand }]
  })
}

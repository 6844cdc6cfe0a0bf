import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/errors.ts'
import { copyOf, touchedBy, valueAt } from '../../../shared/pointer.ts'
import type { DocumentReview } from '../../../shared/contract-review.ts'
import type { ExtractedRecord } from '../../../shared/result.ts'
import type { Hand } from '../db/reviews.ts'
import type { Job } from '../db/jobs.ts'
import { assess } from '../pipeline/assess.ts'
import { together } from '../pipeline/context.ts'
import { findJob, pagesOf } from './jobs.ts'
import { reviewOf } from './review-of.ts'
import type { HandlerContext, Handlers } from './types.ts'

type ReviewCalls = Extract<keyof Handlers, `review.${string}`>

export function reviewHandlers(context: HandlerContext): Pick<Handlers, ReviewCalls> {
  const hand = (): Hand => ({ person: context.person, at: context.now() })

  /** All of it or nothing, judged anew by what the work made of the records, if it did. One event tells of it, with the name of the window that did it. Returns the corrections of `places`. */
  const change = (id: number, by: string | undefined, places: string[], work: (inside: HandlerContext, job: Job & { resultId: number }) => ExtractedRecord[] | void): DocumentReview => {
    together(context, (all) => {
      const emit: HandlerContext['emit'] = (name, payload) => {
        if (name !== 'job.changed' || (payload as { id: number }).id !== id) all.emit(name, payload)
      }
      const inside = { ...all, emit }
      const records = work(inside, checkable(inside, id))
      assess(inside, id, records ? { records } : {})
    })
    context.emit('job.changed', { id, status: 'done', by })
    return reviewOf(context, checkable(context, id), touchedBy(places))
  }

  const approve = async (pages: Iterable<number[]>): Promise<{ approved: number; flags: number; batch: number }> => {
    const batch = context.tables.reviews.newBatch()
    let approved = 0
    let flags = 0
    for (const page of pages) {
      together(context, (inside) => {
        const { tables } = inside
        const fitting = page.filter((id) => {
          const job = tables.jobs.get(id)
          return job?.status === 'done' && !job.inBin && job.resultId !== null && tables.reviews.approval(id) === null
        })
        tables.reviews.approve(fitting, batch, hand())
        for (const id of fitting) assess(inside, id)
        approved += fitting.length
        flags += fitting.reduce((sum, id) => sum + tables.reviews.flags(tables.jobs.get(id)!.resultId!).length, 0)
      })
      await setImmediate()
    }
    if (approved > 1) context.workbooks.batchEnded()
    return { approved, flags, batch }
  }

  const reopen = async (pages: Iterable<number[]>): Promise<{ reopened: number }> => {
    let reopened = 0
    for (const page of pages) {
      together(context, (inside) => (reopened += takeBack(inside, page, hand())))
      await setImmediate()
    }
    if (reopened > 1) context.workbooks.batchEnded()
    return { reopened }
  }

  return {
    'review.correct': async ({ id, changes, by }) =>
      change(id, by, changes.map(({ pointer }) => pointer), (inside, { resultId }) => {
        const { reviews, results } = inside.tables
        const { said, records } = results.get(resultId)
        const corrected = copyOf(records)
        // As they are stored: JSON.
        for (const { pointer, value } of changes) if (!corrected.put(pointer, JSON.parse(JSON.stringify(value)))) throw new AppError('place_missing')
        reviews.correct(id, changes.map(({ pointer, value }) => ({ pointer, said: valueAt(said, pointer) ?? null, value })), hand())
        takeBack(inside, [id], hand())
        return corrected.root()
      }),
    'review.confirm': async ({ id, pointers, by }) =>
      change(id, by, [], ({ tables }, { resultId }) => {
        const flags = tables.reviews.flags(resultId)
        const places = [...new Set(pointers)].map((pointer) => ({ pointer, flags: flags.filter((flag) => flag.pointer === pointer) }))
        tables.reviews.confirm(id, places.filter((place) => place.flags.length > 0), hand())
      }),
    'review.approve': async ({ ids }) => approve(pagesOf(ids)),
    'review.approveReady': async (filter) => approve(context.tables.reviews.ready(filter)),
    'review.takeBack': async ({ batch }) => reopen(context.tables.reviews.approvedIn(batch)),
    'review.reopen': async ({ ids }) => reopen(pagesOf(ids)),
  }
}

/** Returns how many of these were approved until now. */
function takeBack(context: HandlerContext, ids: number[], hand: Hand): number {
  const { reviews } = context.tables
  const approved = ids.filter((id) => reviews.approval(id) !== null)
  reviews.reopen(approved, hand)
  for (const id of approved) assess(context, id)
  return approved.length
}

/** A document whose result can be corrected. A copy has none of its own: its original is corrected. */
function checkable(context: HandlerContext, id: number): Job & { resultId: number } {
  const job = findJob(context, id)
  if (job.status !== 'done' || job.resultId === null) throw new AppError('place_missing')
  return { ...job, resultId: job.resultId }
}

import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/domain/errors.ts'
import { copyOnWrite, isSameJson, overlapsAny, valueAt } from '../../../shared/domain/pointer.ts'
import { valueInKindAt } from '../../../shared/domain/in-kind.ts'
import type { DocumentReview } from '../../../shared/contract/review.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { Author } from '../db/tables/reviews.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { assess } from '../pipeline/answers/assess.ts'
import { decidesBuyer, rememberBuyer, rememberSender } from '../partners/confirmed.ts'
import { doubtFlags, openDoubts } from '../review/doubts.ts'
import { inTransaction } from '../pipeline/context.ts'
import { findDocument, pagesOf } from './lookups.ts'
import { dayOf } from '../usage/days.ts'
import { reviewOf } from './review-of.ts'
import type { CallArguments, HandlerContext, Handlers } from './types.ts'

type ReviewCalls = Extract<keyof Handlers, `review.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now' | 'person' | 'workbooks' | 'reassessment'>

type Checkable = StoredDocument & { resultId: number }

export function reviewHandlers(context: Needs): Pick<Handlers, ReviewCalls> {
  return {
    'review.correct': async ({ id, changes, by }) =>
      change(
        context,
        id,
        by,
        changes.map(({ pointer }) => pointer),
        (inside, document) => correct(inside, document, changes),
      ),
    'review.confirm': async ({ id, pointers, by }) =>
      change(context, id, by, [], (inside, { resultId }) => confirm(inside, id, resultId, pointers)),
    'review.unconfirm': async ({ id, pointers, by }) =>
      change(context, id, by, [], (inside) => inside.tables.reviews.unconfirm(id, pointers, authorOf(inside))),
    'review.approve': async ({ ids, work }) => {
      const outcome = await approve(context, pagesOf(ids))
      if (work !== undefined && outcome.approved === 1) context.tables.reviewWork.add(dayOf(context.now()), work)
      return outcome
    },
    'review.approveReady': async (filter) => approve(context, context.tables.reviews.ready(filter)),
    'review.takeBack': async ({ batch }) => reopen(context, context.tables.reviews.approvedIn(batch)),
    'review.reopen': async ({ ids }) => reopen(context, pagesOf(ids)),
  }
}

function authorOf({ person, now }: Needs): Author {
  return { person, at: now() }
}

/**
 * All of it or nothing, assessed again by what the work made of the records, if it did. One event tells of it, with the
 * name of the window that did it. Returns the corrections of `places`.
 */
function change(
  context: Needs,
  id: number,
  by: string | undefined,
  places: string[],
  work: (inside: Needs, document: Checkable) => ExtractedRecord[] | void,
): DocumentReview {
  inTransaction(context, (all) => {
    const emit: Needs['emit'] = (name, payload) => {
      if (name !== 'document.changed' || (payload as { id: number }).id !== id) all.emit(name, payload)
    }
    const inside = { ...all, emit }
    const records = work(inside, checkable(inside, id))
    assess(inside, id, records ? { records } : {})
  })
  // An approval that a correction takes back may have settled what other documents are asked.
  context.reassessment.begin()
  context.emit('document.changed', { id, status: 'done', by })
  return reviewOf(context, checkable(context, id), overlapsAny(places))
}

/** Returns the records with the changes. Throws `place_missing`. */
function correct(
  context: Needs,
  { id, resultId, schemaVersionId }: Checkable,
  typed: CallArguments<'review.correct'>['changes'],
): ExtractedRecord[] {
  const { reviews, results, schemas } = context.tables
  const elements = schemas.elementsOf(schemaVersionId)
  const changes = typed.map((each) => ({ ...each, value: valueInKindAt(each.pointer, each.value, elements) }))
  const { extracted, records } = results.get(resultId)
  const corrected = copyOnWrite(records)
  // As they are stored: JSON.
  for (const { pointer, value } of changes)
    if (!corrected.put(pointer, JSON.parse(JSON.stringify(value)))) throw new AppError('place_missing')
  reviews.correct(
    id,
    changes.map(({ pointer, value }) => ({ pointer, extracted: valueAt(extracted, pointer) ?? null, value })),
    authorOf(context),
  )
  reopenPage(context, [id])
  return corrected.root()
}

function confirm(context: Needs, id: number, resultId: number, pointers: string[]): void {
  const { reviews, results } = context.tables
  const { doubts, extracted, records, sources } = results.get(resultId)
  // A doubt that is not told, since something more exact stands there, is settled along with that.
  const open = openDoubts(doubts, extracted, records, () => reviews.movedLists(id))
  const told = reviews.flags(resultId)
  const untold = doubtFlags(open, records, () => sources).filter((flag) => !told.some((each) => isSameJson(each, flag)))
  const flags = [...told, ...untold]
  const places = [...new Set(pointers)].map((pointer) => ({
    pointer,
    flags: flags.filter((flag) => flag.pointer === pointer),
  }))
  reviews.confirm(
    id,
    places.filter((place) => place.flags.length > 0),
    authorOf(context),
  )
}

async function approve(
  context: Needs,
  pages: Iterable<number[]>,
): Promise<{ approved: number; flags: number; batch: number }> {
  const batch = context.tables.reviews.newBatch()
  let approved = 0
  let flags = 0
  let isOtherSender = false
  let isToReassess = false
  for (const page of pages) {
    inTransaction(context, (inside) => {
      const { documents, reviews } = inside.tables
      const fitting = page.filter((id) => {
        const document = documents.get(id)
        return (
          document?.status === 'done' && !document.inBin && document.resultId !== null && reviews.approval(id) === null
        )
      })
      reviews.approve(fitting, batch, authorOf(inside))
      for (const id of fitting) {
        assess(inside, id)
        const isOtherBuyer = rememberBuyer(inside, id)
        if (rememberSender(inside, id)) isOtherSender = true
        else if (!isOtherBuyer) continue
        isToReassess = true
        requireReassessmentOf(inside.tables, id)
      }
      approved += fitting.length
      flags += fitting.reduce((sum, id) => sum + reviews.flags(documents.get(id)!.resultId!).length, 0)
    })
    await setImmediate()
  }
  if (approved > 1) context.workbooks.flush()
  if (isToReassess) context.reassessment.begin()
  if (isOtherSender) context.emit('partners.changed', {})
  return { approved, flags, batch }
}

async function reopen(context: Needs, pages: Iterable<number[]>): Promise<{ reopened: number }> {
  let reopened = 0
  for (const page of pages) {
    inTransaction(context, (inside) => (reopened += reopenPage(inside, page)))
    await setImmediate()
  }
  if (reopened > 0) context.reassessment.begin()
  if (reopened > 1) context.workbooks.flush()
  return { reopened }
}

/** Returns how many of these were approved until now. */
function reopenPage(context: Needs, ids: number[]): number {
  const { reviews } = context.tables
  const approved = ids.filter((id) => reviews.approval(id) !== null)
  reviews.reopen(approved, authorOf(context))
  for (const id of approved) assess(context, id)
  requireBuyersAnew(context, approved)
  return approved.length
}

/** Documents are to be assessed again whose buyer was known by approvals of which one is taken back. */
function requireBuyersAnew({ tables }: Needs, ids: number[]): void {
  for (const id of ids) if (decidesBuyer(tables, id)) requireReassessmentOf(tables, id)
}

function requireReassessmentOf({ documents, schemas }: Needs['tables'], id: number): void {
  schemas.requireReassessment(schemas.versionOf(documents.get(id)!.schemaVersionId).schemaId)
}

/** A document whose result can be corrected. A copy has none of its own: its original is corrected. */
function checkable(context: Needs, id: number): Checkable {
  const document = findDocument(context, id)
  if (document.status !== 'done' || document.resultId === null) throw new AppError('place_missing')
  return { ...document, resultId: document.resultId }
}

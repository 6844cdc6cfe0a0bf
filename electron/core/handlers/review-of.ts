import type { DocumentReview } from '../../../shared/contract/review.ts'
import { learnedInForce } from '../../../shared/domain/learned.ts'
import { isSameJson, valueAt } from '../../../shared/domain/pointer.ts'
import { placesOf, senderOf } from '../partners/sender.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { sheaf } from '../db/tables/reviews.ts'
import type { HandlerContext } from './types.ts'

/** How far the check of a document is, or of the one that it is a copy of; with the corrections that are asked for. */
export function reviewOf(
  { tables }: Pick<HandlerContext, 'tables'>,
  document: StoredDocument,
  isAsked: (pointer: string) => boolean = () => true,
): DocumentReview {
  const checked =
    document.resultId === null && document.originalDocumentId !== null
      ? tables.documents.get(document.originalDocumentId)
      : document
  if (checked === null || checked.resultId === null) return { state: null, flags: [], corrections: [], approved: null }
  return {
    state: tables.reviews.state(checked.id),
    flags: tables.reviews.flags(checked.resultId),
    corrections: correctionsOf(tables, checked.id, checked.resultId, isAsked),
    approved: tables.reviews.approval(checked.id),
  }
}

/** Where it differs from what the service said, with the last author of each place, or that it was learned. */
function correctionsOf(
  tables: HandlerContext['tables'],
  documentId: number,
  resultId: number,
  isAsked: (pointer: string) => boolean,
): DocumentReview['corrections'] {
  const last = new Map(
    tables.reviews.corrections(documentId, isAsked).map(({ pointer, person, at }) => [pointer, { person, at }]),
  )
  const learned = tables.lessons.learnedOf(documentId).filter(({ pointer }) => isAsked(pointer) && !last.has(pointer))
  if (last.size === 0 && learned.length === 0 && tables.partners.isEmpty) return []
  const { extracted, records } = tables.results.get(resultId)
  const byLessons = learnedInForce(learned, records).map(({ pointer, extracted: before, documents, at }) => ({
    pointer,
    extracted: before,
    person: sheaf,
    at,
    learned: documents,
  }))
  const byPersons = [...last].flatMap(([pointer, author]) => {
    const before = valueAt(extracted, pointer) ?? null
    return isSameJson(before, valueAt(records, pointer) ?? null) ? [] : [{ pointer, extracted: before, ...author }]
  })
  const named = new Set([...last.keys(), ...byLessons.map(({ pointer }) => pointer)])
  const elements = tables.schemas.elementsOf(tables.documents.get(documentId)!.schemaVersionId)
  const byPartners = placesOf(senderOf(records, elements))
    .filter((pointer) => isAsked(pointer) && !named.has(pointer))
    .flatMap((pointer) => {
      const before = valueAt(extracted, pointer) ?? null
      return isSameJson(before, valueAt(records, pointer) ?? null)
        ? []
        : [{ pointer, extracted: before, person: sheaf, at: 0, byPartners: true as const }]
    })
  return [...byPersons, ...byLessons, ...byPartners]
}

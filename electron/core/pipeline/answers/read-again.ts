import type { AppError } from '../../../../shared/domain/errors.ts'
import type { DocumentStatus } from '../../../../shared/domain/document-status.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import type { Attempt } from '../../db/tables/attempts.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import { readAnswer } from '../../platform/answer.ts'
import type { StoreContext } from '../context.ts'
import { insertResult, succeed } from './end-attempt.ts'
import { isForAnother, isUnderOtherNumber } from './extract-number.ts'
import type { ResultAnswer } from './extract-number.ts'
import { inKinds } from './in-kinds.ts'
import { addresseeOf, noCircumstances, refusalIn } from './interpret-answer.ts'

/**
 * Reads the kept answers of a document anew, without asking anybody: a newer Sheaf may understand more. The answer that
 * its result was read from stays the one that counts; where it has no result the newest answer with one does, else the
 * newest words of a failure. For what waits in vain it is the one result that came under another number. Says whether
 * anything was kept, and whether status or records are others now.
 */
export function readAgain(context: StoreContext, documentId: number): { isKept: boolean; isChanged: boolean } {
  const { tables, now, emit } = context
  const document = tables.documents.get(documentId)
  if (document === null) return { isKept: false, isChanged: false }
  const kept = keptMeanings(context, document)
  if (kept === null) return { isKept: false, isChanged: false }
  const status = tables.transaction(() => {
    // The answer that is under way is the newer one.
    if (document.status === 'submitting') return null
    const inForce = document.resultId === null ? null : tables.results.answerOf(document.resultId)
    const counted = [...kept.results, ...kept.others].find(({ answerId }) => answerId === inForce)
    const found = counted ?? (document.status === 'done' ? undefined : (kept.results[0] ?? onlyOther(document, kept)))
    if (found === undefined) return failAnew(context, document, kept.failure)
    const isSame =
      inForce === found.answerId &&
      isSameResult(tables.results.get(document.resultId!), inKinds(context, document, found.result))
    if (isSame && document.status === 'done') return null
    tables.attempts.reread(found.attempt.id, found.result.tokensConsumed, now())
    const resultId = isSame ? document.resultId! : insertResult(context, document, found.answerId, found.result)
    return succeed(context, document, resultId)
  })
  if (status !== null) emit('document.changed', { id: document.id, status })
  return { isKept: true, isChanged: status !== null }
}

type KeptResult = { attempt: Attempt; answerId: number; result: ResultAnswer }
type Kept = { results: KeptResult[]; others: KeptResult[]; failure: AppError | null }

function onlyOther({ status }: StoredDocument, { others }: Kept): KeptResult | undefined {
  return others.length === 1 && (status === 'waiting' || status === 'unknown') ? others[0] : undefined
}

/** What the stored answers of all attempts mean, the newest first; null when there are none. */
function keptMeanings(context: StoreContext, document: StoredDocument): Kept | null {
  const { tables } = context
  const kept: Kept = { results: [], others: [], failure: null }
  let any = false
  for (const attempt of tables.attempts.ofDocument(document.id)) {
    for (const answer of tables.attempts.answers(attempt.id).reverse()) {
      any = true
      const refusal = refusalIn(answer, addresseeOf(document, attempt), noCircumstances)
      if (refusal?.policy === 'fail') kept.failure ??= refusal
      if (refusal !== null) continue
      const meaning = readAnswer(answer.body, answer.source)
      if (meaning.kind === 'started') continue
      if (answer.source === 'callback' && isForAnother(context, attempt, meaning.extractId)) {
        if (isUnderOtherNumber(context, attempt, meaning))
          kept.others.push({ attempt, answerId: answer.id, result: meaning })
        continue
      }
      if (meaning.kind === 'result') kept.results.push({ attempt, answerId: answer.id, result: meaning })
      else kept.failure ??= meaning.error
    }
  }
  return any ? kept : null
}

function isSameResult(
  stored: { extracted: ExtractedRecord[] } & Pick<ResultAnswer, 'sources' | 'doubts'>,
  { records, sources, doubts }: ResultAnswer,
): boolean {
  return (
    JSON.stringify([stored.extracted, stored.sources, stored.doubts]) === JSON.stringify([records, sources, doubts])
  )
}

/** Only for what failed or nobody knew about: a newer attempt may be under way, or was cancelled by a person. */
function failAnew(
  { tables, now }: StoreContext,
  document: StoredDocument,
  failure: AppError | null,
): DocumentStatus | null {
  if (failure === null || (document.status !== 'failed' && document.status !== 'unknown')) return null
  const isSame =
    document.reasonCode === failure.code && JSON.stringify(document.reasonDetails) === JSON.stringify(failure.details)
  if (isSame && document.status === 'failed') return null
  return tables.documents.apply(document.id, 'fail', { reason: failure }, now())
}

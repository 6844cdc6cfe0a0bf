import { createHash } from 'node:crypto'
import { AppError, isErrorCode, toAppError } from '../../../shared/domain/errors.ts'
import { isSameJson } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isStorageTrouble, troubleIn } from '../db/durability/storage-trouble.ts'
import type { StoredTrial } from '../db/tables/trials.ts'
import type { Context } from '../pipeline/context.ts'
import { orFolderOffline } from '../pipeline/files/current-file.ts'
import { sendDocument, untilStored } from '../pipeline/sending/send-document.ts'
import { identify } from '../pipeline/files/identify.ts'
import { candidateAt, refusalOf } from '../pipeline/files/file-rules.ts'
import { onlyStarted, refusalIn } from '../pipeline/answers/interpret-answer.ts'
import { readAnswer } from '../platform/answer.ts'
import type { Route } from '../platform/connect.ts'
import { fileError } from '../platform/upload.ts'

/** What is tried: the fields of a draft of a schema, on a connection. */
export type Draft = { schemaId: number; connectionId: number; elements: SchemaElement[] }

/** A document with its file as it is now. */
export type InspectedDocument = StoredDocument & { sha256: Buffer }

/**
 * What the draft gives for one document, or why it gives nothing; `lost`: the answer never came, and may be billed;
 * `returned`: it was not taken.
 */
export type Outcome =
  | { kind: 'answered'; records: ExtractedRecord[] }
  | { kind: 'failed' | 'lost' | 'returned'; error: AppError }

/** What tells contents of documents apart: of a part its pages count as well. Pure. */
export function contentOf({ sha256, firstPage, lastPage }: StoredDocument): Buffer | null {
  if (sha256 === null || firstPage === null) return sha256
  return createHash('sha256').update(sha256).update(`${firstPage}-${lastPage}`).digest()
}

/** Looks at the file of a document by the rules of intake. Throws why it cannot be sent. */
export async function inspectDocument(context: Context, document: StoredDocument): Promise<InspectedDocument> {
  try {
    const stats = await context.files
      .lstat(document.path)
      .catch((error: unknown) => Promise.reject(fileError(error, document.name)))
    const refusal = refusalOf(document.name, candidateAt(document.path, stats))
    if (refusal !== null) throw new AppError(refusal.code, refusal.details)
    return { ...document, ...(await identify(context.files, document.path, document.name)) }
  } catch (error) {
    throw await orFolderOffline(context, document, toAppError(error))
  }
}

/** The document's own result, where it is the answer to just this question; as the service gave it. */
export function ownAnswer(
  { tables }: Context,
  { connectionId, elements }: Draft,
  document: InspectedDocument,
): ExtractedRecord[] | null {
  const known = tables.documents.get(document.id)
  if (
    known === null ||
    known.resultId === null ||
    known.agentReference !== null ||
    known.connectionId !== connectionId ||
    known.sha256?.equals(document.sha256) !== true
  )
    return null
  return isSameJson(tables.schemas.elementsOf(known.schemaVersionId), elements)
    ? tables.results.get(known.resultId).extracted
    : null
}

/**
 * What a trial came to, from the bytes that are kept of it; one that is not over and not under way was lost on the way
 * into the database.
 */
export function outcomeOf(trial: StoredTrial): Outcome {
  const meaning = trial.outcome === 'succeeded' && trial.answer !== null ? readAnswer(trial.answer.body) : null
  if (meaning?.kind === 'result') return { kind: 'answered', records: meaning.records }
  if (trial.outcome === 'open')
    return { kind: 'lost', error: new AppError('outcome_unread', { detail: 'it was not stored' }) }
  const error =
    trial.reason !== null && isErrorCode(trial.reason.code)
      ? new AppError(trial.reason.code, trial.reason.details)
      : new AppError('answer_unreadable', { detail: 'it was damaged here' })
  return { kind: trial.outcome === 'lost' || trial.outcome === 'returned' ? trial.outcome : 'failed', error }
}

/**
 * Opens a trial in one transaction: `refusal` is asked last of all whether it may begin. Unless `again`, a question
 * that was asked before is not asked once more: then that trial is returned. Throws why nothing may be sent.
 */
export function openTrial(
  context: Context,
  draft: Draft,
  document: InspectedDocument,
  route: Route,
  again: boolean,
  refusal: () => AppError | null,
): StoredTrial {
  const { tables, now } = context
  try {
    return tables.transaction(() => {
      const question = { ...draft, sha256: contentOf(document)! }
      const known = tables.trials.latest(question)
      if (known !== null && (!again || known.outcome === 'open')) return known
      const why = refusal()
      if (why !== null) throw why
      context.requireStorage()
      return tables.trials.get(tables.trials.open({ ...question, documentId: document.id, host: route.host }, now()))
    })
  } catch (error) {
    if (!isStorageTrouble(error)) throw error
    context.onStorageTrouble(error)
    throw new AppError(`storage_${troubleIn(error)}`, {}, { cause: error })
  }
}

/**
 * Sends what was opened as any document is sent, stores the bytes that come, and then reads them. Returns once that is
 * stored.
 */
export async function sendTrial(
  context: Context,
  trial: StoredTrial,
  draft: Draft,
  document: InspectedDocument,
  route: Route,
  signal: AbortSignal,
): Promise<void> {
  const { tables } = context
  const sent = await sendDocument(
    context,
    document,
    route,
    { params: draft.elements, agentReference: null, mode: 'sync', callback: null },
    { signal },
  )
  await untilStored(context, signal, () => {
    if ('error' in sent) {
      tables.transaction(() => {
        tables.trials.setSent(trial.id, sent.bytesSent)
        conclude(context, trial, sent.error, null)
      })
      return
    }
    const { status, body, interruption, bytesSent } = sent.answer
    tables.trials.storeAnswer(trial.id, { httpStatus: status, body, complete: interruption === null }, bytesSent)
    readStored(context, tables.trials.get(trial.id), sent.answer)
  })
}

/**
 * At a start: reads answers that were stored and not read. The outcome of the others is unknown; where nothing is
 * billed they are simply asked again.
 */
export function recoverTrials(context: Context): void {
  for (const trial of context.tables.trials.unfinished()) {
    if (trial.answer !== null) readStored(context, trial, { retryAfterMs: null, interruption: null })
    else conclude(context, trial, new AppError('interrupted'), null)
  }
}

function readStored(
  context: Context,
  trial: StoredTrial,
  circumstances: { retryAfterMs: number | null; interruption: AppError | null },
): void {
  const answer = trial.answer!
  try {
    const refusal = refusalIn(
      { ...answer, source: 'response' },
      { host: trial.host, agentReference: null },
      circumstances,
    )
    if (refusal !== null) return conclude(context, trial, refusal, null)
    const meaning = readAnswer(answer.body)
    if (meaning.kind === 'result')
      context.tables.trials.finish(
        trial.id,
        'succeeded',
        { reason: null, tokens: meaning.tokensConsumed },
        context.now(),
      )
    else if (meaning.kind === 'started') conclude(context, trial, onlyStarted(answer.body), null)
    else conclude(context, trial, meaning.error, meaning.tokensConsumed)
  } catch (error) {
    if (isStorageTrouble(error)) throw error
    // One unforeseen answer must not keep Sheaf from starting.
    conclude(context, trial, new AppError('answer_unreadable', { detail: 'Sheaf stumbled over it' }), null)
  }
}

/** Ends a trial by the error that stands in the place of values. */
function conclude({ tables, now }: Context, trial: StoredTrial, said: AppError, tokens: number | null): void {
  const error = said.code === 'internal' ? new AppError('outcome_unread', { detail: said.details['detail'] }) : said
  const { policy } = error
  if (policy === 'unknown') {
    // Where nothing is billed nothing is lost either: it is asked again when somebody wants to know.
    const bills = tables.connections.bills(trial.connectionId)
    tables.trials.finish(
      trial.id,
      bills ? 'lost' : 'returned',
      { reason: bills ? error : new AppError('service_interrupted'), tokens },
      now(),
    )
    return
  }
  const isFinal = policy === 'fail' || policy === 'skip' || policy === 'report'
  // A file that went away in the middle of its upload never was a whole request.
  const isSent = isFinal && trial.answer !== null
  tables.trials.finish(trial.id, isSent ? 'failed' : 'returned', { reason: error, tokens }, now())
}

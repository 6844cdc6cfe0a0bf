// enters: a queued document whose turn it is
// leaves: its attempt committed before the first byte, and what came of it handed to record
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { asyncThresholdBytes } from '../../../shared/domain/limits.ts'
import type { Attempt, NewAnswer } from '../db/tables/attempts.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { CallbackRoute, Route } from '../platform/connect.ts'
import type { HttpAnswer } from '../platform/http.ts'
import { abortable } from '../platform/abort.ts'
import { recordInterrupted, recordRefusal } from './answers/end-attempt.ts'
import type { Circumstances } from './answers/interpret-answer.ts'
import { inTransaction } from './context.ts'
import type { Context } from './context.ts'
import { duplicateOf, releaseCopies, renewVersion } from './documents/copies.ts'
import { mayStandFor } from './documents/decide.ts'
import { transition } from './documents/transition.ts'
import { currentFile, orFolderOffline, requireNotMoving } from './files/current-file.ts'
import { identify } from './files/identify.ts'
import { unpackMail } from './files/unpack-mail.ts'
import { recognise } from './sorting/recognise.ts'
import { isAboutFile } from './sending/outcome.ts'
import type { Outcome, Permission } from './sending/outcome.ts'
import { fileToSend, sendDocument, untilStored } from './sending/send-document.ts'

/** The next stage: stores an answer and reads it. Returns the error when the document went back into the queue. */
export type RecordAnswer = (
  context: Context,
  attempt: Attempt,
  answer: NewAnswer,
  bytesSent: number,
  circumstances: Circumstances,
) => Promise<AppError | null>

/**
 * Sends one document; every end is a recorded status. What was already on its way at a shutdown is
 * `unknown`, or queued again where nothing is billed. Throws only what no stage expects, before anything is sent.
 */
export async function extractDocument(
  context: Context,
  document: StoredDocument,
  route: Route,
  { mayBegin, signal }: Permission,
  recordAnswer: RecordAnswer,
): Promise<Outcome> {
  const current = await ensureCurrent(context, document, route, signal)
  if (current === null) return { kind: 'ended' }
  if (current === 'held') return { kind: 'held' }
  if (current instanceof AppError) return { kind: 'again', error: current, concerns: 'file' }

  const { document: known, sizeBytes } = current
  const chosen = await chooseMode(known, sizeBytes, route)
  if (chosen instanceof AppError) return { kind: 'again', error: chosen, concerns: 'file' }
  // A process that ends while it waits for a token has no attempt, so its document is simply queued.
  if (route.bills) await route.extractor.ready(signal)
  const picked = { ...document, schemaVersionId: known.schemaVersionId }
  const attempt = openAttempt(context, picked, route, chosen, mayBegin)
  if (attempt === 'held') return { kind: 'held' }
  if (attempt === 'unapproved') settle(context, document.id, 'lose', new AppError('resend_unapproved'))
  if (attempt === 'unapproved' || attempt === 'cancelled') return { kind: 'ended' }
  const request = {
    ...attempt,
    params: known.agentReference === null ? context.tables.schemas.elementsOf(known.schemaVersionId) : null,
    agentReference: known.agentReference,
  }
  // Nothing leaves before its attempt is on the disk; others of the moment are flushed with it.
  await untilStored(context, signal, () => context.tables.flushed())
  const sent = await sendDocument(context, known, route, request, {
    signal,
    onShare: (share) => context.emit('document.progress', { id: known.id, sent: share }),
  })
  // The answer may be paid for: it is held here until it can be stored.
  const returned = await untilStored(context, signal, () => {
    if ('answer' in sent)
      return recordAnswer(context, attempt, answerOf(attempt, sent.answer), sent.answer.bytesSent, sent.answer)
    const facts = { httpStatus: null, bytesSent: sent.bytesSent, tokens: null }
    // That Sheaf ended says nothing of the service here, which would be taken to have broken down over the document.
    if (route.bills || !signal.aborted) return recordRefusal(context, attempt, sent.error, facts)
    recordInterrupted(context, attempt, facts)
    return null
  })
  if ('error' in sent && sent.error.code === 'file_missing') releaseCopies(context, document.id)
  return outcomeOf(context, attempt, returned, 'answer' in sent)
}

function outcomeOf(context: Context, { id }: Attempt, returned: AppError | null, isAnswered: boolean): Outcome {
  if (returned !== null)
    return { kind: 'again', error: returned, concerns: isAboutFile(returned.code) ? 'file' : 'connection' }
  // The document may be queued again by a setting of the person: the attempt says what came of it.
  if (context.tables.attempts.get(id).outcome === 'lost') return { kind: 'lost' }
  return { kind: isAnswered ? 'passed' : 'ended' }
}

function answerOf(attempt: Attempt, { status, contentType, body, interruption }: HttpAnswer): NewAnswer {
  return {
    attemptId: attempt.id,
    source: 'response',
    httpStatus: status,
    contentType,
    body,
    complete: interruption === null,
  }
}

type ChosenMode = { mode: 'sync'; callbackRoute: null } | { mode: 'async'; callbackRoute: CallbackRoute }
type Opened = Attempt & { callback: string | null }

/** spec, Limits: asynchronous above 20 MB, when there is a callback route; a folder can force either. */
async function chooseMode(document: StoredDocument, sizeBytes: number, route: Route): Promise<ChosenMode | AppError> {
  const sync: ChosenMode = { mode: 'sync', callbackRoute: null }
  if (document.mode === 'sync' || (document.mode === 'auto' && sizeBytes <= asyncThresholdBytes)) return sync
  const callbackRoute = await route.callbackRoute()
  if (!(callbackRoute instanceof AppError)) return { mode: 'async', callbackRoute }
  return document.mode === 'async' ? new AppError('no_callback') : sync
}

/**
 * The document as its file is now: refused by the rules of intake as any other (a person may have asked for it again),
 * its content and its schema known, and no copy of another document, and as what it is sent, with the size of that.
 * Null when that settled it; the error when the file cannot be read for now; `held` when Sheaf ends meanwhile.
 */
async function ensureCurrent(
  context: Context,
  document: StoredDocument,
  route: Route,
  signal: AbortSignal,
): Promise<{ document: StoredDocument; sizeBytes: number } | AppError | 'held' | null> {
  const { tables } = context
  try {
    if (document.agentReference === null && tables.schemas.elementsOf(document.schemaVersionId).length === 0)
      throw new AppError('schema_damaged')
    await standForFile(context, document)
    const current = await recognise(context, tables.documents.get(document.id)!, signal)
    if (current === null || current === 'held') return current
    const twin = tables.documents.findTwin({ ...current, sha256: current.sha256! }, document.id)
    if (twin === null) {
      // Before there is an attempt: to make a PDF can take a while.
      const file = await abortable(fileToSend(context, current, route), signal)
      return { document: current, sizeBytes: file.sizeBytes }
    }
    settle(context, document.id, 'skip', duplicateOf(context, twin), twin.id)
    return null
  } catch (error) {
    if (signal.aborted || toAppError(error).code === 'interrupted') return 'held'
    const problem = await afterUnpacking(context, document, await orFolderOffline(context, document, toAppError(error)))
    if (problem.code === 'internal') throw error
    if (problem.policy === 'retry-later') return problem
    settle(context, document.id, problem.policy === 'skip' ? 'skip' : 'fail', problem)
    return null
  }
}

/** Has the document stand for its file as it is now. Throws `file_replaced` where it may not. */
async function standForFile(context: Context, document: StoredDocument): Promise<void> {
  requireNotMoving(context, document)
  const { sizeBytes, mtimeMs } = await currentFile(context, document)
  const changed = sizeBytes !== document.sizeBytes || mtimeMs !== document.mtimeMs
  if (document.sha256 !== null && !changed && document.reasonCode !== 'file_changed') return
  const identity = await identify(context.files, document.path, document.name)
  // A part is one of the content that was cut.
  const isOfContent = document.firstPage !== null || context.tables.attempts.wasSent(document.id)
  if (!mayStandFor({ document, wasSent: isOfContent }, identity)) throw new AppError('file_replaced')
  inTransaction(context, (inside) => renewVersion(inside, document, identity))
}

/** A mail that could not be read when it was found is unpacked now. */
async function afterUnpacking(
  context: Context,
  { folderId, path }: StoredDocument,
  problem: AppError,
): Promise<AppError> {
  if (problem.code !== 'mail') return problem
  try {
    const { code, details } = (await unpackMail(context, folderId, path, null)).refusal
    return new AppError(code, details)
  } catch (error) {
    return toAppError(error)
  }
}

function settle(
  context: Context,
  id: number,
  event: 'skip' | 'fail' | 'lose',
  reason: ErrorReason,
  originalDocumentId?: number,
): void {
  const status = transition(context, id, event, {
    reason,
    ...(originalDocumentId === undefined ? {} : { originalDocumentId }),
  })
  // What ends it here is about its file, not about what that holds.
  if (status !== null && event !== 'lose') releaseCopies(context, id)
}

/**
 * Commits that the document is about to be sent. `picked` is the document as it was when its route was chosen, with the
 * schema that it is asked by. `held`: not now; `unapproved`: it may be billed twice, and nobody said that it may;
 * `cancelled` by a person meanwhile.
 */
function openAttempt(
  context: Context,
  picked: StoredDocument,
  route: Route,
  chosen: ChosenMode,
  mayBegin: () => boolean,
): Opened | 'held' | 'unapproved' | 'cancelled' {
  const { tables } = context
  const open = (): Opened | 'held' | 'unapproved' | 'cancelled' => {
    const document = tables.documents.get(picked.id)!
    // Since it was picked midnight may have passed, or the cap been lowered: what counts is when it begins.
    if (!isSentAlike(document, picked) || !mayBegin() || !context.cap.admits(document)) return 'held'
    if (route.bills && needsApproval(context, document)) return 'unapproved'
    context.requireStorage()
    // The callback route may be gone since: then it waits for the one that there is now.
    const callback = chosen.callbackRoute?.()
    if (callback === null) return 'held'
    if (tables.documents.apply(document.id, 'submit', { tries: document.tries }, context.now()) === null)
      return 'cancelled'
    const earlier = tables.attempts.ofDocument(document.id).find(({ outcome }) => outcome !== 'returned')
    const resend =
      earlier === undefined ? null : { of: earlier.id, approved: route.bills ? document.resendApproved : null }
    const id = tables.attempts.open(
      document.id,
      chosen.mode,
      route.host,
      callback?.token ?? null,
      context.now(),
      resend,
    )
    return { ...tables.attempts.get(id), callback: callback?.address ?? null }
  }
  // Its entry in the journal is flushed before anything leaves, and the row is made again from that.
  const attempt = tables.transaction(open, 'later')
  if (typeof attempt === 'object') context.emit('document.changed', { id: picked.id, status: 'submitting' })
  return attempt
}

/**
 * Its folder may have been given another connection or agent meanwhile, or a person changed its schema: then it waits
 * for its next turn.
 */
function isSentAlike(document: StoredDocument, picked: StoredDocument): boolean {
  return (
    document.connectionId === picked.connectionId &&
    document.schemaVersionId === picked.schemaVersionId &&
    document.agentReference === picked.agentReference &&
    document.mode === picked.mode
  )
}

/** Whatever put it into the queue: nobody said that it may be billed twice. */
function needsApproval({ tables }: Context, document: StoredDocument): boolean {
  return document.status === 'queued' && document.resendApproved === null && tables.attempts.mayBeBilled(document.id)
}

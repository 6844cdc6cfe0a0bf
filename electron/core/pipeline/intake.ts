// enters: a quiet file, with what its directory says of it
// leaves: a document, `queued` or `skipped` with its reason
import { basename } from 'node:path'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { isReadHereOnly } from '../../../shared/domain/limits.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { NewDocument, StoredDocument } from '../db/tables/documents.ts'
import { fileError } from '../platform/upload.ts'
import { inTransaction } from './context.ts'
import type { Context } from './context.ts'
import { duplicateOf, renewVersion } from './documents/copies.ts'
import { decide, isSameContent } from './documents/decide.ts'
import { findMoved, follow } from './documents/moved.ts'
import type { Decision, FoundVersion, KnownDocument, Twin, Version } from './documents/decide.ts'
import { refusalOf } from './files/file-rules.ts'
import type { Candidate } from './files/file-rules.ts'
import { pieceBytes } from '../files/hash-file.ts'
import { askAll, valueOf } from './files/file-tasks.ts'
import type { Answer } from './files/file-tasks.ts'
import { identify } from './files/identify.ts'
import type { Identity } from './files/identify.ts'
import { isOwnExport } from './files/own-files.ts'
import { unpackMail } from './files/unpack-mail.ts'
import { giveUpParts, requeueParts } from './sorting/parts.ts'
import { isSorting, schemaIdsOf } from './sorting/recognise.ts'
import type { Unpacked } from './files/unpack-mail.ts'

const concurrentReads = 2

/** What the files of a folder are asked now. */
type IntakeTarget = { folder: Folder; schemaVersionId: number }

/** What a look at a file came to; `moved` is a document whose file this very one seems to be, from another place. */
type Inspected = FoundVersion & { moved?: StoredDocument }

/** What a file came to that was read together with others; `isNew`: no document has its content. */
type Identified = { answer: Answer<Identity>; isNew: boolean }

/**
 * Makes the documents for candidates, or renews those that still wait at their places: small ones are read in batches,
 * others two beside one another, and all reach the disk in one transaction. Resolves with the documents' ids, in the
 * order of the candidates. A file that cannot be opened is queued with that reason: it is tried again before it is sent.
 * Once `ended` is aborted it throws that instead.
 */
export async function takeIn(
  context: Context,
  folder: Folder,
  candidates: Candidate[],
  ended?: AbortSignal,
): Promise<number[]> {
  const target = targetIn(context, folder)
  const found = new Map<Candidate, Inspected>()
  const inspectAll = async (some: readonly Candidate[], identified?: ReadonlyMap<Candidate, Identified>) => {
    const left = some.values()
    const inspectNext = async (): Promise<void> => {
      for (const candidate of left)
        found.set(candidate, await inspect(context, target, candidate, identified?.get(candidate)))
    }
    // A few at a time: what is uploaded from the same folder must not wait behind all of them.
    await Promise.all(Array.from({ length: concurrentReads }, inspectNext))
  }
  const { small = [], others = [] } = Object.groupBy(candidates, (one) => (isSmall(one) ? 'small' : 'others'))
  // What takes long comes first: which contents are new is asked as late as can be.
  await inspectAll(others)
  await inspectAll(small, await identifySmall(context, small))
  const inspected = candidates.map((candidate) => ({ candidate, found: found.get(candidate)! }))
  ended?.throwIfAborted()
  // The files are still there: what a power cut undoes is found again.
  return inTransaction(context, (inside) => storeAll(inside, target, inspected), 'later')
}

/** Small files are read in batches; what a share may need longer for, piece by piece. */
function isSmall(candidate: Candidate): boolean {
  return (
    candidate.sizeBytes <= pieceBytes &&
    candidate.unreadable === undefined &&
    refusalOf(basename(candidate.path), candidate) === null
  )
}

async function identifySmall(
  { files, tables }: Context,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<Candidate, Identified>> {
  const answers = (await askAll(files, 'identify', candidates)).map(withBuffer)
  const known = tables.documents.knownContents(
    answers.flatMap((answer) => ('value' in answer ? answer.value.sha256 : [])),
  )
  return new Map(
    answers.map((answer, at) => [
      candidates[at]!,
      { answer, isNew: 'value' in answer && !known.has(answer.value.sha256.toString('hex')) },
    ]),
  )
}

/** What crosses between threads is no Buffer any more. */
function withBuffer(answer: Answer<Identity>): Answer<Identity> {
  return 'value' in answer ? { value: { ...answer.value, sha256: Buffer.from(answer.value.sha256) } } : answer
}

/** Moved files first, each once its new place is free: two files may have changed places. */
function storeAll(
  context: Context,
  target: IntakeTarget,
  inspected: readonly { candidate: Candidate; found: Inspected }[],
): number[] {
  const ids: number[] = []
  const folderId = target.folder.id
  const followed = ([index, { candidate, found }]: (typeof left)[number]): boolean => {
    const { moved, mtimeMs } = found
    if (moved === undefined || !follow(context, moved, { folderId, path: candidate.path, mtimeMs })) return false
    context.tables.mails.arrived(moved.id, folderId, candidate.path, false)
    ids[index] = announce(context, moved.id)
    return true
  }
  let left = [...inspected.entries()]
  for (let before = Infinity; left.length < before; ) {
    before = left.length
    left = left.filter((one) => !followed(one))
  }
  for (const [index, { candidate, found }] of left) ids[index] = store(context, target, candidate, found)
  return ids
}

/** Returns the id. */
function announce(context: Context, id: number): number {
  context.emit('document.changed', { id, status: context.tables.documents.get(id)!.status })
  return id
}

/** Lists a candidate that cannot be taken in, with the reason. */
export function refuse(context: Context, folder: Folder, candidate: Candidate, { code, details }: AppError): void {
  inTransaction(context, (inside) =>
    store(inside, targetIn(context, folder), candidate, unread(candidate, { refusal: { code, details } })),
  )
}

function targetIn({ tables }: Context, folder: Folder): IntakeTarget {
  const schema = tables.schemas.get(folder.schemaId)
  if (schema === null) throw new AppError('not_found', { what: 'schema' })
  return { folder, schemaVersionId: schema.versionId }
}

/** A version of which nothing is known but its directory entry. */
function unread(
  { sizeBytes, mtimeMs }: Candidate,
  { refusal = null, delay = null }: Partial<Pick<FoundVersion, 'refusal' | 'delay'>>,
): FoundVersion {
  return { sizeBytes, mtimeMs, sha256: null, refusal, delay }
}

/** An e-invoice stays on this computer, whatever else its folder sends where. */
function targetOf({ tables }: Context, target: IntakeTarget, { path }: Candidate): IntakeTarget {
  if (!isReadHereOnly(path)) return target
  const local = { connectionId: tables.connections.local().id, agentReference: null, mode: 'auto' as const }
  return { ...target, folder: { ...target.folder, ...local } }
}

async function inspect(
  context: Context,
  folderTarget: IntakeTarget,
  candidate: Candidate,
  identified: Identified | undefined,
): Promise<Inspected> {
  const target = targetOf(context, folderTarget, candidate)
  const name = basename(candidate.path)
  const refusal = refusalOf(name, candidate)
  if (refusal?.code === 'mail') return inspectMail(context, target, candidate, name)
  if (refusal !== null) return unread(candidate, { refusal })
  if (await isOwnExport(context, candidate.path))
    return unread(candidate, { refusal: { code: 'own_export', details: {} } })
  if (candidate.unreadable !== undefined)
    return unread(candidate, {
      delay: { code: 'file_unreadable', details: { file: name, detail: candidate.unreadable } },
    })
  try {
    const identity = identified ? valueOf(identified.answer) : await identify(context.files, candidate.path, name)
    const moved = identified?.isNew ? null : await findMoved(context, target.folder, identity)
    return { ...identity, refusal: null, delay: null, ...(moved === null ? {} : { moved }) }
  } catch (error) {
    const problem = toAppError(error)
    // The database cannot be asked: nothing is known of the file.
    if (problem.code === 'internal') throw error
    const reason = { code: problem.code, details: problem.details }
    const mayStillCome = problem.policy === 'retry-later' || problem.code === 'file_missing'
    return unread(candidate, mayStillCome ? { delay: reason } : { refusal: reason })
  }
}

/** What came of a mail before. */
function unpackedBefore(document: StoredDocument | null): Unpacked | null {
  const { sha256 = null, reasonCode = null, reasonDetails = {} } = document ?? {}
  return sha256 === null || reasonCode === null
    ? null
    : { refusal: { code: reasonCode, details: reasonDetails }, sha256 }
}

/** A mail that cannot be read now waits in the queue, and is taken apart when its turn comes. */
async function inspectMail(
  context: Context,
  { folder }: IntakeTarget,
  candidate: Candidate,
  name: string,
): Promise<FoundVersion> {
  try {
    const known = unpackedBefore(context.tables.documents.latestAt(folder.id, candidate.path))
    const { refusal, sha256 } = await unpackMail(context, folder.id, candidate.path, known)
    return { ...unread(candidate, { refusal }), sha256 }
  } catch (error) {
    return unread(candidate, { delay: fileError(error, name).reason })
  }
}

function store(context: Context, folderTarget: IntakeTarget, candidate: Candidate, found: FoundVersion): number {
  const target = targetOf(context, folderTarget, candidate)
  const decision = decideIn(context, target, candidate, found)
  const id = applyDecision(context, target, candidate, found, decision)
  context.tables.mails.arrived(
    id,
    target.folder.id,
    candidate.path,
    'known' in decision && isOther(decision.known, found),
  )
  if ('originalDocumentId' in decision && decision.originalDocumentId !== null)
    context.tables.mails.copy(decision.originalDocumentId, id)
  return announce(context, id)
}

/** Whether a document stood for another content. */
function isOther(known: StoredDocument, found: Version): boolean {
  return known.sha256 !== null && found.sha256 !== null && !isSameContent(known, found)
}

/** Looks up what is known of the place and of the content, and decides by that. */
function decideIn(context: Context, target: IntakeTarget, candidate: Candidate, found: FoundVersion): Decision {
  const { tables } = context
  const { folder } = target
  const { connectionId, agentReference, mode } = folder
  const document = tables.documents.latestAt(folder.id, candidate.path)
  const schemaVersionId = versionFor(context, target, document)
  const known: KnownDocument | null =
    document === null
      ? null
      : {
          document,
          // What was cut has its parts, as what was sent has its answer.
          wasSent: tables.attempts.wasSent(document.id) || document.reasonCode === 'cut',
          mayBeBilled: tables.attempts.mayBeBilled(document.id),
        }
  const sameQuestion = found.sha256 === null ? null : findTwin(context, target, found.sha256, document)
  const twin: Twin | null =
    sameQuestion === null ? null : { id: sameQuestion.id, duplicate: duplicateOf(context, sameQuestion) }
  return decide(known, found, twin, { schemaVersionId, connectionId, agentReference, mode })
}

/** Carries a decision out, in a transaction of the caller. Returns the id of the document that stands for the file. */
function applyDecision(
  context: Context,
  target: IntakeTarget,
  candidate: Candidate,
  version: Version,
  decision: Decision,
): number {
  const { tables } = context
  const now = context.now()
  switch (decision.kind) {
    case 'keep':
      return decision.documentId
    case 'renew':
      renewVersion(context, decision.known, version)
      if (decision.known.reasonCode === 'cut') requeueParts(context, decision.known)
      return decision.known.id
    case 'renew-queued':
      renewVersion(context, decision.known, version)
      tables.documents.apply(decision.known.id, 'return', { reason: decision.delay, tries: 0 }, now)
      return decision.known.id
    case 'requeue':
      renewVersion(context, decision.known, version)
      tables.documents.apply(decision.known.id, 'requeue', {}, now)
      return decision.known.id
    case 'skip-again':
      renewVersion(context, decision.known, version)
      tables.documents.apply(decision.known.id, 'skip', { reason: decision.refusal }, now)
      return decision.known.id
    case 'insert-queued':
    case 'insert-skipped': {
      const id = tables.documents.insert(newDocument(target, candidate, version, decision), now)
      closePredecessor(context, decision, now)
      return id
    }
  }
}

type Insertion = Extract<Decision, { kind: 'insert-queued' | 'insert-skipped' }>

function newDocument(
  { folder, schemaVersionId }: IntakeTarget,
  { path }: Candidate,
  { sizeBytes, mtimeMs, sha256 }: Version,
  decision: Insertion,
): NewDocument {
  const isQueued = decision.kind === 'insert-queued'
  return {
    folderId: folder.id,
    connectionId: folder.connectionId,
    schemaVersionId,
    agentReference: folder.agentReference,
    mode: folder.mode,
    path,
    name: basename(path),
    sizeBytes,
    mtimeMs,
    sha256,
    status: isQueued ? 'queued' : 'skipped',
    reason: isQueued ? decision.delay : decision.refusal,
    originalDocumentId: isQueued ? null : decision.originalDocumentId,
  }
}

/** What came to nothing in this place leads to the new document from now on. */
function closePredecessor(context: Context, { predecessor }: Insertion, now: number): void {
  if (predecessor === null) return
  const { tables, emit } = context
  const { id, status } = predecessor.document
  if (predecessor.document.reasonCode === 'cut') giveUpParts(context, predecessor.document)
  const cancelled = predecessor.isReplaced
    ? tables.documents.apply(id, 'cancel', { reason: { code: 'file_replaced', details: {} } }, now)
    : null
  emit('document.changed', { id, status: cancelled ?? status })
}

/** The version of the schema that a document of a place is asked by: where a folder has several, that of its own. */
function versionFor(
  context: Context,
  { folder, schemaVersionId }: IntakeTarget,
  document: StoredDocument | null,
): number {
  const { schemas } = context.tables
  if (document === null || !isSorting(folder)) return schemaVersionId
  const { schemaId } = schemas.versionOf(document.schemaVersionId)
  return schemaIdsOf(folder).includes(schemaId) ? schemas.get(schemaId)!.versionId : schemaVersionId
}

/**
 * A document that asks the same of the same content. Which schema fits is not known yet where a folder has several:
 * then it is one of the same folder, since the same content is the same there.
 */
function findTwin(
  context: Context,
  target: IntakeTarget,
  sha256: Buffer,
  document: StoredDocument | null,
): StoredDocument | null {
  const { tables } = context
  const { folder } = target
  const { connectionId, agentReference } = folder
  if (folder.otherSchemaIds.length > 0 && document === null)
    return (
      tables.documents.ofContentIn(folder.id, sha256).find(
        (other) =>
          other.connectionId === connectionId &&
          other.agentReference === agentReference &&
          // A copy of what was cut is cut as well: its parts are copies.
          other.reasonCode !== 'cut',
      ) ?? null
    )
  const schemaVersionId = versionFor(context, target, document)
  return tables.documents.findTwin({
    sha256,
    schemaVersionId,
    connectionId,
    agentReference,
    firstPage: null,
    lastPage: null,
  })
}

import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { isSettled, isWithoutResult } from '../../../../shared/domain/document-status.ts'
import { isWithoutSchema } from '../../../../shared/domain/sorting.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import { reasonsToTakeAnew } from '../../db/tables/places.ts'

/** A version of a file. The hash is unknown while the file cannot be read, and of what is refused unread. */
export type Version = Pick<StoredDocument, 'sizeBytes' | 'mtimeMs' | 'sha256'>

/** What was found in a place: `refusal` says why it is no document, `delay` why it cannot be read for now. */
export type FoundVersion = Version & { refusal: ErrorReason | null; delay: ErrorReason | null }

/** How a folder sends its files by now. */
export type SendSettings = Pick<StoredDocument, 'schemaVersionId' | 'connectionId' | 'agentReference' | 'mode'>

/** The newest document of the place, and what became of its attempts. */
export type KnownDocument = { document: StoredDocument; wasSent: boolean; mayBeBilled: boolean }

/** A document that asks the same of the same content, and why a second one is refused beside it. */
export type Twin = { id: number; duplicate: ErrorReason }

export type Decision =
  /** The known document was made for exactly this version. */
  | { kind: 'keep'; documentId: number }
  /** The known document stands for this version from now on, in the status that it has. */
  | { kind: 'renew'; known: StoredDocument }
  /** It waits in the queue, as if it had come now. */
  | { kind: 'renew-queued'; known: StoredDocument; delay: ErrorReason | null }
  /** It had ended, and goes into the queue once more. */
  | { kind: 'requeue'; known: StoredDocument }
  /** It was refused, and is again. */
  | { kind: 'skip-again'; known: StoredDocument; refusal: ErrorReason }
  | { kind: 'insert-queued'; delay: ErrorReason | null; predecessor: Predecessor | null }
  | {
      kind: 'insert-skipped'
      refusal: ErrorReason
      originalDocumentId: number | null
      predecessor: Predecessor | null
    }

/** A document without a result that leads to the new one of its place; one that is replaced is over with that. */
type Predecessor = { document: StoredDocument; isReplaced: boolean }

/** What becomes of a version that was found in a place of which `known` is the newest document. Pure. */
export function decide(
  known: KnownDocument | null,
  found: FoundVersion,
  twin: Twin | null,
  settings: SendSettings,
): Decision {
  const refusal = found.refusal ?? twin?.duplicate ?? null
  const decided = known === null ? null : decideKnown(known, found, twin, settings, refusal)
  if (decided !== null) return decided
  const predecessor =
    known !== null && isWithoutResult(known.document.status)
      ? { document: known.document, isReplaced: refusal === null && isReplacedBy(known, found) }
      : null
  return refusal === null
    ? { kind: 'insert-queued', delay: found.delay, predecessor }
    : { kind: 'insert-skipped', refusal, originalDocumentId: twin?.id ?? null, predecessor }
}

/** What becomes of it in the document that the place has already; null when it needs one of its own. */
function decideKnown(
  known: KnownDocument,
  found: FoundVersion,
  twin: Twin | null,
  settings: SendSettings,
  refusal: ErrorReason | null,
): Decision | null {
  const { document } = known
  // It waits for a person, or its parts stand for it: that it was touched changes neither.
  if (isWithoutSchema(document.reasonCode) && isSameContent(document, found)) return { kind: 'renew', known: document }
  // A file whose size was refused to the directory is read when its turn comes, maybe before its place is looked at
  // again.
  if (isMadeFor(document, found)) return { kind: 'keep', documentId: document.id }
  // What a person put into the bin stays there when its file was only touched.
  if (document.inBin && isSameContent(document, found)) return { kind: 'renew', known: document }
  const renewed = renewWaiting(known, found, settings)
  if (renewed !== null) return renewed
  // It was saved again as it was: still the same document.
  if (twin?.id === document.id && isInPlace(document)) return { kind: 'renew', known: document }
  // What was refused, and never sent, was mended; what failed was saved again, as it was.
  if (refusal === null && mayGoAgain(known, found, settings)) return { kind: 'requeue', known: document }
  // A lock file, a log that grows: one entry, however often it changes.
  if (refusal !== null && isRefusedAgain(known, found, twin, settings))
    return { kind: 'skip-again', known: document, refusal }
  return null
}

/** A document that waits, or was missed when its turn came, stands for what lies in its place now. */
function renewWaiting(known: KnownDocument, found: FoundVersion, settings: SendSettings): Decision | null {
  const { document } = known
  if (document.inBin || found.refusal !== null || !mayStandFor(known, found)) return null
  if (document.status === 'queued') return { kind: 'renew-queued', known: document, delay: found.delay }
  return isBack(document, found, settings) ? { kind: 'requeue', known: document } : null
}

/** Whether a document was made for exactly this version, and has gone on or ended with it. */
function isMadeFor(document: StoredDocument, found: Version): boolean {
  const mayBeRenewed = document.status === 'queued' || (!document.inBin && reasonsToTakeAnew.has(document.reasonCode))
  return (
    !mayBeRenewed &&
    document.sizeBytes === found.sizeBytes &&
    document.mtimeMs === found.mtimeMs &&
    isSameContent(document, found)
  )
}

/**
 * Whether a document may stand for this content: what was sent stays the version that it was, since its answer may
 * still come, and a newer version is a document of its own. Pure.
 */
export function mayStandFor(
  { document, wasSent }: Pick<KnownDocument, 'document' | 'wasSent'>,
  found: Pick<Version, 'sha256'>,
): boolean {
  return !wasSent || isSameContent(document, found)
}

/** It was missed when its turn came, and is back: a share that was away, above all; or its folder is watched again. */
function isBack(document: StoredDocument, found: Version, { schemaVersionId }: SendSettings): boolean {
  return (
    found.sha256 !== null &&
    isSettled(document.status) &&
    reasonsToTakeAnew.has(document.reasonCode) &&
    document.schemaVersionId === schemaVersionId
  )
}

/** Nothing moved its file, or is about to. */
function isInPlace(document: StoredDocument): boolean {
  return document.moveTo === null && document.archivedAs === null
}

/** Whether a document that came to nothing may go as what lies in its place now, as the folder sends by now. */
function mayGoAgain(
  { document, wasSent, mayBeBilled }: KnownDocument,
  found: Version,
  settings: SendSettings,
): boolean {
  const isSentAlike =
    document.schemaVersionId === settings.schemaVersionId &&
    document.connectionId === settings.connectionId &&
    document.agentReference === settings.agentReference &&
    document.mode === settings.mode
  if (found.sha256 === null || !isSentAlike) return false
  if (document.originalDocumentId !== null || document.inBin || !isInPlace(document)) return false
  if (document.status === 'failed') return isSameContent(document, found) && !mayBeBilled
  return document.status === 'skipped' && !wasSent
}

/**
 * Whether a refused document may stand for the next refusal in its place: no version that was sent, and no link to an
 * original, is lost by that.
 */
function isRefusedAgain(known: KnownDocument, found: Version, twin: Twin | null, settings: SendSettings): boolean {
  const { document } = known
  return (
    document.status === 'skipped' &&
    isInPlace(document) &&
    document.schemaVersionId === settings.schemaVersionId &&
    document.originalDocumentId === (twin?.id ?? null) &&
    mayStandFor(known, found)
  )
}

/** What failed, and is not billed perhaps, needs nobody any more once another version lies in its place. */
function isReplacedBy({ document, mayBeBilled }: KnownDocument, found: Version): boolean {
  return (
    document.status === 'failed' &&
    found.sha256 !== null &&
    !isSameContent(document, found) &&
    isInPlace(document) &&
    !document.inBin &&
    !mayBeBilled
  )
}

/** False as long as one of them is not known. Pure. */
export function isSameContent(one: Pick<Version, 'sha256'>, other: Pick<Version, 'sha256'>): boolean {
  return one.sha256 !== null && other.sha256 !== null && one.sha256.equals(other.sha256)
}

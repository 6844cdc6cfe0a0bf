// enters: a document of which a person says by which schema it is asked, or a file and how it is cut
// leaves: documents that are asked so, `queued` where nobody asked the same before; what they were before is in the bin
import { AppError } from '../../../shared/domain/errors.ts'
import { isWithoutSchema } from '../../../shared/domain/sorting.ts'
import type { PageSpan, SortedPart } from '../../../shared/domain/sorting.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { moveToBin } from './bin.ts'
import type { StoreContext } from './context.ts'
import { releaseCopies } from './documents/copies.ts'
import { transition } from './documents/transition.ts'
import { storeExtra } from './extra-document.ts'
import { isSameContent } from './documents/decide.ts'
import type { Identity } from './files/identify.ts'
import { storeParts } from './sorting/parts.ts'
import { askBy } from './sorting/recognise.ts'

/** `known` has its answer from before, `linked` is a copy of what was asked the same, `kept` was so already. */
export type Change = 'queued' | 'linked' | 'known' | 'kept'
/** `id`: of the document that has the schema now, itself or the one that took its place. */
export type Changed = { kind: Change; id: number }

/** True while a service has the document: what comes of it is to be seen first. */
export function isUnderWay({ status }: StoredDocument): boolean {
  return status === 'submitting' || status === 'waiting'
}

/**
 * Has a document asked by a schema instead of its own, in a transaction of the caller; `version` is its file as it is
 * now. What was never sent is asked so itself; else a document of its own takes its place, so that an earlier answer
 * is found again whenever a person changes the schema back. Throws `under_way`.
 */
export function changeSchema(
  context: StoreContext,
  document: StoredDocument,
  version: Identity,
  schemaId: number,
): Changed {
  const { tables, emit } = context
  const isSame = tables.schemas.versionOf(document.schemaVersionId).schemaId === schemaId
  if (isSame && !isWithoutSchema(document.reasonCode)) {
    confirm(context, document.id, document, schemaId)
    return { kind: 'kept', id: document.id }
  }
  if (isUnderWay(document)) throw new AppError('under_way', { file: document.name })
  const { connectionId, mode, firstPage, lastPage } = document
  const schemaVersionId = tables.schemas.get(schemaId)!.versionId
  const asked = { schemaVersionId, connectionId, mode, firstPage, lastPage }
  const before = tables.documents.extraAt(document, { ...asked, agentReference: null, sha256: version.sha256 })
  if (before === null && !tables.attempts.wasSent(document.id)) {
    confirm(context, document.id, document, schemaId)
    askBy(context, document, schemaId)
    if (document.status === 'queued') emit('document.changed', { id: document.id, status: 'queued' })
    else transition(context, document.id, 'requeue')
    return { kind: 'queued', id: document.id }
  }
  const { id, kind } = storeExtra(context, document, version, asked)
  confirm(context, id, document, schemaId)
  if (!document.extra) standInFor(context, id, document.id)
  moveToBin(context, tables.documents.get(document.id)!)
  // They are copies of what stands for the file now, or are asked for themselves by what their folder has.
  releaseCopies(context, document.id)
  emit('document.changed', { id, status: tables.documents.get(id)!.status })
  return { kind, id }
}

/** Keeps that a person said so: by that others of its kind, and copies of its file, are known again. */
function confirm({ tables }: StoreContext, id: number, document: StoredDocument, schemaId: number): void {
  const known = tables.sortings.of(document.id)?.parts ?? []
  const pages = pageSpanOf(document) ?? wholeOf(known) ?? { first: 1, last: 1 }
  const [only, ...others] = known
  const print = only === undefined || others.length > 0 ? [] : only.print
  const part = { pages, schemaId, likely: only?.likely ?? [schemaId], print }
  tables.sortings.save(id, { parts: [part], isSettled: true, byPerson: true })
  const whole = pageSpanOf(document) === null ? null : tables.documents.latestAt(document.folderId, document.path)
  const cut = whole === null || whole.reasonCode !== 'cut' ? null : tables.sortings.of(whole.id)
  if (whole === null || cut === null || !isSameContent(whole, document)) return
  const parts = cut.parts.map((one) => (isOf(document, one.pages) ? { ...one, schemaId } : one))
  tables.sortings.save(whole.id, { ...cut, parts, byPerson: true })
}

/**
 * Cuts a file so, joins it again where it is one part, or puts it into the bin where that is no document; in a
 * transaction of the caller. `version` is the file as it is now. What is a part already, of the same schema, stays as
 * it is; documents of other parts go into the bin. Throws `under_way`.
 */
export function cutInto(
  context: StoreContext,
  whole: StoredDocument,
  version: Identity,
  parts: readonly SortedPart[],
): Change[] {
  const { tables } = context
  const before = tables.documents.partsOf(whole)
  const wanted = parts.filter(({ isNone }) => isNone !== true)
  const kept = before.filter((document) => wanted.some(({ pages }) => isOf(document, pages)))
  const binned = parts.length === 1 ? before : before.filter((one) => !kept.includes(one))
  for (const document of binned) putIntoBin(context, document)
  if (parts.length === 1) {
    const { schemaId } = parts[0]!
    if (schemaId !== null) return [changeSchema(context, whole, version, schemaId).kind]
    putIntoBin(context, whole)
    return []
  }
  const standing = standingFor(context, whole, version)
  tables.sortings.save(standing, { parts, isSettled: true, byPerson: true })
  transition(context, standing, 'skip', { reason: { code: 'cut', details: { parts: parts.length } } })
  releaseCopies(context, standing)
  const file = { ...tables.documents.get(standing)!, ...version }
  return wanted.map((part) => {
    const document = kept.find((one) => isOf(one, part.pages))
    if (document !== undefined) return changeSchema(context, document, version, part.schemaId!).kind
    const [made] = storeParts(context, file, [part], true)
    return made!.kind as Change
  })
}

/** The document that stands for a file that is cut: the one that was never sent, or another one in its place. */
function standingFor(context: StoreContext, whole: StoredDocument, version: Identity): number {
  if (isUnderWay(whole)) throw new AppError('under_way', { file: whole.name })
  const { tables, now } = context
  const isWaiting = whole.status === 'queued' || whole.status === 'skipped'
  if (isWaiting && !tables.attempts.wasSent(whole.id)) return whole.id
  const { id: _, ...same } = whole
  const id = tables.documents.insert(
    {
      ...same,
      ...version,
      extra: true,
      status: 'skipped',
      reason: { code: 'cut', details: {} },
      originalDocumentId: null,
    },
    now(),
  )
  tables.mails.copy(whole.id, id)
  standInFor(context, id, whole.id)
  moveToBin(context, tables.documents.get(whole.id)!)
  return id
}

/** One document stands for its file instead of another, and goes back where the file was as that would have. */
function standInFor({ tables }: StoreContext, id: number, besideId: number): void {
  tables.archiveNames.handOver(besideId, id)
  tables.documents.standInFor(id, besideId)
}

/** Throws `under_way` while a service has the document. */
function putIntoBin(context: StoreContext, document: StoredDocument): void {
  if (!moveToBin(context, document)) throw new AppError('under_way', { file: document.name })
}

function isOf({ firstPage, lastPage }: StoredDocument, { first, last }: PageSpan): boolean {
  return firstPage === first && lastPage === last
}

/** The pages of a part; null of a whole file. Pure. */
export function pageSpanOf({ firstPage, lastPage }: StoredDocument): PageSpan | null {
  return firstPage === null || lastPage === null ? null : { first: firstPage, last: lastPage }
}

function wholeOf(parts: readonly SortedPart[]): PageSpan | null {
  return parts.length === 0 ? null : { first: parts[0]!.pages.first, last: parts.at(-1)!.pages.last }
}

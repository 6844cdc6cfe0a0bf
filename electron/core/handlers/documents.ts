import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { DocumentDetail, previewPage, documentDetail } from '../../../shared/contract/documents.ts'
import type { DocumentReview } from '../../../shared/contract/review.ts'
import type { Page } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { isReadHereOnly } from '../../../shared/domain/limits.ts'
import { isWithoutResult } from '../../../shared/domain/document-status.ts'
import { valueAt } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord, FieldSource, OtherValues } from '../../../shared/domain/result.ts'
import { goesWithFolder } from '../db/tables/documents.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { fileStateOf, withFile } from '../document-reader.ts'
import { orFolderOffline } from '../pipeline/files/current-file.ts'
import { readAgain } from '../pipeline/answers/read-again.ts'
import { withoutOwnOffers } from '../partners/by-partners.ts'
import { doubtsInPlace } from '../review/doubts.ts'
import { findDocument, pageOfDocuments, pagesOf } from './lookups.ts'
import { learnedOf } from './learned-of.ts'
import { reviewOf } from './review-of.ts'
import type { Handlers, HandlerContext } from './types.ts'

type DocumentCalls = Exclude<
  Extract<keyof Handlers, `documents.${string}`>,
  'documents.extractWith' | 'documents.bin' | 'documents.restore' | 'documents.setSchema'
>

type Needs = Pick<
  HandlerContext,
  'tables' | 'files' | 'queue' | 'reader' | 'emit' | 'now' | 'indexNow' | 'sentShare' | 'desktop'
>

export function documentHandlers(context: Needs): Pick<Handlers, DocumentCalls> {
  const { tables, emit, now } = context
  return {
    'documents.list': async ({ sort, descending, offset, limit, ...filter }) => {
      if (filter.search !== '') context.indexNow()
      const { rows, ...size } = tables.documentList.list(filter, { sort, descending, offset, limit })
      return {
        rows: rows.map((row) => ({ ...row, sent: row.status === 'submitting' ? context.sentShare(row.id) : null })),
        ...size,
      }
    },
    'documents.selectable': async ({ sort, descending, offset, limit, ...filter }) => ({
      documents: tables.documentList.selectable(filter, { sort, descending, offset, limit }),
    }),
    'documents.counts': async (filter) => {
      if (filter.search !== '') context.indexNow()
      return tables.documentList.counts(filter)
    },
    'documents.get': async ({ id }) => detailOf(context, findDocument(context, id)),
    'documents.file': async ({ id }) => ({
      file: await fileStateOf(context.files, await withFile(context, findDocument(context, id))),
    }),
    'documents.sources': async ({ id }) => ({ sources: await sourcesOf(context, findDocument(context, id)) }),
    'documents.retry': async ({ ids }) => retry(context, ids),
    'documents.resend': async ({ ids }) => {
      // A late callback may have brought the result of an earlier attempt meanwhile.
      const sent =
        ids === null
          ? await submitAgain(context, pagesOfUnknown(context), ({ status }) => status === 'unknown')
          : await submitAgain(
              context,
              pagesOf(ids),
              (document) => isWithoutResult(document.status) && needsApproval(context, document),
            )
      return { sent }
    },
    'documents.readAgain': async ({ ids }) => {
      let read = 0
      let changed = 0
      for (const id of ids) {
        const { isKept, isChanged } = readAgain(context, id)
        read += Number(isKept)
        changed += Number(isChanged)
        if (isKept) await setImmediate()
      }
      return { read, changed }
    },
    'documents.cancel': async ({ ids }) => {
      let cancelled = 0
      for (const page of pagesOf(ids)) {
        const changed = tables.transaction(() =>
          page.filter((id) => tables.documents.apply(id, 'cancel', {}, now()) !== null),
        )
        for (const id of changed) emit('document.changed', { id, status: 'cancelled' })
        cancelled += changed.length
        await setImmediate()
      }
      return { cancelled }
    },
    'documents.preview': async ({ id }) => ({
      pages: (await context.reader.readAndIndex(findDocument(context, id))).pages.map(previewOf),
    }),
    'documents.reveal': async ({ id }) => {
      context.desktop?.reveal((await withFile(context, findDocument(context, id))).path)
      return {}
    },
  }
}

/**
 * A duplicate that is wanted after all, and a file that changed, are looked at anew. Of content that may be billed only
 * the original goes.
 */
async function retry(context: Needs, ids: number[]): Promise<{ retried: number; replaced: number; missing: number }> {
  const { tables } = context
  const mayGo = (document: StoredDocument): boolean =>
    isWithoutResult(document.status) &&
    !needsApproval(context, document) &&
    document.reasonCode !== 'duplicate_unknown' &&
    // Its parts are what is read.
    document.reasonCode !== 'cut'
  const before =
    ids.length > maxLookedAt ? [] : ids.map((id) => tables.documents.get(id)).filter((document) => document !== null)
  const retried = await submitAgain(context, pagesOf(ids), mayGo)
  const gone = await filesGone(
    context,
    before.filter((document) => !document.inBin && mayGo(document)),
  )
  return { retried, ...gone }
}

/**
 * Whether only a person who knows that it may be billed twice may send it again; what was cancelled on its way as well.
 */
function needsApproval({ tables }: Needs, document: StoredDocument): boolean {
  return document.status === 'unknown' || tables.attempts.mayBeBilled(document.id)
}

/**
 * There may be a hundred thousand of them. The ids rise: one that becomes unknown again meanwhile is not met a second
 * time.
 */
function* pagesOfUnknown({ tables }: Needs): Generator<number[]> {
  for (
    let ids = tables.documents.idsWithStatus('unknown', 0, pageOfDocuments);
    ids.length > 0;
    ids = tables.documents.idsWithStatus('unknown', ids.at(-1)!, pageOfDocuments)
  )
    yield ids
}

/**
 * Puts those of the documents into the queue that are in a fitting state, and returns how many those are; what of them
 * may be billed twice the person has approved. Throws `connection_removed` where none can go because there is no way to
 * send it any more.
 */
async function submitAgain(
  context: Needs,
  pages: Iterable<number[]>,
  fits: (document: StoredDocument) => boolean,
): Promise<number> {
  const { tables, queue, emit, now } = context
  let sent = 0
  let stranded = 0
  for (const ids of pages) {
    const connections = new Set(tables.connections.list().map(({ id }) => id))
    const changed = tables.transaction(() =>
      ids.filter((id) => {
        const document = tables.documents.get(id)
        if (document === null || document.inBin || !fits(document)) return false
        // It goes where its folder sends to by now, or where it was asked for. The way of a batch, or of a folder that
        // is no longer watched, may be gone.
        const isStranded = !connections.has(
          !goesWithFolder(document) || isReadHereOnly(document.name)
            ? document.connectionId
            : tables.folders.get(document.folderId)!.connectionId,
        )
        if (isStranded) stranded += 1
        return !isStranded && tables.documents.apply(id, 'requeue', { resendApproved: 'person' }, now()) !== null
      }),
    )
    for (const id of changed) emit('document.changed', { id, status: 'queued' })
    sent += changed.length
    queue.wake()
    await setImmediate()
  }
  if (sent === 0 && stranded > 0) throw new AppError('connection_removed')
  return sent
}

/** The result of a document, or of the document that it is a copy of. */
function resultIdOf({ tables }: Needs, document: StoredDocument): number | null {
  return (
    document.resultId ??
    (document.originalDocumentId === null ? null : tables.documents.get(document.originalDocumentId)?.resultId) ??
    null
  )
}

/** The lists in which a person added, removed or moved rows. */
function movedLists(records: ExtractedRecord[], { corrections }: DocumentReview): string[] {
  return corrections.filter(({ pointer }) => Array.isArray(valueAt(records, pointer))).map(({ pointer }) => pointer)
}

/** Without the places of rows that a person added, removed or moved: their numbers are those of other rows now. */
function stillInPlace(
  sources: FieldSource[] | null,
  records: ExtractedRecord[],
  check: DocumentReview,
): FieldSource[] | null {
  const lists = movedLists(records, check).map((list) => `${list}/`)
  return lists.length === 0 || sources === null
    ? sources
    : sources.filter(({ pointer }) => !lists.some((list) => pointer.startsWith(list)))
}

/** All of it is in the database: values are not held up by a file on a share that does not answer. */
function detailOf(context: Needs, document: StoredDocument): z.output<typeof documentDetail> {
  const { tables } = context
  const resultId = resultIdOf(context, document)
  const { records, extracted, sources, doubts } =
    resultId === null ? { records: [], extracted: [], sources: [], doubts: [] } : tables.results.get(resultId)
  const row = tables.documentList.get(document.id)!
  const check = reviewOf(context, document)
  const known = sources ?? (resultId === null ? null : context.reader.knownSources(resultId))
  const learned = learnedOf(tables, document, records)
  const schemaElements = tables.schemas.elementsOf(document.schemaVersionId)
  const inPlace = doubtsInPlace(doubts, extracted, records, () => movedLists(records, check))
  const offered = <Offer extends OtherValues>(offers: readonly Offer[]): Offer[] =>
    withoutOwnOffers(offers, tables.partners, records, schemaElements)
  return {
    ...row,
    sent: row.status === 'submitting' ? context.sentShare(document.id) : null,
    schemaElements,
    schemaVersion: tables.schemas.versionOf(document.schemaVersionId).version,
    records,
    sources: stillInPlace(learned.sourcesWith(known), records, check),
    learned: offered(learned.others(known)),
    doubts: offered(inPlace),
    check,
    newerDocumentId: newerOf(context, document),
    parts: partsOf(context, document),
    mail: tables.mails.of(document.id),
    attempts: tables.attempts.ofDocument(document.id),
  }
}

function partsOf({ tables }: Needs, document: StoredDocument): DocumentDetail['parts'] {
  if (document.reasonCode !== 'cut') return []
  return tables.documents
    .partsOf(document)
    .flatMap(({ id, firstPage, lastPage }) =>
      firstPage === null || lastPage === null ? [] : [{ id, firstPage, lastPage }],
    )
}

/** The document of a newer version in the place of one that came to no result: the older one is not sent any more. */
function newerOf({ tables }: Needs, document: StoredDocument): number | null {
  if (document.status !== 'failed' && document.status !== 'unknown' && document.reasonCode !== 'file_replaced')
    return null
  const newer = tables.documents.latestAt(document.folderId, document.path)
  if (newer === null || newer.id <= document.id || newer.inBin || newer.originalDocumentId === document.id) return null
  return newer.sha256 !== null && document.sha256 !== null && newer.sha256.equals(document.sha256) ? null : newer.id
}

/** More files than these are not looked at before it is said that they go again. */
const maxLookedAt = 20

/** How many of the documents, as they were before, have no file to be sent: another version of it, or none. */
async function filesGone(context: Needs, documents: StoredDocument[]): Promise<{ replaced: number; missing: number }> {
  const files = await Promise.all(
    documents.map(async (document) => {
      const file = await fileStateOf(context.files, document)
      // What was never sent stands for whatever lies there, unless that is a document by now, and a file is not gone
      // because its folder is out of reach.
      if (file === 'replaced')
        return document.firstPage !== null ||
          context.tables.attempts.wasSent(document.id) ||
          newerOf(context, document) !== null
          ? file
          : 'there'
      return file === 'missing' &&
        (await orFolderOffline(context, document, new AppError('file_missing'))).code !== 'file_missing'
        ? 'unreachable'
        : file
    }),
  )
  return {
    replaced: files.filter((file) => file === 'replaced').length,
    missing: files.filter((file) => file === 'missing').length,
  }
}

async function sourcesOf(context: Needs, document: StoredDocument): Promise<FieldSource[]> {
  const resultId = resultIdOf(context, document)
  if (resultId === null) return []
  const result = context.tables.results.get(resultId)
  const sources = result.sources ?? (await context.reader.findSources(document, resultId, result.extracted))
  const withLearned = learnedOf(context.tables, document, result.records).sourcesWith(sources)
  return stillInPlace(withLearned, result.records, reviewOf(context, document)) ?? []
}

const maxPreviewPages = 20
const maxPreviewWords = 5000

function previewOf(page: Page): z.output<typeof previewPage> {
  return {
    number: page.number,
    width: page.width,
    height: page.height,
    name: page.name ?? null,
    words:
      page.number > maxPreviewPages
        ? []
        : page.tokens.slice(0, maxPreviewWords).map(({ text, box, bold }) => ({ text, ...box, bold })),
    tables:
      page.number > maxPreviewPages
        ? []
        : page.tables.map((table) =>
            table.rows.slice(0, 500).map((row) => row.map(({ text, box }) => ({ text, ...box }))),
          ),
  }
}

import * as z from 'zod'
import { documentReview } from './review.ts'
import { columnWidth, documentColumns, maxColumnWidths } from '../domain/document-columns.ts'
import { errorReason } from '../domain/error-reason.ts'
import { documentStatuses, reviewStates } from '../domain/document-status.ts'
import { doubt, extractedRecord, fieldSource, otherValues } from '../domain/result.ts'
import { schemaElement } from '../domain/schema.ts'
import { pageSpan } from '../domain/sorting.ts'
import { id, time, nothing, ids } from './shapes.ts'

/** The part of the contract between window and core that is about documents: a row of their list, and one of them. */

/** Where a search found a document: places are of the text, in UTF-16 units, in their order. */
const searchHit = z.object({
  field: z.enum(['name', 'value', 'text', 'path']),
  /** The field's name, of a value. */
  label: z.string().nullable(),
  text: z.string(),
  /** The value, where it is one. */
  number: z.number().nullable(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
})
export type SearchHit = z.infer<typeof searchHit>

const documentRow = z.object({
  id,
  name: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  /** Of a document that is a part of its file; null for a whole one. */
  pages: pageSpan.nullable(),
  folderId: id.nullable(),
  folderName: z.string().nullable(),
  schemaId: id,
  schemaName: z.string(),
  status: z.enum(documentStatuses),
  /** Why it is skipped, failed, unknown or waiting. */
  reason: errorReason.nullable(),
  /** 0..1 of the body that has left for the service, while `submitting`; null otherwise. */
  sent: z.number().nullable(),
  /** When it may be tried next, while queued after a refusal. */
  notBefore: time.nullable(),
  /** The first few text, number or boolean values of the first record, in schema order. */
  values: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number(), z.boolean(), z.null()]) })),
  recordCount: z.number().int(),
  receivedAt: time,
  finishedAt: time.nullable(),
  durationMs: z.number().nullable(),
  tokensConsumed: z.number().nullable(),
  originalDocumentId: id.nullable(),
  /** The newest attempt at a service that bills has no answer: sent again it may be billed twice. */
  mayBeBilled: z.boolean(),
  /** Of what is done: how far its check is, and how many flags nobody has confirmed. */
  review: z.enum(reviewStates).nullable(),
  flagCount: z.number().int(),
  inBin: z.boolean(),
  /** It is read on this computer: nothing of it is sent to a service elsewhere. */
  local: z.boolean(),
  /** Null without a search. */
  hit: searchHit.nullable(),
})
export type DocumentRow = z.infer<typeof documentRow>

export const documentFilter = z.object({
  /**
   * Every word of it, or its beginning, is in the name, the path, the values or the text that was read on this
   * computer.
   */
  search: z.string().max(500).default(''),
  statuses: z.array(z.enum(documentStatuses)).default([]),
  reviews: z.array(z.enum(reviewStates)).default([]),
  folderId: id.nullable().default(null),
  schemaId: id.nullable().default(null),
  /** Received from then on, and before then. */
  receivedFrom: time.nullable().default(null),
  receivedBefore: time.nullable().default(null),
  /** What is in the bin, and nothing else. */
  inBin: z.boolean().default(false),
})
export type DocumentFilter = z.infer<typeof documentFilter>

/** Documents by status, and of what is done by the state of its check; what is in the bin is counted there only. */
export const documentCounts = z.record(z.enum([...documentStatuses, ...reviewStates, 'bin']), z.number().int())
export type DocumentCounts = z.infer<typeof documentCounts>

/**
 * What a person chose of the list's columns. `shown`: null for the usual ones. `widths`: px, by the names that the
 * window gives columns.
 */
export const columnChoice = z.object({
  shown: z.array(z.enum(documentColumns)).max(documentColumns.length).nullable(),
  widths: z
    .record(z.string().max(300), z.number().int().min(columnWidth.minPx).max(columnWidth.maxPx))
    .refine((widths) => Object.keys(widths).length <= maxColumnWidths),
})
export type ColumnChoice = z.infer<typeof columnChoice>

export const documentSorts = ['receivedAt', 'name', 'status', 'sizeBytes', 'finishedAt'] as const

const attemptRow = z.object({
  id,
  mode: z.enum(['sync', 'async']),
  host: z.string(),
  startedAt: time,
  finishedAt: time.nullable(),
  outcome: z.string(),
  /** The lost attempt that this one repeats, and who let it go again. */
  resendOf: id.nullable(),
  approved: z.enum(['person', 'setting']).nullable(),
  httpStatus: z.number().int().nullable(),
  bytesSent: z.number(),
  extractId: z.string().nullable(),
})

export const documentDetail = documentRow.extend({
  schemaElements: z.array(schemaElement),
  schemaVersion: z.number().int(),
  /** With what persons corrected. */
  records: z.array(extractedRecord),
  /**
   * Where each value stands; values without an entry were not found in the document's text. Null: not looked up yet,
   * see `documents.sources`.
   */
  sources: z.array(fieldSource).nullable(),
  /** What the service doubts, with the next best values: what of it still holds is among the flags of `check`. */
  doubts: z.array(doubt),
  /** The mail that it came with. */
  mail: z.object({ subject: z.string().nullable(), sender: z.string().nullable() }).nullable(),
  /** Other values than those that are shown, by what was learned: what the service found, or what a lesson says. */
  learned: z.array(otherValues),
  check: documentReview,
  /** Of what failed or has no answer: the document that a newer version of its file became. */
  newerDocumentId: id.nullable(),
  /** Of a file that was cut: the documents that it holds. */
  parts: z.array(z.object({ id, firstPage: z.number().int(), lastPage: z.number().int() })),
  attempts: z.array(attemptRow),
})
export type DocumentDetail = z.infer<typeof documentDetail>

export const previewPage = z.object({
  number: z.number().int(),
  width: z.number(),
  height: z.number(),
  name: z.string().nullable(),
  /** Words with their places (fractions of the page), for files that a browser cannot show itself. */
  words: z.array(
    z.object({
      text: z.string(),
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
      bold: z.boolean(),
    }),
  ),
  /** Tables as the file declares them; their cells' words are in `words` too. */
  tables: z.array(
    z.array(
      z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
    ),
  ),
})

const manyIds = z.object({ ids })

const documentPage = documentFilter.extend({
  sort: z.enum(documentSorts).default('receivedAt'),
  descending: z.boolean().default(true),
  offset: z.number().int().min(0).default(0),
})

export const documentCalls = {
  'documents.list': {
    input: documentPage.extend({ limit: z.number().int().min(1).max(500).default(100) }),
    /** A search lists the newest 10,000 that it finds; `more`: there are others. */
    output: z.object({ rows: z.array(documentRow), total: z.number().int(), more: z.boolean() }),
  },
  /** Of a part of the same list what is needed to select it: as many as other calls take at once. */
  'documents.selectable': {
    input: documentPage.extend({ limit: z.number().int().min(1).max(10_000) }),
    output: z.object({
      documents: z.array(documentRow.pick({ id: true, status: true, mayBeBilled: true, reason: true, review: true })),
    }),
  },
  /**
   * Counts by status and by state of the check under the same search, folder and schema (statuses and reviews of the
   * filter ignored); `more`: at least so many.
   */
  'documents.counts': { input: documentFilter, output: z.object({ counts: documentCounts, more: z.boolean() }) },
  'documents.get': { input: z.object({ id }), output: documentDetail },
  /**
   * Whether the document can be shown beside its values; `replaced`: another version lies there than the one that was
   * read. A share that does not answer takes its time: nothing else waits for this.
   */
  'documents.file': {
    input: z.object({ id }),
    output: z.object({ file: z.enum(['there', 'replaced', 'missing', 'unreachable']) }),
  },
  /** Where the values stand, looked up in the document where its service does not say. */
  'documents.sources': { input: z.object({ id }), output: z.object({ sources: z.array(fieldSource) }) },
  /**
   * Failed, skipped and cancelled documents go into the queue again; what is unknown or may be billed only by
   * `documents.resend`. Of a few documents it is looked at once how many cannot be sent, since their file is another
   * version than the one that was sent, or is gone.
   */
  'documents.retry': {
    input: manyIds,
    output: z.object({ retried: z.number().int(), replaced: z.number().int(), missing: z.number().int() }),
  },
  /**
   * Has documents extracted with another schema as well, each in a document of its own; the first one stays as it is.
   * What was asked already is not sent: `linked` to a copy's result, or `known`. `problem`: why the first of the
   * `refused` cannot be sent. `id`: the document, where one document was given. Throws `not_found`.
   */
  'documents.extractWith': {
    input: manyIds.extend({ schemaId: id, connectionId: id }),
    output: z.object({
      queued: z.number().int(),
      linked: z.number().int(),
      known: z.number().int(),
      refused: z.number().int(),
      problem: errorReason.extend({ name: z.string() }).nullable(),
      id: id.nullable(),
    }),
  },
  /**
   * Out of every list, count, search and spreadsheet; file, result and attempts stay. What a service has at the moment
   * is left out.
   */
  'documents.bin': { input: manyIds, output: z.object({ moved: z.number().int(), underWay: z.number().int() }) },
  /** `cutOtherwise`: those stay in the bin, since their pages are in other documents by now. */
  'documents.restore': {
    input: manyIds,
    output: z.object({ restored: z.number().int(), cutOtherwise: z.number().int() }),
  },
  'documents.cancel': { input: manyIds, output: z.object({ cancelled: z.number().int() }) },
  /** The document as text with places, for files that a browser cannot show itself (DOCX, XLSX). */
  'documents.preview': { input: z.object({ id }), output: z.object({ pages: z.array(previewPage) }) },
  /** Shows the file in Explorer or Finder; only on the desktop host. */
  'documents.reveal': { input: z.object({ id }), output: nothing },

  /**
   * Documents whose outcome is unknown go again, which may be billed twice: the person has been asked. Null: all of
   * them.
   */
  'documents.resend': {
    input: z.object({ ids: ids.nullable() }),
    output: z.object({ sent: z.number().int() }),
  },
  /** Reads the kept answers of documents again, without asking the service. */
  'documents.readAgain': {
    input: manyIds,
    output: z.object({ read: z.number().int(), changed: z.number().int() }),
  },
} as const

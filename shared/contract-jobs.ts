import { z } from 'zod'
import { documentReview } from './contract-review.ts'
import { columnWidth, documentColumns, mostColumnWidths } from './document-columns.ts'
import { errorReason } from './error-reason.ts'
import { jobStatuses, reviewStates } from './job.ts'
import { extractedRecord, fieldSource } from './result.ts'
import { schemaElement } from './schema.ts'

/** The part of the contract between window and core that is about documents: a row of their list, and one of them. */

const id = z.number().int().positive()
const time = z.number().int()

/** Where a search found a document: places are of the text, in UTF-16 units, in their order. */
export const searchHit = z.object({
  field: z.enum(['name', 'value', 'text', 'path']),
  /** The field's name, of a value. */
  label: z.string().nullable(),
  text: z.string(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
})
export type SearchHit = z.infer<typeof searchHit>

export const jobRow = z.object({
  id,
  name: z.string(),
  path: z.string(),
  sizeBytes: z.number(),
  folderId: id.nullable(),
  folderName: z.string().nullable(),
  schemaId: id,
  schemaName: z.string(),
  status: z.enum(jobStatuses),
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
  originalJobId: id.nullable(),
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
export type JobRow = z.infer<typeof jobRow>

export const jobFilter = z.object({
  /** Every word of it, or its beginning, is in the name, the path, the values or the text that was read on this computer. */
  search: z.string().max(500).default(''),
  statuses: z.array(z.enum(jobStatuses)).default([]),
  reviews: z.array(z.enum(reviewStates)).default([]),
  folderId: id.nullable().default(null),
  schemaId: id.nullable().default(null),
  /** Received from then on, and before then. */
  receivedFrom: time.nullable().default(null),
  receivedBefore: time.nullable().default(null),
  /** What is in the bin, and nothing else. */
  inBin: z.boolean().default(false),
})
export type JobFilter = z.infer<typeof jobFilter>

/** Documents by status, and of what is done by the state of its check; what is in the bin is counted there only. */
export const jobCounts = z.record(z.enum([...jobStatuses, ...reviewStates, 'bin']), z.number().int())
export type JobCounts = z.infer<typeof jobCounts>

/** What a person chose of the list's columns. `shown`: null for the usual ones. `widths`: px, by the names that the window gives columns. */
export const columnChoice = z.object({
  shown: z.array(z.enum(documentColumns)).max(documentColumns.length).nullable(),
  widths: z.record(z.string().max(300), z.number().int().min(columnWidth.leastPx).max(columnWidth.mostPx)).refine((widths) => Object.keys(widths).length <= mostColumnWidths),
})
export type ColumnChoice = z.infer<typeof columnChoice>

export const jobSorts = ['receivedAt', 'name', 'status', 'sizeBytes', 'finishedAt'] as const

export const attemptRow = z.object({
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

export const jobDetail = jobRow.extend({
  schemaElements: z.array(schemaElement),
  schemaVersion: z.number().int(),
  /** With what persons corrected. */
  records: z.array(extractedRecord),
  /** Where each value stands; values without an entry were not found in the document's text. Null: not looked up yet, see `jobs.sources`. */
  sources: z.array(fieldSource).nullable(),
  check: documentReview,
  /** Of what failed or has no answer: the document that a newer version of its file became. */
  newerJobId: id.nullable(),
  attempts: z.array(attemptRow),
})
export type JobDetail = z.infer<typeof jobDetail>

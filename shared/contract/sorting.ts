import * as z from 'zod'
import { documentStatuses } from '../domain/document-status.ts'
import { errorReason } from '../domain/error-reason.ts'
import { pageSpan } from '../domain/sorting.ts'
import { id, ids } from './shapes.ts'

/** The part of the contract between window and core about sorting: which documents a file holds, and their schemas. */

const sortedPart = z.object({
  pages: pageSpan,
  /** Null while nobody is sure, and of what is no document. */
  schemaId: id.nullable(),
  isNone: z.boolean(),
  /** Schemas that may fit, the likeliest first. */
  likely: z.array(id),
  /** Its document, once there is one, and how far that is. */
  document: z.object({ id, status: z.enum(documentStatuses) }).nullable(),
})

export const sortedFile = z.object({
  /** The document that stands for the file as a whole: its pages are shown. */
  id,
  name: z.string(),
  folderName: z.string(),
  pageCount: z.number().int(),
  parts: z.array(sortedPart).min(1),
  /** All there are, those of its folder first. */
  schemas: z.array(z.object({ id, name: z.string(), isOfFolder: z.boolean() })),
  /** It has several pages, and they can be parted. */
  canCut: z.boolean(),
  /** Whether its parts go to a service that bills. */
  bills: z.boolean(),
})
export type SortedFile = z.infer<typeof sortedFile>

/** What came of it: `known` were asked the same before and have their answer, `linked` are copies of such. */
const changed = z.object({
  queued: z.number().int(),
  linked: z.number().int(),
  known: z.number().int(),
  /** They were that already. */
  kept: z.number().int(),
})

export const sortingCalls = {
  /** Documents that wait for a person to say what they are, the oldest first, and how many there are. */
  'sorting.list': {
    input: z.object({ limit: z.number().int().min(0).max(500).default(500) }),
    output: z.object({
      total: z.number().int(),
      documents: z.array(
        z.object({
          id,
          name: z.string(),
          pages: pageSpan.nullable(),
          /** How many it is proposed to be. */
          parts: z.number().int(),
          asks: z.enum(['kind', 'cut']),
          reason: errorReason,
        }),
      ),
    }),
  },
  /**
   * The file of a document or of a part, with what is known or proposed of its parts; it is read where nothing is.
   * Throws `not_found`, and what reading throws.
   */
  'sorting.get': { input: z.object({ id }), output: sortedFile },
  /**
   * Cuts a file so, or joins it again where it is one part: parts together are all of its pages, in order. What was
   * asked already is not sent; what has no schema is no document; documents of parts that are none any more go into the
   * bin. Throws `not_found`, `invalid_input`, and why the file cannot be read.
   */
  'sorting.apply': {
    input: z.object({
      id,
      parts: z
        .array(z.object({ pages: pageSpan, schemaId: id.nullable() }))
        .min(1)
        .max(500),
    }),
    output: changed,
  },
  /**
   * Has documents asked by another schema instead of theirs; an earlier answer to that is used. What a document was
   * before goes into the bin with its values, and is `replaced` by another document. `underWay`: a service has them at
   * the moment. `problem`: why the first of the `refused` cannot be sent. Throws `not_found`.
   */
  'documents.setSchema': {
    input: z.object({ ids, schemaId: id }),
    output: changed.extend({
      replaced: z.array(z.object({ id, by: id })),
      underWay: z.number().int(),
      refused: z.number().int(),
      problem: errorReason.extend({ name: z.string() }).nullable(),
    }),
  },
} as const

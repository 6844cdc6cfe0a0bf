import * as z from 'zod'
import { reviewStates } from '../domain/document-status.ts'
import { flag } from '../domain/review.ts'
import { id, ids } from './shapes.ts'

/** The part of the contract between window and core that is about checking results. */

const pointer = z.string().min(1).max(4000)
const author = z.object({ person: z.string(), at: z.number().int() })

/** What a person may put in a place: a plain value, or all rows of a list. */
const given = z.union([
  z.string().max(100_000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.record(z.string(), z.unknown())).max(20_000),
])

/** A place in which something else stands than the service said: by a person, or learned. */
const correctionRow = author.extend({
  pointer: z.string(),
  extracted: z.unknown(),
  /** From how many documents it was learned, where no person put it there. */
  learned: z.number().int().optional(),
  /** The partners say so. */
  byPartners: z.literal(true).optional(),
})

export const documentReview = z.object({
  state: z.enum(reviewStates).nullable(),
  /** Those that nobody confirmed. */
  flags: z.array(flag),
  corrections: z.array(correctionRow),
  approved: author.nullable(),
})
export type DocumentReview = z.infer<typeof documentReview>

/**
 * A name that a window gave itself: `document.changed` repeats it, so that it does not ask for what it did and knows.
 */
const by = z.string().max(100).optional()

/** For how long documents were in hand, without breaks, and how many keys were pressed. */
export const reviewWork = z.object({ ms: z.number().int().min(0).max(86_400_000), keys: z.number().int().min(0) })
export type ReviewWork = z.infer<typeof reviewWork>

export const reviewCalls = {
  /**
   * Puts values in the place of what the service said, which is kept; all of them or none. Takes an approval back.
   * Answers with the corrections that it may have changed, of thousands that there can be. Throws `place_missing`.
   */
  'review.correct': {
    input: z.object({
      id,
      changes: z
        .array(z.object({ pointer, value: given }))
        .min(1)
        .max(20_000),
      by,
    }),
    output: documentReview,
  },
  /** The values are right in spite of their flags. Answers without corrections: none of them changes. */
  'review.confirm': {
    input: z.object({ id, pointers: z.array(pointer).min(1).max(1000), by }),
    output: documentReview,
  },
  /** Takes that back: the values have their flags again. Answers without corrections. */
  'review.unconfirm': {
    input: z.object({ id, pointers: z.array(pointer).min(1).max(1000), by }),
    output: documentReview,
  },
  /**
   * `batch` takes all of it back at once; `flags` were open in them. Documents without a result, and those that are
   * approved, are left out. `work`: what it took the person to check them.
   */
  'review.approve': {
    input: z.object({ ids, work: reviewWork.optional() }),
    output: z.object({ approved: z.number().int(), flags: z.number().int(), batch: z.number().int() }),
  },
  /** Everything that has no flags and waits for approval. */
  'review.approveReady': {
    input: z.object({ folderId: id.nullable().default(null), schemaId: id.nullable().default(null) }),
    output: z.object({ approved: z.number().int(), flags: z.number().int(), batch: z.number().int() }),
  },
  'review.takeBack': {
    input: z.object({ batch: z.number().int().positive() }),
    output: z.object({ reopened: z.number().int() }),
  },
  'review.reopen': { input: z.object({ ids }), output: z.object({ reopened: z.number().int() }) },
} as const

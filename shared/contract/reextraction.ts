import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { plainValue } from '../domain/result.ts'
import { id, nothing } from './shapes.ts'
import { estimate } from './usage.ts'

/**
 * The part of the contract between window and core that is about documents of earlier versions of a schema, which are
 * extracted again by its newest one, in place: nothing is stored with them before a person has seen what would change.
 */

/** `place`: names of fields and, from 1, numbers of rows. `isRows`: a list has another number of rows. */
const valueChange = z.object({
  place: z.array(z.union([z.string(), z.number().int()])),
  from: plainValue,
  to: plainValue,
  isRows: z.boolean(),
})
export type ValueChange = z.infer<typeof valueChange>

/** Of so many documents the changes are shown, and of each so many changes; the others are counted. */
export const [maxChangedDocuments, maxChanges] = [50, 12]

const reextraction = z.object({
  /** The documents that it is about. */
  documents: z.number().int(),
  /** Those with an answer that can be taken. */
  answered: z.number().int(),
  /** Those that are looked at, wait or are with a service. */
  underWay: z.number().int(),
  /** What sending those would come to that wait for a person's word, by connection. */
  asking: z.array(z.object({ connectionId: id, estimate })),
  /** Answered ones whose values would be others, and those of them that somebody approved. */
  changed: z.number().int(),
  approved: z.number().int(),
  /** Values that stay as persons corrected them. */
  corrections: z.number().int(),
  changes: z.array(
    z.object({ documentId: id, name: z.string(), changes: z.array(valueChange), more: z.number().int() }),
  ),
  /** Why there is no answer of these. */
  problems: z.array(z.object({ documentId: id, name: z.string(), reason: errorReason })),
  failed: z.number().int(),
})
export type ReextractionState = z.infer<typeof reextraction>

export const reextractionEvents = { 'reextraction.changed': z.object({ schemaId: id }) } as const

export const reextractionCalls = {
  /** As it stands; null where none was begun, or it was taken or given up. */
  'reextraction.get': { input: z.object({ schemaId: id }), output: z.object({ state: reextraction.nullable() }) },
  /**
   * Begins with all documents of earlier versions. Where nothing is billed they are sent at once; elsewhere answers
   * that are kept are used, and the rest waits for `reextraction.send`.
   */
  'reextraction.begin': { input: z.object({ schemaId: id }), output: nothing },
  /** The person says that those which wait for it may be sent to this connection, and billed. */
  'reextraction.send': { input: z.object({ schemaId: id, connectionId: id }), output: nothing },
  /** Gives it up: all stays as it was. */
  'reextraction.discard': { input: z.object({ schemaId: id }), output: nothing },
  /** Puts what is answered in the place of what the documents have, with all that persons corrected. */
  'reextraction.apply': { input: z.object({ schemaId: id }), output: z.object({ changed: z.number().int() }) },
  /** Undoes the last `reextraction.apply`, save in what was approved or extracted since. */
  'reextraction.takeBack': { input: z.object({ schemaId: id }), output: z.object({ changed: z.number().int() }) },
} as const

import * as z from 'zod'
import { plainValue } from '../domain/result.ts'
import { id, nothing, time } from './shapes.ts'

/** The part of the contract between window and core that is about what persons taught Sheaf. */

/** The documents of one sender, as they look, for one schema. `name`: of the seller, else of the first document. */
const learnedForm = z.object({
  form: id,
  schemaName: z.string(),
  name: z.string(),
  /** From how many documents. */
  documents: z.number().int(),
  /** Null: it was brought along from another computer. */
  newestDocumentId: id.nullable(),
  learnedAt: time,
})
export type LearnedForm = z.infer<typeof learnedForm>

/** What would change of a document that waits for a person; nothing that a person did. */
const offer = z.object({
  documentId: id,
  name: z.string(),
  /** `isFlag`: the value stays, and is flagged. */
  changes: z.array(z.object({ field: z.string(), from: plainValue, to: plainValue, isFlag: z.boolean() })),
})
export type Offer = z.infer<typeof offer>

export const lessonCalls = {
  /** The last ones first, a thousand at most. */
  'lessons.list': { input: nothing, output: z.object({ forms: z.array(learnedForm) }) },
  /** Later documents are as before; null: of all forms. What was changed by it until now stays. */
  'lessons.forget': { input: z.object({ form: id.nullable() }), output: nothing },
  /** What the last lessons would change of documents that were read before, the newest first. */
  'lessons.offers': { input: nothing, output: z.object({ documents: z.array(offer) }) },
  'lessons.applyOffers': { input: nothing, output: z.object({ changed: z.number().int() }) },
  /** Undoes the last `lessons.applyOffers`, save in what was approved since. */
  'lessons.takeBackOffers': { input: nothing, output: z.object({ changed: z.number().int() }) },
} as const

export const lessonEvents = { 'lessons.changed': nothing } as const

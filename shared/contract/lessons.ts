import * as z from 'zod'
import { id, nothing, time } from './shapes.ts'

/** The part of the contract between window and core that is about what persons taught Sheaf. */

/** The documents of one sender, as they look, for one schema. `name`: of the seller, else of the first document. */
const learnedForm = z.object({
  form: id,
  schemaName: z.string(),
  name: z.string(),
  /** From how many documents. */
  documents: z.number().int(),
  newestDocumentId: id,
  learnedAt: time,
})
export type LearnedForm = z.infer<typeof learnedForm>

export const lessonCalls = {
  /** The last ones first, a thousand at most. */
  'lessons.list': { input: nothing, output: z.object({ forms: z.array(learnedForm) }) },
  /** Later documents are as before; null: of all forms. What was changed by it until now stays. */
  'lessons.forget': { input: z.object({ form: id.nullable() }), output: nothing },
} as const

export const lessonEvents = { 'lessons.changed': nothing } as const

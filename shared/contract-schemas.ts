import { z } from 'zod'
import { estimate } from './contract-platform.ts'
import { errorReason } from './error-reason.ts'
import { extractedRecord } from './result.ts'
import { schemaElement } from './schema.ts'

/** The part of the contract between window and core that is about the versions of a schema, and trying a draft of one. */

const id = z.number().int().positive()
const time = z.number().int()

export const schemaVersionRow = z.object({
  version: z.number().int(),
  savedAt: time,
  /** Documents that have a result with exactly this version. */
  resultCount: z.number().int(),
  /** 0: its fields were lost with a damaged database. */
  fieldCount: z.number().int(),
})
export type SchemaVersionRow = z.infer<typeof schemaVersionRow>

export const trialStates = ['looking', 'asks', 'waiting', 'sending', 'answered', 'failed', 'lost', 'stopped'] as const

/** One document that a draft is tried on. */
export const trialColumn = z.object({
  jobId: id,
  name: z.string(),
  /** `asks`: sending it may be billed, and a person has to say so; `lost`: it was sent, no answer came, and it may be billed. */
  state: z.enum(trialStates),
  /** Why there are no values. */
  reason: errorReason.nullable(),
  /** What the draft gives. */
  records: z.array(extractedRecord).nullable(),
  /** The answer was there before: nothing was sent for it. */
  isKept: z.boolean(),
  /** It reached a service that bills: sent again it may be billed again. */
  wasSent: z.boolean(),
  /** The document's result, as it stands with what persons corrected; null where it has none. */
  stored: z.object({ version: z.number().int(), elements: z.array(schemaElement), records: z.array(extractedRecord) }).nullable(),
})
export type TrialColumn = z.infer<typeof trialColumn>

export const trial = z.object({
  id,
  connectionId: id,
  elements: z.array(schemaElement),
  columns: z.array(trialColumn),
  /** What those that ask would come to; null where none does. */
  estimate: estimate.nullable(),
})
export type Trial = z.infer<typeof trial>

/** So many documents a draft is tried on at once. */
export const mostTried = 5

export const schemaEvents = {
  'trial.changed': z.object({ id }),
} as const

export const schemaCalls = {
  /** Every version that was saved, the newest first. */
  'schemas.versions': { input: z.object({ id }), output: z.object({ versions: z.array(schemaVersionRow) }) },
  /** The fields of one of them. */
  'schemas.version': { input: z.object({ id, version: z.number().int().positive() }), output: z.object({ elements: z.array(schemaElement) }) },

  /**
   * Tries fields, saved or not, on documents. Where nothing is billed they are sent at once; elsewhere only what is kept is shown,
   * and nothing is sent before `trials.send`. Nothing of it becomes a result.
   */
  'trials.begin': {
    input: z.object({ schemaId: id, connectionId: id, elements: z.unknown(), jobIds: z.array(id).min(1).max(mostTried) }),
    output: z.object({ id }),
  },
  /** A trial as it stands. The newest few are remembered until the program ends. */
  'trials.get': { input: z.object({ id }), output: trial },
  /** The person says that these may be sent and billed: those that ask, and once more those that failed, were lost or stopped. */
  'trials.send': { input: z.object({ id, jobIds: z.array(id).min(1).max(mostTried) }), output: z.object({}) },
  /** Sends nothing more; what a service that bills has already is waited for. */
  'trials.stop': { input: z.object({ id }), output: z.object({}) },
} as const

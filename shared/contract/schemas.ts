import * as z from 'zod'
import { estimate } from './usage.ts'
import { errorReason } from '../domain/error-reason.ts'
import { extractedRecord } from '../domain/result.ts'
import { rules } from '../domain/review.ts'
import { schemaElement } from '../domain/schema.ts'
import { locales } from '../messages/sentences.ts'
import { id, time, nothing } from './shapes.ts'

/**
 * The part of the contract between window and core that is about schemas, their versions, and trying a draft of one.
 */

/** Names of the fields that documents of other kinds have as well; null where it has none. */
const commonFields = z.object({
  number: z.string().nullable(),
  date: z.string().nullable(),
  sender: z.string().nullable(),
  total: z.string().nullable(),
  currency: z.string().nullable(),
})
export type CommonFields = z.infer<typeof commonFields>

const schemaRow = z.object({
  id,
  name: z.string(),
  version: z.number().int(),
  fieldCount: z.number().int(),
  elements: z.array(schemaElement),
  rules,
  /** The fields that tables show; null: the first ones. */
  columns: z.array(z.string()).nullable(),
  common: commonFields,
  /** Documents that have a result with any version of it. */
  resultCount: z.number().int(),
  /** Those of them whose result is one by an earlier version, and can be extracted again by the newest. */
  earlierCount: z.number().int(),
  folderCount: z.number().int(),
  updatedAt: time,
})
export type SchemaRow = z.infer<typeof schemaRow>

const schemaVersionRow = z.object({
  version: z.number().int(),
  savedAt: time,
  /** Documents that have a result with exactly this version. */
  resultCount: z.number().int(),
  /** 0: its fields were lost with a damaged database. */
  fieldCount: z.number().int(),
})

const trialStates = ['looking', 'asks', 'waiting', 'sending', 'answered', 'failed', 'lost', 'stopped'] as const

/** One document that a draft is tried on. */
const trialColumn = z.object({
  documentId: id,
  name: z.string(),
  /**
   * `asks`: sending it may be billed, and a person has to say so; `lost`: it was sent, no answer came, and it may be
   * billed.
   */
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
  stored: z
    .object({ version: z.number().int(), elements: z.array(schemaElement), records: z.array(extractedRecord) })
    .nullable(),
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
export const maxTried = 5

export const schemaEvents = {
  'trial.changed': z.object({ id }),
} as const

const draftSource = z.union([z.object({ documentId: id }), z.object({ uploadId: z.string().min(1).max(100) })])

export const schemaCalls = {
  /**
   * Fields for a schema from a sample document or the header row of a spreadsheet: by a model when a connection is
   * named and its model answers, by rules otherwise. `note` says why the model was not used although it was named.
   */
  'schemas.draft': {
    input: z.object({
      source: draftSource,
      connectionId: id.nullable().default(null),
      model: z.string().nullable().default(null),
      locale: z.enum(locales),
    }),
    output: z.object({
      name: z.string(),
      elements: z.array(schemaElement),
      by: z.enum(['model', 'rules']),
      note: errorReason.nullable(),
    }),
  },
  'schemas.list': { input: nothing, output: z.object({ schemas: z.array(schemaRow) }) },
  /** Creates (id null) or saves; unchanged elements make no new version. */
  'schemas.save': {
    input: z.object({
      id: id.nullable(),
      name: z.string().trim().min(1).max(200),
      elements: z.unknown(),
      rules: rules.optional(),
      columns: z.array(z.string()).max(50).nullable().optional(),
    }),
    output: z.object({ id, version: z.number().int() }),
  },
  'schemas.remove': { input: z.object({ id }), output: nothing },
  /** Templates in the given language: invoice, receipt, purchase order, delivery note, bank statement, form. */
  'schemas.templates': {
    input: z.object({ locale: z.enum(locales) }),
    output: z.object({
      templates: z.array(
        z.object({
          key: z.string(),
          name: z.string(),
          description: z.string(),
          elements: z.array(schemaElement),
          rules,
        }),
      ),
    }),
  },
  /** Every version that was saved, the newest first. */
  'schemas.versions': { input: z.object({ id }), output: z.object({ versions: z.array(schemaVersionRow) }) },
  /** The fields of one of them. */
  'schemas.version': {
    input: z.object({ id, version: z.number().int().positive() }),
    output: z.object({ elements: z.array(schemaElement) }),
  },

  /**
   * Tries fields, saved or not, on documents. Where nothing is billed they are sent at once; elsewhere only what is
   * kept is shown, and nothing is sent before `trials.send`. Nothing of it becomes a result.
   */
  'trials.begin': {
    input: z.object({
      schemaId: id,
      connectionId: id,
      elements: z.unknown(),
      documentIds: z.array(id).min(1).max(maxTried),
    }),
    output: z.object({ id }),
  },
  /** A trial as it stands. The newest few are remembered until the program ends. */
  'trials.get': { input: z.object({ id }), output: trial },
  /**
   * The person says that these may be sent and billed: those that ask, and once more those that failed, were lost or
   * stopped.
   */
  'trials.send': { input: z.object({ id, documentIds: z.array(id).min(1).max(maxTried) }), output: z.object({}) },
  /** Sends nothing more; what a service that bills has already is waited for. */
  'trials.stop': { input: z.object({ id }), output: z.object({}) },
} as const

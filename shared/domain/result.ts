import * as z from 'zod'
import type { Box } from './document.ts'

/** A value as the service gave it; a list field holds records of its sub-fields. */
export type Value = PlainValue | ExtractedRecord[]

/** A value that is no list. */
export const plainValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type PlainValue = z.infer<typeof plainValue>

/** The value where it is a plain one, else null. Pure. */
export function plainValueOf(value: unknown): PlainValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** One extracted record: field name → value (spec, «Extraction result», `data`). */
export type ExtractedRecord = { [field: string]: Value }

/** Any JSON that a service may put in a record is shown; what is not in the schema is kept as it came. */
export const extractedRecord = z.record(z.string(), z.unknown())

/** Where one value stands in its document. */
export type FieldSource = {
  /** JSON Pointer (RFC 6901) into the array of records, e.g. `/0/line_items/2/amount`. */
  pointer: string
  /** 1 for the first page. */
  page: number
  box: Box
  /** The text as printed, before it was parsed. */
  text: string
  /** Where the value was taken from, when not from the words of the page. */
  from?: SourceKind
  /** How probable it is that the value is right, 0..1, calibrated on senders that training did not see. */
  trust?: number
}

/** What a value can be taken from: the page's words, or something in the file that says it exactly. */
export const sourceKinds = ['page', 'e-invoice', 'payment-code', 'form'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Another value that a field may have, and where it stands. */
export type Alternative = { value: string | number | boolean; page: number; box: Box; text: string; from?: SourceKind }

/** Why a service is not sure of a value: what a person has to look at before the value counts. */
export const doubtCodes = [
  'unsure',
  'sources_differ',
  'other_kind',
  'rows_missing',
  'rows_unsure',
  'several_documents',
] as const
export type DoubtCode = (typeof doubtCodes)[number]

/**
 * A value that needs a look. `pointer` leads to the value, to the list or, for `other_kind` and `several_documents`, to
 * the record. `alternatives` are the next best values, best first; a value of null may have some.
 */
export type Doubt = { pointer: string; code: DoubtCode; alternatives: Alternative[] }

export const boxShape = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export const fieldSource: z.ZodType<FieldSource> = z.object({
  pointer: z.string(),
  page: z.number().int(),
  box: boxShape,
  text: z.string(),
  from: z.enum(sourceKinds).optional(),
  trust: z.number().min(0).max(1).optional(),
})

const alternatives: z.ZodType<Alternative[]> = z.array(
  z.object({
    value: z.union([z.string(), z.number(), z.boolean()]),
    page: z.number().int(),
    box: boxShape,
    text: z.string(),
    from: z.enum(sourceKinds).optional(),
  }),
)

/** Other values that a place may have. */
export const otherValues = z.object({ pointer: z.string(), alternatives })
export type OtherValues = z.infer<typeof otherValues>

export const doubt: z.ZodType<Doubt> = z.object({ pointer: z.string(), code: z.enum(doubtCodes), alternatives })

import * as z from 'zod'
import type { Box } from './document.ts'

/** A value as the service gave it; a list field holds records of its sub-fields. */
export type Value = string | number | boolean | null | ExtractedRecord[]

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
}

export const boxShape = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export const fieldSource: z.ZodType<FieldSource> = z.object({
  pointer: z.string(),
  page: z.number().int(),
  box: boxShape,
  text: z.string(),
})

import { z } from 'zod'
import { schemaElement } from './schema.ts'

/** The part of the contract between window and core that is about the versions of a schema. */

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

export const schemaCalls = {
  /** Every version that was saved, the newest first. */
  'schemas.versions': { input: z.object({ id }), output: z.object({ versions: z.array(schemaVersionRow) }) },
  /** The fields of one of them. */
  'schemas.version': { input: z.object({ id, version: z.number().int().positive() }), output: z.object({ elements: z.array(schemaElement) }) },
} as const

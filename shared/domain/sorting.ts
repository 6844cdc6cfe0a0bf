import * as z from 'zod'
import type { ErrorCode } from './errors.ts'
import type { SchemaElement } from './schema.ts'

/**
 * Sorting says of a file which documents it holds, its parts, and which schema asks for each. Pages count from 1 and
 * are those of the file as it is shown.
 */

/**
 * Whether files of a folder may be cut where they hold several documents: `ask` a person each time, or only where it
 * is not `sure`.
 */
export const cutChoices = ['never', 'ask', 'sure'] as const
export type CutChoice = (typeof cutChoices)[number]

/** Pages of a file that are a document of their own; both ends belong to it. */
export const pageSpan = z.object({ first: z.number().int().min(1), last: z.number().int().min(1) })
export type PageSpan = z.infer<typeof pageSpan>

/** A schema that a folder offers, to choose from. */
export type SchemaChoice = { id: number; name: string; elements: readonly SchemaElement[] }

/** What a document whose schema a person confirmed says: by that others of its kind are known again. */
export type SortingExample = { schemaId: number; print: readonly number[] }

export type SortedPart = {
  pages: PageSpan
  /** The schema that asks for it; null: not sure which, or that it is any of them. */
  schemaId: number | null
  /** A person said that it is no document: a separating page, a picture from a mail. */
  isNone?: true
  /** All schemas, the likeliest first. */
  likely: readonly number[]
  /** By what others of its kind are known again: hashes of words, ascending. */
  print: readonly number[]
}

export type Sorted = {
  /** In the order of the pages, and together all of them. */
  parts: readonly SortedPart[]
  /** Whether the parts begin and end there and nowhere else. */
  areCutsSure: boolean
}

export type SortingQuestion = {
  schemas: readonly SchemaChoice[]
  examples: readonly SortingExample[]
  /** Whether it may be more than one document; else it is one part. */
  mayCut: boolean
}

/** Whether a document with this reason waits for a person to say what it is. Pure. */
export function isAsking(reason: ErrorCode | null): boolean {
  return reason === 'kind_unsure' || reason === 'cut_proposed'
}

/** Whether a document with this reason has no schema: it is not known yet, or its parts have theirs. Pure. */
export function isWithoutSchema(reason: ErrorCode | null): boolean {
  return reason === 'cut' || isAsking(reason)
}

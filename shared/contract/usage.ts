import * as z from 'zod'
import { patternList } from '../domain/file-patterns.ts'
import { day, id, nothing, time } from './shapes.ts'

/** The part of the contract between window and core that is about what was used, the daily cap, and estimates. */

export const usageTotals = z.object({
  documents: z.number().int(),
  tokens: z.number().int(),
  questions: z.number().int(),
})

/** Of any number of documents. */
export const reviewTotals = z.object({ documents: z.number().int(), ms: z.number().int(), keys: z.number().int() })
export type ReviewTotals = z.infer<typeof reviewTotals>

export const usageReport = z.object({
  /** Every day of the span, also those without anything, by the clock of this computer. */
  days: z.array(usageTotals.extend({ day })),
  folders: z.array(usageTotals.extend({ id: id.nullable(), name: z.string() })),
  schemas: z.array(usageTotals.extend({ id: id.nullable(), name: z.string() })),
  total: usageTotals,
  /** Documents that were checked one by one, and what that took altogether. */
  review: reviewTotals,
})
export type UsageReport = z.infer<typeof usageReport>

/**
 * Why documents wait for the daily cap. `reached`: until midnight. `too_large`: one of the schema `name` took `tokens`,
 * which is more than the cap. `no_tokens`: the connection `name` does not say what a document takes, so a cap of tokens
 * could not be kept. `under_way`: until those that are with the service have said what they took.
 */
const capHoldReasons = ['reached', 'too_large', 'no_tokens', 'under_way'] as const

const capHold = z.object({
  why: z.enum(capHoldReasons),
  documents: z.number().int(),
  name: z.string().nullable(),
  tokens: z.number().int().nullable(),
})
export type CapHold = z.infer<typeof capHold>

/** Where the daily cap stands. It counts what goes to connections that bill; this computer is free. */
export const capState = z.object({
  documentsToday: z.number().int(),
  tokensToday: z.number().int(),
  documentCap: z.number().int().nullable(),
  tokenCap: z.number().int().nullable(),
  /**
   * How many queued documents wait because of it, and why; only those of `reached` go on by themselves at `resumesAt`.
   */
  held: z.number().int(),
  holds: z.array(capHold),
  resumesAt: time.nullable(),
})
export type CapState = z.infer<typeof capState>

export const estimate = z.object({
  documents: z.number().int(),
  /** Files there that would not be sent (unsupported, too large, already known). */
  skipped: z.number().int(),
  sizeBytes: z.number(),
  /** From the tokens that documents of this schema took on this connection; null while none has been measured. */
  tokens: z.number().int().nullable(),
  /** How many measured documents `tokens` stands on. */
  measured: z.number().int(),
  bills: z.boolean(),
  /** How many of them the daily cap would hold back today; 0 without a cap. */
  heldByCap: z.number().int(),
})
export type Estimate = z.infer<typeof estimate>

export const usageCalls = {
  /** Both days included. */
  'usage.report': { input: z.object({ from: day, to: day }), output: usageReport },
  /** What a batch would come to, before anything is sent: a folder of this computer, or files about to be dropped. */
  'usage.estimate': {
    input: z.object({
      schemaId: id,
      connectionId: id,
      source: z.union([
        z.object({
          path: z.string().min(1),
          includeSubfolders: z.boolean(),
          include: patternList.default([]),
          exclude: patternList.default([]),
        }),
        z.object({ files: z.array(z.object({ name: z.string(), sizeBytes: z.number().min(0) })).max(100_000) }),
        z.object({ documentIds: z.array(id).max(10_000) }),
      ]),
    }),
    output: estimate,
  },
} as const

export const usageEvents = {
  'usage.changed': nothing,
} as const

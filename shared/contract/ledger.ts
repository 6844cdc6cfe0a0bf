import * as z from 'zod'
import { day } from './shapes.ts'

/** The part of the contract between window and core that is about what left this computer. */

const amount = z.number().int()

const ledgerRow = z.object({
  at: z.number().int(),
  /** Where it went, with the port where it is not the usual one. */
  host: z.string(),
  /** The document; null for a question, a chat or the draft of a schema. */
  document: z.object({ documentId: z.number().int().positive(), name: z.string() }).nullable(),
  /** Null: on its way, or nobody saw how much of it left before Sheaf was ended. */
  bytes: amount.nullable(),
  /** The size of the document, which `bytes` cannot be much above; null where there is none. */
  sizeBytes: amount.nullable(),
})
export type LedgerRow = z.infer<typeof ledgerRow>

const ledgerHost = z.object({ host: z.string(), documents: amount, questions: amount, bytes: amount })
export type LedgerHost = z.infer<typeof ledgerHost>

export const ledgerCalls = {
  /**
   * What was sent to other computers on some days, both included: where to, and the newest of it; `more`: there is
   * earlier.
   */
  'ledger.list': {
    input: z.object({ from: day, to: day, limit: z.number().int().min(1).max(2000).default(100) }),
    output: z.object({ hosts: z.array(ledgerHost), rows: z.array(ledgerRow), more: z.boolean() }),
  },
} as const

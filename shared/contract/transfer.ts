import * as z from 'zod'
import { nothing } from './shapes.ts'

/**
 * The part of the contract between window and core that is about what a person takes to another computer: schemas,
 * partners, what was learned, presets of exports, and how Sheaf was set up. No document, no result, no folder, no
 * connection and no secret.
 */
export const transferCalls = {
  /** All of it as the text of a JSON file. */
  'transfer.export': { input: nothing, output: z.object({ text: z.string() }) },
  /**
   * Adds what such a file has and is not here. A schema is here where one of that name has the same fields; how Sheaf
   * is set up here gives way. Throws `transfer_unreadable`.
   */
  'transfer.import': {
    input: z.object({ text: z.string().max(50_000_000) }),
    output: z.object({
      schemas: z.number().int(),
      partners: z.number().int(),
      forms: z.number().int(),
      presets: z.number().int(),
    }),
  },
} as const

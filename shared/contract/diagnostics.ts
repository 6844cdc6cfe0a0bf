import * as z from 'zod'
import { nothing } from './shapes.ts'

/** The part of the contract between window and core that is about the report for whoever helps. */

export const diagnosticsCalls = {
  /** A report on this installation as JSON, without a name, path, value or secret of anybody's. */
  'diagnostics.get': { input: nothing, output: z.object({ text: z.string() }) },
} as const

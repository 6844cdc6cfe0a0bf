import * as z from 'zod'
import { errorPolicies } from './errors.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'

/** An error as it crosses a wire or lies in a database: `sentenceFor(code, details, locale)` says it. */
export const errorReason = z.object({
  code: z.custom<ErrorCode>((value) => typeof value === 'string' && Object.hasOwn(errorPolicies, value)),
  details: z.custom<ErrorDetails>((value) => typeof value === 'object' && value !== null),
})
export type ErrorReason = z.infer<typeof errorReason>

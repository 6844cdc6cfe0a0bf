import { z } from 'zod'

/** Wire shapes of the platform API (`agent-platform-api.md`), as the client accepts them. */

/** spec, «Token response». `expires_in` has no documented unit and may be absent or odd. */
export const tokenResponse = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.unknown().optional(),
  expires_in: z.union([z.string(), z.number()]).optional().catch(undefined),
})

/** spec, «Extraction result»: metadata. Numeric text and numbers are both taken. */
export const extractionMetadata = z.looseObject({
  filename: z.string().optional().catch(undefined),
  duration: z.union([z.string(), z.number()]).optional().catch(undefined),
  tokens_consumed: z.union([z.number(), z.string()]).optional().catch(undefined),
  /** Only from a service of Sheaf that was asked for it (header `x-sheaf-sources: 1`). */
  sources: z.unknown().optional(),
})

/** spec, «Asynchronous extraction job»: the immediate answer. */
export const startedResponse = z.looseObject({ status: z.literal('started'), extract_id: z.string().min(1) })

/** spec, «Events»: a failure carries `error` and `detail` and no `status`. Odd types are shown as text. */
export const failureBody = z.looseObject({
  status: z.unknown().optional(),
  code: z.unknown().optional(),
  error: z.unknown().optional(),
  detail: z.unknown().optional(),
  extract_id: z.string().optional().catch(undefined),
})

/** spec, «Errors», Other endpoints: the envelope of everything outside the proxy. */
export type Envelope = { status: 'error'; code: string; error: string; detail: string }

/** Request header by which a client of Sheaf's own service asks for `metadata.sources`. */
export const sourcesHeader = 'x-sheaf-sources'

import * as z from 'zod'
import { errorReason } from './error-reason.ts'
import { schemaElement } from './schema.ts'

/** spec, «What the service does»: visibility levels of an agent. */
export const visibilities = ['Private', 'Organization', 'Public'] as const
export type Visibility = (typeof visibilities)[number]

/** spec, «What the service does»: agent kinds. Writer is announced and has no interface. */
export const agentKinds = ['documentalist', 'extractor', 'writer'] as const
export type AgentKind = (typeof agentKinds)[number]

export const agentRow = z.object({
  /** What stands in the path: the identifier of a Documentalist, the reference of an Extractor. */
  reference: z.string(),
  kind: z.enum(agentKinds),
  name: z.string(),
  visibility: z.enum(visibilities),
  organizationId: z.string(),
  /** An Extractor's fields; null for the other kinds. */
  schema: z.array(schemaElement).nullable(),
  /** A Documentalist's documents by state; zero for the other kinds. */
  ready: z.number().int(),
  reading: z.number().int(),
  failed: z.number().int(),
})
export type AgentRow = z.infer<typeof agentRow>

export const agentDocumentRow = z.object({
  id: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  state: z.enum(['reading', 'ready', 'failed']),
  /** Why it could not be read, when `failed`. */
  problem: errorReason.nullable(),
  pages: z.number().int(),
  addedAt: z.number().int(),
})
export type AgentDocumentRow = z.infer<typeof agentDocumentRow>

/** A new agent (reference null or not used yet) or the new state of one. */
export const agentInput = z.object({
  reference: z
    .string()
    .trim()
    .min(1, 'is empty')
    .max(100, 'is longer than 100 characters')
    .regex(/^[\w.~-]+$/, 'has other signs than letters, digits and . _ ~ -')
    .nullable()
    .default(null),
  kind: z.enum(agentKinds),
  name: z.string().trim().min(1, 'is empty').max(200, 'is longer than 200 characters'),
  visibility: z.enum(visibilities).default('Organization'),
  /** Required for an Extractor, refused for the others. */
  schema: z.unknown().optional(),
})

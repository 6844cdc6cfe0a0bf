import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { id, time, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about connections to a platform. */

export const connectionRow = z.object({
  id,
  kind: z.enum(['local', 'platform']),
  name: z.string(),
  baseUrl: z.string().nullable(),
  clientId: z.string().nullable(),
  /** Set while the connection waits for a person (wrong credentials, quota, certificate). */
  pausedReason: errorReason.nullable(),
  /** Set while the service asked for time: it goes on by itself then. */
  throttledUntil: time.nullable(),
})
export type ConnectionRow = z.infer<typeof connectionRow>

export const connectionCalls = {
  'connections.list': { input: nothing, output: z.object({ connections: z.array(connectionRow) }) },
  /**
   * An absent secret keeps the stored one. Saving lifts the connection's pause. `isSecretTemporary`: nothing here keeps
   * the secret, so that it is forgotten when Sheaf ends.
   */
  'connections.save': {
    input: z.object({
      id: id.nullable(),
      name: z.string().trim().min(1).max(100),
      baseUrl: z.string().trim().min(1).max(2000),
      clientId: z.string().trim().min(1),
      clientSecret: z.string().min(1).optional(),
    }),
    output: z.object({ id, isSecretTemporary: z.boolean() }),
  },
  'connections.remove': { input: z.object({ id }), output: nothing },
  /**
   * Asks for a token, then for the models. `problem` is null when the connection works; `baseUrl` is the address as it
   * will be used. `models` is null when the account has no access to them, and `modelsProblem` says why.
   */
  'connections.test': {
    input: z.object({
      baseUrl: z.string().trim().min(1).max(2000),
      clientId: z.string().trim().min(1),
      clientSecret: z.string().min(1).optional(),
      id: id.nullable().default(null),
    }),
    output: z.object({
      problem: errorReason.nullable(),
      baseUrl: z.string(),
      models: z.array(z.string()).nullable(),
      modelsProblem: errorReason.nullable(),
    }),
  },
  'connections.resume': { input: z.object({ id }), output: nothing },
} as const

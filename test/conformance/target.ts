import type { Need } from './case.ts'
import type { Hook } from './hooks.ts'
import type { Own } from './own-service.ts'

/** The platform that is asked, and what may be used of it. */
export type Target = {
  /** Without a slash at its end. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** A token for agent endpoints; asked for once. */
  token(): Promise<string>
  /** A token for one request to the proxy; waits, or takes another organization, so that the rate limit is not met by chance. */
  bearer(): Promise<string>
  /** Identifier or reference of an agent that may be used; null when none was named. */
  documentalist: string | null
  privateDocumentalist: string | null
  extractor: string | null
  /** A new address for a webhook, reachable by the platform; `refusals` is how many calls are answered 500 first. */
  hook(refusals?: number): Hook
  /** What only the one who runs the service can do; null for a foreign platform. */
  own: Own | null
}

/** The first need that the target does not meet, or null. */
export function missing(target: Target, hasHooks: boolean, wanted: readonly Need[]): Need | null {
  const has = (need: Need): boolean => {
    if (need === 'documentalist' || need === 'privateDocumentalist' || need === 'extractor') return target[need] !== null
    return need === 'callback' ? hasHooks : target.own !== null
  }
  return wanted.find((need) => !has(need)) ?? null
}

/** For cases whose needs say that they run against a service of our own. */
export function own(target: Target): Own {
  if (target.own === null) throw new Error('this case should not have been asked')
  return target.own
}

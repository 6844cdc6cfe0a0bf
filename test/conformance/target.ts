import type { ModelScript, ModelServer } from '../helpers/model-server.ts'
import type { Hook } from './hooks.ts'

export type Json = Record<string, unknown>

/** What a case cannot do without, and why a platform that cannot give it is not asked. */
export const needs = {
  documentalist: 'no Documentalist was named (--documentalist)',
  privateDocumentalist: 'no private Documentalist was named (--private-documentalist)',
  extractor: 'no Extractor was named (--extractor)',
  callback: 'no address for webhooks was named (--callback-url)',
  organizations: 'needs organizations and accounts that only the one who runs the service can make',
  agents: 'needs agents that only the one who runs the service can make',
  model: 'needs a scripted model behind the aliases',
  limits: 'needs a service that was started with other limits',
  key: 'needs the key with which the service signs its tokens',
  choice: 'the interface leaves it open; this asks for the choice of this service',
} as const
export type Need = keyof typeof needs

export type Credentials = { clientId: string; clientSecret: string }

export type Organization = Credentials & {
  id: string
  accountId: string
  /** A token of its client; the same one each time. */
  token(): Promise<string>
  /**
   * Changes what the organization may do: `apiEnabled`, `subscribed`, `quotaTokens`, `spendingCapEuros`,
   * `eurosPerMillionTokens`.
   */
  save(changes: Json): Promise<void>
  addClient(): Promise<Credentials>
}

/** What only the one who runs the service can do. */
export type Own = {
  /** Manages the service, as its operator does. */
  call(name: string, input?: Json): Promise<Json>
  organization(changes?: Json): Promise<Organization>
  /** A new agent's identifier or reference. */
  agent(input: Json): Promise<string>
  /** What the aliases are served by; `answer` says how until the case ends. */
  model: { baseUrl: string; requests: ModelServer['requests']; answer(script: ModelScript): void }
  modelsServedBy(server: { baseUrl: string | null; large: string | null; small: string | null }): Promise<void>
  /** Serves the aliases by the scripted model again and forgets its script. */
  reset(): Promise<void>
  /** A token with these claims, signed as the service signs. `header` replaces its own. */
  sign(claims: Json, header?: Json, key?: Buffer): Promise<string>
  /** Another service: streams of at most 2 s, a model may be silent for 1 s, no webhooks to private addresses. */
  strict(): Promise<Target>
}

/** The platform that is asked, and what may be used of it. */
export type Target = {
  /** Without a slash at its end. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** A token for agent endpoints; asked for once. */
  token(): Promise<string>
  /**
   * A token for one request to the proxy; waits, or takes another organization, so that the rate limit is not met by
   * chance.
   */
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
    if (need === 'documentalist' || need === 'privateDocumentalist' || need === 'extractor')
      return target[need] !== null
    return need === 'callback' ? hasHooks : target.own !== null
  }
  return wanted.find((need) => !has(need)) ?? null
}

/** For cases whose needs say that they run against a service of our own. */
export function own(target: Target): Own {
  if (target.own === null) throw new Error('this case should not have been asked')
  return target.own
}

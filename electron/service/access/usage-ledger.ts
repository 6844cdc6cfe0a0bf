import type { OrganizationRow } from '../../../shared/wire/service-control.ts'
import type { ServiceDatabase } from '../database.ts'
import { HttpError } from '../http/http-error.ts'

export type UsageKind = 'extractor' | 'documentalist' | 'chat'

/**
 * All channels are billable (spec, Limits, «Token quota»): `public` when an agent of another organization answered,
 * `api` otherwise.
 */
export type UsageChannel = 'api' | 'public'

/** What one answered request used. Requests that were refused are not written down. */
export type UsageEntry = {
  caller: { clientId: string; organization: { id: string } }
  kind: UsageKind
  /** The agent's reference, or '' where none is named. */
  agent: string
  channel: UsageChannel
  inputTokens: number
  outputTokens: number
  pages: number
}

/** For whom an extraction works; kept with an asynchronous one until it is finished. */
export type ExtractionOrigin = { organizationId: string; clientId: string; agent: string; channel: UsageChannel }

/** spec, Limits, «Token quota»: an agent that answers for another organization is its public channel. */
export function channelOf(caller: UsageEntry['caller'], agentOrganizationId: string): UsageChannel {
  return agentOrganizationId === caller.organization.id ? 'api' : 'public'
}

/**
 * What was used by day (UTC), client, agent and channel, and what an organization may still use (spec, Limits, «Token
 * quota»).
 */
export class UsageLedger {
  readonly #db: ServiceDatabase
  readonly #now: () => number

  constructor(db: ServiceDatabase, now: () => number = Date.now) {
    this.#db = db
    this.#now = now
  }

  record(entry: UsageEntry): void {
    this.#db
      .prepare(
        `insert into usage (day, organization_id, client_id, agent, kind, channel, requests, input_tokens, output_tokens, pages)
         values (?, ?, ?, ?, ?, ?, 1, ?, ?, ?)
         on conflict (day, organization_id, client_id, agent, kind, channel) do update set requests = requests + 1,
           input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens, pages = pages + excluded.pages`,
      )
      .run(
        this.#today(),
        entry.caller.organization.id,
        entry.caller.clientId,
        entry.agent,
        entry.kind,
        entry.channel,
        entry.inputTokens,
        entry.outputTokens,
        entry.pages,
      )
  }

  /** An extraction counts the words that were read as input tokens. */
  recordExtraction(origin: ExtractionOrigin, { words, pages }: { words: number; pages: number }): void {
    const { clientId, organizationId, agent, channel } = origin
    this.record({
      caller: { clientId, organization: { id: organizationId } },
      kind: 'extractor',
      agent,
      channel,
      inputTokens: words,
      outputTokens: 0,
      pages,
    })
  }

  /** Tokens of an organization in the running calendar month (UTC), over all billable channels and kinds. */
  monthTokens(organizationId: string): number {
    const month = this.#today().slice(0, 7)
    return this.#db
      .prepare<[string, string, string], number>(
        'select coalesce(sum(input_tokens + output_tokens), 0) from usage where day between ? and ? and organization_id = ?',
      )
      .pluck()
      .get(`${month}-01`, `${month}-31`, organizationId)!
  }

  /** The running calendar month: tokens used, and what the use above the quota costs. */
  month(organization: OrganizationRow): {
    tokens: number
    quotaTokens: number | null
    overageEuros: number
    spendingCapEuros: number | null
  } {
    const { quotaTokens, spendingCapEuros, eurosPerMillionTokens } = organization
    const tokens = this.monthTokens(organization.id)
    const overageTokens = quotaTokens === null ? 0 : Math.max(0, tokens - quotaTokens)
    return { tokens, quotaTokens, overageEuros: (overageTokens * eurosPerMillionTokens) / 1_000_000, spendingCapEuros }
  }

  /**
   * spec, Limits, «Spending limit»: throws `HttpError` 429 `spending_limit_reached` while the overage of the running
   * month has reached the organization's cap. A cap of 0 is reached when the quota is used up. No cap, or no quota,
   * means no limit.
   */
  requireBudget(organization: OrganizationRow): void {
    if (organization.spendingCapEuros === null || organization.quotaTokens === null) return
    const { tokens, overageEuros } = this.month(organization)
    if (tokens < organization.quotaTokens || overageEuros < organization.spendingCapEuros) return
    throw new HttpError(
      429,
      'spending_limit_reached',
      'The spending limit of the organization is reached.',
      'Raise the limit, or wait until the next calendar month begins.',
    )
  }

  #today(): string {
    return new Date(this.#now()).toISOString().slice(0, 10)
  }
}

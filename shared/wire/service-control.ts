import * as z from 'zod'
import { agentDocumentRow, agentInput, agentRow } from '../domain/agent.ts'
import { errorReason } from '../domain/error-reason.ts'
import { chosenLanguages } from '../domain/reading-languages.ts'

/**
 * How the person who runs the service on this computer manages it: what a platform has a dashboard for. These calls go
 * over a listener of their own on loopback, `POST {url}` with `{name, input}` and `Authorization: Bearer {key}`;
 * address and key stand in `service.json` (mode 0600). None of it is part of the public API.
 */

/** `service.json`: the client of this computer and the way to manage the service. */
export const serviceFile = z.object({
  baseUrl: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  control: z.object({ url: z.string(), key: z.string() }),
  /** Whether it sends results to addresses of this computer and its network; otherwise it refuses such a `callback`. */
  privateCallbacks: z.boolean(),
})
export type ServiceFile = z.infer<typeof serviceFile>

const id = z.string().min(1, 'is empty').max(100, 'is longer than 100 characters')
const name = z.string().trim().min(1, 'is empty').max(200, 'is longer than 200 characters')
const nothing = z.object({})

const organizationRow = z.object({
  id,
  name,
  /** spec, Authentication 6: false answers 403 `access_denied`. */
  apiEnabled: z.boolean(),
  subscribed: z.boolean(),
  /** Tokens of one calendar month that the plan includes; null: no limit, nothing is ever overage. */
  quotaTokens: z.number().int().min(0).nullable(),
  /** spec, Limits, «Spending limit»: monthly cap of overage in euros; null: no cap. */
  spendingCapEuros: z.number().min(0).nullable(),
  eurosPerMillionTokens: z.number().min(0),
})
export type OrganizationRow = z.infer<typeof organizationRow>

const accountRow = z.object({ id, organizationId: id, name, active: z.boolean(), administrator: z.boolean() })
export type AccountRow = z.infer<typeof accountRow>

const clientRow = z.object({
  clientId: z.string(),
  accountId: id,
  organizationId: id,
  name: z.string(),
  createdAt: z.number().int(),
})
export type ClientRow = z.infer<typeof clientRow>

/** An OpenAI-compatible server behind `svc-large` and `svc-small`. The key is never read back. */
export const modelServer = z.object({
  baseUrl: z.string().nullable(),
  hasKey: z.boolean(),
  large: z.string().nullable(),
  small: z.string().nullable(),
})
export type ModelServer = z.infer<typeof modelServer>

export const modelServerInput = z.object({
  /** The base that has `/models` and `/chat/completions` below it, e.g. `http://127.0.0.1:11434/v1`; null: none. */
  baseUrl: z.url().nullable(),
  /** Absent keeps the stored key, null removes it. */
  apiKey: z.string().min(1).nullable().optional(),
  /** The server's models behind the two aliases; an alias without one is not served. */
  large: z.string().min(1).nullable(),
  small: z.string().min(1).nullable(),
})

const deliveryRow = z.object({
  extractId: z.string(),
  /** Without its query, which may carry a token. */
  callback: z.string(),
  fileName: z.string(),
  state: z.enum(['started', 'delivering', 'undelivered']),
  tries: z.number().int(),
  nextTryAt: z.number().int().nullable(),
  finishedAt: z.number().int().nullable(),
  /**
   * Of the last try: an HTTP status, `timeout`, `private_address` (not allowed), or the code of a network error; null
   * before the first.
   */
  lastFailure: z.string().nullable(),
})
export type DeliveryRow = z.infer<typeof deliveryRow>

/** How many files that were not taken are named at most. */
export const maxRefusedListed = 100

export const controlCalls = {
  'agents.list': { input: nothing, output: z.object({ agents: z.array(agentRow) }) },
  /** Creates or changes; the kind of an agent never changes. */
  'agents.save': {
    input: agentInput.extend({ organizationId: id.default('local') }),
    output: z.object({ reference: z.string() }),
  },
  'agents.remove': { input: z.object({ reference: id }), output: nothing },
  'agents.documents': {
    input: z.object({ reference: id }),
    output: z.object({ documents: z.array(agentDocumentRow) }),
  },
  /**
   * Files and folders of this computer; they are copied, then read in the background. What is no document is counted as
   * skipped.
   */
  'agents.addDocuments': {
    input: z.object({ reference: id, paths: z.array(z.string().min(1)).min(1).max(1000) }),
    output: z.object({
      added: z.number().int(),
      skipped: z.number().int(),
      /** Of the skipped ones, those first whose own path was given (`named`). */
      refused: z.array(z.object({ name: z.string(), named: z.boolean(), problem: errorReason })).max(maxRefusedListed),
    }),
  },
  'agents.removeDocument': { input: z.object({ reference: id, id }), output: nothing },

  'organizations.list': { input: nothing, output: z.object({ organizations: z.array(organizationRow) }) },
  'organizations.save': { input: organizationRow.extend({ id: id.nullable() }), output: z.object({ id }) },
  'accounts.list': { input: nothing, output: z.object({ accounts: z.array(accountRow) }) },
  'accounts.save': { input: accountRow.extend({ id: id.nullable() }), output: z.object({ id }) },
  'clients.list': { input: nothing, output: z.object({ clients: z.array(clientRow) }) },
  /** The secret is told once and kept as a hash only. */
  'clients.add': {
    input: z.object({ accountId: id, name: z.string().trim().max(200).default('') }),
    output: z.object({ clientId: z.string(), clientSecret: z.string() }),
  },
  'clients.remove': { input: z.object({ clientId: z.string() }), output: nothing },

  'models.get': { input: nothing, output: modelServer },
  'models.save': { input: modelServerInput, output: modelServer },
  /** Asks a server which models it has. */
  'models.discover': {
    input: z.object({ baseUrl: z.url(), apiKey: z.string().min(1).nullable().optional() }),
    output: z.object({ models: z.array(z.string()), problem: errorReason.nullable() }),
  },

  /** In which languages pictures and scans are read, from the next picture on, until the service ends. */
  'reading.languages': { input: z.object({ languages: chosenLanguages }), output: nothing },

  /** The running calendar month of an organization. */
  'usage.month': {
    input: z.object({ organizationId: id.default('local') }),
    output: z.object({
      tokens: z.number().int(),
      quotaTokens: z.number().int().nullable(),
      overageEuros: z.number(),
      spendingCapEuros: z.number().nullable(),
    }),
  },

  'deliveries.list': { input: nothing, output: z.object({ deliveries: z.array(deliveryRow) }) },
  /** Tries at once, also what was given up after a day. */
  'deliveries.retry': { input: z.object({ extractId: z.string() }), output: nothing },
  'deliveries.remove': { input: z.object({ extractId: z.string() }), output: nothing },
} as const

type ControlCalls = typeof controlCalls
export type ControlCallName = keyof ControlCalls
export type ControlInput<N extends ControlCallName> = z.input<ControlCalls[N]['input']>
export type ControlOutput<N extends ControlCallName> = z.output<ControlCalls[N]['output']>
export type ControlHandlers = {
  [N in ControlCallName]: (input: z.output<ControlCalls[N]['input']>) => Promise<ControlOutput<N>>
}

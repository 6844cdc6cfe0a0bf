import { z } from 'zod'
import { agentDocumentRow, agentInput, agentRow } from './agent.ts'
import { errorReason } from './error-reason.ts'
import { patternList } from './file-patterns.ts'
import { schemaElement } from './schema.ts'
import { locales } from './sentences.ts'
import { modelServer, modelServerInput } from './service-control.ts'

/**
 * The part of the contract between window and core that is about the rest of the platform: asking Documentalists and
 * models, agents and the model server of this computer, drafting a schema, and what all of it used.
 */

const id = z.number().int().positive()
const time = z.number().int()
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const nothing = z.object({})

export const conversationKinds = ['documentalist', 'chat'] as const

export const conversationRow = z.object({
  id,
  kind: z.enum(conversationKinds),
  /** The beginning of the first question. */
  title: z.string(),
  connectionId: id,
  connectionName: z.string(),
  /** The Documentalist's identifier; null for a chat. */
  agentReference: z.string().nullable(),
  /** The agent's name as last known here, else its identifier; null for a chat. */
  agentName: z.string().nullable(),
  /** The model's alias; null for a Documentalist. */
  model: z.string().nullable(),
  /** An answer is being written. */
  writing: z.boolean(),
  updatedAt: time,
})
export type ConversationRow = z.infer<typeof conversationRow>

/**
 * `writing`: text still comes. `stopped`: by the person. `incomplete`: the stream broke, what came is kept.
 * `failed`: nothing came. A question is always `complete`.
 */
export const messageStates = ['writing', 'complete', 'stopped', 'incomplete', 'failed'] as const

export const messageRow = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  state: z.enum(messageStates),
  reason: errorReason.nullable(),
  createdAt: time,
})
export type MessageRow = z.infer<typeof messageRow>

export const usageTotals = z.object({ documents: z.number().int(), tokens: z.number().int(), questions: z.number().int() })

export const usageReport = z.object({
  /** Every day of the span, also those without anything, by the clock of this computer. */
  days: z.array(usageTotals.extend({ day })),
  folders: z.array(usageTotals.extend({ id: id.nullable(), name: z.string() })),
  schemas: z.array(usageTotals.extend({ id: id.nullable(), name: z.string() })),
  total: usageTotals,
})
export type UsageReport = z.infer<typeof usageReport>

/**
 * Why documents wait for the daily cap. `reached`: until midnight. `too_large`: one of the schema `name` took `tokens`, which
 * is more than the cap. `no_tokens`: the connection `name` does not say what a document takes, so a cap of tokens could not
 * be kept. `under_way`: until those that are with the service have said what they took.
 */
export const capHoldReasons = ['reached', 'too_large', 'no_tokens', 'under_way'] as const

export const capHold = z.object({ why: z.enum(capHoldReasons), documents: z.number().int(), name: z.string().nullable(), tokens: z.number().int().nullable() })
export type CapHold = z.infer<typeof capHold>

/** Where the daily cap stands. It counts what goes to connections that bill; this computer is free. */
export const capState = z.object({
  documentsToday: z.number().int(),
  tokensToday: z.number().int(),
  documentCap: z.number().int().nullable(),
  tokenCap: z.number().int().nullable(),
  /** How many queued documents wait because of it, and why; only those of `reached` go on by themselves at `resumesAt`. */
  held: z.number().int(),
  holds: z.array(capHold),
  resumesAt: time.nullable(),
})
export type CapState = z.infer<typeof capState>

export const estimate = z.object({
  documents: z.number().int(),
  /** Files there that would not be sent (unsupported, too large, already known). */
  skipped: z.number().int(),
  sizeBytes: z.number(),
  /** From the tokens that documents of this schema took on this connection; null while none has been measured. */
  tokens: z.number().int().nullable(),
  /** How many measured documents `tokens` stands on. */
  measured: z.number().int(),
  bills: z.boolean(),
  /** How many of them the daily cap would hold back today; 0 without a cap. */
  heldByCap: z.number().int(),
})
export type Estimate = z.infer<typeof estimate>

export const draftSource = z.union([z.object({ jobId: id }), z.object({ uploadId: z.string().min(1).max(100) })])

export const platformCalls = {
  'ask.list': { input: nothing, output: z.object({ conversations: z.array(conversationRow) }) },
  'ask.get': { input: z.object({ id }), output: z.object({ conversation: conversationRow, messages: z.array(messageRow) }) },
  /** Puts a question, in a new conversation when `conversationId` is null. The answer comes by `ask.delta` and `ask.changed`. */
  'ask.send': {
    input: z.object({
      conversationId: id.nullable(),
      connectionId: id,
      kind: z.enum(conversationKinds),
      agentReference: z.string().trim().min(1).max(200).nullable().default(null),
      model: z.string().trim().min(1).max(200).nullable().default(null),
      text: z.string().trim().min(1).max(20_000),
    }),
    output: z.object({ conversationId: id, messageId: id }),
  },
  /** Breaks the running answer off; what came is kept. */
  'ask.stop': { input: z.object({ conversationId: id }), output: nothing },
  'ask.remove': { input: z.object({ id }), output: nothing },

  /** Of this computer: its agents. Of a platform: the ones that were used from here, since it lists none. */
  'agents.list': { input: z.object({ connectionId: id }), output: z.object({ agents: z.array(agentRow), managed: z.boolean() }) },
  /** Only on this computer, as everything below. */
  'agents.save': { input: agentInput.omit({ schema: true }).extend({ schemaId: id.nullable().default(null) }), output: z.object({ reference: z.string() }) },
  'agents.remove': { input: z.object({ reference: z.string() }), output: nothing },
  /** Documents are read in the background and no event says so: asked again every second while any is `reading`. */
  'agents.documents': { input: z.object({ reference: z.string() }), output: z.object({ documents: z.array(agentDocumentRow) }) },
  'agents.addDocuments': { input: z.object({ reference: z.string(), paths: z.array(z.string().min(1)).min(1) }), output: z.object({ added: z.number().int(), skipped: z.number().int() }) },
  'agents.removeDocument': { input: z.object({ reference: z.string(), id: z.string() }), output: nothing },

  /** The models that a connection offers; the problem when it offers none just now. */
  'models.list': { input: z.object({ connectionId: id }), output: z.object({ models: z.array(z.string()), problem: errorReason.nullable() }) },
  'models.server': { input: nothing, output: modelServer },
  'models.saveServer': { input: modelServerInput, output: modelServer },
  'models.discover': { input: z.object({ baseUrl: z.url(), apiKey: z.string().min(1).nullable().optional() }), output: z.object({ models: z.array(z.string()), problem: errorReason.nullable() }) },

  /**
   * Fields for a schema from a sample document or the header row of a spreadsheet: by a model when a connection is named
   * and its model answers, by rules otherwise. `note` says why the model was not used although it was named.
   */
  'schemas.draft': {
    input: z.object({ source: draftSource, connectionId: id.nullable().default(null), model: z.string().nullable().default(null), locale: z.enum(locales) }),
    output: z.object({ name: z.string(), elements: z.array(schemaElement), by: z.enum(['model', 'rules']), note: errorReason.nullable() }),
  },

  /** Both days included. */
  'usage.report': { input: z.object({ from: day, to: day }), output: usageReport },
  'usage.cap': { input: nothing, output: capState },
  /** What a batch would come to, before anything is sent: a folder of this computer, or files about to be dropped. */
  'usage.estimate': {
    input: z.object({
      schemaId: id,
      connectionId: id,
      source: z.union([z.object({ path: z.string().min(1), includeSubfolders: z.boolean(), include: patternList.default([]), exclude: patternList.default([]) }), z.object({ files: z.array(z.object({ name: z.string(), sizeBytes: z.number().min(0) })).max(100_000) }), z.object({ jobIds: z.array(id).max(10_000) })]),
    }),
    output: estimate,
  },
} as const

export const platformEvents = {
  /** More text of an answer: `text` belongs at `offset` (UTF-16 units). Whoever missed one asks `ask.get` again. */
  'ask.delta': z.object({ conversationId: id, messageId: id, offset: z.number().int(), text: z.string() }),
  'ask.changed': z.object({ conversationId: id }),
  'agents.changed': nothing,
  'usage.changed': nothing,
} as const

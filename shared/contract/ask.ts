import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { id, nothing, time } from './shapes.ts'

/** The part of the contract between window and core that is about questions to Documentalists and models. */

const conversationKinds = ['documentalist', 'chat'] as const

const conversationRow = z.object({
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
const messageStates = ['writing', 'complete', 'stopped', 'incomplete', 'failed'] as const

const messageRow = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  state: z.enum(messageStates),
  reason: errorReason.nullable(),
  createdAt: time,
})
export type MessageRow = z.infer<typeof messageRow>

export const askCalls = {
  'ask.list': { input: nothing, output: z.object({ conversations: z.array(conversationRow) }) },
  'ask.get': {
    input: z.object({ id }),
    output: z.object({ conversation: conversationRow, messages: z.array(messageRow) }),
  },
  /**
   * Puts a question, in a new conversation when `conversationId` is null. The answer comes by `ask.delta` and
   * `ask.changed`.
   */
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
} as const

export const askEvents = {
  /** More text of an answer: `text` belongs at `offset` (UTF-16 units). Whoever missed one asks `ask.get` again. */
  'ask.delta': z.object({ conversationId: id, messageId: id, offset: z.number().int(), text: z.string() }),
  'ask.changed': z.object({ conversationId: id }),
} as const

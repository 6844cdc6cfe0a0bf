import { AppError } from '../../../shared/errors.ts'
import { localAgents } from './agents.ts'
import type { Handlers, HandlerContext } from './types.ts'

type AskCalls = Extract<keyof Handlers, `ask.${string}`>

export function askHandlers(context: HandlerContext): Pick<Handlers, AskCalls> {
  const { tables, asking } = context
  return {
    'ask.list': async () => ({ conversations: tables.conversations.list() }),
    'ask.get': async ({ id }) => {
      const conversation = tables.conversations.get(id)
      if (conversation === null) throw new AppError('not_found', { what: 'conversation' })
      return { conversation: conversation.row, messages: tables.conversations.messages(id) }
    },
    'ask.send': async (question) => {
      const sent = asking.send(question)
      void learnAgentName(context, sent.conversationId)
      return sent
    },
    'ask.stop': async ({ conversationId }) => {
      await asking.stop(conversationId)
      return {}
    },
    'ask.remove': async ({ id }) => {
      await asking.remove(id)
      return {}
    },
  }
}

/** The first question to an agent of this computer knows its reference only. A name that cannot be learnt is no loss. */
async function learnAgentName(context: HandlerContext, conversationId: number): Promise<void> {
  const { tables, emit } = context
  const conversation = tables.conversations.get(conversationId)
  if (conversation === null || conversation.agentReference === null || conversation.agentName !== null) return
  if (conversation.connectionId !== tables.connections.local().id) return
  await localAgents(context).then(() => emit('ask.changed', { conversationId }), () => undefined)
}

import { AppError } from '../../../shared/domain/errors.ts'
import { localAgents } from './agents.ts'
import type { Handlers, HandlerContext } from './types.ts'

type AskCalls = Extract<keyof Handlers, `ask.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'questions' | 'connections' | 'emit'>

export function askHandlers(context: Needs): Pick<Handlers, AskCalls> {
  const { tables, questions } = context
  return {
    'ask.list': async () => ({ conversations: tables.conversations.list() }),
    'ask.get': async ({ id }) => {
      const conversation = tables.conversations.get(id)
      if (conversation === null) throw new AppError('not_found', { what: 'conversation' })
      return { conversation: conversation.row, messages: tables.conversations.messages(id) }
    },
    'ask.send': async (question) => {
      const sent = questions.send(question)
      void learnAgentName(context, sent.conversationId)
      return sent
    },
    'ask.stop': async ({ conversationId }) => {
      await questions.stop(conversationId)
      return {}
    },
    'ask.remove': async ({ id }) => {
      await questions.remove(id)
      return {}
    },
  }
}

/**
 * The first question to an agent of this computer knows its reference only. A name that cannot be learnt is no loss.
 */
async function learnAgentName(context: Needs, conversationId: number): Promise<void> {
  const { tables, emit } = context
  const conversation = tables.conversations.get(conversationId)
  if (conversation === null || conversation.agentReference === null || conversation.agentName !== null) return
  if (conversation.connectionId !== tables.connections.local().id) return
  await localAgents(context).then(
    () => emit('ask.changed', { conversationId }),
    () => undefined,
  )
}

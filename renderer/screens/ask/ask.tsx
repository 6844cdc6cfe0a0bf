import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { Composer } from './composer.tsx'
import { Conversations } from './conversations.tsx'
import { Thread } from './thread.tsx'
import { addresseeOf, useAddressee } from './use-addressee.ts'
import type { Addressee } from './use-addressee.ts'
import { AddresseeFields } from './addressee-fields.tsx'

type Props = { state: AppState; id: number | null }

/** Questions to Documentalists and models, each conversation kept. */
export function AskScreen({ state, id }: Props): ReactNode {
  const { t } = useLanguage()
  const list = useCall('ask.list', {})
  const conversations = list.data?.conversations
  return (
    <div className="screen">
      <PageHead title={t('ask.title')}>
        <a className="button button--quiet" href={hrefOf({ screen: 'agents' })}>
          <Icon name="agent" size={14} />
          <span className="button__text">{t('ask.toAgents')}</span>
        </a>
        <Button icon="plus" onPress={() => navigate({ screen: 'ask', id: null })} isDisabled={id === null}>
          {t('ask.new')}
        </Button>
      </PageHead>
      <div className="ask">
        <Conversations conversations={conversations} problem={list.error} current={id} />
        {id === null ? (
          conversations && (
            <NewConversation state={state} latest={conversations[0] ? addresseeOf(conversations[0]) : null} />
          )
        ) : (
          <Conversation key={id} state={state} id={id} />
        )}
      </div>
    </div>
  )
}

function NewConversation({ state, latest }: { state: AppState; latest: Addressee | null }): ReactNode {
  const { t } = useLanguage()
  const choice = useAddressee(state, latest)
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const send = useSend()
  const { addressee } = choice
  return (
    <section className="thread" aria-label={t('ask.new')}>
      <div className="thread__scroll thread__scroll--empty" tabIndex={0} role="region" aria-label={t('ask.thread')}>
        <EmptyState icon="ask" title={t('ask.emptyTitle')} text={t('ask.emptyText')}>
          {choice.nobodyHere && (
            <Button variant="primary" icon="agent" onPress={() => navigate({ screen: 'agents' })}>
              {t('ask.createAgent')}
            </Button>
          )}
        </EmptyState>
      </div>
      <div className="thread__foot">
        <AddresseeFields choice={choice} connections={state.connections} />
        <Composer
          input={input}
          text={text}
          onText={setText}
          problem={send.error}
          canSend={addressee !== null && !send.isPending}
          onSend={(question) => addressee && send.ask(null, addressee, question)}
        />
      </div>
    </section>
  )
}

function Conversation({ state, id }: { state: AppState; id: number }): ReactNode {
  const { t, questionSentence } = useLanguage()
  const answer = useCall('ask.get', { id })
  const stop = useAction('ask.stop')
  const send = useSend()
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  if (answer.isError) {
    const gone = answer.error instanceof AppError && answer.error.code === 'not_found'
    return (
      <section className="thread">
        <EmptyState
          icon="ask"
          title={gone ? t('ask.gone') : t('ask.broken')}
          text={gone ? t('ask.goneText') : questionSentence(answer.error)}
        >
          <Button onPress={() => (gone ? navigate({ screen: 'ask', id: null }) : void answer.refetch())}>
            {gone ? t('ask.new') : t('app.retry')}
          </Button>
        </EmptyState>
      </section>
    )
  }
  if (!answer.data) return <section className="thread" aria-busy="true" />
  const { conversation, messages } = answer.data
  const connection = state.connections.find((each) => each.id === conversation.connectionId)
  return (
    <Thread
      conversation={conversation}
      connection={connection}
      messages={messages}
      onAskAgain={(question) => {
        setText(question)
        input.current?.focus()
      }}
      foot={
        connection ? (
          <Composer
            input={input}
            text={text}
            onText={setText}
            problem={send.error ?? stop.error}
            canSend={!conversation.writing && !send.isPending}
            onSend={(question) => send.ask(id, addresseeOf(conversation), question, () => setText(''))}
            {...(conversation.writing ? { onStop: () => stop.mutate({ conversationId: id }) } : {})}
          />
        ) : (
          <p className="hint">{t('ask.connectionGone')}</p>
        )
      }
    />
  )
}

type Send = {
  isPending: boolean
  error: Error | null
  ask: (conversationId: number | null, addressee: Addressee, text: string, onSent?: () => void) => void
}

/** Puts a question and goes to its conversation. */
function useSend(): Send {
  const send = useAction('ask.send')
  const queryClient = useQueryClient()
  return {
    isPending: send.isPending,
    error: send.error,
    ask(conversationId, addressee, text, onSent) {
      send.mutate(
        { conversationId, ...addressee, text },
        {
          onSuccess(answer) {
            onSent?.()
            void queryClient.invalidateQueries({ queryKey: callKey('ask.get', { id: answer.conversationId }) })
            void queryClient.invalidateQueries({ queryKey: ['ask.list'] })
            if (conversationId === null) navigate({ screen: 'ask', id: answer.conversationId })
          },
        },
      )
    },
  }
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ConversationRow } from '../../../shared/contract/ask.ts'
import { useAction } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { IconButton } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

type Props = { conversations: ConversationRow[] | undefined; problem: Error | null; current: number | null }

/** Every conversation, the newest first. */
export function Conversations({ conversations, problem, current }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const remove = useAction('ask.remove')
  const [removed, setRemoved] = useState<ConversationRow | null>(null)
  function removeConversation({ id }: ConversationRow): void {
    remove.mutate(
      { id },
      {
        onError: (error) => notify('problem', errorSentence(error)),
        onSuccess: () => id === current && navigate({ screen: 'ask', id: null }, true),
      },
    )
  }
  return (
    <nav
      className="conversations"
      aria-label={t('ask.conversations')}
      aria-busy={conversations === undefined && problem === null}
    >
      {problem && <Callout kind="bad">{errorSentence(problem)}</Callout>}
      {conversations?.length === 0 && <p className="conversations__none hint">{t('ask.none')}</p>}
      <ul>
        {conversations?.map((conversation) => (
          <ConversationItem
            key={conversation.id}
            conversation={conversation}
            current={conversation.id === current}
            onRemove={() => setRemoved(conversation)}
          />
        ))}
      </ul>
      {removed && (
        <Confirm
          title={t('ask.removeTitle')}
          confirm={t('ask.removeConfirm')}
          danger
          onConfirm={() => removeConversation(removed)}
          onClose={() => setRemoved(null)}
        >
          <p className="quoted">{removed.title}</p>
          <p>{t('ask.removeText')}</p>
        </Confirm>
      )}
    </nav>
  )
}

function ConversationItem({
  conversation,
  current,
  onRemove,
}: {
  conversation: ConversationRow
  current: boolean
  onRemove: () => void
}): ReactNode {
  const { t, formats } = useLanguage()
  const addressee = conversation.agentName ?? conversation.model ?? ''
  return (
    <li className="conversation" data-current={current || undefined}>
      <a
        className="conversation__link"
        href={hrefOf({ screen: 'ask', id: conversation.id })}
        aria-current={current ? 'page' : undefined}
        title={conversation.title}
      >
        <span className="ellipsis">
          <bdi>{conversation.title}</bdi>
        </span>
        <small className="conversation__line">
          <span className="ellipsis">
            <bdi>{addressee}</bdi>
          </span>
          {conversation.writing ? (
            <span className="conversation__writing">
              <Icon name="clock" size={11} />
              {t('ask.writing')}
            </span>
          ) : (
            <span className="tabular">{formats.moment(conversation.updatedAt)}</span>
          )}
        </small>
      </a>
      <IconButton icon="trash" label={t('ask.remove', { title: conversation.title })} onPress={onRemove} />
    </li>
  )
}

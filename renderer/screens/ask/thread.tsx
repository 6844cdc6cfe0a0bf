import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { ConversationRow, MessageRow } from '../../../shared/contract/ask.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { Message, stateLabels } from './message.tsx'

/** Within this distance the view counts as being at the end. */
const nearEndPx = 48
/** Space above a question that is scrolled to the top. */
const questionSpacePx = 20
/** What a screen reader is told at once of a finished answer; the rest is read in the thread. */
const maxAnnounced = 1000

type Props = {
  conversation: ConversationRow
  connection: ConnectionRow | undefined
  messages: MessageRow[]
  foot: ReactNode
  onAskAgain: (question: string) => void
}

/** A conversation: questions and answers as text, the newest below, followed unless the person scrolled up. */
export function Thread({ conversation, connection, messages, foot, onAskAgain }: Props): ReactNode {
  const { t } = useLanguage()
  const { scroller, content, onScroll } = useStickToEnd(messages.length, conversation.writing)
  const askAgain = useRef(onAskAgain)
  useEffect(() => {
    askAgain.current = onAskAgain
  })
  const addressee = conversation.agentName ?? conversation.model ?? ''
  return (
    <section className="thread" aria-label={conversation.title}>
      <header className="thread__head">
        <Icon name={conversation.kind === 'chat' ? 'ask' : 'agent'} />
        <strong className="ellipsis" title={addressee}>
          <bdi>{addressee}</bdi>
        </strong>
        <span className="hint ellipsis">
          {connection ? connectionName(connection, t) : conversation.connectionName}
        </span>
      </header>
      <div
        className="thread__scroll"
        ref={scroller}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={t('ask.thread')}
      >
        <ol className="messages" ref={content}>
          {messages.map((message, index) => (
            <Message
              key={message.id}
              message={message}
              question={messages[index - 1]?.text ?? ''}
              bills={connection?.kind === 'platform'}
              askAgain={askAgain}
            />
          ))}
        </ol>
      </div>
      <AnswerAnnouncement messages={messages} />
      <div className="thread__foot">{foot}</div>
    </section>
  )
}

type StickToEnd = {
  scroller: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLOListElement | null>
  onScroll: () => void
}

/**
 * Keeps the end in sight while what is above it grows, until the person scrolls up; a new message brings it back. A
 * conversation that is opened to be read begins at its last question.
 */
function useStickToEnd(count: number, writing: boolean): StickToEnd {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLOListElement>(null)
  const sticks = useRef(true)
  const opened = useRef(false)
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const question = [...box.querySelectorAll<HTMLElement>('.message--question')].at(-1)
    sticks.current = writing || opened.current
    box.scrollTop = sticks.current ? box.scrollHeight : Math.max(0, (question?.offsetTop ?? 0) - questionSpacePx)
    opened.current = true
    // Only a new message moves the view, not the end of an answer.
  }, [count])
  useEffect(() => {
    const box = scroller.current
    if (!box || !content.current) return
    const observer = new ResizeObserver(() => {
      if (sticks.current) box.scrollTop = box.scrollHeight
    })
    observer.observe(content.current)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  function onScroll(): void {
    const box = scroller.current
    if (box) sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
  }
  return { scroller, content, onScroll }
}

/** Tells screen readers of an answer once, when it has ended, not word by word. */
function AnswerAnnouncement({ messages }: { messages: MessageRow[] }): ReactNode {
  const { t } = useLanguage()
  const [seenWriting, setSeenWriting] = useState<number | null>(null)
  const last = messages.at(-1)
  const writingId = last?.state === 'writing' ? last.id : null
  if (writingId !== null && writingId !== seenWriting) setSeenWriting(writingId)
  const ended = last && last.id === seenWriting && last.state !== 'writing' ? last : null
  return (
    <div className="visually-hidden" role="status">
      {writingId !== null && t('ask.writing')}
      {ended && `${t(stateLabels[ended.state])} ${ended.text.slice(0, maxAnnounced)}`}
    </div>
  )
}

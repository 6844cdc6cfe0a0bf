import { memo, useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { ConnectionRow } from '../../../shared/contract.ts'
import type { ConversationRow, MessageRow } from '../../../shared/contract-platform.ts'
import { errorPolicies } from '../../../shared/errors.ts'
import { catchUp, forgetAnswer, useHeard } from '../../client/answers.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { blocksOf } from './blocks.ts'

/** So near to the end counts as being there. */
const nearEndPx = 48
/** Between the top and a question that is brought there. */
const questionSpacePx = 20
/** What a screen reader is told at once of a finished answer; the rest is read in the thread. */
const mostSpoken = 1000

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
  const { scroller, content, onScroll } = useFollowedEnd(messages.length, conversation.writing)
  const askAgain = useRef(onAskAgain)
  useEffect(() => {
    askAgain.current = onAskAgain
  })
  const whom = conversation.agentName ?? conversation.model ?? ''
  return (
    <section className="thread" aria-label={conversation.title}>
      <header className="thread__head">
        <Icon name={conversation.kind === 'chat' ? 'ask' : 'agent'} />
        <strong className="ellipsis" title={whom}>
          <bdi>{whom}</bdi>
        </strong>
        <span className="hint ellipsis">{connection ? connectionName(connection, t) : conversation.connectionName}</span>
      </header>
      <div className="thread__scroll" ref={scroller} onScroll={onScroll} tabIndex={0} role="region" aria-label={t('ask.thread')}>
        <ol className="messages" ref={content}>
          {messages.map((message, index) => (
            <Message key={message.id} message={message} question={messages[index - 1]?.text ?? ''} bills={connection?.kind === 'platform'} askAgain={askAgain} />
          ))}
        </ol>
      </div>
      <Spoken messages={messages} />
      <div className="thread__foot">{foot}</div>
    </section>
  )
}

type Followed = { scroller: RefObject<HTMLDivElement | null>; content: RefObject<HTMLOListElement | null>; onScroll: () => void }

/**
 * Keeps the end in sight while what is above it grows, until the person scrolls up; a new message brings it back. A
 * conversation that is opened to be read begins at its last question.
 */
function useFollowedEnd(count: number, writing: boolean): Followed {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLOListElement>(null)
  const following = useRef(true)
  const opened = useRef(false)
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const question = [...box.querySelectorAll<HTMLElement>('.message--question')].at(-1)
    following.current = writing || opened.current
    box.scrollTop = following.current ? box.scrollHeight : Math.max(0, (question?.offsetTop ?? 0) - questionSpacePx)
    opened.current = true
    // Only a new message moves the view, not the end of an answer.
  }, [count])
  useEffect(() => {
    const box = scroller.current
    if (!box || !content.current) return
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight
    })
    observer.observe(content.current)
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  function onScroll(): void {
    const box = scroller.current
    if (box) following.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
  }
  return { scroller, content, onScroll }
}

/** Tells screen readers of an answer once, when it has ended, not word by word. */
function Spoken({ messages }: { messages: MessageRow[] }): ReactNode {
  const { t } = useLanguage()
  const [heardWriting, setHeardWriting] = useState<number | null>(null)
  const last = messages.at(-1)
  const writingId = last?.state === 'writing' ? last.id : null
  if (writingId !== null && writingId !== heardWriting) setHeardWriting(writingId)
  const ended = last && last.id === heardWriting && last.state !== 'writing' ? last : null
  return (
    <div className="visually-hidden" role="status">
      {writingId !== null && t('ask.writing')}
      {ended && `${ended.state === 'complete' ? t('ask.answered') : t(endWords[ended.state])} ${ended.text.slice(0, mostSpoken)}`}
    </div>
  )
}

const endWords = { stopped: 'ask.stopped', incomplete: 'ask.incomplete', failed: 'ask.failed', writing: 'ask.writing', complete: 'ask.answered' } as const

type MessageProps = { message: MessageRow; question: string; bills: boolean; askAgain: RefObject<(question: string) => void> }

const Message = memo(function Message({ message, question, bills, askAgain }: MessageProps): ReactNode {
  const { t, questionSentence } = useLanguage()
  if (message.role === 'user') {
    return (
      <li className="message message--question">
        <span className="visually-hidden">{t('ask.you')}</span>
        <MessageText text={message.text} />
      </li>
    )
  }
  const { state } = message
  // The sentences of these codes say that it may be billed.
  const saysItself = message.reason !== null && errorPolicies[message.reason.code] === 'unknown'
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(message.text)
    notify('done', t('schemas.copied'))
  }
  return (
    <li className="message message--answer" aria-busy={state === 'writing'}>
      <span className="visually-hidden">{t('ask.answer')}</span>
      {state === 'writing' ? <Growing message={message} /> : message.text !== '' && <MessageText text={message.text} />}
      {state === 'complete' && message.text !== '' && (
        <div className="message__tools">
          <IconButton icon="copy" label={t('ask.copy')} onPress={() => void copy()} />
        </div>
      )}
      {(state === 'stopped' || state === 'incomplete' || state === 'failed') && (
        <div className="message__end">
          <Callout
            kind={state === 'stopped' ? 'info' : state === 'incomplete' ? 'flag' : 'bad'}
            action={
              question !== '' && (
                <Button icon="refresh" onPress={() => askAgain.current(question)}>
                  {t('ask.again')}
                </Button>
              )
            }
          >
            <strong>{t(endWords[state])}</strong>
            {message.reason && state !== 'stopped' && <> {questionSentence(message.reason)}</>}
            {bills && !saysItself && <> {t('ask.againBills')}</>}
          </Callout>
        </div>
      )}
    </li>
  )
})

/** The answer that is being written; only this is drawn anew for each piece of text. */
function Growing({ message }: { message: MessageRow }): ReactNode {
  const { t } = useLanguage()
  const heard = useHeard(message.id)
  useEffect(() => catchUp(message.id, message.text), [message.id, message.text])
  useEffect(() => () => forgetAnswer(message.id), [message.id])
  const text = heard.length > message.text.length ? heard : message.text
  return (
    <>
      {text === '' ? <p className="hint">{t('ask.waiting')}</p> : <MessageText text={text} />}
      <span className="caret" aria-hidden="true" />
    </>
  )
}

/** Text as it came. Long text stands in blocks, so that one that grows is laid out at its end only. */
function MessageText({ text }: { text: string }): ReactNode {
  return (
    <div className="message__text">
      {blocksOf(text).map((block, index) => (
        <TextBlock key={index} text={block} />
      ))}
    </div>
  )
}

const TextBlock = memo(function TextBlock({ text }: { text: string }): ReactNode {
  return <div className="message__block">{text}</div>
})

import { memo, useEffect } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { MessageRow } from '../../../shared/contract/ask.ts'
import { errorPolicies } from '../../../shared/domain/errors.ts'
import { catchUp, forgetAnswer, useAnswerText } from '../../client/answers.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { useCopy } from '../use-copy.ts'

/** How an answer ended, or that it did not yet. */
export const stateLabels: Record<MessageRow['state'], MessageId> = {
  stopped: 'ask.stopped',
  incomplete: 'ask.incomplete',
  failed: 'ask.failed',
  writing: 'ask.writing',
  complete: 'ask.answered',
}

const brokenOffKinds = { stopped: 'info', incomplete: 'flag', failed: 'bad' } as const

type MessageProps = {
  message: MessageRow
  /** The question that is answered; empty when it is not known. */
  question: string
  /** Whether asking again may cost something. */
  bills: boolean
  askAgain: RefObject<(question: string) => void>
}

/** A question or an answer of a conversation. */
export const Message = memo(function Message({ message, question, bills, askAgain }: MessageProps): ReactNode {
  const { t } = useLanguage()
  const copy = useCopy()
  const { role, state, text } = message
  if (role === 'user') {
    return (
      <li className="message message--question">
        <span className="visually-hidden">{t('ask.you')}</span>
        <MessageText text={text} />
      </li>
    )
  }
  const isBrokenOff = state !== 'writing' && state !== 'complete'
  return (
    <li className="message message--answer" aria-busy={state === 'writing'}>
      <span className="visually-hidden">{t('ask.answer')}</span>
      {state === 'writing' ? <GrowingText message={message} /> : text !== '' && <MessageText text={text} />}
      {state === 'complete' && text !== '' && (
        <div className="message__tools">
          <IconButton icon="copy" label={t('ask.copy')} onPress={() => void copy(text)} />
        </div>
      )}
      {isBrokenOff && (
        <div className="message__end">
          <BrokenOff state={state} reason={message.reason} question={question} bills={bills} askAgain={askAgain} />
        </div>
      )}
    </li>
  )
})

type BrokenOffProps = Omit<MessageProps, 'message'> & {
  state: keyof typeof brokenOffKinds
  reason: MessageRow['reason']
}

/** Why an answer is not complete, and asking again. */
function BrokenOff({ state, reason, question, bills, askAgain }: BrokenOffProps): ReactNode {
  const { t, questionSentence } = useLanguage()
  // The sentences of these codes say that it may be billed.
  const reasonSaysBilled = reason !== null && errorPolicies[reason.code] === 'unknown'
  return (
    <Callout
      kind={brokenOffKinds[state]}
      action={
        question !== '' && (
          <Button icon="refresh" onPress={() => askAgain.current(question)}>
            {t('ask.again')}
          </Button>
        )
      }
    >
      <strong>{t(stateLabels[state])}</strong>
      {reason && state !== 'stopped' && <> {questionSentence(reason)}</>}
      {bills && !reasonSaysBilled && <> {t('ask.againBills')}</>}
    </Callout>
  )
}

/** The answer that is being written; only this is drawn anew for each piece of text. */
function GrowingText({ message }: { message: MessageRow }): ReactNode {
  const { t } = useLanguage()
  const streamed = useAnswerText(message.id)
  useEffect(() => catchUp(message.id, message.text), [message.id, message.text])
  useEffect(() => () => forgetAnswer(message.id), [message.id])
  const text = streamed.length > message.text.length ? streamed : message.text
  return (
    <>
      {text === '' ? <p className="hint">{t('ask.waiting')}</p> : <MessageText text={text} />}
      <span className="caret" aria-hidden="true" />
    </>
  )
}

/** From so many characters on, the next line begins a new block. */
const blockLength = 4000

/** Cuts text at line ends; where it was cut does not change when it grows. Pure. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let start = 0
  for (let cut = text.indexOf('\n', blockLength); cut !== -1; cut = text.indexOf('\n', start + blockLength)) {
    blocks.push(text.slice(start, cut))
    start = cut + 1
  }
  return [...blocks, text.slice(start)]
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

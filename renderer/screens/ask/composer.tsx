import { useEffect } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { TextArea, TextField } from 'react-aria-components'
import { Button } from '../../components/controls.tsx'
import { Callout } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'

/** What `ask.send` takes. */
const maxCharacters = 20_000

type Props = {
  input: RefObject<HTMLTextAreaElement | null>
  text: string
  onText: (text: string) => void
  problem: Error | null
  canSend: boolean
  onSend: (text: string) => void
  /** Breaks the running answer off; only while one is written. */
  onStop?: () => void
}

/** Where a question is typed: Enter sends it, Shift and Enter begins a line, Escape stops the answer. */
export function Composer({ input, text, onText, problem, canSend, onSend, onStop }: Props): ReactNode {
  const { t, questionSentence } = useLanguage()
  useEffect(() => input.current?.focus(), [input])
  useWindowKeys((event) => {
    if (
      onStop === undefined ||
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]')
    )
      return
    event.preventDefault()
    onStop()
  })

  const ready = canSend && text.trim() !== ''
  function submit(): void {
    if (ready) onSend(text.trim())
  }
  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes a word, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <div className="composer">
      {problem && <Callout kind="bad">{questionSentence(problem)}</Callout>}
      <div className="composer__box">
        <TextField
          className="composer__field"
          value={text}
          onChange={onText}
          aria-label={t('ask.question')}
          maxLength={maxCharacters}
        >
          <TextArea
            ref={input}
            className="composer__input"
            rows={2}
            placeholder={t('ask.placeholder')}
            onKeyDown={onKeyDown}
          />
        </TextField>
        {onStop ? (
          <Button icon="stop" onPress={onStop}>
            {t('ask.stop')}
          </Button>
        ) : (
          <Button variant="primary" icon="send" onPress={submit} isDisabled={!ready}>
            {t('ask.send')}
          </Button>
        )}
      </div>
      <p className="hint composer__hint">{onStop ? t('ask.stopHint') : t('ask.hint')}</p>
    </div>
  )
}

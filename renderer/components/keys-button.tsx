import { useState } from 'react'
import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { Button, IconButton } from './controls.tsx'
import { Dialog, isDialogOpen } from './dialog.tsx'
import { useWindowKeys } from './use-window-keys.ts'

/** Keys that do the same or belong together, and what they do. */
export type KeyRow = [keys: string[], words: MessageId]

/** A button that shows all keys of a screen; so does «?». */
export function KeysButton({ rows }: { rows: readonly KeyRow[] }): ReactNode {
  const { t } = useLanguage()
  const [shown, setShown] = useState(false)
  useWindowKeys((event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null
    if (event.key !== '?' || isTyping || isDialogOpen()) return
    event.preventDefault()
    setShown(true)
  })
  return (
    <>
      <IconButton icon="keyboard" label={t('keys.show')} keys="?" onPress={() => setShown(true)} />
      {shown && (
        <Dialog
          title={t('keys.show')}
          onClose={() => setShown(false)}
          actions={
            <Button autoFocus onPress={() => setShown(false)}>
              {t('action.close')}
            </Button>
          }
        >
          <dl className="keys" tabIndex={0}>
            {rows.map(([names, words]) => (
              <div key={words} className="keys__row">
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{t(words)}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  )
}

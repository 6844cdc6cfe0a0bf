import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../components/controls.tsx'
import { Dialog, isDialogOpen } from '../../components/dialog.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { maxAlternatives, useAlternativeKeys } from './alternatives.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

/** A button that shows all keys of the check; so does «?». */
export function KeysButton(): ReactNode {
  const { t } = useLanguage()
  const { command, alt, shift, enter } = useKeyNames()
  const { modifier } = useAlternativeKeys()
  const [shown, setShown] = useState(false)
  useWindowKeys((event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea, select') !== null
    if (event.key !== '?' || isTyping || isDialogOpen()) return
    event.preventDefault()
    setShown(true)
  })
  const rows: [string[], MessageId][] = [
    [[enter], 'keys.confirm'],
    [[`${command} ${enter}`], 'keys.approve'],
    [['F8', `${shift} F8`], 'keys.nextFlag'],
    [Array.from({ length: maxAlternatives }, (_, index) => `${modifier.shown} ${index + 1}`), 'keys.alternatives'],
    [['↑', '↓'], 'keys.values'],
    [[`${alt} ↑`, `${alt} ↓`], 'keys.documents'],
    [['F2'], 'keys.cells'],
    [['F4'], 'keys.point'],
    [['F9'], 'keys.learned'],
    [[`${shift} ↑ ↓ ← →`, `${command} A`], 'keys.range'],
    [[`${command} C`, `${command} X`, `${command} V`], 'keys.clipboard'],
    [[`${command} Z`, `${command} ${shift} Z`], 'keys.undo'],
    [[`${alt} ${enter}`, `${alt} ⌫`], 'keys.rows'],
    [[`${alt} ${shift} ↑ ↓ ← →`], 'keys.moveRows'],
    [[`${command} +`, `${command} −`, `${command} 0`], 'keys.zoom'],
    [[`${command} K`], 'palette.title'],
    [['Esc'], 'keys.leave'],
    [['?'], 'keys.show'],
  ]
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

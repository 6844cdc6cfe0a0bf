import { useState } from 'react'
import type { ReactNode } from 'react'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { keepUnsaved, readUnsaved } from './unsaved.ts'

/** Stands before what begins a new schema: one that was begun before and not saved is not put away without a word. */
export function AfterUnfinished({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  const { t } = useLanguage()
  const [unfinished, setUnfinished] = useState(() => readUnsaved(null))
  if (unfinished === null) return children
  function discard(): void {
    keepUnsaved(null, null)
    setUnfinished(null)
  }
  function goOn(): void {
    navigate({ screen: 'schema', id: null })
    onClose()
  }
  return (
    <Dialog
      title={t('schemas.unfinishedTitle', { name: unfinished.edit.name.trim() || t('schemas.untitled') })}
      onClose={onClose}
      actions={
        <>
          <Button variant="danger" onPress={discard}>
            {t('schemas.unfinishedDiscard')}
          </Button>
          <Button variant="primary" onPress={goOn} autoFocus>
            {t('schemas.unfinishedGoOn')}
          </Button>
        </>
      }
    >
      <p>{t('schemas.unfinishedText')}</p>
    </Dialog>
  )
}

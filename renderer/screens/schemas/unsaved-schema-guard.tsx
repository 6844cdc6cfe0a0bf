import { useState } from 'react'
import type { ReactNode } from 'react'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { saveUnsaved, readUnsaved } from './unsaved-edits.ts'

/** Asks what becomes of a new schema that was not saved, before its children start another one. */
export function UnsavedSchemaGuard({ onClose, children }: { onClose: () => void; children: ReactNode }): ReactNode {
  const { t } = useLanguage()
  const [unsaved, setUnsaved] = useState(() => readUnsaved(null))
  if (unsaved === null) return children
  function discard(): void {
    saveUnsaved(null, null)
    setUnsaved(null)
  }
  function resume(): void {
    navigate({ screen: 'schema', id: null })
    onClose()
  }
  return (
    <Dialog
      title={t('schemas.unfinishedTitle', { name: unsaved.edit.name.trim() || t('schemas.untitled') })}
      onClose={onClose}
      actions={
        <>
          <Button variant="danger" onPress={discard}>
            {t('schemas.unfinishedDiscard')}
          </Button>
          <Button variant="primary" onPress={resume} autoFocus>
            {t('schemas.unfinishedGoOn')}
          </Button>
        </>
      }
    >
      <p>{t('schemas.unfinishedText')}</p>
    </Dialog>
  )
}

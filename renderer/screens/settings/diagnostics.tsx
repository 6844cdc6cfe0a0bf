import { useState } from 'react'
import type { ReactNode } from 'react'
import { saveJson } from '../../client/files.ts'
import { useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useCopy } from '../use-copy.ts'

/** The file for whoever helps, shown before it is saved. */
export function Diagnostics(): ReactNode {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className="panel__head">
        <p className="hint">{t('diagnostics.hint')}</p>
        <Button onPress={() => setOpen(true)}>{t('diagnostics.open')}</Button>
      </div>
      {open && <DiagnosticsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DiagnosticsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const copy = useCopy()
  const answer = useCall('diagnostics.get', {}, { refetchOnMount: 'always' })
  // An answer that is kept from earlier is not shown: the file is of now.
  const text = answer.isFetching ? null : (answer.data?.text ?? null)
  function save(): void {
    if (text === null) return
    saveJson(text, `sheaf-diagnostics-${new Date().toISOString().slice(0, 10)}.json`)
    onClose()
  }
  return (
    <Dialog
      title={t('diagnostics.title')}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button icon="copy" isDisabled={text === null} onPress={() => text !== null && void copy(text)}>
            {t('schemas.copy')}
          </Button>
          <Button variant="primary" icon="export" isDisabled={text === null} onPress={save}>
            {t('diagnostics.save')}
          </Button>
        </>
      }
    >
      <p>{t('diagnostics.text')}</p>
      {answer.isError && <Callout kind="bad">{errorSentence(answer.error)}</Callout>}
      <pre
        className="diagnostics selectable"
        tabIndex={0}
        role="region"
        aria-label={t('diagnostics.content')}
        aria-busy={text === null}
      >
        {text}
      </pre>
    </Dialog>
  )
}

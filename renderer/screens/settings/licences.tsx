import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { fetchFile } from '../../client/files.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** The licences of what Sheaf is made of: a file that the build writes beside the window (.config/licenses.mjs). */
export function Licences(): ReactNode {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  return (
    <>
      <div className="panel__head">
        <p className="hint">{t('licences.hint')}</p>
        <Button onPress={() => setOpen(true)}>{t('licences.open')}</Button>
      </div>
      {open && <LicencesDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function LicencesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const answer = useQuery({
    queryKey: ['licences'],
    queryFn: async () => (await fetchFile(new URL('licenses.txt', document.baseURI).href, 'licenses.txt')).text(),
  })
  return (
    <Dialog
      title={t('licences.title')}
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('action.close')}</Button>}
    >
      {answer.isError && <Callout kind="bad">{errorSentence(answer.error)}</Callout>}
      <pre
        className="diagnostics selectable"
        tabIndex={0}
        role="region"
        aria-label={t('licences.title')}
        aria-busy={answer.isPending}
      >
        {answer.data}
      </pre>
    </Dialog>
  )
}

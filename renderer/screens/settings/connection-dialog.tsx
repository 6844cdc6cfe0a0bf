import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import { call } from '../../client/client.ts'
import { ConnectionFields, connectionInput, emptyConnection, isComplete } from '../../components/connection-fields.tsx'
import type { ConnectionDraft } from '../../components/connection-fields.tsx'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** Adds or changes a platform account. */
export function ConnectionDialog({
  connection,
  onClose,
}: {
  connection: ConnectionRow | null
  onClose: () => void
}): ReactNode {
  const { t, errorSentence } = useLanguage()
  const [draft, setDraft] = useState<ConnectionDraft>(() =>
    connection
      ? {
          id: connection.id,
          name: connection.name,
          baseUrl: connection.baseUrl ?? '',
          clientId: connection.clientId ?? '',
          clientSecret: '',
          secretFor: connection.baseUrl,
        }
      : emptyConnection,
  )
  const [problem, setProblem] = useState<unknown>(null)
  async function save(): Promise<void> {
    if (!isComplete(draft)) return
    try {
      const { isSecretTemporary } = await call('connections.save', connectionInput(draft))
      if (isSecretTemporary) notify('problem', t('connection.secretTemporary'))
      onClose()
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <Dialog
      title={connection ? t('connection.editTitle') : t('connection.addTitle')}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!isComplete(draft)}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <ConnectionFields draft={draft} onChange={setDraft} />
      {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
    </Dialog>
  )
}

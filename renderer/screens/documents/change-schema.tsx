import { useMemo } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EstimateLine } from '../../components/estimate.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useChangeNotices } from './change-notices.ts'
import { useRefusedNotice } from './refused-notice.ts'
import { useSchemaChoice } from './schema-choice.tsx'

type Props = {
  ids: number[]
  /** Of all the documents, where they have the same one. */
  schemaId: number | undefined
  folderId: number | null | undefined
  onClose: () => void
  onDone: (outcome: CallOutput<'documents.setSchema'>) => void
}

const none: never[] = []

/** Asks by which schema documents are read instead of theirs, says what that comes to, and what came of it. */
export function ChangeSchemaDialog({ ids, schemaId, folderId, onClose, onDone }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { schema, select } = useSchemaChoice(schemaId, { isReplaced: true })
  const billing = useBillingConnection(folderId)
  const change = useAction('documents.setSchema')
  const say = useOutcomeNotices()
  const source = useMemo(() => ({ documentIds: ids }), [ids])

  function submit(): void {
    if (!schema || change.isPending) return
    change.mutate(
      { ids, schemaId: schema.id },
      {
        onError: (error) => notify('problem', errorSentence(error)),
        onSuccess(outcome) {
          say(outcome)
          onDone(outcome)
        },
      },
    )
  }
  return (
    <Dialog
      title={t('change.title', { count: ids.length, shown: formats.count(ids.length) })}
      // What comes of it is to be shown.
      onClose={() => change.isPending || onClose()}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isPending={change.isPending} isDisabled={!schema}>
            {t('change.confirm')}
          </Button>
        </>
      }
    >
      {select}
      {billing !== null && <EstimateLine schemaId={schema?.id ?? null} connectionId={billing} source={source} />}
      <p className="hint">{t('change.hint')}</p>
    </Dialog>
  )
}

/** The connection of their folder, where what is sent to it is billed. */
function useBillingConnection(folderId: number | null | undefined): number | null {
  const connections = useCall('connections.list', {}).data?.connections ?? none
  const folders = useCall('folders.list', {}).data?.folders ?? none
  const usual = folders.find(({ id }) => id === folderId)?.connectionId
  const connection = connections.find(({ id }) => id === usual)
  return connection === undefined || connection.kind === 'local' ? null : connection.id
}

/** Says how many documents are read, have their answer already, and could not be changed. */
function useOutcomeNotices(): (outcome: CallOutput<'documents.setSchema'>) => void {
  const { t, formats } = useLanguage()
  const say = useChangeNotices()
  const sayRefused = useRefusedNotice('change.refused')
  return (outcome) => {
    const { underWay } = outcome
    say(outcome)
    if (underWay > 0) notify('problem', t('change.underWay', { count: underWay, shown: formats.count(underWay) }))
    sayRefused(outcome)
  }
}

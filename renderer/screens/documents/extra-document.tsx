import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { connectionChoices } from '../../components/connection-choices.ts'
import { ConnectionStopped } from '../../components/connection-stopped.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EstimateLine } from '../../components/estimate.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useRefusedNotice } from './refused-notice.ts'
import { useSchemaChoice } from './schema-choice.tsx'

type Props = {
  ids: number[]
  /** Of the documents, where it is known: another schema and the same connection are what is proposed. */
  schemaId: number | undefined
  folderId: number | null | undefined
  onClose: () => void
  /** What was asked for is on its way. */
  onDone: () => void
}

/** Asks with which schema documents are extracted once more, says what that comes to, and what came of it. */
export function ExtraDocumentDialog({ ids, schemaId, folderId, onClose, onDone }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { schema, select } = useSchemaChoice(schemaId)
  const { connections, connection, chooseConnection } = useConnectionChoice(folderId)
  const extract = useAction('documents.extractWith')
  const notifyOutcome = useOutcomeNotices()
  const source = useMemo(() => ({ documentIds: ids }), [ids])

  function submit(): void {
    if (!schema || !connection || extract.isPending) return
    extract.mutate(
      { ids, schemaId: schema.id, connectionId: connection.id },
      {
        onError: (error) => notify('problem', errorSentence(error)),
        onSuccess(outcome) {
          notifyOutcome(outcome, schema.name)
          onDone()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('with.title', { count: ids.length, shown: formats.count(ids.length) })}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isPending={extract.isPending} isDisabled={!schema || !connection}>
            {t('with.confirm')}
          </Button>
        </>
      }
    >
      {select}
      {connections.length > 1 && (
        <Select
          label={t('field.connection')}
          value={connection ? String(connection.id) : null}
          onChange={(key) => chooseConnection(Number(key))}
          choices={connectionChoices(connections, t)}
        />
      )}
      <ConnectionStopped connection={connection} />
      <EstimateLine schemaId={schema?.id ?? null} connectionId={connection?.id ?? null} source={source} />
      <p className="hint">{t('with.hint')}</p>
    </Dialog>
  )
}

const none: never[] = []

/** The connection that is chosen; that of their folder as long as nobody chose. */
function useConnectionChoice(folderId: number | null | undefined) {
  const connections = useCall('connections.list', {}).data?.connections ?? none
  const folders = useCall('folders.list', {}).data?.folders
  const [chosen, chooseConnection] = useState<number | null>(null)
  const usual = folders?.find(({ id }) => id === folderId)?.connectionId
  const connection = connections.find(({ id }) => id === (chosen ?? usual)) ?? connections[0]
  return { connections, connection, chooseConnection }
}

/** Says how many documents are extracted, were already, and could not be. */
function useOutcomeNotices(): (outcome: CallOutput<'documents.extractWith'>, schema: string) => void {
  const { t, formats } = useLanguage()
  const sayRefused = useRefusedNotice('with.refused')
  return (outcome, schema) => {
    const { queued, linked, known, id } = outcome
    const show = id === null ? undefined : { label: t('with.open'), run: () => navigate({ screen: 'document', id }) }
    const before = linked + known
    if (queued > 0) notify('done', t('with.queued', { count: queued, shown: formats.count(queued), schema }), show)
    if (before > 0) notify('done', t('with.known', { count: before, shown: formats.count(before) }), show)
    sayRefused(outcome)
  }
}

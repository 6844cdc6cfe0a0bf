import { useState } from 'react'
import type { ReactNode } from 'react'
import type { CallInput } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { maxTried } from '../../../shared/contract/schemas.ts'
import type { Trial, TrialColumn } from '../../../shared/contract/schemas.ts'
import type { Estimate } from '../../../shared/contract/usage.ts'
import type { DocumentRow } from '../../../shared/contract/documents.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button, Select } from '../../components/controls.tsx'
import { connectionChoices, connectionName } from '../../components/connection-choices.ts'
import { Confirm } from '../../components/dialog.tsx'
import { EstimateText } from '../../components/estimate.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { DocumentChoice } from './document-choice.tsx'
import { TrialTable } from './trial-table.tsx'

/** What a person chose to try on, and the trial that is shown; kept while other views of the editor are open. */
type TrialSetup = { documents: DocumentRow[] | null; connectionId: number | null; trialId: number | null }
export const emptyTrialSetup: TrialSetup = { documents: null, connectionId: null, trialId: null }

type Props = {
  saved: SchemaRow
  elements: SchemaElement[]
  /** Why the fields as they stand cannot be tried; null when they can. */
  problem: string | null
  setup: TrialSetup
  onSetup: (setup: TrialSetup) => void
}

const runningStates = new Set<TrialColumn['state']>(['looking', 'waiting', 'sending'])

/** The fields as they stand, on a few documents: what they give beside what the results have. */
export function TrialPanel(props: Props): ReactNode {
  const { t } = useLanguage()
  const { saved, setup } = props
  const proposed = useProposedDocuments(saved.id)
  const connections = useCall('connections.list', {}).data?.connections
  const folders = useCall('folders.list', {}).data?.folders
  const latest = useCall(
    'trials.get',
    { id: setup.trialId ?? 0 },
    { enabled: setup.trialId !== null, keepPrevious: true },
  ).data
  if (proposed === null || !connections || !folders) return null
  const documents = setup.documents ?? proposed
  if (documents.length === 0 && setup.documents === null) {
    return (
      <EmptyState icon="document" title={t('try.none')} text={t('try.noneHint')}>
        <Button onPress={() => navigate({ screen: 'folders' })}>{t('try.toFolders')}</Button>
      </EmptyState>
    )
  }
  return (
    <TrialView
      {...props}
      documents={documents}
      connections={connections}
      connectionId={setup.connectionId ?? usualConnectionId(documents, folders, connections)}
      trial={setup.trialId === null ? null : (latest ?? null)}
    />
  )
}

/** Where the first document's folder is read, else this computer; null when there is neither. Pure. */
function usualConnectionId(
  documents: readonly DocumentRow[],
  folders: readonly FolderRow[],
  connections: readonly ConnectionRow[],
): number | null {
  const folder = folders.find(({ id }) => id === documents[0]?.folderId)
  return folder?.connectionId ?? connections.find(({ kind }) => kind === 'local')?.id ?? null
}

type ViewProps = Props & {
  documents: DocumentRow[]
  connections: ConnectionRow[]
  connectionId: number | null
  /** The trial that is shown; null while there is none. */
  trial: Trial | null
}

function TrialView(props: ViewProps): ReactNode {
  const { saved, elements, setup, onSetup, documents, connections, connectionId, trial } = props
  const { t } = useLanguage()
  const actions = useTrialActions()
  const [repeated, setRepeated] = useState<TrialColumn | null>(null)
  const connection = connections.find(({ id }) => id === connectionId)
  const columns = trial === null ? [] : trial.columns
  const isRunning = columns.some(({ state }) => runningStates.has(state))
  const isOutdated = trial !== null && !isOf(trial, elements, connectionId, documents)
  const unconfirmed = columns.filter(({ state }) => state === 'asks').map(({ documentId }) => documentId)

  function start(): void {
    actions.begin(
      { schemaId: saved.id, connectionId: connectionId!, elements, documentIds: documents.map(({ id }) => id) },
      (trialId) => onSetup({ ...setup, documents, connectionId, trialId }),
    )
  }
  return (
    <div className="try-it">
      <p className="hint">{t('try.text')}</p>
      <DocumentChoice
        schemaId={saved.id}
        documents={documents}
        onChange={(next) => onSetup({ ...setup, documents: next })}
      />
      <div className="try-it__start">
        <ConnectionSelect
          connections={connections}
          value={connectionId}
          onChange={(id) => onSetup({ ...setup, connectionId: id })}
        />
        {trial !== null && isRunning ? (
          <Button icon="stop" onPress={() => actions.stop(trial.id)}>
            {t('try.stop')}
          </Button>
        ) : (
          <StartButton
            {...props}
            isSecondary={unconfirmed.length > 0 && !isOutdated}
            isPending={actions.isBeginning}
            onStart={start}
          />
        )}
        <StartHint problem={props.problem} connection={connection} />
      </div>
      {trial?.estimate && connection && !isOutdated && (
        <SendConfirmation
          estimate={trial.estimate}
          count={unconfirmed.length}
          connection={connection}
          onSend={() => actions.send(trial.id, unconfirmed)}
          isSending={actions.isSending}
        />
      )}
      {isOutdated && !isRunning && <Callout kind="info">{t('try.old')}</Callout>}
      {trial && <TrialTable trial={trial} onAgain={setRepeated} />}
      {trial && repeated && (
        <Confirm
          title={t('try.againTitle', { name: repeated.name })}
          confirm={t('resend.confirm')}
          danger
          onConfirm={() => actions.send(trial.id, [repeated.documentId])}
          onClose={() => setRepeated(null)}
        >
          <p>{t('try.againText')}</p>
        </Confirm>
      )}
    </div>
  )
}

/** True when a trial is of these fields, sent to this connection, on these documents. Pure. */
function isOf(
  trial: Trial,
  elements: readonly SchemaElement[],
  connectionId: number | null,
  documents: readonly DocumentRow[],
): boolean {
  return (
    JSON.stringify(trial.elements) === JSON.stringify(elements) &&
    trial.connectionId === connectionId &&
    trial.columns.map(({ documentId }) => documentId).join() === documents.map(({ id }) => id).join()
  )
}

type TrialActions = {
  begin: (input: CallInput<'trials.begin'>, onBegun: (trialId: number) => void) => void
  isBeginning: boolean
  send: (trialId: number, documentIds: number[]) => void
  isSending: boolean
  stop: (trialId: number) => void
}

function useTrialActions(): TrialActions {
  const { errorSentence } = useLanguage()
  const begin = useAction('trials.begin')
  const send = useAction('trials.send')
  const stop = useAction('trials.stop')
  const onError = (error: Error): void => notify('problem', errorSentence(error))
  return {
    begin: (input, onBegun) => begin.mutate(input, { onSuccess: ({ id }) => onBegun(id), onError }),
    isBeginning: begin.isPending,
    send: (id, documentIds) => send.mutate({ id, documentIds }, { onError }),
    isSending: send.isPending,
    stop: (id) => stop.mutate({ id }, { onError }),
  }
}

type ConnectionSelectProps = { connections: ConnectionRow[]; value: number | null; onChange: (id: number) => void }

/** Where the fields are tried; nothing where there is no choice. */
function ConnectionSelect({ connections, value, onChange }: ConnectionSelectProps): ReactNode {
  const { t } = useLanguage()
  if (connections.length < 2 || value === null) return null
  return (
    <Select
      label={t('try.connection')}
      choices={connectionChoices(connections, t)}
      value={String(value)}
      onChange={(key) => onChange(Number(key))}
    />
  )
}

type StartProps = Pick<ViewProps, 'problem' | 'documents' | 'connectionId'> & {
  /** Something else is what a person most likely wants next. */
  isSecondary: boolean
  isPending: boolean
  onStart: () => void
}

function StartButton({ problem, documents, connectionId, isSecondary, isPending, onStart }: StartProps): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <Button
      variant={isSecondary ? 'plain' : 'primary'}
      onPress={onStart}
      isDisabled={problem !== null || documents.length === 0 || connectionId === null || isPending}
    >
      {t('try.start', { count: documents.length, shown: formats.count(documents.length) })}
    </Button>
  )
}

type StartHintProps = Pick<Props, 'problem'> & { connection: ConnectionRow | undefined }

/** Why a trial cannot be started, else what it costs. */
function StartHint({ problem, connection }: StartHintProps): ReactNode {
  const { t } = useLanguage()
  const cost =
    connection?.kind === 'platform' ? t('try.billed', { name: connectionName(connection, t) }) : t('try.free')
  return <span className="hint">{problem ?? (connection ? cost : '')}</span>
}

type ConfirmationProps = {
  estimate: Estimate
  count: number
  connection: ConnectionRow
  onSend: () => void
  isSending: boolean
}

/** What the rest would cost, before it is sent to a connection that bills. */
function SendConfirmation({ estimate, count, connection, onSend, isSending }: ConfirmationProps): ReactNode {
  const { t, formats } = useLanguage()
  const counted = { count, shown: formats.count(count) }
  return (
    <Callout
      kind="flag"
      action={
        <Button variant="primary" onPress={onSend} isDisabled={isSending}>
          {t('try.send', counted)}
        </Button>
      }
    >
      <p>{t('try.asks', { ...counted, name: connectionName(connection, t) })}</p>
      <EstimateText estimate={estimate} />
    </Callout>
  )
}

/**
 * The newest documents with a result of the schema, else the newest that it was meant for; null until that is known.
 */
function useProposedDocuments(schemaId: number): DocumentRow[] | null {
  const done = useCall('documents.list', { schemaId, statuses: ['done'], limit: maxTried }).data?.rows
  const others = useCall(
    'documents.list',
    { schemaId, statuses: ['failed', 'unknown', 'cancelled', 'queued'], limit: maxTried },
    { enabled: done?.length === 0 },
  ).data?.rows
  if (done === undefined) return null
  return done.length > 0 ? done : (others ?? null)
}

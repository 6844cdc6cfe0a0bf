import { useState } from 'react'
import type { ReactNode } from 'react'
import type { SchemaRow } from '../../../shared/contract.ts'
import { mostTried } from '../../../shared/contract-schemas.ts'
import type { Trial } from '../../../shared/contract-schemas.ts'
import type { JobRow } from '../../../shared/contract-jobs.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
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
export type Trying = { jobs: JobRow[] | null; connectionId: number | null; trialId: number | null }
export const notTried: Trying = { jobs: null, connectionId: null, trialId: null }

type Props = {
  saved: SchemaRow
  elements: SchemaElement[]
  /** Why the fields as they stand cannot be tried; null when they can. */
  problem: string | null
  trying: Trying
  onTrying: (trying: Trying) => void
}

const moving = new Set(['looking', 'waiting', 'sending'])

/** The fields as they stand, on a few documents: what they give beside what the results have. */
export function TryIt({ saved, elements, problem, trying, onTrying }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const proposed = useProposed(saved.id)
  const connections = useCall('connections.list', {}).data?.connections
  const folders = useCall('folders.list', {}).data?.folders
  const trial = useCall('trials.get', { id: trying.trialId ?? 0 }, { enabled: trying.trialId !== null, keepPrevious: true }).data
  const begin = useAction('trials.begin')
  const send = useAction('trials.send')
  const stop = useAction('trials.stop')
  const [again, setAgain] = useState<Trial['columns'][number] | null>(null)
  if (proposed === null || !connections || !folders) return null
  const jobs = trying.jobs ?? proposed
  if (jobs.length === 0 && trying.jobs === null) {
    return (
      <EmptyState icon="document" title={t('try.none')} text={t('try.noneHint')}>
        <Button onPress={() => navigate({ screen: 'folders' })}>{t('try.toFolders')}</Button>
      </EmptyState>
    )
  }

  const usual = folders.find(({ id }) => id === jobs[0]?.folderId)?.connectionId ?? connections.find(({ kind }) => kind === 'local')?.id ?? null
  const connectionId = trying.connectionId ?? usual
  const connection = connections.find(({ id }) => id === connectionId)
  const shown = trying.trialId === null ? undefined : trial
  const running = shown?.columns.some(({ state }) => moving.has(state)) ?? false
  const isOld = shown !== undefined && (JSON.stringify(shown.elements) !== JSON.stringify(elements) || shown.connectionId !== connectionId || shown.columns.map(({ jobId }) => jobId).join() !== jobs.map(({ id }) => id).join())
  const asking = shown?.columns.filter(({ state }) => state === 'asks').map(({ jobId }) => jobId) ?? []
  const failed = (error: Error): void => notify('problem', errorSentence(error))

  function start(): void {
    begin.mutate({ schemaId: saved.id, connectionId: connectionId!, elements, jobIds: jobs.map(({ id }) => id) }, { onSuccess: ({ id }) => onTrying({ ...trying, jobs, connectionId, trialId: id }), onError: failed })
  }
  return (
    <div className="try-it">
      <p className="hint">{t('try.text')}</p>
      <DocumentChoice schemaId={saved.id} jobs={jobs} onChange={(next) => onTrying({ ...trying, jobs: next })} />
      <div className="try-it__start">
        {connections.length > 1 && connectionId !== null && (
          <Select label={t('try.connection')} choices={connectionChoices(connections, t)} value={String(connectionId)} onChange={(key) => onTrying({ ...trying, connectionId: Number(key) })} />
        )}
        {running ? (
          <Button icon="stop" onPress={() => stop.mutate({ id: shown!.id }, { onError: failed })}>
            {t('try.stop')}
          </Button>
        ) : (
          <Button variant={asking.length > 0 && !isOld ? 'plain' : 'primary'} onPress={start} isDisabled={problem !== null || jobs.length === 0 || connectionId === null || begin.isPending}>
            {t('try.start', { count: jobs.length, shown: formats.count(jobs.length) })}
          </Button>
        )}
        <span className="hint">{problem ?? (connection === undefined ? '' : connection.kind === 'local' ? t('try.free') : t('try.billed', { name: connectionName(connection, t) }))}</span>
      </div>
      {shown?.estimate && connection && !isOld && (
        <Callout
          kind="flag"
          action={
            <Button variant="primary" onPress={() => send.mutate({ id: shown.id, jobIds: asking }, { onError: failed })} isDisabled={send.isPending}>
              {t('try.send', { count: asking.length, shown: formats.count(asking.length) })}
            </Button>
          }
        >
          <p>{t('try.asks', { count: asking.length, shown: formats.count(asking.length), name: connectionName(connection, t) })}</p>
          <EstimateText estimate={shown.estimate} />
        </Callout>
      )}
      {isOld && !running && <Callout kind="info">{t('try.old')}</Callout>}
      {shown && <TrialTable trial={shown} onAgain={setAgain} />}
      {again && shown && (
        <Confirm title={t('try.againTitle', { name: again.name })} confirm={t('resend.confirm')} danger onConfirm={() => send.mutate({ id: shown.id, jobIds: [again.jobId] }, { onError: failed })} onClose={() => setAgain(null)}>
          <p>{t('try.againText')}</p>
        </Confirm>
      )}
    </div>
  )
}

/** The newest documents with a result of the schema, else the newest that it was meant for; null until that is known. */
function useProposed(schemaId: number): JobRow[] | null {
  const done = useCall('jobs.list', { schemaId, statuses: ['done'], limit: mostTried }).data?.rows
  const others = useCall('jobs.list', { schemaId, statuses: ['failed', 'unknown', 'cancelled', 'queued'], limit: mostTried }, { enabled: done?.length === 0 }).data?.rows
  if (done === undefined) return null
  return done.length > 0 ? done : (others ?? null)
}

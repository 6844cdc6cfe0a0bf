import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { StorageState } from '../../../shared/contract/storage.ts'
import { callKey, useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { useCopy } from '../use-copy.ts'

type Snapshot = StorageState['snapshots'][number]

const kindLabels: Record<Snapshot['kind'], MessageId> = {
  hourly: 'storage.kind.hourly',
  migration: 'storage.kind.migration',
  manual: 'storage.kind.manual',
}

/** Where everything is kept, how large it is, and its backups. */
export function DataFolderPanel({ state }: { state: AppState }): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const queryClient = useQueryClient()
  const copy = useCopy()
  const storage = useCall('storage.get', {})
  const backUp = useAction('storage.backUp')
  function run(): void {
    backUp.mutate(
      {},
      {
        onSuccess(next) {
          queryClient.setQueryData(callKey('storage.get', {}), next)
          notify('done', t('storage.backedUp'))
        },
        onError: (error) => notify('problem', errorSentence(error)),
      },
    )
  }
  return (
    <section className="panel" aria-label={t('settings.dataDir')}>
      <div>
        <h2>{t('settings.dataDir')}</h2>
        <p className="hint">{t('storage.text')}</p>
      </div>
      <dl className="facts facts--wide">
        <div>
          <dt>{t('storage.path')}</dt>
          <dd className="copyable">
            <span className="selectable">{state.dataDir}</span>
            <Button variant="quiet" icon="copy" onPress={() => void copy(state.dataDir)}>
              {t('storage.copyPath')}
            </Button>
          </dd>
        </div>
        {storage.data && (
          <div>
            <dt>{t('storage.size')}</dt>
            <dd className="tabular">{formats.size(storage.data.databaseBytes)}</dd>
          </div>
        )}
      </dl>
      {storage.isError && <Callout kind="bad">{errorSentence(storage.error)}</Callout>}
      <div className="panel__head">
        <h3>{t('storage.snapshots')}</h3>
        <Button onPress={run} isDisabled={backUp.isPending}>
          {backUp.isPending ? t('storage.backingUp') : t('storage.backUp')}
        </Button>
      </div>
      {storage.data?.lastFailure && (
        <Callout kind="bad">
          {t('storage.failed', { time: formats.dateTime(storage.data.lastFailure.at) })}{' '}
          {sentence(storage.data.lastFailure.problem)}
        </Callout>
      )}
      {storage.data && <Snapshots snapshots={storage.data.snapshots} />}
    </section>
  )
}

function Snapshots({ snapshots }: { snapshots: Snapshot[] }): ReactNode {
  const { t, formats } = useLanguage()
  if (snapshots.length === 0) return <p className="hint">{t('storage.none')}</p>
  return (
    <ul className="snapshots" aria-label={t('storage.snapshots')}>
      {snapshots
        .toSorted((a, b) => b.at - a.at)
        .map(({ at, kind, sizeBytes }) => (
          <li key={`${at} ${kind}`}>
            <Icon name="copy" size={14} />
            <span>{formats.dateTime(at)}</span>
            <span className="hint">{t(kindLabels[kind])}</span>
            <span className="num">{formats.size(sizeBytes)}</span>
          </li>
        ))}
    </ul>
  )
}

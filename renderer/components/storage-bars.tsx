import type { ReactNode } from 'react'
import type { AppState } from '../../shared/contract.ts'
import type { Recovery, StorageTrouble } from '../../shared/contract-reliability.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import { useAction } from '../client/queries.ts'
import { hrefOf } from '../client/route.ts'
import { useLanguage } from '../messages/language.tsx'
import { connectionName } from './connection-choices.ts'
import { Button } from './controls.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notices.tsx'

const troubles = { full: 'storage_full', read_only: 'storage_read_only' } as const satisfies Record<StorageTrouble, ErrorCode>

/** Says that nothing is sent because nothing can be stored, as long as that is so. */
export function StorageBar({ state }: { state: AppState }): ReactNode {
  const { t, sentence } = useLanguage()
  if (state.storageTrouble === null) return null
  return (
    <div className="bar" role="alert">
      <Icon name="warning" />
      <div className="bar__words">
        <p>
          <strong>{sentence({ code: troubles[state.storageTrouble], details: {} })}</strong> {t('storage.goesOn')}
        </p>
        <p className="selectable">{state.dataDir}</p>
      </div>
    </div>
  )
}

/** Says that the database was put together again, until the person has read it. */
export function RecoveryBar({ state }: { state: AppState }): ReactNode {
  return state.recovery === null ? null : <Recovered recovery={state.recovery} connections={state.connections} />
}

function Recovered({ recovery, connections }: { recovery: Recovery; connections: AppState['connections'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const dismiss = useAction('storage.dismissRecovery')
  const { at, snapshotAt, setAsideIn, attempts, answers, journalLost } = recovery
  const time = formats.dateTime(at)
  const stopped = connections.filter(({ pausedReason }) => pausedReason?.code === 'restored_from_snapshot').map((connection) => connectionName(connection, t))
  const parts = [
    snapshotAt === null ? t('recovery.withoutSnapshot', { time }) : t('recovery.fromSnapshot', { time, snapshot: formats.dateTime(snapshotAt) }),
    journalLost ? t('recovery.journalLost') : t('recovery.putBack', { attempts, answers, attemptsShown: formats.count(attempts), answersShown: formats.count(answers) }),
    stopped.length > 0 ? t('recovery.stopped', { names: formats.list(stopped) }) : null,
  ]
  return (
    <section className="bar" aria-label={t('recovery.title')}>
      <Icon name="warning" />
      <div className="bar__words" role="status">
        <strong>{t('recovery.title')}</strong>
        <p>{parts.filter((part) => part !== null).join(' ')}</p>
        <p>
          {t('recovery.setAside')} <span className="selectable">{setAsideIn}</span>
        </p>
      </div>
      <div className="bar__actions">
        {stopped.length > 0 && (
          <a className="button button--quiet" href={hrefOf({ screen: 'settings' })}>
            <span className="button__text">{t('recovery.toSettings')}</span>
          </a>
        )}
        <Button onPress={() => dismiss.mutate({}, { onError: (error) => notify('problem', errorSentence(error)) })} isDisabled={dismiss.isPending}>
          {t('recovery.read')}
        </Button>
      </div>
    </section>
  )
}

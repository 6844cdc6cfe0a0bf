import type { ReactNode } from 'react'
import type { AppState } from '../../shared/contract/contract.ts'
import type { Recovery } from '../../shared/contract/storage.ts'
import { useAction } from '../client/queries.ts'
import { hrefOf } from '../client/route.ts'
import { useLanguage } from '../messages/language.tsx'
import type { Language, MessageId } from '../messages/language.tsx'
import { connectionName } from './connection-choices.ts'
import { Button } from './controls.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notices.tsx'

/**
 * Says that nothing is sent because nothing can be stored, as long as that is so, or because the database is damaged.
 */
export function StorageBar({ state }: { state: AppState }): ReactNode {
  const { t, sentence } = useLanguage()
  if (state.storageTrouble === null) return null
  return (
    <div className="bar" role="alert">
      <Icon name="warning" />
      <div className="bar__words">
        <p>
          <strong>{sentence({ code: `storage_${state.storageTrouble}`, details: {} })}</strong>{' '}
          {!['damaged', 'moved'].includes(state.storageTrouble) && t('storage.goesOn')}
        </p>
        <p className="selectable">{state.dataDir}</p>
      </div>
    </div>
  )
}

/** Says that the data folder is not the person's alone. */
export function SharedFolderBar({ state }: { state: AppState }): ReactNode {
  const { sentence } = useLanguage()
  if (!state.dataDirShared) return null
  return (
    <div className="bar" role="alert">
      <Icon name="warning" />
      <div className="bar__words">
        <p className="selectable">{sentence({ code: 'data_folder_shared', details: { path: state.dataDir } })}</p>
      </div>
    </div>
  )
}

/** Says that the database was put together again, until the person has read it. */
export function RecoveryBar({ state }: { state: AppState }): ReactNode {
  return state.recovery === null ? null : <Recovered recovery={state.recovery} connections={state.connections} />
}

const titles = {
  restored: 'recovery.title',
  repaired: 'recovery.repairedTitle',
  earlier: 'recovery.earlierTitle',
} as const satisfies Record<Recovery['how'], MessageId>

/** In sentences, one after the other. */
function whatHappened(
  { how, at, snapshotAt, journalLost, attempts, answers }: Recovery,
  t: Language['t'],
  formats: Language['formats'],
): string[] {
  const time = formats.dateTime(at)
  if (how === 'repaired') return [t('recovery.repaired', { time })]
  const snapshot = snapshotAt === null ? null : formats.dateTime(snapshotAt)
  const putBack = t('recovery.putBack', {
    attempts,
    answers,
    attemptsShown: formats.count(attempts),
    answersShown: formats.count(answers),
  })
  if (how === 'earlier') {
    return [
      snapshot === null ? t('recovery.earlier') : t('recovery.earlierOf', { snapshot }),
      journalLost ? t('recovery.earlierUnknown') : putBack,
      t('recovery.earlierUndone'),
    ]
  }
  return [
    snapshot === null ? t('recovery.withoutSnapshot', { time }) : t('recovery.fromSnapshot', { time, snapshot }),
    journalLost ? t('recovery.journalLost') : putBack,
  ]
}

function Recovered({ recovery, connections }: { recovery: Recovery; connections: AppState['connections'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const dismiss = useAction('storage.dismissRecovery')
  const { setAsideIn } = recovery
  const stopped = connections
    .filter(({ pausedReason }) => pausedReason?.code === 'restored_from_snapshot')
    .map((connection) => connectionName(connection, t))
  const title = t(titles[recovery.how])
  const parts = [
    ...whatHappened(recovery, t, formats),
    stopped.length > 0 ? t('recovery.stopped', { names: formats.list(stopped) }) : null,
  ]
  return (
    <section className="bar" aria-label={title}>
      <Icon name="warning" />
      <div className="bar__words" role="status">
        <strong>{title}</strong>
        <p>{parts.filter((part) => part !== null).join(' ')}</p>
        {setAsideIn !== null && (
          <p>
            {t('recovery.setAside')} <span className="selectable">{setAsideIn}</span>
          </p>
        )}
      </div>
      <div className="bar__actions">
        {stopped.length > 0 && (
          <a className="button button--quiet" href={hrefOf({ screen: 'settings' })}>
            <span className="button__text">{t('recovery.toSettings')}</span>
          </a>
        )}
        <Button
          onPress={() => dismiss.mutate({}, { onError: (error) => notify('problem', errorSentence(error)) })}
          isDisabled={dismiss.isPending}
        >
          {t('recovery.read')}
        </Button>
      </div>
    </section>
  )
}

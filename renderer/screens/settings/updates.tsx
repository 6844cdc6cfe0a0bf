import type { ReactNode } from 'react'
import type { AppState, Settings } from '../../../shared/contract/contract.ts'
import type { UpdateFailure, UpdateState } from '../../../shared/contract/updates.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button, Switch } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

type Props = { state: AppState; onChange: (part: Partial<Settings>) => void }

const failureTexts: Record<UpdateFailure, MessageId> = {
  address: 'updates.failed.address',
  unreachable: 'updates.failed.unreachable',
  unreadable: 'updates.failed.unreadable',
  elsewhere: 'updates.failed.elsewhere',
  older: 'updates.failed.older',
  signature: 'updates.failed.signature',
  content: 'updates.failed.content',
  disk_full: 'updates.failed.diskFull',
  failed: 'updates.failed.failed',
}

/** Updates of the program: whether there are any is for the host to say, and without any there is nothing here. */
export function UpdatesPanel({ state, onChange }: Props): ReactNode {
  const { t } = useLanguage()
  const update = useCall('updates.get', {}).data?.state ?? null
  if (update === null) return null
  return (
    <section className="panel" aria-label={t('updates.title')}>
      <h2>{t('updates.title')}</h2>
      {update.kind === 'off' && update.byAdministrator ? (
        <p className="hint">{t('updates.forbidden')}</p>
      ) : (
        <Switch
          isSelected={state.settings.updates}
          onChange={(updates) => onChange({ updates })}
          hint={t('updates.hint')}
        >
          {t('updates.switch')}
        </Switch>
      )}
      {update.kind !== 'off' && <Progress update={update} isBusy={state.progress !== null} />}
    </section>
  )
}

function Progress({ update, isBusy }: { update: Exclude<UpdateState, { kind: 'off' }>; isBusy: boolean }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const check = useAction('updates.check')
  const install = useAction('updates.install')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const look = (
    <Button onPress={() => check.mutate({}, { onError })} isDisabled={check.isPending}>
      {t('updates.check')}
    </Button>
  )
  switch (update.kind) {
    case 'failed':
      return (
        <Callout kind="flag" action={look}>
          {t(failureTexts[update.code])}
        </Callout>
      )
    case 'ready':
      return (
        <Callout
          kind="info"
          action={
            <Button onPress={() => install.mutate({}, { onError })} isDisabled={isBusy || install.isPending}>
              {t('updates.install')}
            </Button>
          }
        >
          {t(isBusy ? 'updates.readyLater' : 'updates.ready', { version: update.version })}
        </Callout>
      )
    case 'checking':
    case 'downloading':
      return (
        <p className="hint" role="status">
          {update.kind === 'checking'
            ? t('updates.checking')
            : t('updates.downloading', { version: update.version, percent: update.percent })}
        </p>
      )
    case 'idle':
      return (
        <div className="standing" role="status">
          <span className="hint">
            {update.checkedAt === null
              ? t('updates.never')
              : t('updates.newest', { time: formats.dateTime(update.checkedAt) })}
          </span>
          {look}
        </div>
      )
  }
}

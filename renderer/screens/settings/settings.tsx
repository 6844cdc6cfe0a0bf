import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, Settings } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button, Checkbox, Select } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, PageHead } from '../../components/page.tsx'
import { SetByAdministrator, usePolicies } from '../../components/set-by-administrator.tsx'
import { WholeNumber } from '../../components/whole-number.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { CallbacksPanel } from './callbacks.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { DataFolderPanel } from './data-folder.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { Licences } from './licences.tsx'
import { LearnedPanel } from './learned.tsx'
import { LocalServicePanel } from './local-service.tsx'
import { ModelServerPanel } from './model-server.tsx'
import { PoliciesPanel } from './policies.tsx'
import { TransferPanel } from './transfer.tsx'
import { UpdatesPanel } from './updates.tsx'

/** Connections, language, looks, speed, and where everything is kept. */
export function SettingsScreen({ state }: { state: AppState }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const update = useAction('settings.update')
  const { settings } = state
  function change(part: Partial<Settings>): void {
    update.mutate(part, { onError: (error) => notify('problem', errorSentence(error)) })
  }
  return (
    <div className="screen">
      <PageHead title={t('settings.title')} />
      <div className="screen__scroll settings">
        <Connections connections={state.connections} />
        <LocalServicePanel state={state} />
        <CallbacksPanel callbackRoute={state.callbackRoute} />
        <ModelServerPanel isOff={!settings.localService} />
        <WindowPanel host={state.host} settings={settings} onChange={change} />
        <SendingPanel host={state.host} settings={settings} onChange={change} />
        <PoliciesPanel policies={state.policies} />
        <LearnedPanel />
        <TransferPanel />
        <DataFolderPanel state={state} />
        <UpdatesPanel state={state} onChange={change} />
        <section className="panel">
          <div className="panel__head">
            <div>
              <h2>{t('sent.title')}</h2>
              <p className="hint">{t('sent.hint')}</p>
            </div>
            <a className="button" href={hrefOf({ screen: 'sent' })}>
              <span className="button__text">{t('sent.show')}</span>
            </a>
          </div>
        </section>
        <section className="panel">
          <h2>{t('settings.about')}</h2>
          <dl className="facts facts--wide">
            <div>
              <dt>{t('settings.version')}</dt>
              <dd>{state.version}</dd>
            </div>
          </dl>
          <Diagnostics />
          <Licences />
        </section>
      </div>
    </div>
  )
}

type PanelProps = { host: AppState['host']; settings: Settings; onChange: (part: Partial<Settings>) => void }

/** Language and looks of the window, and what becomes of Sheaf without it. */
function WindowPanel({ host, settings, onChange }: PanelProps): ReactNode {
  const { t } = useLanguage()
  return (
    <section className="panel">
      <h2>{t('settings.window')}</h2>
      <div className="form__columns">
        <Select
          label={t('settings.language')}
          value={settings.language}
          onChange={(language) => onChange({ language })}
          // Each language in its own words, so that people who cannot read the window find theirs.
          choices={[
            { key: 'system', label: t('settings.languageSystem') },
            { key: 'en', label: 'English' },
            { key: 'de', label: 'Deutsch' },
            { key: 'fr', label: 'Français' },
          ]}
        />
        <Select
          label={t('settings.theme')}
          value={settings.theme}
          onChange={(theme) => onChange({ theme })}
          choices={[
            { key: 'system', label: t('settings.themeSystem') },
            { key: 'light', label: t('settings.themeLight') },
            { key: 'dark', label: t('settings.themeDark') },
          ]}
        />
      </div>
      {host === 'electron' && (
        <>
          <Checkbox
            isSelected={settings.staysInTray}
            onChange={(staysInTray) => onChange({ staysInTray })}
            hint={t('settings.staysInTrayHint')}
          >
            {t('settings.staysInTray')}
          </Checkbox>
          <Checkbox
            isSelected={settings.startsAtLogin}
            onChange={(startsAtLogin) => onChange({ startsAtLogin })}
            hint={t('settings.startsAtLoginHint')}
          >
            {t('settings.startsAtLogin')}
          </Checkbox>
        </>
      )}
    </section>
  )
}

/** How much is sent at once, what is sent again, and whether the end of it is notified. */
function SendingPanel({ host, settings, onChange }: PanelProps): ReactNode {
  const { t } = useLanguage()
  /** A browser asks the person whether it may. */
  async function changeNotifications(on: boolean): Promise<void> {
    if (on && host === 'browser' && (await Notification.requestPermission()) !== 'granted')
      notify('problem', t('settings.notifyDenied'))
    else onChange({ notifyWhenDone: on })
  }
  return (
    <section className="panel">
      <h2>{t('settings.work')}</h2>
      <WholeNumber
        label={t('settings.speed')}
        hint={t('settings.speedHint')}
        value={settings.concurrency}
        least={1}
        most={64}
        onChange={(concurrency) => onChange({ concurrency })}
      />
      <Checkbox
        isSelected={settings.resendUnknown}
        onChange={(resendUnknown) => onChange({ resendUnknown })}
        hint={t('settings.resendUnknownHint')}
      >
        {t('settings.resendUnknown')}
      </Checkbox>
      <Checkbox
        isSelected={settings.notifyWhenDone}
        onChange={(on) => void changeNotifications(on)}
        hint={t(host === 'electron' ? 'settings.notifyHintDesktop' : 'settings.notifyHint')}
      >
        {t('settings.notify')}
      </Checkbox>
    </section>
  )
}

function Connections({ connections }: { connections: ConnectionRow[] }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const remove = useAction('connections.remove')
  const isOnlyHere = usePolicies().AllowedPlatformHosts?.length === 0
  const [edited, setEdited] = useState<ConnectionRow | 'new' | null>(null)
  const [removed, setRemoved] = useState<ConnectionRow | null>(null)
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return (
    <section className="panel">
      <div className="panel__head">
        <h2>{t('settings.connections')}</h2>
        <Button icon="plus" onPress={() => setEdited('new')} isDisabled={isOnlyHere}>
          {t('settings.addConnection')}
        </Button>
      </div>
      <SetByAdministrator policy="AllowedPlatformHosts" />
      <ul className="rows" aria-label={t('settings.connections')}>
        {connections.map((connection) => (
          <ConnectionItem
            key={connection.id}
            connection={connection}
            onEdit={() => setEdited(connection)}
            onRemove={() => setRemoved(connection)}
          />
        ))}
      </ul>
      {edited && <ConnectionDialog connection={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed && (
        <Confirm
          title={t('settings.removeConnection', { name: removed.name })}
          confirm={t('settings.removeConfirm')}
          danger
          onConfirm={() => remove.mutate({ id: removed.id }, { onError })}
          onClose={() => setRemoved(null)}
        >
          <p>{t('settings.removeConnectionText')}</p>
        </Confirm>
      )}
    </section>
  )
}

function ConnectionItem({
  connection,
  onEdit,
  onRemove,
}: {
  connection: ConnectionRow
  onEdit: () => void
  onRemove: () => void
}): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const resume = useAction('connections.resume')
  const slowed = connection.throttledUntil !== null && connection.throttledUntil > Date.now()
  const isOff = connection.pausedReason?.code === 'service_off'
  const [tone, icon, label] = isOff
    ? (['calm', 'pause', t('service.off')] as const)
    : connection.pausedReason
      ? (['flag', 'warning', t('settings.stopped')] as const)
      : slowed && connection.throttledUntil !== null
        ? (['moving', 'clock', t('settings.slowedUntil', { time: formats.moment(connection.throttledUntil) })] as const)
        : (['ok', 'check', t('settings.ready')] as const)
  return (
    <li className="rows__item">
      <div className="rows__line">
        <Icon name={connection.kind === 'local' ? 'computer' : 'cloud'} />
        <div className="rows__words">
          <strong className="ellipsis" title={connection.name}>
            {connectionName(connection, t)}
          </strong>
          <small className="ellipsis" title={connection.baseUrl ?? undefined}>
            {connection.kind === 'local' ? <LocalText /> : connection.baseUrl}
          </small>
        </div>
        <span className={`badge badge--${tone}`}>
          <Icon name={icon} size={12} />
          {label}
        </span>
        {connection.kind === 'local' && (
          <a className="button button--quiet" href={hrefOf({ screen: 'agents' })}>
            <span className="button__text">{t('settings.agents')}</span>
          </a>
        )}
        {connection.kind === 'platform' && (
          <>
            <Button variant="quiet" onPress={onEdit}>
              {t('settings.editConnection')}
            </Button>
            <Button variant="quiet" onPress={onRemove}>
              {t('settings.remove')}
            </Button>
          </>
        )}
      </div>
      {connection.pausedReason && !isOff && (
        <Callout
          kind="flag"
          action={
            <Button
              isDisabled={connection.pausedReason.code === 'set_by_administrator'}
              onPress={() =>
                resume.mutate({ id: connection.id }, { onError: (error) => notify('problem', errorSentence(error)) })
              }
            >
              {t('settings.resumeConnection')}
            </Button>
          }
        >
          {sentence(connection.pausedReason)}
        </Callout>
      )}
    </li>
  )
}

/** What becomes of documents on this computer: with a model server named, text of them goes there. */
function LocalText(): ReactNode {
  const { t } = useLanguage()
  const baseUrl = useCall('models.server', {}).data?.baseUrl ?? null
  return baseUrl === null ? t('settings.localText') : t('settings.localWithModels', { host: new URL(baseUrl).host })
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { MenuTrigger, Button as AriaButton, Menu, MenuItem, Popover } from 'react-aria-components'
import type { AppState, FolderRow } from '../../../shared/contract.ts'
import type { ExtractionMode } from '../../../shared/job.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { changeJobsView } from '../jobs/view.ts'
import { FolderDialog } from './folder-dialog.tsx'

type Open = { kind: 'add' } | { kind: 'edit'; folder: FolderRow } | { kind: 'remove'; folder: FolderRow }

/** The watched folders, each with its schema, its connection and how far it is. */
export function FoldersScreen({ state }: { state: AppState }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const remove = useAction('folders.remove')
  const [open, setOpen] = useState<Open | null>(null)
  // As it is now, not as it was when the dialog opened.
  const queued = open?.kind === 'remove' ? (folders.find(({ id }) => id === open.folder.id)?.queued ?? 0) : 0
  return (
    <div className="screen">
      <PageHead title={t('folders.title')}>
        <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
          {t('folders.add')}
        </Button>
      </PageHead>
      {folders.length === 0 ? (
        <EmptyState icon="folder" title={t('folders.none')} text={t('folders.noneHint')}>
          <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
            {t('folders.add')}
          </Button>
        </EmptyState>
      ) : (
        <ul className="screen__scroll cards" aria-label={t('folders.title')}>
          {folders.map((folder) => (
            <FolderCard key={folder.id} folder={folder} localName={folder.connectionId === state.connections.find(({ kind }) => kind === 'local')?.id} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {open?.kind === 'add' && <FolderDialog state={state} folder={null} onClose={() => setOpen(null)} />}
      {open?.kind === 'edit' && <FolderDialog state={state} folder={open.folder} onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && (
        <Confirm
          title={t('folders.removeTitle', { name: open.folder.name })}
          confirm={t('folders.removeConfirm')}
          danger
          onConfirm={() => remove.mutate({ id: open.folder.id }, { onError: (error) => notify('problem', errorSentence(error)) })}
          onClose={() => setOpen(null)}
        >
          <p>{t('folders.removeText')}</p>
          {queued > 0 && <p>{t('folders.removeQueued', { count: queued, shown: formats.count(queued) })}</p>}
        </Confirm>
      )}
    </div>
  )
}

const modeWords: Record<ExtractionMode, MessageId> = { auto: 'mode.auto', sync: 'mode.sync', async: 'mode.async' }

function FolderCard({ folder, localName, onOpen }: { folder: FolderRow; localName: boolean; onOpen: (open: Open) => void }): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const update = useAction('folders.update')
  const rescan = useAction('folders.rescan')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))

  function act(key: string): void {
    if (key === 'edit') onOpen({ kind: 'edit', folder })
    if (key === 'remove') onOpen({ kind: 'remove', folder })
    if (key === 'rescan') rescan.mutate({ id: folder.id }, { onError, onSuccess: () => notify('done', t('folders.rescanned', { name: folder.name })) })
  }
  function showJobs(): void {
    changeJobsView({ folderId: folder.id, schemaId: null, search: '', tab: 'all' })
    navigate({ screen: 'jobs' })
  }
  const facts: [MessageId, string][] = [
    ['field.schema', folder.schemaName],
    ['field.connection', localName ? t('connection.local') : folder.connectionName],
    ['field.mode', t(modeWords[folder.mode])],
    ['field.lastFile', folder.lastFileAt === null ? t('folders.noFileYet') : formats.moment(folder.lastFileAt)],
  ]
  if (folder.afterwards === 'move') facts.push(['field.afterwards', t('afterwards.moved')])
  if (folder.agentReference !== null) facts.splice(2, 0, ['field.agent', folder.agentReference])
  return (
    <li className="card folder-card" aria-label={folder.name}>
      <div className="card__head">
        <Icon name="folder" />
        <h2 className="ellipsis" title={folder.name}>
          <bdi>{folder.name}</bdi>
        </h2>
        <FolderState folder={folder} />
        <MenuTrigger>
          <AriaButton className="icon-button" aria-label={t('folders.more', { name: folder.name })}>
            <Icon name="more" />
          </AriaButton>
          <Popover className="popover" placement="bottom end" offset={4}>
            <Menu className="list-box" onAction={(key) => act(String(key))}>
              <MenuItem id="edit" className="list-box__item menu__item">
                {t('folders.edit')}
              </MenuItem>
              <MenuItem id="rescan" className="list-box__item menu__item">
                {t('folders.rescan')}
              </MenuItem>
              <MenuItem id="remove" className="list-box__item menu__item menu__item--danger">
                {t('folders.remove')}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      </div>
      <p className="card__path ellipsis" title={folder.path}>
        <bdi>{folder.path}</bdi>
      </p>
      <dl className="facts">
        {facts.map(([words, value]) => (
          <div key={words}>
            <dt>{t(words)}</dt>
            <dd className="ellipsis" title={value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {folder.moveProblem && <Callout kind="flag">{sentence(folder.moveProblem)}</Callout>}
      <div className="card__foot">
        <span className="folder-card__counts tabular">
          {t('folders.counts', { done: formats.count(folder.done), total: formats.count(folder.total) })}
          {folder.open > 0 && <em className="tone-info">{t('folders.open', { shown: formats.count(folder.open) })}</em>}
          {folder.attention > 0 && <em className="tone-flag">{t('folders.attention', { count: folder.attention, shown: formats.count(folder.attention) })}</em>}
        </span>
        <Button variant="quiet" icon={folder.paused ? 'play' : 'pause'} onPress={() => update.mutate({ id: folder.id, paused: !folder.paused }, { onError })}>
          {folder.paused ? t('folders.resume') : t('folders.pause')}
        </Button>
        <Button onPress={showJobs}>{t('folders.show')}</Button>
      </div>
    </li>
  )
}

function FolderState({ folder }: { folder: FolderRow }): ReactNode {
  const { t } = useLanguage()
  const [tone, icon, words] = !folder.online
    ? (['flag', 'offline', 'folders.offline'] as const)
    : folder.paused
      ? (['calm', 'pause', 'folders.paused'] as const)
      : (['ok', 'check', 'folders.watching'] as const)
  return (
    <span className={`badge badge--${tone}`} title={folder.online ? undefined : t('folders.offlineHint')}>
      <Icon name={icon} size={12} />
      {t(words)}
    </span>
  )
}

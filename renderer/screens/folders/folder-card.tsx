import type { ReactNode } from 'react'
import { MenuTrigger, Button as AriaButton, Menu, MenuItem, Popover } from 'react-aria-components'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { FolderRow, FolderActivity, Reach } from '../../../shared/contract/folders.ts'
import type { WorkbookRow } from '../../../shared/contract/workbooks.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { changeDocumentsView, tabCount } from '../documents/view.ts'
import type { ReceivedSpan, TabKey } from '../documents/view.ts'
import { fileNameOf } from '../exports/file-name.ts'
import { afterwardsLabels, modeLabels, patternLines, reachMessages, sortingFacts } from './labels.ts'

/** How often it is checked whether a folder can be read, beside what its watcher reports. */
const reachIntervalMs = 10_000

type Props = {
  folder: FolderRow
  /** Where its documents are read; undefined for one that was removed. */
  connection: ConnectionRow | undefined
  /** Nothing of any folder is sent. */
  allPaused: boolean
  activity: FolderActivity | undefined
  workbook: WorkbookRow | undefined
  onEdit: () => void
  onRemove: () => void
  onDryRun: () => void
}

/** One watched folder: how it is read, how far it is today, and what holds it up. */
export function FolderCard({
  folder,
  connection,
  allPaused,
  activity,
  workbook,
  onEdit,
  onRemove,
  onDryRun,
}: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const update = useAction('folders.update')
  const checked = useCall(
    'folders.reach',
    { id: folder.id },
    { refetchOnMount: 'always', refetchIntervalMs: reachIntervalMs },
  ).data
  const reach: Reach = checked?.reach ?? (folder.online ? 'there' : 'failed')
  const pausedReason = connection?.pausedReason ?? null
  function togglePause(): void {
    update.mutate(
      { id: folder.id, paused: !folder.paused },
      { onError: (error) => notify('problem', errorSentence(error)) },
    )
  }
  return (
    <li className="card folder-card" aria-label={folder.name}>
      <div className="card__head">
        <Icon name="folder" />
        <h2 className="ellipsis" title={folder.name}>
          <bdi>{folder.name}</bdi>
        </h2>
        <FolderState reach={reach} paused={folder.paused} nothingSent={allPaused || pausedReason !== null} />
        <FolderMenu folder={folder} onEdit={onEdit} onRemove={onRemove} />
      </div>
      <p className="card__path ellipsis" title={folder.path}>
        <bdi>{folder.path}</bdi>
      </p>
      <FolderNotices folder={folder} reach={reach} pausedReason={pausedReason} />
      <Today folder={folder} activity={activity} />
      <Facts folder={folder} isLocal={connection?.kind === 'local'} activity={activity} workbook={workbook} />
      <div className="card__foot">
        <Button
          variant="quiet"
          icon={folder.paused ? 'play' : 'pause'}
          onPress={togglePause}
          isDisabled={folder.pausedReason !== null}
        >
          {folder.paused ? t('folders.resume') : t('folders.pause')}
        </Button>
        <Button variant="quiet" icon="eye" onPress={onDryRun}>
          {t('folders.whatIsThere')}
        </Button>
        <a
          className="button button--plain"
          href={hrefOf({ screen: 'documents' })}
          onClick={() => showDocuments(folder.id, 'all', 'any')}
        >
          {t('folders.show')}
        </a>
      </div>
    </li>
  )
}

function FolderMenu({ folder, onEdit, onRemove }: Pick<Props, 'folder' | 'onEdit' | 'onRemove'>): ReactNode {
  const { t, errorSentence } = useLanguage()
  const rescan = useAction('folders.rescan')
  const actions: Record<string, () => void> = {
    edit: onEdit,
    remove: onRemove,
    rescan: () =>
      rescan.mutate(
        { id: folder.id },
        {
          onError: (error) => notify('problem', errorSentence(error)),
          onSuccess: () => notify('done', t('folders.rescanned', { name: folder.name })),
        },
      ),
  }
  return (
    <MenuTrigger>
      <AriaButton className="icon-button" aria-label={t('folders.more', { name: folder.name })}>
        <Icon name="more" />
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu
          className="list-box"
          onAction={(key) => actions[String(key)]?.()}
          disabledKeys={folder.paused ? ['rescan'] : []}
        >
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
  )
}

type NoticesProps = { folder: FolderRow; reach: Reach; pausedReason: ConnectionRow['pausedReason'] }

/** What holds the folder up, and what a person can do about it. */
function FolderNotices({ folder, reach, pausedReason }: NoticesProps): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const takeEarlier = useAction('folders.takeEarlier')
  const unreachable = reachMessages[reach]
  function readEarlierFiles(): void {
    takeEarlier.mutate({ id: folder.id }, { onError: (error) => notify('problem', errorSentence(error)) })
  }
  return (
    <>
      {unreachable !== null && <Callout kind="flag">{t(unreachable)}</Callout>}
      {pausedReason !== null && <PausedConnection reason={pausedReason} />}
      {folder.pausedReason !== null && <Callout kind="flag">{sentence(folder.pausedReason)}</Callout>}
      {folder.paused && folder.pausedReason === null && (
        <Callout kind="info">
          {t('folders.pausedText', { count: folder.queued, shown: formats.count(folder.queued) })}
        </Callout>
      )}
      {folder.leavesEarlier && (
        <Callout
          kind="info"
          action={
            <Button variant="quiet" onPress={readEarlierFiles}>
              {t('folders.takeEarlier')}
            </Button>
          }
        >
          {t('folders.earlier')}
        </Callout>
      )}
      {folder.moveProblem && <Callout kind="flag">{sentence(folder.moveProblem)}</Callout>}
    </>
  )
}

/** Why the folder's documents wait for its connection, and where to change that. */
function PausedConnection({ reason }: { reason: NonNullable<ConnectionRow['pausedReason']> }): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const settings = useAction('settings.update')
  const action =
    reason.code === 'service_off' ? (
      <Button
        variant="quiet"
        onPress={() =>
          settings.mutate({ localService: true }, { onError: (error) => notify('problem', errorSentence(error)) })
        }
      >
        {t('service.turnOn')}
      </Button>
    ) : (
      <a className="button button--quiet" href={hrefOf({ screen: 'settings' })}>
        <span className="button__text">{t('recovery.toSettings')}</span>
      </a>
    )
  return (
    <Callout kind="flag" action={action}>
      {sentence(reason)}
    </Callout>
  )
}

/** The list of documents, of this folder, before the link goes there. */
function showDocuments(folderId: number, tab: TabKey, received: ReceivedSpan): void {
  changeDocumentsView({ folderId, schemaId: null, received, search: '', tab })
}

function Facts({
  folder,
  isLocal,
  activity,
  workbook,
}: Pick<Props, 'folder' | 'activity' | 'workbook'> & { isLocal: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const others = schemas.filter(({ id }) => folder.otherSchemaIds.includes(id)).map(({ name }) => name)
  const facts: [MessageId, ...string[]][] = [
    ['field.schema', folder.schemaName, ...sortingFacts(others, folder.cuts, t)],
    ['field.connection', isLocal ? t('connection.local') : folder.connectionName],
    ['field.mode', t(modeLabels[folder.mode].label)],
    ['field.afterwards', t(afterwardsLabels[folder.afterwards].short)],
    ['folders.names', ...patternLines(folder, t)],
    ['folders.inside', t(folder.includeSubfolders ? 'folders.insideYes' : 'folders.insideNo')],
  ]
  if (folder.agentReference !== null) facts.splice(1, 0, ['field.agent', folder.agentReference])
  return (
    <dl className="facts">
      {facts.map(([label, ...lines]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          {lines.map((line) => (
            <dd key={line} {...(label === 'field.schema' ? {} : { className: 'ellipsis', title: line })}>
              <bdi>{line}</bdi>
            </dd>
          ))}
          {label === 'folders.names' && folder.leftOut !== null && folder.leftOut > 0 && (
            <dd className="folder-card__aside">
              {t('folders.doNotMatch', { count: folder.leftOut, shown: formats.count(folder.leftOut) })}
            </dd>
          )}
        </div>
      ))}
      <div>
        <dt>{t('field.lastFile')}</dt>
        <dd className="folder-card__pair">
          <LastFile file={activity?.lastFile ?? null} />
        </dd>
      </div>
      <div>
        <dt>{t('folders.workbook')}</dt>
        <dd className="folder-card__pair">
          <Workbook workbook={workbook?.on ? workbook : null} />
        </dd>
      </div>
    </dl>
  )
}

function LastFile({ file }: { file: FolderActivity['lastFile'] }): ReactNode {
  const { t, formats } = useLanguage()
  if (file === null) return <span className="folder-card__none">{t('folders.noFileYet')}</span>
  return (
    <>
      <a className="card__link ellipsis" href={hrefOf({ screen: 'document', id: file.id })} title={file.name}>
        <bdi>{file.name}</bdi>
      </a>
      <span className="folder-card__aside">{formats.moment(file.at)}</span>
    </>
  )
}

/** The workbook that is kept for the folder; null: none is. */
function Workbook({ workbook }: { workbook: WorkbookRow | null }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <>
      <a className="card__link ellipsis" href={hrefOf({ screen: 'exports' })} title={workbook?.place}>
        {workbook ? <bdi>{fileNameOf(workbook.place)}</bdi> : t('folders.noWorkbook')}
      </a>
      {workbook && (
        <span className="folder-card__aside">
          {t('folders.workbookRows', { count: workbook.rows, shown: formats.count(workbook.rows) })}
        </span>
      )}
    </>
  )
}

type Chip = { tone: 'ok' | 'flag' | 'bad' | 'moving' | 'calm'; icon: IconName; label: MessageId }

/** The tabs of the documents in which something of today can be, in the order of what a person has to do. */
const chips: Partial<Record<TabKey, Chip>> = {
  flagged: { tone: 'flag', icon: 'flag', label: 'tab.flagged' },
  failed: { tone: 'bad', icon: 'cross', label: 'tab.failed' },
  unknown: { tone: 'flag', icon: 'question', label: 'tab.unknown' },
  waiting: { tone: 'moving', icon: 'clock', label: 'tab.waiting' },
  ready: { tone: 'calm', icon: 'check', label: 'tab.ready' },
  approved: { tone: 'ok', icon: 'check', label: 'tab.approved' },
  skipped: { tone: 'calm', icon: 'skip', label: 'tab.skipped' },
  cancelled: { tone: 'calm', icon: 'stop', label: 'tab.cancelled' },
}

/** What was received today by its state now; each leads to the folder's documents in that state. */
function Today({ folder, activity }: Pick<Props, 'folder' | 'activity'>): ReactNode {
  const { t, formats } = useLanguage()
  const shown = activity
    ? (Object.entries(chips) as [TabKey, Chip][])
        .map(([tab, chip]) => ({ tab, chip, count: tabCount(tab, activity.today) }))
        .filter(({ count }) => count > 0)
    : []
  return (
    <div className="folder-card__today">
      <span className="folder-card__label">{t('folders.today')}</span>
      {activity && shown.length === 0 && <span className="folder-card__none">{t('folders.nothingToday')}</span>}
      {shown.map(({ tab, chip: { tone, icon, label }, count }) => (
        <a
          key={tab}
          className={`badge badge--${tone} tabular`}
          href={hrefOf({ screen: 'documents' })}
          onClick={() => showDocuments(folder.id, tab, 'today')}
        >
          <Icon name={icon} size={12} />
          {formats.count(count)} {t(label)}
        </a>
      ))}
    </div>
  )
}

type StateProps = { reach: Reach; paused: boolean; nothingSent: boolean }

function FolderState(props: StateProps): ReactNode {
  const { t } = useLanguage()
  const [tone, icon, label] = folderBadge(props)
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon} size={12} />
      {t(label)}
    </span>
  )
}

function folderBadge({ reach, paused, nothingSent }: StateProps): [Chip['tone'], IconName, MessageId] {
  if (reach !== 'there') return ['flag', 'offline', 'folders.offline']
  if (paused) return ['calm', 'pause', 'folders.paused']
  if (nothingSent) return ['calm', 'pause', 'folders.allPaused']
  return ['ok', 'check', 'folders.watching']
}

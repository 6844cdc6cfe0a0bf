import type { ReactNode } from 'react'
import { MenuTrigger, Button as AriaButton, Menu, MenuItem, Popover } from 'react-aria-components'
import type { ConnectionRow, FolderRow } from '../../../shared/contract.ts'
import type { FolderActivity, Reach } from '../../../shared/contract-folders.ts'
import type { WorkbookRow } from '../../../shared/contract-workbooks.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { changeJobsView, tabCount } from '../jobs/view.ts'
import type { ReceivedSpan, TabKey } from '../jobs/view.ts'
import { afterwardsWords, modeWords, namesLines, reachWords } from './words.ts'

/** How often a folder is asked itself, beside what its watcher tells. */
const askEveryMs = 10_000

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
  onLook: () => void
}

/** One watched folder: how it is read, how far it is today, and what holds it up. */
export function FolderCard({ folder, connection, allPaused, activity, workbook, onEdit, onRemove, onLook }: Props): ReactNode {
  const { t, formats, sentence, errorSentence } = useLanguage()
  const update = useAction('folders.update')
  const rescan = useAction('folders.rescan')
  const takeEarlier = useAction('folders.takeEarlier')
  const asked = useCall('folders.reach', { id: folder.id }, { asksAgain: true, everyMs: askEveryMs }).data?.reach
  const reach: Reach = asked ?? (folder.online ? 'there' : 'failed')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const act: Record<string, () => void> = {
    edit: onEdit,
    remove: onRemove,
    rescan: () => rescan.mutate({ id: folder.id }, { onError, onSuccess: () => notify('done', t('folders.rescanned', { name: folder.name })) }),
  }
  const trouble = reachWords[reach]
  const stopped = connection?.pausedReason ?? null
  return (
    <li className="card folder-card" aria-label={folder.name}>
      <div className="card__head">
        <Icon name="folder" />
        <h2 className="ellipsis" title={folder.name}>
          <bdi>{folder.name}</bdi>
        </h2>
        <FolderState reach={reach} paused={folder.paused} nothingSent={allPaused || stopped !== null} />
        <MenuTrigger>
          <AriaButton className="icon-button" aria-label={t('folders.more', { name: folder.name })}>
            <Icon name="more" />
          </AriaButton>
          <Popover className="popover" placement="bottom end" offset={4}>
            <Menu className="list-box" onAction={(key) => act[String(key)]?.()} disabledKeys={folder.paused ? ['rescan'] : []}>
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
      {trouble !== null && <Callout kind="flag">{t(trouble)}</Callout>}
      {stopped !== null && <Stopped reason={stopped} />}
      {folder.paused && <Callout kind="info">{t('folders.pausedText', { count: folder.queued, shown: formats.count(folder.queued) })}</Callout>}
      {folder.leavesEarlier && (
        <Callout
          kind="info"
          action={
            <Button variant="quiet" onPress={() => takeEarlier.mutate({ id: folder.id }, { onError })}>
              {t('folders.takeEarlier')}
            </Button>
          }
        >
          {t('folders.earlier')}
        </Callout>
      )}
      {folder.moveProblem && <Callout kind="flag">{sentence(folder.moveProblem)}</Callout>}
      <Today folder={folder} activity={activity} />
      <Facts folder={folder} isLocal={connection?.kind === 'local'} activity={activity} workbook={workbook} />
      <div className="card__foot">
        <Button variant="quiet" icon={folder.paused ? 'play' : 'pause'} onPress={() => update.mutate({ id: folder.id, paused: !folder.paused }, { onError })}>
          {folder.paused ? t('folders.resume') : t('folders.pause')}
        </Button>
        <Button variant="quiet" icon="eye" onPress={onLook}>
          {t('folders.whatIsThere')}
        </Button>
        <a className="button button--plain" href={hrefOf({ screen: 'jobs' })} onClick={() => showJobs(folder.id, 'all', 'any')}>
          {t('folders.show')}
        </a>
      </div>
    </li>
  )
}

/** Its documents wait for its connection: why, and the way to change that. */
function Stopped({ reason }: { reason: NonNullable<ConnectionRow['pausedReason']> }): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const settings = useAction('settings.update')
  const action =
    reason.code === 'service_off' ? (
      <Button variant="quiet" onPress={() => settings.mutate({ localService: true }, { onError: (error) => notify('problem', errorSentence(error)) })}>
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
function showJobs(folderId: number, tab: TabKey, received: ReceivedSpan): void {
  changeJobsView({ folderId, schemaId: null, received, search: '', tab })
}

function Facts({ folder, isLocal, activity, workbook }: Pick<Props, 'folder' | 'activity' | 'workbook'> & { isLocal: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  const { lastFile } = activity ?? { lastFile: null }
  const facts: [MessageId, ...string[]][] = [
    ['field.schema', folder.schemaName],
    ['field.connection', isLocal ? t('connection.local') : folder.connectionName],
    ['field.mode', t(modeWords[folder.mode].label)],
    ['field.afterwards', t(afterwardsWords[folder.afterwards].short)],
    ['folders.names', ...namesLines(folder, t)],
    ['folders.inside', t(folder.includeSubfolders ? 'folders.insideYes' : 'folders.insideNo')],
  ]
  if (folder.agentReference !== null) facts.splice(1, 0, ['field.agent', folder.agentReference])
  return (
    <dl className="facts">
      {facts.map(([words, ...lines]) => (
        <div key={words}>
          <dt>{t(words)}</dt>
          {lines.map((line) => (
            <dd key={line} className="ellipsis" title={line}>
              <bdi>{line}</bdi>
            </dd>
          ))}
          {words === 'folders.names' && folder.leftOut !== null && folder.leftOut > 0 && (
            <dd className="folder-card__aside">{t('folders.doNotMatch', { count: folder.leftOut, shown: formats.count(folder.leftOut) })}</dd>
          )}
        </div>
      ))}
      <div>
        <dt>{t('field.lastFile')}</dt>
        <dd className="folder-card__pair">
          {lastFile === null ? (
            <span className="folder-card__none">{t('folders.noFileYet')}</span>
          ) : (
            <>
              <a className="card__link ellipsis" href={hrefOf({ screen: 'job', id: lastFile.id })} title={lastFile.name}>
                <bdi>{lastFile.name}</bdi>
              </a>
              <span className="folder-card__aside">{formats.moment(lastFile.at)}</span>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('folders.workbook')}</dt>
        <dd className="folder-card__pair">
          <a className="card__link ellipsis" href={hrefOf({ screen: 'exports' })} title={workbook?.on ? workbook.place : undefined}>
            {workbook?.on ? <bdi>{workbook.place.split(/[\\/]/).at(-1)}</bdi> : t('folders.noWorkbook')}
          </a>
          {workbook?.on && <span className="folder-card__aside">{t('folders.workbookRows', { count: workbook.rows, shown: formats.count(workbook.rows) })}</span>}
        </dd>
      </div>
    </dl>
  )
}

type Chip = { tone: 'ok' | 'flag' | 'bad' | 'moving' | 'calm'; icon: IconName; words: MessageId }

/** The tabs of the documents in which something of today can be, in the order of what a person has to do. */
const chips: Partial<Record<TabKey, Chip>> = {
  flagged: { tone: 'flag', icon: 'flag', words: 'tab.flagged' },
  failed: { tone: 'bad', icon: 'cross', words: 'tab.failed' },
  unknown: { tone: 'flag', icon: 'question', words: 'tab.unknown' },
  waiting: { tone: 'moving', icon: 'clock', words: 'tab.waiting' },
  ready: { tone: 'calm', icon: 'check', words: 'tab.ready' },
  approved: { tone: 'ok', icon: 'check', words: 'tab.approved' },
  skipped: { tone: 'calm', icon: 'skip', words: 'tab.skipped' },
  cancelled: { tone: 'calm', icon: 'stop', words: 'tab.cancelled' },
}

/** What was received today by its state now; each leads to the folder's documents in that state. */
function Today({ folder, activity }: Pick<Props, 'folder' | 'activity'>): ReactNode {
  const { t, formats } = useLanguage()
  const shown = activity ? (Object.entries(chips) as [TabKey, Chip][]).map(([tab, chip]) => ({ tab, chip, count: tabCount(tab, activity.today) })).filter(({ count }) => count > 0) : []
  return (
    <div className="folder-card__today">
      <span className="folder-card__label">{t('folders.today')}</span>
      {activity && shown.length === 0 && <span className="folder-card__none">{t('folders.nothingToday')}</span>}
      {shown.map(({ tab, chip: { tone, icon, words }, count }) => (
        <a key={tab} className={`badge badge--${tone} tabular`} href={hrefOf({ screen: 'jobs' })} onClick={() => showJobs(folder.id, tab, 'today')}>
          <Icon name={icon} size={12} />
          {formats.count(count)} {t(words)}
        </a>
      ))}
    </div>
  )
}

function FolderState({ reach, paused, nothingSent }: { reach: Reach; paused: boolean; nothingSent: boolean }): ReactNode {
  const { t } = useLanguage()
  const [tone, icon, words] =
    reach !== 'there' ? (['flag', 'offline', 'folders.offline'] as const) : paused ? (['calm', 'pause', 'folders.paused'] as const) : nothingSent ? (['calm', 'pause', 'folders.allPaused'] as const) : (['ok', 'check', 'folders.watching'] as const)
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon} size={12} />
      {t(words)}
    </span>
  )
}

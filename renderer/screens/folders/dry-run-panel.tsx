import type { ReactNode } from 'react'
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading, ProgressBar } from 'react-aria-components'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { DryRun, DryRunReason } from '../../../shared/contract/folders.ts'
import { useDryRunProgress } from '../../client/dry-run-progress.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import type { DryRunState } from './use-dry-run.ts'

const reasonLabels: Record<DryRunReason, MessageId> = {
  known: 'dryRun.whyKnown',
  duplicate: 'dryRun.whyDuplicate',
  left_out: 'dryRun.whyLeftOut',
  earlier: 'dryRun.whyEarlier',
  unsupported_type: 'dryRun.whyType',
  file_too_large: 'dryRun.whyLarge',
  empty_file: 'dryRun.whyEmpty',
  file_damaged: 'dryRun.whyDamaged',
  extension_mismatch: 'dryRun.whyMismatch',
  mail: 'dryRun.whyMail',
  own_export: 'dryRun.whyExport',
  hidden_file: 'dryRun.whyHidden',
  lock_file: 'dryRun.whyLock',
  unfinished_download: 'dryRun.whyUnfinished',
  symbolic_link: 'dryRun.whyLink',
  not_a_file: 'dryRun.whyNoFile',
  file_unreadable: 'dryRun.whyUnreadable',
}

type Props = {
  state: DryRunState
  connection: ConnectionRow | undefined
  /** Files that lie there already are not to be read. */
  leavesExisting: boolean
  onStart: () => void
  onStop: () => void
  isDisabled?: boolean
  /** Shown before the first run. */
  children?: ReactNode
}

/** What would be read of a folder, before anything of it is sent: a dry run is started, followed and stopped here. */
export function DryRunPanel({
  state,
  connection,
  leavesExisting,
  onStart,
  onStop,
  isDisabled = false,
  children,
}: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  if (state.kind === 'running') return <Running token={state.token} onStop={onStop} />
  return (
    <div className="dry-run">
      {/* Before what is said: an estimate that arrives must not move the button from under the pointer. */}
      <div className="dry-run__act">
        <Button icon="eye" onPress={onStart} isDisabled={isDisabled} autoFocus={state.kind !== 'idle'}>
          {state.kind === 'idle' ? t('dryRun.first') : t('dryRun.again')}
        </Button>
        {state.kind === 'idle' && <span className="hint">{t('dryRun.hint')}</span>}
      </div>
      <div className="dry-run__said" role="status">
        {state.kind === 'idle' && children}
        {state.kind === 'stopped' && <p>{t('dryRun.stopped')}</p>}
        {state.kind === 'failed' && <Callout kind="bad">{errorSentence(state.error)}</Callout>}
        {state.kind === 'finished' && (
          <DryRunResult result={state.result} connection={connection} leavesExisting={leavesExisting} />
        )}
      </div>
    </div>
  )
}

function Running({ token, onStop }: { token: string; onStop: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const { files, compared, toCompare } = useDryRunProgress(token) ?? { files: 0, compared: 0, toCompare: 0 }
  const progress =
    toCompare === 0
      ? t('dryRun.listing', { count: files, shown: formats.count(files) })
      : t('dryRun.comparing', { compared: formats.count(compared), total: formats.count(toCompare) })
  return (
    <div className="dry-run dry-run--running">
      <span className="tabular">{progress}</span>
      {toCompare > 0 && (
        <ProgressBar
          className="progress"
          value={compared}
          maxValue={toCompare}
          aria-label={t('dryRun.progress')}
          valueLabel={progress}
        >
          {({ percentage }) => <span className="progress__fill" style={{ width: `${percentage ?? 0}%` }} />}
        </ProgressBar>
      )}
      <Button variant="quiet" icon="stop" onPress={onStop} autoFocus>
        {t('dryRun.stop')}
      </Button>
    </div>
  )
}

type ResultProps = { result: DryRun } & Pick<Props, 'connection' | 'leavesExisting'>

function DryRunResult({ result, connection, leavesExisting }: ResultProps): ReactNode {
  const { t, formats } = useLanguage()
  if (result.files === 0) return <p>{t('dryRun.empty')}</p>
  const { estimate, groups, notCompared, readHere } = result
  const passedOver = groups.reduce((sum, { files }) => sum + files, 0)
  return (
    <>
      <p>
        <strong>
          <DocumentsFound result={result} connection={connection} leavesExisting={leavesExisting} />
        </strong>{' '}
        {result.documents > 0 && !leavesExisting && <TokensNeeded estimate={estimate} />}
      </p>
      {!leavesExisting && estimate.heldByCap > 0 && (
        <p className="tone-flag">
          <Icon name="clock" size={14} />{' '}
          {t('estimate.held', { count: estimate.heldByCap, shown: formats.count(estimate.heldByCap) })}
        </p>
      )}
      {readHere > 0 && connection?.kind === 'platform' && (
        <p className="hint">{t('dryRun.readHere', { count: readHere, shown: formats.count(readHere) })}</p>
      )}
      {notCompared > 0 && (
        <p className="hint">{t('dryRun.notCompared', { count: notCompared, shown: formats.count(notCompared) })}</p>
      )}
      {passedOver > 0 && (
        <p className="dry-run__passed">
          {t('dryRun.notSent', { count: passedOver, shown: formats.count(passedOver) })}
        </p>
      )}
      <div className="dry-run__groups">
        {groups.map((group) => (
          <Group key={group.why} {...group} />
        ))}
      </div>
    </>
  )
}

function DocumentsFound({ result, connection, leavesExisting }: ResultProps): ReactNode {
  const { t, formats } = useLanguage()
  const values = {
    count: result.documents,
    shown: formats.count(result.documents),
    size: formats.size(result.sizeBytes),
  }
  if (leavesExisting) return t('dryRun.documentsLeft', values)
  return result.estimate.bills && connection
    ? t('dryRun.documents', { ...values, connection: connectionName(connection, t) })
    : t('dryRun.documentsHere', values)
}

function TokensNeeded({ estimate: { bills, tokens, measured } }: Pick<DryRun, 'estimate'>): ReactNode {
  const { t, formats } = useLanguage()
  if (!bills) return t('estimate.free')
  if (tokens === null) return t('estimate.unknown')
  return t('estimate.tokens', {
    count: tokens,
    tokens: formats.count(tokens),
    measured: formats.count(measured),
    from: measured,
  })
}

function Group({ why, files, names }: DryRun['groups'][number]): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <Disclosure className="dry-run__group">
      <Heading level={3} className="dry-run__head">
        <AriaButton slot="trigger" className="dry-run__trigger">
          <Icon name="right" size={12} />
          <span className="dry-run__why">{t(reasonLabels[why])}</span>
          <span className="tabular">{formats.count(files)}</span>
        </AriaButton>
      </Heading>
      <DisclosurePanel className="dry-run__names">
        <ul>
          {names.map((name) => (
            <li key={name} className="ellipsis" title={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
          {files > names.length && (
            <li className="hint">
              {t('dryRun.more', { count: files - names.length, shown: formats.count(files - names.length) })}
            </li>
          )}
        </ul>
      </DisclosurePanel>
    </Disclosure>
  )
}

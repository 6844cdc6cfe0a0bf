import type { ReactNode } from 'react'
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading, ProgressBar } from 'react-aria-components'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { Look, LookReason } from '../../../shared/contract/folders.ts'
import { useLooking } from '../../client/looking.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import type { DryRunState } from './use-dry-run.ts'

const reasonLabels: Record<LookReason, MessageId> = {
  known: 'look.whyKnown',
  duplicate: 'look.whyDuplicate',
  left_out: 'look.whyLeftOut',
  earlier: 'look.whyEarlier',
  unsupported_type: 'look.whyType',
  file_too_large: 'look.whyLarge',
  empty_file: 'look.whyEmpty',
  file_damaged: 'look.whyDamaged',
  extension_mismatch: 'look.whyMismatch',
  own_export: 'look.whyExport',
  hidden_file: 'look.whyHidden',
  lock_file: 'look.whyLock',
  unfinished_download: 'look.whyUnfinished',
  symbolic_link: 'look.whyLink',
  not_a_file: 'look.whyNoFile',
  file_unreadable: 'look.whyUnreadable',
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
    <div className="look">
      <div className="look__said" role="status">
        {state.kind === 'idle' && children}
        {state.kind === 'stopped' && <p>{t('look.stopped')}</p>}
        {state.kind === 'failed' && <Callout kind="bad">{errorSentence(state.error)}</Callout>}
        {state.kind === 'finished' && (
          <DryRunResult result={state.result} connection={connection} leavesExisting={leavesExisting} />
        )}
      </div>
      <div className="look__act">
        <Button icon="eye" onPress={onStart} isDisabled={isDisabled} autoFocus={state.kind !== 'idle'}>
          {state.kind === 'idle' ? t('look.first') : t('look.again')}
        </Button>
        {state.kind === 'idle' && <span className="hint">{t('look.hint')}</span>}
      </div>
    </div>
  )
}

function Running({ token, onStop }: { token: string; onStop: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const { files, compared, toCompare } = useLooking(token) ?? { files: 0, compared: 0, toCompare: 0 }
  const progress =
    toCompare === 0
      ? t('look.listing', { count: files, shown: formats.count(files) })
      : t('look.comparing', { compared: formats.count(compared), total: formats.count(toCompare) })
  return (
    <div className="look look--running">
      <span className="tabular">{progress}</span>
      {toCompare > 0 && (
        <ProgressBar
          className="progress"
          value={compared}
          maxValue={toCompare}
          aria-label={t('look.progress')}
          valueLabel={progress}
        >
          {({ percentage }) => <span className="progress__fill" style={{ width: `${percentage ?? 0}%` }} />}
        </ProgressBar>
      )}
      <Button variant="quiet" icon="stop" onPress={onStop} autoFocus>
        {t('look.stop')}
      </Button>
    </div>
  )
}

type ResultProps = { result: Look } & Pick<Props, 'connection' | 'leavesExisting'>

function DryRunResult({ result, connection, leavesExisting }: ResultProps): ReactNode {
  const { t, formats } = useLanguage()
  if (result.files === 0) return <p>{t('look.empty')}</p>
  const { estimate, groups, notCompared } = result
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
      {notCompared > 0 && (
        <p className="hint">{t('look.notCompared', { count: notCompared, shown: formats.count(notCompared) })}</p>
      )}
      {passedOver > 0 && (
        <p className="look__passed">{t('look.notSent', { count: passedOver, shown: formats.count(passedOver) })}</p>
      )}
      <div className="look__groups">
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
  if (leavesExisting) return t('look.documentsLeft', values)
  return result.estimate.bills && connection
    ? t('look.documents', { ...values, connection: connectionName(connection, t) })
    : t('look.documentsHere', values)
}

function TokensNeeded({ estimate: { bills, tokens, measured } }: Pick<Look, 'estimate'>): ReactNode {
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

function Group({ why, files, names }: Look['groups'][number]): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <Disclosure className="look__group">
      <Heading level={3} className="look__head">
        <AriaButton slot="trigger" className="look__trigger">
          <Icon name="right" size={12} />
          <span className="look__why">{t(reasonLabels[why])}</span>
          <span className="tabular">{formats.count(files)}</span>
        </AriaButton>
      </Heading>
      <DisclosurePanel className="look__names">
        <ul>
          {names.map((name) => (
            <li key={name} className="ellipsis" title={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
          {files > names.length && (
            <li className="hint">
              {t('look.more', { count: files - names.length, shown: formats.count(files - names.length) })}
            </li>
          )}
        </ul>
      </DisclosurePanel>
    </Disclosure>
  )
}

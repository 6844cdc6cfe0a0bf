import type { ReactNode } from 'react'
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading, ProgressBar } from 'react-aria-components'
import type { ConnectionRow } from '../../../shared/contract.ts'
import type { Look, LookReason } from '../../../shared/contract-folders.ts'
import { useLooking } from '../../client/looking.ts'
import { connectionName } from '../../components/connection-choices.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import type { LookState } from './use-look.ts'

const whyWords: Record<LookReason, MessageId> = {
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
  state: LookState
  connection: ConnectionRow | undefined
  /** What lies there is to be left alone. */
  leaves: boolean
  onStart: () => void
  onStop: () => void
  isDisabled?: boolean
  /** What stands there before anybody looked. */
  children?: ReactNode
}

/** A look into a folder before anything of it is sent: begun, followed and stopped here, and what it saw. */
export function LookPanel({ state, connection, leaves, onStart, onStop, isDisabled = false, children }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  if (state.kind === 'running') return <Running token={state.token} onStop={onStop} />
  return (
    <div className="look">
      <div className="look__said" role="status">
        {state.kind === 'none' && children}
        {state.kind === 'stopped' && <p>{t('look.stopped')}</p>}
        {state.kind === 'problem' && <Callout kind="bad">{errorSentence(state.error)}</Callout>}
        {state.kind === 'seen' && <Seen look={state.look} connection={connection} leaves={leaves} />}
      </div>
      <div className="look__act">
        <Button icon="eye" onPress={onStart} isDisabled={isDisabled} autoFocus={state.kind !== 'none'}>
          {state.kind === 'none' ? t('look.first') : t('look.again')}
        </Button>
        {state.kind === 'none' && <span className="hint">{t('look.hint')}</span>}
      </div>
    </div>
  )
}

function Running({ token, onStop }: { token: string; onStop: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const { files, compared, toCompare } = useLooking(token) ?? { files: 0, compared: 0, toCompare: 0 }
  const words =
    toCompare === 0 ? t('look.listing', { count: files, shown: formats.count(files) }) : t('look.comparing', { compared: formats.count(compared), total: formats.count(toCompare) })
  return (
    <div className="look look--running">
      <span className="tabular">{words}</span>
      {toCompare > 0 && (
        <ProgressBar className="progress" value={compared} maxValue={toCompare} aria-label={t('look.progress')} valueLabel={words}>
          {({ percentage }) => <span className="progress__fill" style={{ width: `${percentage ?? 0}%` }} />}
        </ProgressBar>
      )}
      <Button variant="quiet" icon="stop" onPress={onStop} autoFocus>
        {t('look.stop')}
      </Button>
    </div>
  )
}

function Seen({ look, connection, leaves }: { look: Look; connection: ConnectionRow | undefined; leaves: boolean }): ReactNode {
  const { t, formats } = useLanguage()
  if (look.files === 0) return <p>{t('look.empty')}</p>
  const { estimate, groups, notCompared } = look
  const values = { count: look.documents, shown: formats.count(look.documents), size: formats.size(look.sizeBytes) }
  const documents = leaves
    ? t('look.documentsLeft', values)
    : estimate.bills && connection
      ? t('look.documents', { ...values, connection: connectionName(connection, t) })
      : t('look.documentsHere', values)
  const tokens = estimate.tokens === null ? t('estimate.unknown') : t('estimate.tokens', { count: estimate.tokens, tokens: formats.count(estimate.tokens), measured: formats.count(estimate.measured), from: estimate.measured })
  const passed = groups.reduce((sum, { files }) => sum + files, 0)
  return (
    <>
      <p>
        <strong>{documents}</strong> {look.documents > 0 && !leaves && (estimate.bills ? tokens : t('estimate.free'))}
      </p>
      {!leaves && estimate.heldByCap > 0 && (
        <p className="tone-flag">
          <Icon name="clock" size={14} /> {t('estimate.held', { count: estimate.heldByCap, shown: formats.count(estimate.heldByCap) })}
        </p>
      )}
      {notCompared > 0 && <p className="hint">{t('look.notCompared', { count: notCompared, shown: formats.count(notCompared) })}</p>}
      {passed > 0 && <p className="look__passed">{t('look.notSent', { count: passed, shown: formats.count(passed) })}</p>}
      <div className="look__groups">
        {groups.map((group) => (
          <Group key={group.why} {...group} />
        ))}
      </div>
    </>
  )
}

function Group({ why, files, names }: Look['groups'][number]): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <Disclosure className="look__group">
      <Heading level={3} className="look__head">
        <AriaButton slot="trigger" className="look__trigger">
          <Icon name="right" size={12} />
          <span className="look__why">{t(whyWords[why])}</span>
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
          {files > names.length && <li className="hint">{t('look.more', { count: files - names.length, shown: formats.count(files - names.length) })}</li>}
        </ul>
      </DisclosurePanel>
    </Disclosure>
  )
}

import type { ReactNode } from 'react'
import { ProgressBar } from 'react-aria-components'
import type { CapHold } from '../../shared/contract/usage.ts'
import type { AppState } from '../../shared/contract/contract.ts'
import { useAction } from '../client/queries.ts'
import { hrefOf } from '../client/route.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { connectionName } from './connection-choices.ts'
import { Button } from './controls.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notices.tsx'

/** Connection, progress, time left, pause, and what left this computer. */
export function StatusLine({ state }: { state: AppState }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const pause = useAction('queue.pause')
  const resume = useAction('queue.resume')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return (
    <footer className="status-line">
      <Connection state={state} />
      {state.progress && (
        <Progress
          settled={state.progress.settled}
          total={state.progress.total}
          msLeft={state.progress.msLeft}
          paused={state.paused}
        />
      )}
      <Held state={state} />
      {!state.progress && state.paused && <span>{t('status.paused')}</span>}
      {state.paused ? (
        <Button variant="quiet" icon="play" onPress={() => resume.mutate({}, { onError })}>
          {t('status.resume')}
        </Button>
      ) : (
        <Button variant="quiet" icon="pause" onPress={() => pause.mutate({}, { onError })}>
          {t('status.pause')}
        </Button>
      )}
      <a className="status-line__left" href={hrefOf({ screen: 'sent' })}>
        {state.bytesSentToday > 0
          ? t('status.bytesSent', { size: formats.size(state.bytesSentToday) })
          : t('status.nothingLeft')}
      </a>
    </footer>
  )
}

const holdWords: Record<CapHold['why'], MessageId> = {
  reached: 'status.held',
  too_large: 'status.held.too_large',
  no_tokens: 'status.held.no_tokens',
  under_way: 'status.held.under_way',
}

/**
 * Documents that wait for the daily cap, with the way to where it is set: the most of them for one reason, the rest in
 * the title.
 */
function Held({ state: { cap } }: { state: AppState }): ReactNode {
  const { t, formats } = useLanguage()
  if (cap.holds.length === 0) return null
  const until = cap.resumesAt === null ? '' : formats.moment(cap.resumesAt)
  const texts = [...cap.holds]
    .sort((a, b) => b.documents - a.documents)
    .map(({ why, documents, name }) =>
      t(holdWords[why], { count: documents, shown: formats.count(documents), until, name: name ?? '' }),
    )
  return (
    <a className="status-line__problem status-line__held" href={hrefOf({ screen: 'usage' })} title={texts.join('\n')}>
      <Icon name="clock" size={14} />
      <span className="ellipsis">{texts[0]}</span>
    </a>
  )
}

function Connection({ state }: { state: AppState }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const stopped = state.connections.filter((connection) => connection.pausedReason)
  // A service that a person switched off is not reported as a problem; another connection's stop comes first.
  const shown = stopped.find(({ pausedReason }) => pausedReason?.code !== 'service_off') ?? stopped[0]
  if (shown?.pausedReason) {
    const isOff = shown.pausedReason.code === 'service_off'
    return (
      <a className="status-line__problem" href={hrefOf({ screen: 'settings' })} title={sentence(shown.pausedReason)}>
        <Icon name={isOff ? 'pause' : 'warning'} size={14} />
        <span className="ellipsis">
          {isOff ? t('status.serviceOff') : t('status.connectionStopped', { name: connectionName(shown, t) })}
        </span>
      </a>
    )
  }
  const slowed = state.connections.find(
    (connection) => connection.throttledUntil !== null && connection.throttledUntil > Date.now(),
  )
  const names = state.connections.map((connection) => connectionName(connection, t))
  return (
    <span className="status-line__connection" title={names.join(', ')}>
      <span className="dot" data-tone={state.paused || slowed || state.storageTrouble !== null ? 'calm' : 'ok'} />
      <span className="ellipsis">
        {slowed?.throttledUntil
          ? t('status.slowed', { name: connectionName(slowed, t), time: formats.moment(slowed.throttledUntil) })
          : names.join(', ')}
      </span>
    </span>
  )
}

function Progress({
  settled,
  total,
  msLeft,
  paused,
}: {
  settled: number
  total: number
  msLeft: number | null
  paused: boolean
}): ReactNode {
  const { t, formats } = useLanguage()
  const counted = t('status.progress', { settled: formats.count(settled), total: formats.count(total) })
  const rest = paused
    ? t('status.paused')
    : msLeft === null
      ? null
      : t('status.timeLeft', { time: formats.duration(Math.max(msLeft, 1000)) })
  return (
    <span className="status-line__progress">
      <ProgressBar
        className="progress"
        value={settled}
        maxValue={Math.max(total, 1)}
        aria-label={t('status.progressLabel')}
        valueLabel={counted}
      >
        {({ percentage }) => <span className="progress__fill" style={{ width: `${percentage ?? 0}%` }} />}
      </ProgressBar>
      <span className="tabular">{rest ? `${counted} · ${rest}` : counted}</span>
    </span>
  )
}

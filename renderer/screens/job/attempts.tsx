import type { ReactNode } from 'react'
import type { JobDetail } from '../../../shared/contract.ts'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

const outcomes = {
  open: 'outcome.open',
  accepted: 'outcome.accepted',
  succeeded: 'outcome.succeeded',
  failed: 'outcome.failed',
  returned: 'outcome.returned',
  lost: 'outcome.lost',
} as const satisfies Record<string, MessageId>

/** When and where the document was sent, and what came of it. */
export function Attempts({ job }: { job: JobDetail }): ReactNode {
  const { t, formats } = useLanguage()
  const open = job.status !== 'done'
  function outcome(attempt: JobDetail['attempts'][number]): string {
    const known = Object.hasOwn(outcomes, attempt.outcome) ? outcomes[attempt.outcome as keyof typeof outcomes] : null
    const words = known ? t(known) : attempt.outcome
    return attempt.httpStatus === null ? words : `${words} (HTTP ${attempt.httpStatus})`
  }
  return (
    <details className="attempts" open={open}>
      <summary>
        <Icon name="right" size={12} />
        {t('job.attempts', { count: job.attempts.length })}
        {job.durationMs !== null && job.status === 'done' && <span className="hint">{t('job.took', { time: formats.duration(job.durationMs) })}</span>}
      </summary>
      <ol>
        {job.attempts.map((attempt) => (
          <li key={attempt.id}>
            <span className="attempts__line">
              <strong>{formats.dateTime(attempt.startedAt)}</strong>
              <span>{t('job.attemptLine', { host: attempt.host, size: formats.size(attempt.bytesSent), mode: attempt.mode === 'async' ? t('mode.async') : t('mode.sync') })}</span>
            </span>
            <span className="hint">{outcome(attempt)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

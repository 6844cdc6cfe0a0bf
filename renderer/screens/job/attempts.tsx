import type { ReactNode } from 'react'
import type { JobDetail } from '../../../shared/contract.ts'
import { isErrorCode } from '../../../shared/errors.ts'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'

/** When and where the document was sent, and what came of it. */
export function Attempts({ job }: { job: JobDetail }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const open = job.status !== 'done'
  function outcome(text: string, status: number | null): string {
    const words = isErrorCode(text) ? sentence({ code: text, details: job.reason?.code === text ? job.reason.details : {} }) : text
    return status === null ? words : `${words} (HTTP ${status})`
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
            <span className="hint">{outcome(attempt.outcome, attempt.httpStatus)}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}

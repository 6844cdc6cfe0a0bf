import type { ReactNode } from 'react'
import type { JobRow } from '../../shared/contract-jobs.ts'
import type { JobStatus } from '../../shared/job.ts'
import { useSent } from '../client/sending.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

type Look = { tone: 'ok' | 'flag' | 'bad' | 'moving' | 'calm'; icon: IconName; words: MessageId }

const looks: Record<JobStatus, Look> = {
  queued: { tone: 'calm', icon: 'clock', words: 'state.queued' },
  submitting: { tone: 'moving', icon: 'up', words: 'state.submitting' },
  waiting: { tone: 'moving', icon: 'clock', words: 'state.waiting' },
  done: { tone: 'ok', icon: 'check', words: 'state.done' },
  failed: { tone: 'bad', icon: 'cross', words: 'state.failed' },
  unknown: { tone: 'flag', icon: 'question', words: 'state.unknown' },
  skipped: { tone: 'calm', icon: 'skip', words: 'state.skipped' },
  cancelled: { tone: 'calm', icon: 'stop', words: 'state.cancelled' },
}

/** The state of a job: a word with a shape, and how much of it has left while it is sent. */
export function StateBadge({ job }: { job: Pick<JobRow, 'id' | 'status' | 'sent' | 'reason' | 'review' | 'flagCount' | 'local'> }): ReactNode {
  const { t, formats } = useLanguage()
  const heard = useSent(job.id)
  // What is read on this computer is not sent anywhere.
  const sent = job.status === 'submitting' && !job.local ? (heard ?? job.sent) : null
  let { tone, icon, words }: Look = looks[job.status]
  if (job.status === 'skipped' && job.reason?.code === 'duplicate') [icon, words] = ['copy', 'state.duplicate']
  if (job.status === 'waiting' && job.reason?.code === 'callback_overdue') [tone, words] = ['flag', 'state.overdue']
  if (job.local && (job.status === 'submitting' || job.status === 'waiting')) [icon, words] = ['eye', 'state.submitting']
  if (sent !== null && sent >= 1) [icon, words] = ['clock', 'state.waiting']
  if (job.review === 'approved') words = 'state.approved'
  if (job.review === 'ready') [tone, words] = ['calm', 'state.ready']
  if (job.review === 'flagged') [tone, icon] = ['flag', 'flag']
  const text = sent !== null && sent < 1 ? t('state.sending', { percent: formats.percent(sent) }) : job.review === 'flagged' ? t('check.flagCount', { count: job.flagCount, shown: formats.count(job.flagCount) }) : t(words)
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon} size={12} />
      <span className="ellipsis">{text}</span>
    </span>
  )
}

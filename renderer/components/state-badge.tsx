import type { ReactNode } from 'react'
import type { DocumentRow } from '../../shared/contract/documents.ts'
import type { DocumentStatus } from '../../shared/domain/document-status.ts'
import { isAsking } from '../../shared/domain/sorting.ts'
import { useSent } from '../client/sending.ts'
import { useLanguage } from '../messages/language.tsx'
import type { MessageId } from '../messages/language.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

type Look = { tone: 'ok' | 'flag' | 'bad' | 'moving' | 'calm'; icon: IconName; words: MessageId }

const looks: Record<DocumentStatus, Look> = {
  queued: { tone: 'calm', icon: 'clock', words: 'state.queued' },
  submitting: { tone: 'moving', icon: 'up', words: 'state.submitting' },
  waiting: { tone: 'moving', icon: 'clock', words: 'state.waiting' },
  done: { tone: 'ok', icon: 'check', words: 'state.done' },
  failed: { tone: 'bad', icon: 'cross', words: 'state.failed' },
  unknown: { tone: 'flag', icon: 'question', words: 'state.unknown' },
  skipped: { tone: 'calm', icon: 'skip', words: 'state.skipped' },
  cancelled: { tone: 'calm', icon: 'stop', words: 'state.cancelled' },
}

type Shown = Pick<DocumentRow, 'id' | 'status' | 'sent' | 'reason' | 'review' | 'flagCount' | 'local'>

/** The looks that a document's reason, review and connection give it beside its status: the last one counts. */
function lookOf({ status, reason, review, flagCount, local }: Shown, isSent: boolean): Look {
  const isUnderWay = status === 'submitting' || status === 'waiting'
  const changes: [applies: boolean, change: Partial<Look>][] = [
    [status === 'skipped' && reason?.code === 'duplicate', { icon: 'copy', words: 'state.duplicate' }],
    [status === 'skipped' && isAsking(reason?.code ?? null), { tone: 'flag', icon: 'question', words: 'state.toSort' }],
    [status === 'skipped' && reason?.code === 'cut', { icon: 'cut', words: 'state.cut' }],
    [status === 'waiting' && reason?.code === 'callback_overdue', { tone: 'flag', words: 'state.overdue' }],
    [local && isUnderWay, { icon: 'eye', words: 'state.submitting' }],
    [isSent, { icon: 'clock', words: 'state.waiting' }],
    [review === 'approved', { words: 'state.approved' }],
    [review === 'approved' && flagCount > 0, { icon: 'flag', words: 'state.approvedFlags' }],
    [review === 'ready', { tone: 'calm', words: 'state.ready' }],
    [review === 'flagged', { tone: 'flag', icon: 'flag', words: 'check.flagCount' }],
  ]
  return changes.reduce((look, [applies, change]) => (applies ? { ...look, ...change } : look), looks[status])
}

/** The state of a document: a word with a shape, and how much of it has left while it is sent. */
export function StateBadge({ document }: { document: Shown }): ReactNode {
  const { t, formats } = useLanguage()
  const lastSent = useSent(document.id)
  // What is read on this computer is not sent anywhere.
  const sent = document.status === 'submitting' && !document.local ? (lastSent ?? document.sent) : null
  const { tone, icon, words } = lookOf(document, sent !== null && sent >= 1)
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon} size={12} />
      <span className="ellipsis">
        {sent !== null && sent < 1
          ? t('state.sending', { percent: formats.percent(sent) })
          : t(words, { count: document.flagCount, shown: formats.count(document.flagCount) })}
      </span>
    </span>
  )
}

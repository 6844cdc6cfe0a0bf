import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { IconButton } from './controls.tsx'
import { Icon } from './icon.tsx'

type Notice = { id: number; kind: 'done' | 'problem'; text: string }

const shownMs = 6_000
let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Says for a moment that something was done; a problem stays until it is closed. The text is a sentence in the window's language. */
export function notify(kind: Notice['kind'], text: string): void {
  const same = notices.filter((notice) => notice.text !== text).slice(-3)
  change([...same, { id: ++lastId, kind, text }])
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id))
}

/** Where notices appear, read out by screen readers. */
export function Notices(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeCard({ notice }: { notice: Notice }): ReactNode {
  const { t } = useLanguage()
  useEffect(() => {
    if (notice.kind === 'problem') return
    const timer = setTimeout(() => dismiss(notice.id), shownMs)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div className={`notice notice--${notice.kind}`}>
      <Icon name={notice.kind === 'done' ? 'check' : 'warning'} size={14} />
      <span>{notice.text}</span>
      <IconButton icon="cross" label={t('action.close')} onPress={() => dismiss(notice.id)} />
    </div>
  )
}

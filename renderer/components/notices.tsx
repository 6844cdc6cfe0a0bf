import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { Button, IconButton } from './controls.tsx'
import { Icon } from './icon.tsx'

/** Something that can still be done about it, while it is shown. */
type NoticeAction = { label: string; run: () => void }
type Notice = { id: number; kind: 'done' | 'problem'; text: string; action?: NoticeAction | undefined }

const shownMs = 6_000
/** Long enough to notice a mistake and undo it. */
const shownWithActionMs = 20_000
let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/**
 * Says for a moment that something was done; a problem stays until it is closed. The text is a sentence in the window's
 * language.
 */
export function notify(kind: Notice['kind'], text: string, action?: NoticeAction): void {
  const same = notices.filter((notice) => notice.text !== text).slice(-3)
  change([...same, { id: ++lastId, kind, text, action }])
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
    const timer = setTimeout(() => dismiss(notice.id), notice.action ? shownWithActionMs : shownMs)
    return () => clearTimeout(timer)
  }, [notice])
  return (
    <div className={`notice notice--${notice.kind}`}>
      <Icon name={notice.kind === 'done' ? 'check' : 'warning'} size={14} />
      <span>{notice.text}</span>
      {notice.action && (
        <Button
          variant="quiet"
          onPress={() => {
            notice.action?.run()
            dismiss(notice.id)
          }}
        >
          {notice.action.label}
        </Button>
      )}
      <IconButton icon="cross" label={t('action.close')} onPress={() => dismiss(notice.id)} />
    </div>
  )
}

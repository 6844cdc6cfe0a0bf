import { onlineManager } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { Icon } from './icon.tsx'

/** A reconnection within this time is not worth a message. */
const reconnectMs = 800

/** Whether the window has lost its host, and not only for a moment. */
export function useIsOutOfTouch(): boolean {
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (online) {
      setLate(false)
      return
    }
    const timer = setTimeout(() => setLate(true), reconnectMs)
    return () => clearTimeout(timer)
  }, [online])
  return !online && late
}

/** Says that the window has lost its host, as long as that is so. */
export function OfflineBar(): ReactNode {
  const { t } = useLanguage()
  if (!useIsOutOfTouch()) return null
  return (
    <div className="offline-bar" role="alert">
      <Icon name="offline" size={14} />
      {t('offline.text')}
    </div>
  )
}

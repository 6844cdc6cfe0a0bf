import { useEffect, useRef } from 'react'
import type { AppState } from '../../shared/contract/contract.ts'
import { useLanguage } from '../messages/language.tsx'

/**
 * Says through the system that a batch is done, when that is wished and nobody looks at the window; a click on it leads
 * here.
 */
export function useBatchDone(state: AppState): void {
  const { t, formats } = useLanguage()
  const under = useRef<number | null>(null)
  const { progress, counts, settings } = state
  useEffect(() => {
    const total = progress?.total ?? null
    const finished = total === null ? under.current : null
    under.current = total
    // On the desktop the program itself says it, also while its window is closed.
    if (state.host === 'electron' || finished === null || !settings.notifyWhenDone || !document.hidden) return
    if (Notification.permission !== 'granted') return
    const attention = (counts.failed ?? 0) + (counts.unknown ?? 0) + (counts.flagged ?? 0)
    const body = t('notify.body', {
      count: finished,
      shown: formats.count(finished),
      attention,
      attentionShown: formats.count(attention),
    })
    const notification = new Notification(t('notify.title'), { body, tag: 'batch' })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  }, [state.host, progress, counts, settings.notifyWhenDone, t, formats])
}

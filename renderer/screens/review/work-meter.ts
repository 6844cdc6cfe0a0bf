import { useCallback, useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import type { ReviewWork } from '../../../shared/contract/review.ts'

/** Whoever does nothing for longer does something else. */
const breakMs = 60_000

/**
 * Measures for how long a document is in hand and how many keys are pressed for it, from when it was opened. Returns
 * what it was so far.
 */
export function useWorkMeter(screen: RefObject<HTMLElement | null>): () => ReviewWork {
  const work = useRef({ ms: 0, keys: 0, lastAt: performance.now() })
  const goOn = useCallback((): void => {
    const now = performance.now()
    work.current.ms += Math.min(now - work.current.lastAt, breakMs)
    work.current.lastAt = now
  }, [])
  useEffect(() => {
    const element = screen.current
    const onKey = ({ key }: KeyboardEvent): void => {
      // A key that only changes others is pressed with one of them.
      if (!['Shift', 'Control', 'Alt', 'Meta'].includes(key)) work.current.keys += 1
      goOn()
    }
    element?.addEventListener('keydown', onKey, true)
    element?.addEventListener('pointermove', goOn, { passive: true })
    return () => {
      element?.removeEventListener('keydown', onKey, true)
      element?.removeEventListener('pointermove', goOn)
    }
  }, [screen, goOn])
  return useCallback(() => {
    goOn()
    const { ms, keys } = work.current
    return { ms: Math.round(ms), keys }
  }, [goOn])
}

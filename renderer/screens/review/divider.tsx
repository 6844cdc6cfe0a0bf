import { useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { readStored, writeStored } from '../../client/local-storage.ts'
import { useLanguage } from '../../messages/language.tsx'

const key = 'sheaf.document.documentPercent'
const defaultPercent = 56
const [minPercent, maxPercent] = [20, 80]
const stepPercent = 2

/** How much of the width the document has beside its values, in percent; kept in the browser. */
export function useDocumentShare(): { percent: number; setPercent: (percent: number | null) => void } {
  const [percent, setPercent] = useState(() => clamped(Number(readStored(key) ?? defaultPercent)))
  return {
    percent,
    setPercent(next) {
      const chosen = clamped(next ?? defaultPercent)
      setPercent(chosen)
      writeStored(key, next === null ? null : chosen)
    },
  }
}

/** The border between document and values: dragged, moved by arrows, set back by a double click or Enter. */
export function Divider({ percent, setPercent }: ReturnType<typeof useDocumentShare>): ReactNode {
  const { t } = useLanguage()
  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to: Record<string, number | null> = {
      ArrowLeft: percent - stepPercent,
      ArrowRight: percent + stepPercent,
      Home: minPercent,
      End: maxPercent,
      Enter: null,
    }
    if (!Object.hasOwn(to, event.key)) return
    setPercent(to[event.key]!)
    event.preventDefault()
  }
  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    const handle = event.currentTarget
    const box = handle.parentElement!.getBoundingClientRect()
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = (move) => setPercent(((move.clientX - box.left) / box.width) * 100)
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
    }
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('document.divider')}
      aria-valuemin={minPercent}
      aria-valuemax={maxPercent}
      aria-valuenow={Math.round(percent)}
      tabIndex={0}
      className="review__divider"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={() => setPercent(null)}
    />
  )
}

function clamped(percent: number): number {
  return Number.isFinite(percent) ? Math.max(minPercent, Math.min(percent, maxPercent)) : defaultPercent
}

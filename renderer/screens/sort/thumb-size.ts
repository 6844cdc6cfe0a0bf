import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { readStored, writeStored } from '../../client/local-storage.ts'

/** How wide pages are drawn, in px. */
export const thumbWidths = [112, 152, 232, 340, 500] as const
/** Below this nobody sees what kind of document begins: of a long file some pages are out of view instead. */
const usual = 1
/** Beside a page, and above and below it: the band, its name and its schema. */
const besidePx = 44
const aroundPx = 124
/** Around all of them. */
const marginPx = 44

/** Which of the widths shows all pages in the view as large as can be; the usual one where none does. Pure. */
export function fittingWidth(pageCount: number, view: { width: number; height: number }): number {
  const fits = (px: number): boolean => {
    const columns = Math.floor((view.width - marginPx) / (px + besidePx))
    if (columns < 1) return false
    const lines = Math.ceil(pageCount / columns)
    return lines * (px * Math.SQRT2 + aroundPx) <= view.height - marginPx
  }
  return Math.max(usual, thumbWidths.findLastIndex(fits))
}

export type ThumbSize = { px: number; isSmallest: boolean; isLargest: boolean; smaller: () => void; larger: () => void }

const key = 'sheaf.sort.larger'

/** The size of pages: what fits, and by how many steps a person wants them larger or smaller; kept in the browser. */
export function useThumbSize(pageCount: number, view: RefObject<HTMLElement | null>): ThumbSize {
  const [larger, setLarger] = useState(() => Math.trunc(Number(readStored(key) ?? 0)) || 0)
  const [fitting, setFitting] = useState(usual)
  useEffect(() => {
    if (!view.current) return
    const observer = new ResizeObserver(([entry]) => {
      const box = entry?.target as HTMLElement
      setFitting(fittingWidth(pageCount, { width: box.offsetWidth, height: box.offsetHeight }))
    })
    observer.observe(view.current)
    return () => observer.disconnect()
  }, [view, pageCount])
  const last = thumbWidths.length - 1
  const index = Math.min(last, Math.max(0, fitting + larger))
  function set(next: number): void {
    setLarger(next - fitting)
    writeStored(key, next - fitting)
  }
  return {
    px: thumbWidths[index]!,
    isSmallest: index === 0,
    isLargest: index === last,
    smaller: () => set(index - 1),
    larger: () => set(index + 1),
  }
}

import { useEffect, useRef } from 'react'
import type { KeyboardEvent, MouseEvent, RefObject } from 'react'
import { isOthersMark } from './pointing.tsx'
import type { Pointing } from './pointing.tsx'

/**
 * Pointing in a sheet, whose cells are drawn by the browser: a click takes a cell, and so does Enter in the cell that
 * arrows lead to. Returns what the element around its tables needs for that.
 */
export function useCellPointing(
  page: number,
  pointing: Pointing | null,
): {
  ref: RefObject<HTMLDivElement | null>
  'data-pointing': true | undefined
  onClick: (event: MouseEvent) => void
  onKeyDown: (event: KeyboardEvent) => void
} {
  const sheet = useRef<HTMLDivElement>(null)
  const isHere = pointing?.cursor?.page === page
  useEffect(() => {
    if (!isHere) return
    const marked = sheet.current?.querySelector(`[data-mark="${CSS.escape(pointing.target()?.pointer ?? '')}"]`)
    focusCell(marked?.closest('td') ?? sheet.current?.querySelector('td') ?? null)
  }, [isHere, pointing])
  return {
    ref: sheet,
    'data-pointing': pointing === null ? undefined : true,
    onClick(event) {
      const target = pointing?.target() ?? null
      const cell = event.target instanceof Element ? event.target.closest('td') : null
      if (target === null || cell === null || (isOthersMark(event.target, target) && !event.shiftKey)) return
      target.take(cell.textContent)
    },
    onKeyDown(event) {
      const cell = event.target instanceof HTMLTableCellElement ? event.target : null
      if (cell === null || pointing === null) return
      if (event.key === 'Enter') pointing.target()?.take(cell.textContent)
      else if (event.key === 'Escape' || event.key === 'Tab') pointing.leave()
      else if (!focusCell(cellBeside(cell, event.key))) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** The cell that an arrow leads to; null for other keys, and where there is none. */
function cellBeside(cell: HTMLTableCellElement, key: string): Element | null {
  if (key === 'ArrowLeft') return cell.previousElementSibling
  if (key === 'ArrowRight') return cell.nextElementSibling
  const row = cell.parentElement
  const other = key === 'ArrowUp' ? row?.previousElementSibling : key === 'ArrowDown' ? row?.nextElementSibling : null
  return other?.children[Math.min(cell.cellIndex, other.children.length - 1)] ?? null
}

function focusCell(cell: Element | null): boolean {
  if (!(cell instanceof HTMLTableCellElement)) return false
  cell.tabIndex = -1
  cell.focus()
  return true
}

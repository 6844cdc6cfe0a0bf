import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { initialGrid } from './grid-reducer.ts'
import type { GridState } from './grid-reducer.ts'
import type { Cell } from './grid-range.ts'
import type { PrintedValues } from './list-shape.ts'

type Given = {
  scroller: RefObject<HTMLDivElement | null>
  state: GridState
  /** Within the rows that are drawn. */
  active: Cell
  rowCount: number
  printed: PrintedValues
  /** The pointer of the active cell while it needs a look, else null. */
  flagged: () => string | null
  scrollTo: (cell: Cell) => void
}

/**
 * Focuses the active cell once it is rendered: when an action asked for it, or when its row and its element were
 * replaced.
 */
export function useCellFocus({ scroller, state, active, rowCount, printed, flagged, scrollTo }: Given): void {
  const focused = useRef(initialGrid.focus)
  const before = useRef({ isInside: false, rowCount, printed })
  useLayoutEffect(() => {
    const grid = scroller.current
    const { withReason } = state.focus
    const isLost =
      before.current.isInside && before.current.rowCount !== rowCount && document.activeElement === document.body
    // Source locations load later and add lines below each value, which shifts the cell: scroll to it again.
    const isMoved = withReason && before.current.isInside && before.current.printed !== printed
    if ((state.focus !== focused.current || isLost || isMoved) && state.editing === null) {
      const isFocused = grid !== null && focusCell(grid, active, withReason ? flagged() : null, scrollTo)
      // A row that was just added is not there yet.
      if (isFocused && active.row === state.active.row) focused.current = state.focus
    }
    before.current = { isInside: grid?.contains(document.activeElement) ?? false, rowCount, printed }
  })
}

/** `reasonOf`: the pointer of a cell whose reason is shown first. False: the cell is not drawn. */
function focusCell(grid: HTMLElement, cell: Cell, reasonOf: string | null, scrollTo: (cell: Cell) => void): boolean {
  const element = grid.querySelector<HTMLElement>(`[data-row="${cell.row}"] [data-column="${cell.column}"]`)
  // First the reason and then the cell, which matters more where there is no room for both.
  if (reasonOf !== null)
    grid.parentElement
      ?.querySelector(`:scope > .notes > [data-flag="${CSS.escape(reasonOf)}"]`)
      ?.scrollIntoView({ block: 'nearest' })
  element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  // Now out from under what sticks to the edges of the grid.
  scrollTo(cell)
  // Last: reading positions after focusing would force another layout.
  element?.focus({ preventScroll: true })
  return element !== null
}

import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { rowsAfter } from './grid-edits.ts'
import type { Change } from './grid-edits.ts'
import type { Cell } from './grid-range.ts'
import { gridReducer, initialGrid } from './grid-reducer.ts'
import type { GridAction, GridContents, GridState } from './grid-reducer.ts'
import type { Row } from './list-shape.ts'

type Options = Omit<GridContents, 'rows'> & {
  items: readonly Row[]
  /** Called with what an action puts into the list, before it is drawn. */
  onChange: (changes: Change[]) => void
  /** Called with the end of a selection, before it is drawn. */
  onSelect: (end: Cell) => void
}

export type GridStore = {
  state: GridState
  /** The rows as they are, also before the window has drawn them. */
  rows: RefObject<readonly Row[]>
  /** Returns the new state: the same where the action did nothing. It is the same function for as long as the grid. */
  dispatch: (action: GridAction) => GridState
  /** The state as it is, also before the window has drawn it. */
  current: RefObject<GridState>
}

/**
 * The state of one grid. Two keys may come before the window has drawn the first one, so an action is reduced at once
 * and against the rows as it left them; core's answers replace those when they are drawn.
 */
export function useGridState({ items, onChange, onSelect, ...contents }: Options): GridStore {
  const [state, setState] = useState(initialGrid)
  const current = useRef(state)
  const rows = useRef(items)
  useLayoutEffect(() => {
    rows.current = items
  }, [items])
  const latest = useRef({ contents, onChange, onSelect })
  latest.current = { contents, onChange, onSelect }
  const dispatch = useCallback((action: GridAction): GridState => {
    const { contents, onChange, onSelect } = latest.current
    const before = current.current
    const next = gridReducer(before, action, { ...contents, rows: rows.current })
    current.current = next
    setState(next)
    if (next.changes !== before.changes) {
      rows.current = rowsAfter(rows.current, next.changes, contents.pointer)
      onChange(next.changes)
    }
    if (next.end !== before.end) onSelect(next.end)
    return next
  }, [])
  return { state, rows, dispatch, current }
}

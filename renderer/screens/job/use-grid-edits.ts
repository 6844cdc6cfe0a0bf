import { useLayoutEffect, useRef, useState } from 'react'
import { changesOf, rowsAfter } from './grid-edits.ts'
import type { Edit } from './grid-edits.ts'
import type { Row } from './list-shape.ts'
import type { Change } from './outbox.ts'
import type { Check } from './use-check.ts'

/** Without the rows: a long list that is typed into for an hour would be kept a thousand times. */
type Step = { forth: Change[]; back: Change[] }

export type GridEdits = {
  /** The rows as they are, also before the window has drawn them. */
  rows: () => readonly Row[]
  apply: (edit: Edit) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
}

/** Changes of one list that can be taken back for as long as its document is open. */
export function useGridEdits(items: readonly Row[], pointer: string, check: Check): GridEdits {
  const [steps, setSteps] = useState<{ done: Step[]; undone: Step[] }>({ done: [], undone: [] })
  const current = useRef(items)
  const history = useRef(steps)
  useLayoutEffect(() => {
    current.current = items
  }, [items])

  const remember = (next: typeof steps): void => {
    history.current = next
    setSteps(next)
  }
  const put = (changes: Change[]): void => {
    current.current = rowsAfter(current.current, changes, pointer)
    check.put(changes)
  }
  return {
    rows: () => current.current,
    apply(edit) {
      if ('cells' in edit && edit.cells.length === 0) return
      const step = changesOf(edit, current.current, pointer)
      remember({ done: [...history.current.done, step], undone: [] })
      put(step.forth)
    },
    undo() {
      const { done, undone } = history.current
      const step = done.at(-1)
      if (step === undefined) return
      remember({ done: done.slice(0, -1), undone: [...undone, step] })
      put(step.back)
    },
    redo() {
      const { done, undone } = history.current
      const step = undone.at(-1)
      if (step === undefined) return
      remember({ done: [...done, step], undone: undone.slice(0, -1) })
      put(step.forth)
    },
    canUndo: steps.done.length > 0,
    canRedo: steps.undone.length > 0,
  }
}

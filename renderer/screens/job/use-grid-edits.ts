import { useLayoutEffect, useRef, useState } from 'react'
import { changesOf, edited } from './grid-edits.ts'
import type { Edit } from './grid-edits.ts'
import type { Row } from './list-shape.ts'
import type { Change } from './outbox.ts'
import type { Check } from './use-check.ts'

type Step = { forth: Change[]; back: Change[]; before: readonly Row[]; after: readonly Row[] }

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
  const put = (changes: Change[], rows: readonly Row[]): void => {
    current.current = rows
    check.put(changes)
  }
  return {
    rows: () => current.current,
    apply(edit) {
      if ('cells' in edit && edit.cells.length === 0) return
      const before = current.current
      const step: Step = { ...changesOf(edit, before, pointer), before, after: edited(before, edit) }
      remember({ done: [...history.current.done, step], undone: [] })
      put(step.forth, step.after)
    },
    undo() {
      const { done, undone } = history.current
      const step = done.at(-1)
      if (step === undefined) return
      remember({ done: done.slice(0, -1), undone: [...undone, step] })
      put(step.back, step.before)
    },
    redo() {
      const { done, undone } = history.current
      const step = undone.at(-1)
      if (step === undefined) return
      remember({ done: [...done, step], undone: undone.slice(0, -1) })
      put(step.forth, step.after)
    },
    canUndo: steps.done.length > 0,
    canRedo: steps.undone.length > 0,
  }
}

import { useLayoutEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { CellValue, Change } from '../../grid/grid-edits.ts'
import { commandOf } from '../../grid/grid-keys.ts'
import type { Review } from './use-review.ts'

type Step = { back: Change[]; forth: Change[] }

/** A field of a record, and no cell of a table, which undoes by itself. */
const isField = ({ pointer, value }: Change): boolean => tokensOf(pointer).length === 2 && !Array.isArray(value)

/**
 * The review of a document whose fields can be undone and redone step by step, by typing, pointing or taking another
 * value, as long as it is open. The value that changed has the focus then.
 */
export function useFieldUndo(
  review: Review,
  { records }: DocumentDetail,
  screen: RefObject<HTMLElement | null>,
): { undoable: Review; onUndoKey: (event: KeyboardEvent) => void } {
  const done = useRef<Step[]>([])
  const undone = useRef<Step[]>([])
  const shown = useRef(records)
  useLayoutEffect(() => void (shown.current = records), [records])
  const undoable = useMemo(
    (): Review => ({
      ...review,
      put(changes) {
        if (changes.every(isField)) {
          const before = (pointer: string): CellValue => (valueAt(shown.current, pointer) ?? null) as CellValue
          done.current.push({
            back: changes.map(({ pointer }) => ({ pointer, value: before(pointer) })),
            forth: changes,
          })
          undone.current = []
        }
        review.put(changes)
      },
    }),
    [review],
  )
  function onUndoKey(event: KeyboardEvent): void {
    const command = event.defaultPrevented ? undefined : commandOf(event)?.type
    if (command !== 'undo' && command !== 'redo') return
    const [from, to] = command === 'undo' ? [done.current, undone.current] : [undone.current, done.current]
    const step = from.pop()
    if (step === undefined) return
    event.preventDefault()
    to.push(step)
    const changes = command === 'undo' ? step.back : step.forth
    review.put(changes)
    screen.current?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(changes[0]!.pointer)}"]`)?.focus()
  }
  return { undoable, onUndoKey }
}

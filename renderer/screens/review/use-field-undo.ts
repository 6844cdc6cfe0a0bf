import { useLayoutEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { isSameJson, tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import { isPopupOpen } from '../../components/dialog.tsx'
import type { CellValue, Change } from '../../grid/grid-edits.ts'
import { commandOf } from '../../grid/grid-keys.ts'
import type { Review } from './use-review.ts'

type Step = { back: Change[]; forth: Change[] } | { confirmed: string }

/** A field of a record, and no cell of a table, which undoes by itself. */
const isField = ({ pointer, value }: Change): boolean => tokensOf(pointer).length === 2 && !Array.isArray(value)

/**
 * The review of a document whose fields can be undone and redone step by step, whether they were typed, pointed at,
 * taken or confirmed, as long as it is open and nobody approved it. The value that changed has the focus then.
 */
export function useFieldUndo(
  review: Review,
  { records, learned }: DocumentDetail,
  screen: RefObject<HTMLElement | null>,
): { undoable: Review; onUndoKey: (event: KeyboardEvent) => void } {
  const done = useRef<Step[]>([])
  const undone = useRef<Step[]>([])
  /** What was put and is not drawn yet. */
  const latest = useRef(new Map<string, Change['value']>())
  const shown = useRef(records)
  useLayoutEffect(() => {
    shown.current = records
    latest.current.clear()
  }, [records])
  const valueOf = (pointer: string): CellValue =>
    (latest.current.has(pointer) ? latest.current.get(pointer) : (valueAt(shown.current, pointer) ?? null)) as CellValue
  const put = (changes: Change[]): void => {
    for (const { pointer, value } of changes) latest.current.set(pointer, value)
    review.put(changes)
  }
  /** What partners or lessons put there would come back as a person's own word. */
  const isOfOthers = ({ pointer }: Change): boolean =>
    review.correctionAt(pointer)?.byPartners === true || learned.some((each) => each.pointer === pointer)
  const undoable = useMemo(
    (): Review => ({
      ...review,
      put(changes) {
        undone.current = []
        if (changes.some(isOfOthers)) done.current = []
        else if (changes.every(isField)) {
          const back = changes.map(({ pointer }) => ({ pointer, value: valueOf(pointer) }))
          // Enter commits a value, and leaving the field once more.
          if (!isSameJson(back, changes)) done.current.push({ back, forth: changes })
        }
        put(changes)
      },
      confirm(pointer) {
        undone.current = []
        if (isField({ pointer, value: null })) done.current.push({ confirmed: pointer })
        review.confirm(pointer)
      },
    }),
    [review, learned],
  )
  /** Returns where; null where somebody else put something there meanwhile. */
  const exchanged = (before: Change[], after: Change[]): string | null => {
    if (!before.every(({ pointer, value }) => isSameJson(valueOf(pointer), value))) return null
    put(after)
    return after[0]!.pointer
  }
  function takenBack(step: Step): string | null {
    if ('back' in step) return exchanged(step.forth, step.back)
    review.unconfirm(step.confirmed)
    return step.confirmed
  }
  function doneAgain(step: Step): string | null {
    if ('back' in step) return exchanged(step.back, step.forth)
    review.confirm(step.confirmed)
    return step.confirmed
  }
  function onUndoKey(event: KeyboardEvent): void {
    const command = event.defaultPrevented || event.repeat ? undefined : commandOf(event)?.type
    if (command !== 'undo' && command !== 'redo') return
    if (!review.editable || review.isApproved || isElsewhere(event.target)) return
    const [from, to] = command === 'undo' ? [done.current, undone.current] : [undone.current, done.current]
    const step = from.pop()
    if (step === undefined) return
    event.preventDefault()
    const place = command === 'undo' ? takenBack(step) : doneAgain(step)
    if (place === null) return
    to.push(step)
    screen.current?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(place)}"]`)?.focus()
  }
  return { undoable, onUndoKey }
}

/** In a table, or in a dialog before the document. */
function isElsewhere(target: EventTarget): boolean {
  return isPopupOpen() || (target instanceof Element && target.closest('[role="grid"]') !== null)
}

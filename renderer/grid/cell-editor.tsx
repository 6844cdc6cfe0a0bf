import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Words } from './grid-row.tsx'
import type { EditMode, Leave } from './grid-reducer.ts'
import type { Column } from './list-shape.ts'

type Props = {
  column: Column
  /** The value as it is typed. */
  text: string
  mode: EditMode
  words: Words
  isWrong: boolean
  describedBy: string | undefined
  /** False: it is not valid there, and the editor stays open. */
  onCommit: (text: string, leave: Leave) => boolean
  onCancel: () => void
}

/** The editor of a cell. Enter and Tab commit and move on, Escape discards, and losing the focus commits. */
export function CellEditor({ column, text, mode, words, isWrong, describedBy, onCommit, onCancel }: Props): ReactNode {
  const box = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null)
  const isDone = useRef(false)
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true })
    if (mode === 'inside' && column.format !== 'boolean') box.current?.setSelectionRange(text.length, text.length)
    // Once, when it opens.
  }, [])

  const commit = (leave: Leave): void => {
    if (isDone.current) return
    isDone.current = true
    isDone.current = onCommit(box.current?.value ?? '', leave)
  }
  function onKeyDown(event: KeyboardEvent): void {
    // An input method composes a letter, or the key leaves the document, which commits what was typed as well.
    if (event.nativeEvent.isComposing || leavesDocument(event)) return
    if (event.key !== 'F8' && !event.ctrlKey && !event.metaKey) event.stopPropagation()
    const leave = leaveOf(event, mode, column)
    if (event.key === 'Enter' && event.altKey && column.format !== 'number') insertBreak(box.current)
    else if (leave !== null) commit(leave)
    else if (event.key === 'Escape') {
      isDone.current = true
      onCancel()
    } else return
    event.preventDefault()
  }
  const shared = {
    ref: box,
    className: 'items-grid__editor',
    'aria-label': column.label,
    'aria-invalid': isWrong || undefined,
    'aria-describedby': describedBy,
    onKeyDown,
    onBlur: () => commit('stay'),
    // Here the clipboard belongs to the text, not to the grid.
    onCopy: (event: { stopPropagation: () => void }) => event.stopPropagation(),
    onCut: (event: { stopPropagation: () => void }) => event.stopPropagation(),
    onPaste: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  }
  if (column.format === 'boolean') {
    return (
      <select {...shared} defaultValue={text}>
        <option value="">{words.empty}</option>
        <option value={words.yes}>{words.yes}</option>
        <option value={words.no}>{words.no}</option>
      </select>
    )
  }
  const typed = { ...shared, defaultValue: mode === 'typing' ? '' : text, spellCheck: false, autoComplete: 'off' }
  return column.format === 'number' ? (
    <input {...typed} type="text" inputMode="decimal" />
  ) : (
    <textarea {...typed} rows={1} dir="auto" />
  )
}

/** Approving it, or going to another one. */
function leavesDocument({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (key === 'Enter') return ctrlKey || metaKey
  return altKey && !shiftKey && (key === 'ArrowUp' || key === 'ArrowDown')
}

/** The keys that commit what is typed, and where they move to without and with Shift. */
const leaveKeys: Record<string, [Leave, Leave]> = { Enter: ['down', 'up'], Tab: ['right', 'left'] }
/** While typing replaces the value, arrows commit and leave the cell as well. */
const leaveArrows: Record<string, Leave> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' }

function leaveOf({ key, shiftKey }: KeyboardEvent, mode: EditMode, { format }: Column): Leave | null {
  const keyed = leaveKeys[key]
  if (keyed !== undefined) return keyed[shiftKey ? 1 : 0]
  return mode === 'typing' && format !== 'boolean' ? (leaveArrows[key] ?? null) : null
}

function insertBreak(box: HTMLTextAreaElement | null): void {
  box?.setRangeText('\n', box.selectionStart, box.selectionEnd, 'end')
}

import { useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Words } from './grid-row.tsx'
import type { Column } from './list-shape.ts'

/** `typing`: what is typed replaces the value, and arrows leave the cell; `inside`: arrows move within the text. */
export type EditMode = 'typing' | 'inside'
/** Where to go once it is in its place. */
export type Leave = 'down' | 'up' | 'right' | 'left' | 'stay'

type Props = {
  column: Column
  /** The value as it is typed. */
  text: string
  mode: EditMode
  words: Words
  isWrong: boolean
  describedBy: string | undefined
  /** False: it cannot stand there, and stays in hand. */
  onCommit: (text: string, leave: Leave) => boolean
  onCancel: () => void
}

/** A cell that is typed into. Enter and Tab keep it and go on, Escape takes it back, leaving it keeps it. */
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
    // A person composes a letter.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return
    // To another document, which keeps what was typed as well.
    if (event.altKey && !event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) return
    if (event.key !== 'F8' && !event.ctrlKey && !event.metaKey) event.stopPropagation()
    const arrow = mode === 'typing' ? ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' } as const)[event.key as 'ArrowUp'] : undefined
    if (event.key === 'Enter' && event.altKey && column.format !== 'number') insertBreak(box.current)
    else if (event.key === 'Enter') commit(event.shiftKey ? 'up' : 'down')
    else if (event.key === 'Tab') commit(event.shiftKey ? 'left' : 'right')
    else if (event.key === 'Escape') {
      isDone.current = true
      onCancel()
    } else if (arrow !== undefined && column.format !== 'boolean') commit(arrow)
    else return
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
    // The clipboard is the text's own here.
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
  return column.format === 'number' ? <input {...typed} type="text" inputMode="decimal" /> : <textarea {...typed} rows={1} dir="auto" />
}

function insertBreak(box: HTMLTextAreaElement | null): void {
  box?.setRangeText('\n', box.selectionStart, box.selectionEnd, 'end')
}

import type { ClipboardEvent, KeyboardEvent, MouseEvent, PointerEvent, RefObject } from 'react'
import { excelText } from './grid-edits.ts'
import type { CellFormats } from './grid-edits.ts'
import { commandOf } from './grid-keys.ts'
import type { GridCommand } from './grid-keys.ts'
import { clampCell } from './grid-range.ts'
import type { Cell, Range, Size } from './grid-range.ts'
import { gridRowPx } from './grid-row.tsx'
import type { Column, Row } from './list-shape.ts'
import { tsvOf } from './tsv.ts'

type Given = {
  scroller: RefObject<HTMLDivElement | null>
  columns: readonly Column[]
  /** Where each column begins, px. */
  starts: readonly number[]
  size: Size
  active: Cell
  range: Range
  isEditing: boolean
  isEditable: boolean
  cellFormats: CellFormats
  rows: RefObject<readonly Row[]>
  /** Returns whether the state of the grid changed. */
  run: (command: GridCommand) => boolean
  /** Puts another value into the active cell by a key of its own; false for other keys. */
  take: (event: KeyboardEvent) => boolean
}

/** The handlers of a grid: they only turn what a person does into commands. */
export function gridHandlers(given: Given) {
  return {
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, given),
    ...pointerHandlers(given),
    ...clipboardHandlers(given),
  }
}

/** Where these do nothing, as at the ends of the grid, the key is left to what surrounds the grid. */
const passedOn = new Set<GridCommand['type']>(['move', 'next', 'collapse'])

function onKeyDown(event: KeyboardEvent, { isEditing, isEditable, run, take }: Given): void {
  if (isEditing || !(event.target as Element).matches('[role="gridcell"]') || take(event)) return
  const command = commandOf(event)
  if (command === null) return
  const isTyping = command.type === 'edit' && command.mode === 'typing'
  if (isTyping && (!isEditable || event.nativeEvent.isComposing)) return
  const isChanged = run(command)
  if (!isChanged && passedOn.has(command.type)) return
  // A typed letter goes into the editor, which has the focus by then.
  if (!isTyping) event.preventDefault()
  event.stopPropagation()
}

const bodyCell = '.items-grid__body [role="gridcell"]'
const editor = '.items-grid__editor'

function pointerHandlers(given: Given) {
  const { scroller, size, active, isEditing, run } = given
  function onPointerDown(event: PointerEvent): void {
    const target = event.target as Element
    if (event.button !== 0 || size.rows === 0 || target.closest(editor)) return
    const isRowHead = target.closest('[role="rowheader"]') !== null
    if (!isRowHead && target.closest(bodyCell) === null) return
    event.preventDefault()
    if (!closeEditor(scroller.current)) return
    const first = cellBelow(event, given)
    const start = isRowHead ? { row: first.row, column: 0 } : first
    selectByDragging(event, (at) => {
      const end = cellBelow(at, given)
      run({
        type: 'select',
        end: isRowHead ? { row: end.row, column: size.columns - 1 } : end,
        active: event.shiftKey ? active : start,
      })
    })
  }
  return {
    onPointerDown,
    onMouseDown(event: MouseEvent): void {
      const target = event.target as Element
      // The focus goes to the active cell, not to the one below the pointer.
      if (target.closest('.items-grid__body') !== null && !target.closest(editor)) event.preventDefault()
    },
    onDoubleClick(event: MouseEvent): void {
      if (!isEditing && (event.target as Element).closest(bodyCell) !== null) run({ type: 'edit', mode: 'inside' })
    },
  }
}

/** Commits what is typed before another cell becomes active. False: it is not valid there, and keeps the focus. */
function closeEditor(grid: HTMLElement | null): boolean {
  const box = grid?.querySelector<HTMLElement>(editor)
  box?.blur()
  if (!box?.matches('[aria-invalid]')) return true
  box.focus()
  return false
}

type Point = { clientX: number; clientY: number }

/** Calls back with each position of the pointer until it is released, beginning with the current one. */
function selectByDragging(start: Point, onMove: (at: Point) => void): void {
  onMove(start)
  const dragging = new AbortController()
  const { signal } = dragging
  addEventListener('pointermove', onMove, { signal })
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => dragging.abort(), { signal })
}

/** The cell below the pointer, or the nearest one. */
function cellBelow({ clientX, clientY }: Point, { scroller, starts, size }: Given): Cell {
  const view = scroller.current!
  const box = view.getBoundingClientRect()
  const fixed = starts[1] ?? 0
  const x = clientX - box.left < fixed ? clientX - box.left : clientX - box.left + view.scrollLeft
  const row = Math.floor((clientY - box.top - gridRowPx + view.scrollTop) / gridRowPx)
  return clampCell({ row, column: starts.findLastIndex((start) => start <= x) }, size)
}

function clipboardHandlers({ columns, size, range, isEditing, isEditable, cellFormats, rows, run }: Given) {
  function copy(event: ClipboardEvent): boolean {
    if (isEditing || size.rows === 0) return false
    const selected = columns.slice(range.left, range.right + 1)
    const texts = rows.current
      .slice(range.top, range.bottom + 1)
      .map((record) => selected.map((column) => excelText(record[column.name], column, cellFormats)))
    event.clipboardData.setData('text/plain', tsvOf(texts))
    event.preventDefault()
    return true
  }
  return {
    onCopy: (event: ClipboardEvent) => void copy(event),
    onCut(event: ClipboardEvent): void {
      if (copy(event)) run({ type: 'clear' })
    },
    onPaste(event: ClipboardEvent): void {
      const text = event.clipboardData.getData('text/plain')
      if (isEditing || !isEditable || text === '' || size.columns === 0) return
      event.preventDefault()
      run({ type: 'paste', text })
    },
  }
}

import type { ClipboardEvent, KeyboardEvent, MouseEvent, PointerEvent, RefObject } from 'react'
import { widthStepPx } from './column-widths.ts'
import type { EditMode } from './cell-editor.tsx'
import { emptied, emptyRow, excelText, mostRows, pasted } from './grid-edits.ts'
import type { Edit, Refusal, Writing } from './grid-edits.ts'
import { along, isSingle, moved, within, withMovedRows } from './grid-range.ts'
import type { Cell, Range, Size } from './grid-range.ts'
import { gridRowPx } from './grid-row.tsx'
import type { Column } from './list-shape.ts'
import { parseTsv, tsvOf } from './tsv.ts'
import type { GridEdits } from './use-grid-edits.ts'

type Given = {
  scroller: RefObject<HTMLDivElement | null>
  columns: readonly Column[]
  widths: readonly number[]
  /** Where each column begins, px. */
  starts: readonly number[]
  size: Size
  /** The cell in hand, the other end of what is chosen, and all of it. */
  cell: Cell
  to: Cell
  range: Range
  isEditing: boolean
  edits: GridEdits
  writing: Writing
  editable: boolean
  onChoose: (to: Cell, from?: Cell) => void
  onEdit: (mode: EditMode) => void
  onEnter: () => void
  onProblem: (problem: Refusal) => void
  onWidth: (column: Column, px: number) => void
}

/** Keys, pointer and clipboard of a grid, as people know them from Excel. */
export function useGridInput(given: Given) {
  const { scroller, columns, widths, starts, size, cell, to, range, isEditing, edits, writing, editable, onChoose, onEdit, onEnter, onProblem, onWidth } = given

  const apply = (edit: Edit | Refusal): boolean => {
    if ('problem' in edit) {
      onProblem(edit)
      return false
    }
    edits.apply(edit)
    return true
  }
  const last = (): number => edits.rows().length
  const addRow = (): void => {
    if (!editable) return
    if (last() >= mostRows) return onProblem({ problem: 'long' })
    const at = last() === 0 ? 0 : range.bottom + 1
    apply({ rows: edits.rows().toSpliced(at, 0, emptyRow(columns)) })
    onChoose({ row: at, column: 0 })
  }
  const removeRows = (): void => {
    if (!editable || last() === 0) return
    if (last() - (range.bottom - range.top + 1) > mostRows) return onProblem({ problem: 'long' })
    apply({ rows: edits.rows().toSpliced(range.top, range.bottom - range.top + 1) })
    onChoose({ row: range.top, column: cell.column })
  }
  const moveRows = (step: -1 | 1): void => {
    if (!editable) return
    if (last() > mostRows) return onProblem({ problem: 'long' })
    const rows = withMovedRows(edits.rows(), range, step)
    if (rows === null) return
    apply({ rows })
    onChoose({ row: to.row + step, column: to.column }, { row: cell.row + step, column: cell.column })
  }
  const empty = (): void => {
    if (editable) apply(emptied(edits.rows(), columns, range))
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isEditing || !(event.target as Element).matches('[role="gridcell"]')) return
    const far = event.ctrlKey || event.metaKey
    const letter = event.key.toLowerCase()
    if (event.altKey) {
      if (!withAlt(event)) return
    } else if (far && letter === 'z') {
      if (event.shiftKey) edits.redo()
      else edits.undo()
    } else if (far && letter === 'y') edits.redo()
    else if (far && letter === 'a') onChoose({ row: size.rows - 1, column: size.columns - 1 }, { row: 0, column: 0 })
    else if (event.key === 'Enter' && !far) {
      if (event.shiftKey) onChoose(within({ row: cell.row - 1, column: cell.column }, size))
      else onEnter()
    } else if (event.key === 'Tab') {
      const next = along(cell, event.shiftKey ? -1 : 1, size)
      if (next === null) return
      onChoose(next)
    } else if (event.key === 'Escape') {
      if (isSingle(range)) return
      onChoose(cell)
    } else if (event.key === 'F2') onEdit('inside')
    else if (event.key === 'Delete' || event.key === 'Backspace') empty()
    else if (event.key.length === 1 && !far && !event.nativeEvent.isComposing) {
      if (!editable) return
      onEdit('typing')
      // The letter goes into the editor, which has the focus by then.
      event.stopPropagation()
      return
    } else if (!go(event, far)) return
    event.preventDefault()
    event.stopPropagation()
  }

  function withAlt({ key, shiftKey }: KeyboardEvent): boolean {
    const column = columns[cell.column]
    if (key === 'Enter') addRow()
    else if (key === 'Delete' || key === 'Backspace') removeRows()
    else if (!shiftKey || column === undefined) return false
    else if (key === 'ArrowUp') moveRows(-1)
    else if (key === 'ArrowDown') moveRows(1)
    else if (key === 'ArrowLeft') onWidth(column, widths[cell.column]! - widthStepPx)
    else if (key === 'ArrowRight') onWidth(column, widths[cell.column]! + widthStepPx)
    else return false
    return true
  }

  /** Arrows at the first and last row go on to the values around the grid. */
  function go({ key, shiftKey }: KeyboardEvent, far: boolean): boolean {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / gridRowPx) - 3)
    const next = moved(shiftKey ? to : cell, key, far, size, page)
    if (next === null) return false
    if (shiftKey) onChoose(next, cell)
    else if ((key === 'ArrowUp' || key === 'ArrowDown') && next.row === cell.row && !far) return false
    else onChoose(next)
    return true
  }

  /** The cell below the pointer, or the nearest one. */
  function cellBelow({ clientX, clientY }: { clientX: number; clientY: number }): Cell {
    const view = scroller.current!
    const box = view.getBoundingClientRect()
    const fixed = starts[1] ?? 0
    const x = clientX - box.left < fixed ? clientX - box.left : clientX - box.left + view.scrollLeft
    const row = Math.floor((clientY - box.top - gridRowPx + view.scrollTop) / gridRowPx)
    return within({ row, column: starts.findLastIndex((start) => start <= x) }, size)
  }

  function onPointerDown(event: PointerEvent): void {
    const target = event.target as Element
    if (event.button !== 0 || size.rows === 0 || target.closest('.items-grid__editor')) return
    const isNumber = target.closest('[role="rowheader"]') !== null
    if (!isNumber && target.closest('.items-grid__body [role="gridcell"]') === null) return
    // What is typed is put in its place before another cell is in hand; what cannot stand there keeps the focus.
    const editor = scroller.current?.querySelector<HTMLElement>('.items-grid__editor')
    editor?.blur()
    if (editor?.matches('[aria-invalid]')) {
      editor.focus()
      return event.preventDefault()
    }
    const start = cellBelow(event)
    const from = event.shiftKey ? cell : isNumber ? { row: start.row, column: 0 } : start
    const toEnd = (at: Cell): Cell => (isNumber ? { row: at.row, column: size.columns - 1 } : at)
    onChoose(toEnd(start), from)
    event.preventDefault()
    const onMove = (move: globalThis.PointerEvent): void => onChoose(toEnd(cellBelow(move)), from)
    const onUp = (): void => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', onUp)
  }

  function copy(event: ClipboardEvent): boolean {
    if (isEditing || size.rows === 0) return false
    const shown = edits.rows().slice(range.top, range.bottom + 1)
    const chosen = columns.slice(range.left, range.right + 1)
    event.clipboardData.setData('text/plain', tsvOf(shown.map((record) => chosen.map((column) => excelText(record[column.name], column, writing)))))
    event.preventDefault()
    return true
  }

  function onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text/plain')
    if (isEditing || !editable || text === '' || size.columns === 0) return
    event.preventDefault()
    const block = parseTsv(text)
    if (!apply(pasted(block, edits.rows(), columns, range, writing))) return
    const isFill = block.length === 1 && block[0]!.length === 1
    const end = { row: range.top + block.length - 1, column: range.left + Math.max(...block.map((line) => line.length)) - 1 }
    if (!isFill) onChoose(end, { row: range.top, column: range.left })
  }

  return {
    addRow,
    removeRows,
    moveRows,
    handlers: {
      onKeyDown,
      onPointerDown,
      onMouseDown: (event: MouseEvent) => {
        // The focus goes to the cell in hand, not to the one below the pointer.
        if ((event.target as Element).closest('.items-grid__body') !== null && !(event.target as Element).closest('.items-grid__editor')) event.preventDefault()
      },
      onDoubleClick: (event: MouseEvent) => {
        if ((event.target as Element).closest('.items-grid__body [role="gridcell"]') !== null && !isEditing) onEdit('inside')
      },
      onCopy: (event: ClipboardEvent) => void copy(event),
      onCut: (event: ClipboardEvent) => {
        if (copy(event)) empty()
      },
      onPaste,
    },
  }
}

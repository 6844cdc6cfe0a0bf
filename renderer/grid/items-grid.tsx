import { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { pointerOf, tokensOf } from '../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { useLanguage } from '../messages/language.tsx'
import { labelOf } from '../messages/values.ts'
import { CellEditor } from './cell-editor.tsx'
import { GridBar } from './grid-bar.tsx'
import { GridBody } from './grid-body.tsx'
import { scrollToCell, useDrawnColumns, useGridColumns } from './grid-columns.ts'
import type { GridColumns } from './grid-columns.ts'
import { GridsContext } from './grid-context.ts'
import type { GridCells, GridHandle } from './grid-context.ts'
import { typedText } from './grid-edits.ts'
import type { CellFormats } from './grid-edits.ts'
import { gridHandlers } from './grid-handlers.ts'
import { GridFoot, GridHead } from './grid-head.tsx'
import type { GridCommand } from './grid-keys.ts'
import { GridProblem } from './grid-problem.tsx'
import { isSingle } from './grid-range.ts'
import type { Cell, Range } from './grid-range.ts'
import { selectionOf } from './grid-reducer.ts'
import type { Leave } from './grid-reducer.ts'
import { gridRowPx } from './grid-row.tsx'
import type { Column, PrintedValues, Row } from './list-shape.ts'
import { useCellFocus } from './use-cell-focus.ts'
import { useGridState } from './use-grid-state.ts'
import type { GridStore } from './use-grid-state.ts'

type Props = {
  list: SchemaElement
  items: readonly Row[]
  /** The place of the list in the records. */
  pointer: string
  printed: PrintedValues
  cells: GridCells
  /** The pointer of the value whose place in the document is shown. */
  shown: string | null
  onShow: (pointer: string) => void
  /** Leads to the next value that needs a look. False: the focus has not gone anywhere yet. */
  onNextFlag: (from: HTMLElement | null) => boolean
  /** Below the rows. */
  notes: ReactNode
}

/**
 * The rows of a list as in a spreadsheet: only those on the screen exist, whatever is typed or pasted can be undone.
 */
export function ItemsGrid(props: Props): ReactNode {
  const { list, items, pointer, cells, shown, onShow, notes } = props
  const { t } = useLanguage()
  const { isEditable } = cells
  const grid = useItemsGrid(props)
  const { scroller, layout, drawn, isScrolled, store, selection, activePointer } = grid
  const { columns, hasSums } = layout
  const problemId = useId()
  const widthPx = layout.starts.at(-1)!
  const { editing, problem, done, undone } = store.state
  const { active, range } = selection
  const words = useMemo(() => ({ yes: t('value.yes'), no: t('value.no'), empty: t('value.empty') }), [t])
  return (
    <>
      <GridBar
        label={labelOf(list.name)}
        description={list.description}
        count={items.length}
        dispatch={store.dispatch}
        isEditable={isEditable}
        canMoveUp={items.length > 0 && range.top > 0}
        canMoveDown={range.bottom < items.length - 1}
        canUndo={done.length > 0}
        canRedo={undone.length > 0}
      />
      <div
        ref={scroller}
        className="items-grid"
        role="grid"
        aria-label={labelOf(list.name)}
        aria-rowcount={items.length + (hasSums ? 2 : 1)}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-readonly={!isEditable || undefined}
        data-grid={pointer}
        data-aside={isScrolled || undefined}
        {...grid.handlers}
        onFocus={() => {
          if (items.length > 0 && shown !== activePointer) onShow(activePointer)
        }}
      >
        <GridHead columns={columns} drawn={drawn} widthPx={widthPx} onWidth={layout.setWidth} />
        <GridBody
          scroller={scroller}
          items={items}
          pointerOf={grid.pointerTo}
          columns={columns}
          drawn={drawn}
          widthPx={widthPx}
          cells={cells}
          active={active}
          range={range}
          shown={shown === null ? null : grid.cellAt(shown)}
          words={words}
          editor={
            editing && (
              <CellEditor
                column={columns[active.column]!}
                text={grid.activeText()}
                mode={editing.mode}
                words={words}
                isWrong={editing.isWrong}
                describedBy={editing.isWrong ? problemId : undefined}
                onCommit={grid.commit}
                onCancel={() => store.dispatch({ type: 'cancelEdit' })}
              />
            )
          }
        />
        {hasSums && <GridFoot columns={columns} drawn={drawn} widthPx={widthPx} rowIndex={items.length + 2} />}
      </div>
      {!isSingle(range) && <SelectionStatus range={range} />}
      {problem !== null && <GridProblem id={problemId} problem={problem} columns={columns} />}
      {notes}
    </>
  )
}

/** Says to screen readers how much is selected. */
function SelectionStatus({ range }: { range: Range }): ReactNode {
  const { t } = useLanguage()
  return (
    <p className="visually-hidden" role="status">
      {t('grid.chosen', { rows: range.bottom - range.top + 1, columns: range.right - range.left + 1 })}
    </p>
  )
}

/** State, columns and commands of the grid, and what its elements need of them. */
function useItemsGrid({ list, items, pointer, printed, cells, onNextFlag }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const cellFormats = useCellFormats()
  const layout = useGridColumns(scroller, list, items, pointer, printed)
  const { columns, starts } = layout
  const { isEditable } = cells
  const size = { rows: items.length, columns: columns.length }
  const scrollTo = (cell: Cell): void => scrollToCell(scroller.current, cell, layout)
  const store = useGridState({
    items,
    pointer,
    columns,
    size,
    pageRows: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / gridRowPx) - 3),
    cellFormats,
    isEditable,
    onChange: cells.put,
    onSelect: scrollTo,
  })
  const { state, dispatch, rows } = store
  const selection = selectionOf(state, size)
  const { active, range } = selection
  const { drawn, isScrolled } = useDrawnColumns(scroller, layout, active.column)
  const pointerTo = useCallback((row: number, name: string) => pointer + pointerOf([row, name]), [pointer])
  const column = columns[active.column]
  const activePointer = column === undefined ? '' : pointerTo(active.row, column.name)
  const isFlagged = (): boolean => cells.reasonAt(activePointer) !== null
  const cellAt = (place: string): Cell | null => cellOf(place, pointer, columns, items.length)
  useCellFocus({
    scroller,
    state,
    active,
    rowCount: items.length,
    printed,
    flagged: () => (isFlagged() ? activePointer : null),
    scrollTo,
  })

  useGridHandle(pointer, active, cellAt, dispatch)
  const { commit, run, take } = gridCommands({
    scroller,
    layout,
    store,
    cells,
    active,
    activePointer,
    isFlagged,
    onNextFlag,
  })
  const isEditing = state.editing !== null
  const activeText = (): string => typedText(rows.current[active.row]?.[column!.name], column!, cellFormats)
  const handlers = gridHandlers({
    take,
    scroller,
    columns,
    starts,
    size,
    active,
    range,
    isEditing,
    isEditable,
    cellFormats,
    rows,
    run,
  })
  return {
    scroller,
    layout,
    drawn,
    isScrolled,
    store,
    selection,
    pointerTo,
    cellAt,
    activePointer,
    activeText,
    commit,
    handlers,
  }
}

type CommandContext = Pick<Props, 'cells' | 'onNextFlag'> & {
  scroller: RefObject<HTMLElement | null>
  layout: GridColumns
  store: GridStore
  active: Cell
  activePointer: string
  isFlagged: () => boolean
}

/** What a grid does beyond its own state: it confirms values, leads to the next flag, and sizes columns. */
function gridCommands({
  scroller,
  layout,
  store,
  cells,
  active,
  activePointer,
  isFlagged,
  onNextFlag,
}: CommandContext) {
  const { dispatch, current } = store
  /** Until it is known where to go, the active cell keeps the focus. */
  function goToNextFlag(): void {
    if (!onNextFlag(scroller.current)) dispatch({ type: 'select', end: active })
  }
  function confirmOrStepDown(): void {
    if (!cells.isEditable || !isFlagged()) return void dispatch({ type: 'step', rows: 1 })
    cells.confirm(activePointer)
    goToNextFlag()
  }
  return {
    /** False: what was typed is not valid there. */
    commit(text: string, leave: Leave): boolean {
      const goesToFlag = leave === 'down' && isFlagged()
      const { done } = current.current
      const next = dispatch({ type: 'commit', text, leave: goesToFlag ? 'stay' : leave })
      if (next.editing !== null) return false
      if (goesToFlag && next.done === done) cells.confirm(activePointer)
      if (goesToFlag) goToNextFlag()
      return true
    },
    /** False: the key takes no other value. */
    take(event: KeyboardEvent): boolean {
      const value = cells.isEditable ? cells.takenBy(event, activePointer) : null
      if (value === null) return false
      event.preventDefault()
      event.stopPropagation()
      dispatch({ type: 'put', value })
      goToNextFlag()
      return true
    },
    /** Returns whether the state of the grid changed. */
    run(command: GridCommand): boolean {
      const before = current.current
      const column = layout.columns[active.column]
      if (command.type === 'confirm') confirmOrStepDown()
      else if (command.type !== 'resizeColumn') dispatch(command)
      else if (column) layout.setWidth(column, layout.widths[active.column]! + command.byPx)
      return current.current !== before
    },
  }
}

/** How values are written and read in the language of the window, and in Excel's. */
function useCellFormats(): CellFormats {
  const { t, formats } = useLanguage()
  return useMemo(
    () => ({ formats, yes: [t('value.yes'), 'true', t('grid.true')], no: [t('value.no'), 'false', t('grid.false')] }),
    [formats, t],
  )
}

/** The cell that a pointer names in a list of so many rows; null where it names none. Pure. */
function cellOf(place: string, pointer: string, columns: readonly Column[], rowCount: number): Cell | null {
  if (!place.startsWith(`${pointer}/`)) return null
  const [row, name] = tokensOf(place.slice(pointer.length))
  const column = columns.findIndex((each) => each.name === name)
  return column === -1 || Number(row) >= rowCount ? null : { row: Number(row), column }
}

/** Registers the grid with the panel around it, which focuses cells through it. */
function useGridHandle(
  pointer: string,
  active: Cell,
  cellAt: (place: string) => Cell | null,
  dispatch: GridStore['dispatch'],
): void {
  const { all } = useContext(GridsContext)
  const select = (cell: Cell | null | undefined): boolean => {
    if (cell) dispatch({ type: 'select', end: cell, withReason: true })
    return cell !== null && cell !== undefined
  }
  const handle: GridHandle = {
    pointer,
    focus: () => void dispatch({ type: 'select', end: active }),
    focusCell: (place) => select(cellAt(place)),
    put(place, value) {
      if (select(cellAt(place))) dispatch({ type: 'put', value })
    },
    focusFlag(step, isInside, flagged) {
      const cells = flagged.flatMap((place) => cellAt(place) ?? []).sort(inReadingOrder)
      const ahead = cells.filter((cell) => !isInside || inReadingOrder(cell, active) * step > 0)
      return select(step === 1 ? ahead[0] : ahead.at(-1))
    },
  }
  useLayoutEffect(() => {
    all.set(pointer, handle)
  })
  useEffect(() => () => void all.delete(pointer), [all, pointer])
}

function inReadingOrder(a: Cell, b: Cell): number {
  return a.row - b.row || a.column - b.column
}

import { useVirtualizer } from '@tanstack/react-virtual'
import type { Range as VirtualRange } from '@tanstack/react-virtual'
import { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { pointerOf as placeOf, tokensOf } from '../../../shared/pointer.ts'
import type { Flag } from '../../../shared/review.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { useLanguage } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import { CellEditor } from './cell-editor.tsx'
import type { EditMode, Leave } from './cell-editor.tsx'
import { rowHeadPx, useColumnWidths } from './column-widths.ts'
import { editText } from './editing.ts'
import { isPlain, parseCell } from './grid-edits.ts'
import { GridBar } from './grid-bar.tsx'
import type { GridTools } from './grid-bar.tsx'
import { GridBody, withIndexes } from './grid-body.tsx'
import { GridFoot, GridHead } from './grid-head.tsx'
import { useGridInput } from './grid-input.ts'
import { isSingle, rangeBetween, within } from './grid-range.ts'
import type { Cell, Size } from './grid-range.ts'
import { gridRowPx } from './grid-row.tsx'
import type { DrawnColumn } from './grid-row.tsx'
import { GridsContext } from './grids.ts'
import { listShape } from './list-shape.ts'
import type { ListShape, Row } from './list-shape.ts'
import { useGridEdits } from './use-grid-edits.ts'
import { useProblems } from './grid-problems.ts'
import type { Common } from './value-field.tsx'

type Props = Common & { list: SchemaElement; items: readonly Row[]; pointer: string; notes: ReactNode }

/** The rows of a list as in a spreadsheet: only those on the screen exist, whatever is typed or pasted can be taken back. */
export function ItemsGrid({ list, items, pointer, notes, ...common }: Props): ReactNode {
  const { sources, active, onActive, check, onNextFlag } = common
  const language = useLanguage()
  const { t, formats } = language
  const scroller = useRef<HTMLDivElement>(null)
  const { schemaId, all: grids } = useContext(GridsContext)
  const roomPx = useRoom(scroller)

  const shape = useRef<ListShape | null>(null)
  shape.current = listShape(shape.current, list, items, pointer, sources)
  const { columns } = shape.current
  const hasSums = columns.some(({ sum }) => sum !== null)
  const { widths, setWidth } = useColumnWidths(schemaId, pointer, columns, roomPx)
  const starts = useMemo(() => widths.reduce((all, px) => [...all, all.at(-1)! + px], [rowHeadPx]), [widths])
  const widthPx = starts.at(-1)!

  const [chosen, setChosen] = useState<{ cell: Cell; to: Cell }>({ cell: { row: 0, column: 0 }, to: { row: 0, column: 0 } })
  const [editing, setEditing] = useState<{ mode: EditMode; isWrong: boolean } | null>(null)
  const size: Size = { rows: items.length, columns: columns.length }
  const cell = within(chosen.cell, size)
  const range = rangeBetween(cell, within(chosen.to, size))
  const wantsFocus = useRef(false)
  /** Not by a pointer: nothing moves under it. */
  const wantsReason = useRef(false)
  const edits = useGridEdits(items, pointer, check)
  const { problem, setProblem, sentence } = useProblems(columns)
  const problemId = useId()

  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    paddingStart: rowHeadPx,
    overscan: 3,
    rangeExtractor: useCallback((seen: VirtualRange) => withIndexes(seen, [0, cell.column]), [cell.column]),
  })
  useLayoutEffect(() => across.measure(), [across, widths])
  const shownColumns = across.getVirtualItems()
  const drawn = useMemo(() => drawnColumns(shownColumns, starts, widths), [shownColumns, starts, widths])

  const pointerTo = useCallback((row: number, name: string) => pointer + placeOf([row, name]), [pointer])
  const cellAt = (place: string): Cell | null => {
    if (!place.startsWith(`${pointer}/`)) return null
    const [row, name] = tokensOf(place.slice(pointer.length))
    const column = columns.findIndex((each) => each.name === name)
    return column === -1 || Number(row) >= items.length ? null : { row: Number(row), column }
  }
  /** Scrolls no further than it has to. */
  const show = ({ row, column }: Cell): void => {
    const view = scroller.current
    if (view === null) return
    const top = row * gridRowPx
    const roomDown = view.clientHeight - gridRowPx * (hasSums ? 2 : 1)
    if (top < view.scrollTop) view.scrollTop = top
    else if (top + gridRowPx > view.scrollTop + roomDown) view.scrollTop = top + gridRowPx - roomDown
    if (column === 0) return
    const fixed = starts[1] ?? rowHeadPx
    const [left, right] = [starts[column] ?? 0, starts[column + 1] ?? 0]
    if (left < view.scrollLeft + fixed || right - left > view.clientWidth - fixed) view.scrollLeft = left - fixed
    else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view.clientWidth
  }
  const choose = (to: Cell, from: Cell = to, withReason = false): void => {
    setChosen({ cell: from, to })
    setProblem(null)
    wantsFocus.current = true
    wantsReason.current = withReason
    show(to)
  }
  const before = useRef({ isInside: false, rows: items.length, sources })
  useLayoutEffect(() => {
    const isLost = before.current.isInside && before.current.rows !== items.length && document.activeElement === document.body
    // Where the values stand comes a moment later, is said below each, and moves what is under them.
    const isMoved = wantsReason.current && before.current.isInside && before.current.sources !== sources
    if ((wantsFocus.current || isLost || isMoved) && editing === null) {
      const element = elementAt(scroller.current, cell)
      // Why it needs a look, and then itself, which matters more where there is no room for both.
      if (wantsReason.current && check.flagsAt(inHandPointer).length > 0) scroller.current?.parentElement?.querySelector(`:scope > .notes > [data-flag="${CSS.escape(inHandPointer)}"]`)?.scrollIntoView({ block: 'nearest' })
      element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      // Into the window, and then beside what lies over the cells at the edges of the grid.
      show(cell)
      // Last: what is asked for after it would be laid out once more.
      element?.focus({ preventScroll: true })
      // A row that was just added is not there yet.
      if (element !== null && cell.row === chosen.cell.row) wantsFocus.current = false
    }
    before.current = { isInside: scroller.current?.contains(document.activeElement) ?? false, rows: items.length, sources }
  })

  const writing = useMemo(() => ({ formats, yes: [t('value.yes'), 'true', t('grid.true')], no: [t('value.no'), 'false', t('grid.false')] }), [formats, t])
  const words = useMemo(() => ({ yes: t('value.yes'), no: t('value.no'), empty: t('value.empty') }), [t])
  const valueIn = ({ row, column }: Cell): unknown => edits.rows()[row]?.[columns[column]?.name ?? '']
  const textOf = (value: unknown, column: number): string => (typeof value === 'boolean' ? (value ? words.yes : words.no) : editText(value, formats, columns[column]!.decimals))

  const commit = (text: string, leave: Leave): boolean => {
    const { name } = columns[cell.column]!
    const before = valueIn(cell)
    const parsed = text === textOf(before, cell.column) ? { value: before ?? null } : parseCell(text, columns[cell.column]!, writing)
    if ('problem' in parsed) {
      setEditing((current) => current && { ...current, isWrong: true })
      setProblem({ problem: parsed.problem, ...cell })
      return false
    }
    const isChanged = JSON.stringify(parsed.value) !== JSON.stringify(before ?? null)
    const place = pointerTo(cell.row, name)
    const isFlagged = check.flagsAt(place).length > 0
    setEditing(null)
    setProblem(null)
    if (isChanged) edits.apply({ cells: [{ row: cell.row, name, value: parsed.value as string }] })
    if (leave === 'stay') return true
    if (isFlagged && leave === 'down') {
      if (!isChanged) check.confirm(place)
      toNextFlag()
      return true
    }
    const step = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] }[leave] as [number, number]
    choose(within({ row: cell.row + step[0], column: cell.column + step[1] }, size))
    return true
  }
  /** Until it is known where to go, the cell stays in hand. */
  const toNextFlag = (): void => {
    if (!onNextFlag(scroller.current)) choose(cell)
  }
  const edit = (mode: EditMode): void => {
    if (!check.editable || items.length === 0 || !isPlain(valueIn(cell))) return
    setChosen({ cell, to: cell })
    setProblem(null)
    show(cell)
    setEditing({ mode, isWrong: false })
  }
  const confirmOrDown = (): void => {
    const place = pointerTo(cell.row, columns[cell.column]!.name)
    if (check.editable && check.flagsAt(place).length > 0) {
      check.confirm(place)
      toNextFlag()
    } else choose(within({ row: cell.row + 1, column: cell.column }, size))
  }
  const input = useGridInput({ scroller, columns, size, cell, range, to: within(chosen.to, size), isEditing: editing !== null, starts, edits, writing, editable: check.editable, onChoose: choose, onEdit: edit, onEnter: confirmOrDown, onProblem: setProblem, onWidth: setWidth, widths })
  const latest = useRef({ input, edits })
  latest.current = { input, edits }
  const tools = useMemo(
    (): GridTools => ({
      addRow: () => latest.current.input.addRow(),
      removeRows: () => latest.current.input.removeRows(),
      moveRows: (step) => latest.current.input.moveRows(step),
      undo: () => latest.current.edits.undo(),
      redo: () => latest.current.edits.redo(),
    }),
    [],
  )

  const handle = {
    pointer,
    enter: () => choose(cell),
    reveal(place: string): boolean {
      const found = cellAt(place)
      if (found !== null) choose(found, found, true)
      return found !== null
    },
    toFlag(step: -1 | 1, isInside: boolean, flags: readonly Flag[]): boolean {
      const flagged = flags.flatMap(({ pointer: place }) => cellAt(place) ?? []).sort((a, b) => a.row - b.row || a.column - b.column)
      const order = (other: Cell): number => (other.row - cell.row || other.column - cell.column) * step
      const ahead = flagged.filter((other) => !isInside || order(other) > 0)
      const next = step === 1 ? ahead[0] : ahead.at(-1)
      if (next !== undefined) choose(next, next, true)
      return next !== undefined
    },
  }
  useLayoutEffect(() => {
    grids.set(pointer, handle)
  })
  useEffect(() => () => void grids.delete(pointer), [grids, pointer])

  const inHandPointer = columns[cell.column] === undefined ? '' : pointerTo(cell.row, columns[cell.column]!.name)
  return (
    <>
      <GridBar
        label={labelOf(list.name)}
        description={list.description}
        count={items.length}
        tools={tools}
        isEditable={check.editable}
        canMoveUp={items.length > 0 && range.top > 0}
        canMoveDown={range.bottom < items.length - 1}
        canUndo={edits.canUndo}
        canRedo={edits.canRedo}
      />
      <div
        ref={scroller}
        className="items-grid"
        role="grid"
        aria-label={labelOf(list.name)}
        aria-rowcount={items.length + (hasSums ? 2 : 1)}
        aria-colcount={columns.length + 1}
        aria-multiselectable="true"
        aria-readonly={!check.editable || undefined}
        data-grid={pointer}
        data-aside={(across.scrollOffset ?? 0) > 0 || undefined}
        {...input.handlers}
        onFocus={() => {
          if (items.length > 0 && active?.pointer !== inHandPointer) onActive({ pointer: inHandPointer, from: 'value' })
        }}
      >
        <GridHead columns={columns} drawn={drawn} widthPx={widthPx} onWidth={setWidth} />
        <GridBody
          scroller={scroller}
          items={items}
          pointerOf={pointerTo}
          columns={columns}
          drawn={drawn}
          widthPx={widthPx}
          cell={cell}
          range={range}
          shown={active === null ? null : cellAt(active.pointer)}
          check={check}
          sources={sources}
          words={words}
          editor={editing === null ? null : editor()}
        />
        {hasSums && <GridFoot columns={columns} drawn={drawn} widthPx={widthPx} rowIndex={items.length + 2} />}
      </div>
      {!isSingle(range) && <p className="visually-hidden" role="status">{t('grid.chosen', { rows: range.bottom - range.top + 1, columns: range.right - range.left + 1 })}</p>}
      {problem !== null && (
        <small id={problemId} className="field__problem" role="alert">
          {sentence(problem)}
        </small>
      )}
      {notes}
    </>
  )

  function editor(): ReactNode {
    const column = columns[cell.column]!
    return (
      <CellEditor
        column={column}
        text={textOf(valueIn(cell), cell.column)}
        mode={editing!.mode}
        words={words}
        isWrong={editing!.isWrong}
        describedBy={editing!.isWrong ? problemId : undefined}
        onCommit={commit}
        onCancel={() => {
          setEditing(null)
          setProblem(null)
          wantsFocus.current = true
        }}
      />
    )
  }
}

/** The columns that are drawn, from left to right. Pure. */
function drawnColumns(shown: readonly { index: number }[], starts: readonly number[], widths: readonly number[]): DrawnColumn[] {
  let endPx = rowHeadPx
  return shown.map(({ index }) => {
    const [startPx, widthPx] = [starts[index] ?? 0, widths[index] ?? 0]
    const gapPx = startPx - endPx
    endPx = startPx + widthPx
    return { index, gapPx, widthPx }
  })
}

function elementAt(grid: HTMLElement | null, { row, column }: Cell): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`) ?? null
}

/** The width that a grid has for its columns, px. */
function useRoom(element: { current: HTMLElement | null }): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    if (element.current === null) return
    const measure = (): void => setRoom(element.current?.clientWidth ?? 0)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return room
}

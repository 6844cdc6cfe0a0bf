import { useVirtualizer } from '@tanstack/react-virtual'
import type { Range as VirtualRange } from '@tanstack/react-virtual'
import { useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { rowHeadPx, useColumnWidths } from './column-widths.ts'
import { indexesWith } from './grid-body.tsx'
import { GridsContext } from './grid-context.ts'
import type { Cell } from './grid-range.ts'
import { gridRowPx } from './grid-row.tsx'
import type { DrawnColumn } from './grid-row.tsx'
import { listShape } from './list-shape.ts'
import type { Column, ListShape, PrintedValues, Row } from './list-shape.ts'

type Scroller = RefObject<HTMLDivElement | null>

export type GridColumns = {
  columns: readonly Column[]
  /** Where each column begins, and behind the last where it ends, px. */
  starts: readonly number[]
  widths: readonly number[]
  hasSums: boolean
  setWidth: (column: Column, px: number | null) => void
}

/** The columns of a list in the room that its grid has. */
export function useGridColumns(
  scroller: Scroller,
  list: SchemaElement,
  items: readonly Row[],
  pointer: string,
  printed: PrintedValues,
): GridColumns {
  const { schemaId } = useContext(GridsContext)
  const roomPx = useRoom(scroller)
  const shape = useRef<ListShape | null>(null)
  shape.current = listShape(shape.current, list, items, pointer, printed)
  const { columns } = shape.current
  const { widths, setWidth } = useColumnWidths(schemaId, pointer, columns, roomPx)
  const starts = useMemo(() => widths.reduce((all, px) => [...all, all.at(-1)! + px], [rowHeadPx]), [widths])
  return { columns, starts, widths, hasSums: columns.some(({ sum }) => sum !== null), setWidth }
}

/** The columns that are in view, the first one and the active one. `isScrolled`: sideways. */
export function useDrawnColumns(
  scroller: Scroller,
  { columns, starts, widths }: GridColumns,
  active: number,
): { drawn: DrawnColumn[]; isScrolled: boolean } {
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[index] ?? 0,
    paddingStart: rowHeadPx,
    overscan: 3,
    rangeExtractor: useCallback((seen: VirtualRange) => indexesWith(seen, [0, active]), [active]),
  })
  useLayoutEffect(() => across.measure(), [across, widths])
  const shown = across.getVirtualItems()
  const drawn = useMemo(() => drawnColumns(shown, starts, widths), [shown, starts, widths])
  return { drawn, isScrolled: (across.scrollOffset ?? 0) > 0 }
}

/** Scrolls a grid to a cell, no further than it has to. */
export function scrollToCell(
  view: HTMLElement | null,
  { row, column }: Cell,
  { starts, hasSums }: Pick<GridColumns, 'starts' | 'hasSums'>,
): void {
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

/** The columns that are drawn, from left to right. Pure. */
function drawnColumns(
  shown: readonly { index: number }[],
  starts: readonly number[],
  widths: readonly number[],
): DrawnColumn[] {
  let endPx = rowHeadPx
  return shown.map(({ index }) => {
    const [startPx, widthPx] = [starts[index] ?? 0, widths[index] ?? 0]
    const gapPx = startPx - endPx
    endPx = startPx + widthPx
    return { index, gapPx, widthPx }
  })
}

/** The width that a grid has for its columns, px. */
function useRoom(element: Scroller): number {
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

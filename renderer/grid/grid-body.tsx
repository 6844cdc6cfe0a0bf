import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Range as VirtualRange } from '@tanstack/react-virtual'
import { useCallback, useId, useMemo, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useLanguage } from '../messages/language.tsx'
import type { GridCells } from './grid-context.ts'
import type { Cell, Range } from './grid-range.ts'
import { GridRow, gridRowPx } from './grid-row.tsx'
import type { DrawnColumn, RowMarks, Words } from './grid-row.tsx'
import type { Column, Row } from './list-shape.ts'

type Props = {
  scroller: RefObject<HTMLDivElement | null>
  items: readonly Row[]
  pointerOf: (row: number, name: string) => string
  columns: readonly Column[]
  drawn: readonly DrawnColumn[]
  widthPx: number
  cells: GridCells
  active: Cell
  /** What is selected. */
  range: Range
  /** The cell whose place in the document is shown. */
  shown: Cell | null
  words: Words
  /** In the place of the active cell while it is typed into. */
  editor: ReactNode
}

/** The rows of a grid that are on the screen. Scrolling renders nothing else. */
export function GridBody(props: Props): ReactNode {
  const { scroller, items, pointerOf, columns, drawn, widthPx, cells, active, range, shown, words, editor } = props
  const { formats } = useLanguage()
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => gridRowPx,
    overscan: 4,
    // The active cell keeps the focus when it is scrolled away.
    rangeExtractor: useCallback((seen: VirtualRange) => indexesWith(seen, [active.row]), [active.row]),
  })
  const marksOf = useRowMarks(columns, pointerOf, cells)

  const drawnRows = rows.getVirtualItems().map(({ index }) => index)
  const elements = useRef<readonly (number | null)[]>([])
  const focused = useRef(active.row)
  elements.current = assignElements(elements.current, drawnRows, focused.current)
  focused.current = active.row
  const bodyId = useId()
  const idOf = (element: number): string => `${bodyId}${element}`

  return (
    <div
      role="rowgroup"
      className="items-grid__body"
      style={{ height: rows.getTotalSize(), width: widthPx }}
      // The order of the elements is not that of the rows.
      aria-owns={drawnRows.map((index) => idOf(elements.current.indexOf(index))).join(' ')}
    >
      {elements.current.map((index, element) => {
        if (index === null) return null
        const isSelected = index >= range.top && index <= range.bottom
        return (
          <GridRow
            key={element}
            id={idOf(element)}
            index={index}
            record={items[index] ?? {}}
            pointerOf={pointerOf}
            columns={columns}
            drawn={drawn}
            widthPx={widthPx}
            active={index === active.row ? active.column : -1}
            from={isSelected ? range.left : -1}
            to={isSelected ? range.right : -1}
            {...marksOf(index)}
            shown={shown?.row === index ? shown.column : -1}
            formats={formats}
            words={words}
            number={formats.count(index + 1)}
            isReadOnly={!cells.isEditable}
            editor={index === active.row ? editor : null}
          />
        )
      })}
    </div>
  )
}

/** The marks of each row, worked out once, so that a row that did not change is not drawn again. */
function useRowMarks(
  columns: readonly Column[],
  pointerOf: Props['pointerOf'],
  cells: GridCells,
): (row: number) => RowMarks {
  return useMemo(() => {
    const known = new Map<number, RowMarks>()
    return (row) => {
      const found =
        known.get(row) ??
        rowMarks(
          columns.map(({ name }) => pointerOf(row, name)),
          cells,
        )
      known.set(row, found)
      return found
    }
  }, [columns, pointerOf, cells])
}

/** What is marked in the cells at these pointers. */
function rowMarks(pointers: readonly string[], cells: GridCells): RowMarks {
  let marks = ''
  const reasons: Record<number, string> = {}
  for (const [column, pointer] of pointers.entries()) {
    const reason = cells.reasonAt(pointer)
    const isChanged = cells.isChangedAt(pointer)
    if (reason !== null) reasons[column] = reason
    marks += reason !== null ? (isChanged ? 'b' : 'f') : isChanged ? 'c' : '.'
  }
  return { marks, reasons: Object.keys(reasons).length === 0 ? null : reasons }
}

/**
 * Assigns rows to elements as the rendered rows change, so that scrolling creates no elements: a row that stays keeps
 * its element, and a new row takes one that became free. Elements are not reordered, since a moved element loses the
 * focus. No row takes the element of the row that was active: it has the focus, and a screen reader would not announce
 * the change. Null: an unused element. Pure.
 */
export function assignElements(
  before: readonly (number | null)[],
  rows: readonly number[],
  active: number,
): (number | null)[] {
  const drawn = new Set(rows)
  const kept = before.map((row) => (row !== null && drawn.has(row) ? row : null))
  const there = new Set(kept)
  let free = 0
  for (const row of rows) {
    if (there.has(row)) continue
    while (free < kept.length && (kept[free] !== null || before[free] === active)) free += 1
    kept[free] = row
  }
  return kept.slice(0, kept.findLastIndex((row) => row !== null) + 1)
}

/** What is in view, and these. Pure. */
export function indexesWith(seen: VirtualRange, others: readonly number[]): number[] {
  const indexes = new Set(defaultRangeExtractor(seen))
  for (const index of others) if (index >= 0 && index < seen.count) indexes.add(index)
  return [...indexes].sort((a, b) => a - b)
}

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { Range as VirtualRange } from '@tanstack/react-virtual'
import { useCallback, useId, useMemo, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { flagText } from './flag-text.ts'
import type { Cell, Range } from './grid-range.ts'
import { GridRow, gridRowPx } from './grid-row.tsx'
import type { DrawnColumn, Words } from './grid-row.tsx'
import type { Column, Row } from './list-shape.ts'
import type { Common } from './value-field.tsx'

type Props = Pick<Common, 'check' | 'sources'> & {
  scroller: RefObject<HTMLDivElement | null>
  items: readonly Row[]
  pointerOf: (row: number, name: string) => string
  columns: readonly Column[]
  drawn: readonly DrawnColumn[]
  widthPx: number
  /** The cell in hand, what is chosen, and the cell whose place in the document is shown. */
  cell: Cell
  range: Range
  shown: Cell | null
  words: Words
  /** In the place of the cell in hand while it is typed into. */
  editor: ReactNode
}

/** The rows of a grid that are on the screen. Scrolling draws them alone. */
export function GridBody({ scroller, items, pointerOf, columns, drawn, widthPx, cell, range, shown, check, sources, words, editor }: Props): ReactNode {
  const language = useLanguage()
  const { formats } = language
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => gridRowPx,
    overscan: 4,
    // The cell in hand keeps the focus when it is scrolled away.
    rangeExtractor: useCallback((seen: VirtualRange) => withIndexes(seen, [cell.row]), [cell.row]),
  })

  /** What is marked in a row, as a text, so that a row that did not change is not drawn again. */
  const marksOf = useMemo(() => {
    const known = new Map<number, Pick<Parameters<typeof GridRow>[0], 'marks' | 'reasons'>>()
    return (row: number) => {
      const before = known.get(row)
      if (before !== undefined) return before
      let marks = ''
      let reasons: Record<number, string> | null = null
      columns.forEach(({ name }, column) => {
        const place = pointerOf(row, name)
        const flags = check.flagsAt(place)
        const isChanged = check.correctionAt(place) !== null
        if (flags.length > 0) reasons = { ...reasons, [column]: flags.map((flag) => flagText(flag, language, sources)).join(' ') }
        marks += flags.length > 0 ? (isChanged ? 'b' : 'f') : isChanged ? 'c' : '.'
      })
      const found = { marks, reasons }
      known.set(row, found)
      return found
    }
  }, [columns, pointerOf, check, language, sources])

  const drawnRows = rows.getVirtualItems().map(({ index }) => index)
  const elements = useRef<readonly (number | null)[]>([])
  const inHand = useRef(cell.row)
  elements.current = seated(elements.current, drawnRows, inHand.current)
  inHand.current = cell.row
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
        const isIn = index >= range.top && index <= range.bottom
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
            inHand={index === cell.row ? cell.column : -1}
            from={isIn ? range.left : -1}
            to={isIn ? range.right : -1}
            {...marksOf(index)}
            shown={shown?.row === index ? shown.column : -1}
            formats={formats}
            words={words}
            number={formats.count(index + 1)}
            isReadOnly={!check.editable}
            editor={index === cell.row ? editor : null}
          />
        )
      })}
    </div>
  )
}

/**
 * Which row each element shows while the rows that are drawn change: one that stays keeps its element, one that comes takes one
 * that became free, so that scrolling makes no elements. They do not change places either, since one that is moved loses the
 * focus. Nor does a row take the element of the one that was in hand: that has the focus, and nobody would hear that it went to
 * another one. Null: nothing. Pure.
 */
export function seated(before: readonly (number | null)[], rows: readonly number[], inHand: number): (number | null)[] {
  const drawn = new Set(rows)
  const kept = before.map((row) => (row !== null && drawn.has(row) ? row : null))
  const there = new Set(kept)
  let free = 0
  for (const row of rows) {
    if (there.has(row)) continue
    while (free < kept.length && (kept[free] !== null || before[free] === inHand)) free += 1
    kept[free] = row
  }
  return kept.slice(0, kept.findLastIndex((row) => row !== null) + 1)
}

/** What is in view, and these. Pure. */
export function withIndexes(seen: VirtualRange, others: readonly number[]): number[] {
  const indexes = new Set(defaultRangeExtractor(seen))
  for (const index of others) if (index >= 0 && index < seen.count) indexes.add(index)
  return [...indexes].sort((a, b) => a - b)
}

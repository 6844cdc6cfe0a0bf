import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { Formats } from '../../messages/formats.ts'
import { valueText } from '../../messages/values.ts'
import { figurePx } from './column-widths.ts'
import type { Column, Row } from './list-shape.ts'

export const gridRowPx = 30

/** A column that is drawn: how much is left free before it for those that are not, and its width. */
export type DrawnColumn = { index: number; gapPx: number; widthPx: number }
export type Words = { yes: string; no: string; empty: string }

type Props = {
  id: string
  index: number
  record: Row
  pointerOf: (row: number, name: string) => string
  columns: readonly Column[]
  drawn: readonly DrawnColumn[]
  widthPx: number
  /** The column of the cell in hand, -1 in the other rows; the chosen columns from and to, -1 where none is. */
  inHand: number
  from: number
  to: number
  /** A letter for each column: `f` flagged, `c` changed, `b` both. */
  marks: string
  /** Why cells of this row need a look, by column; null where none does. */
  reasons: Record<number, string> | null
  /** The column whose place in the document is shown, -1 in the other rows. */
  shown: number
  formats: Formats
  words: Words
  number: string
  isReadOnly: boolean
  /** In the place of the cell in hand while it is typed into. */
  editor: ReactNode
}

/** Side by side, not each at its own place: the browser keeps a layer for whatever is placed. Pure. */
export function cellStyle(width: number, gapPx: number): CSSProperties {
  return gapPx === 0 ? { width } : { width, marginLeft: gapPx }
}

/** The room beside a cell's text, its line included; `items-grid.css` knows it as well. */
const paddingPx = 17

/** No font shows a text wider than this. Cutting every cell, also where nothing is to be cut, costs the browser at each frame. Pure. */
function mostPx(text: string): number {
  let px = 0
  for (const letter of text) px += letter > '\u024f' ? 18 : /[\p{Lu}mw@%&]/u.test(letter) ? 13 : figurePx
  return px
}

/** One row of the grid. It is drawn again only when something in it changed. */
export const GridRow = memo(function GridRow(props: Props): ReactNode {
  const { id, index, record, pointerOf, columns, drawn, widthPx, inHand, from, to, marks, reasons, shown, formats, words, number, isReadOnly, editor } = props
  return (
    <div id={id} className="items-grid__row" role="row" aria-rowindex={index + 2} data-row={index} data-typed={editor !== null || undefined} style={{ width: widthPx, top: index * gridRowPx }}>
      <span className="items-grid__number" role="rowheader" aria-colindex={1} data-chosen={from >= 0 || undefined}>
        {number}
      </span>
      {drawn.map(({ index: at, gapPx, widthPx: width }) => {
        const column = columns[at]!
        const text = valueText(record[column.name], formats, words, column.decimals)
        const isCut = text !== null && mostPx(text) > width - paddingPx
        const isChosen = at >= from && at <= to
        const isTyped = at === inHand && editor !== null
        return (
          <div
            key={at}
            role="gridcell"
            aria-colindex={at + 2}
            aria-selected={isChosen}
            aria-readonly={isReadOnly || undefined}
            tabIndex={at === inHand ? 0 : -1}
            className={column.numeric ? 'items-grid__cell num' : 'items-grid__cell'}
            data-column={at}
            data-pointer={pointerOf(index, column.name)}
            data-first={at === 0 || undefined}
            data-in-hand={at === inHand || undefined}
            data-chosen={(isChosen && from >= 0 && (from !== to || at !== inHand)) || undefined}
            data-flagged={marks[at] === 'f' || marks[at] === 'b' || undefined}
            data-changed={marks[at] === 'c' || marks[at] === 'b' || undefined}
            data-shown={at === shown || undefined}
            data-cut={isCut || undefined}
            title={reasons?.[at] ?? (isCut ? text : undefined)}
            data-typed={isTyped || undefined}
            style={cellStyle(width, gapPx)}
          >
            {isTyped ? editor : text === null ? <span className="items-grid__empty">–</span> : text}
          </div>
        )
      })}
    </div>
  )
})

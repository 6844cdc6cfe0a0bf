import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import type { Formats } from '../messages/formats.ts'
import { valueText } from '../messages/values.ts'
import { figurePx } from './column-widths.ts'
import type { Column, Row } from './list-shape.ts'

export const gridRowPx = 30

/** A column that is drawn: how much is left free before it for those that are not, and its width. */
export type DrawnColumn = { index: number; gapPx: number; widthPx: number }
export type Words = { yes: string; no: string; empty: string }

/** What is marked in a row. */
export type RowMarks = {
  /**
   * A letter for each column: `f` flagged, `c` changed, `b` both, `.` neither; a text, so that equal ones are the same.
   */
  marks: string
  /** Why cells need a look, by column; null where none does. */
  reasons: Record<number, string> | null
}

type Props = RowMarks & {
  id: string
  index: number
  record: Row
  pointerOf: (row: number, name: string) => string
  columns: readonly Column[]
  drawn: readonly DrawnColumn[]
  widthPx: number
  /** The column of the active cell, -1 in the other rows; the selected columns from and to, -1 where none is. */
  active: number
  from: number
  to: number
  /** The column whose place in the document is shown, -1 in the other rows. */
  shown: number
  formats: Formats
  words: Words
  number: string
  isReadOnly: boolean
  /** In the place of the active cell while it is typed into. */
  editor: ReactNode
}

/** In normal flow, not positioned: the browser would keep a layer for each positioned cell. Pure. */
export function cellStyle(width: number, gapPx: number): CSSProperties {
  return gapPx === 0 ? { width } : { width, marginLeft: gapPx }
}

/** The room beside a cell's text, its line included; `items-grid.css` knows it as well. */
const paddingPx = 17

/**
 * An upper bound of a text's width in any font, to clip only cells that need it: clipping each one would cost time in
 * every frame. Pure.
 */
function maxPx(text: string): number {
  let px = 0
  for (const letter of text) px += letter > '\u024f' ? 18 : /[\p{Lu}mw@%&]/u.test(letter) ? 13 : figurePx
  return px
}

/** One row of the grid. It is drawn again only when something in it changed. */
export const GridRow = memo(function GridRow(props: Props): ReactNode {
  const { id, index, drawn, widthPx, from, number, editor } = props
  return (
    <div
      id={id}
      className="items-grid__row"
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      data-typed={editor !== null || undefined}
      style={{ width: widthPx, top: index * gridRowPx }}
    >
      <span className="items-grid__number" role="rowheader" aria-colindex={1} data-chosen={from >= 0 || undefined}>
        {number}
      </span>
      {drawn.map((column) => gridCell(column, props))}
    </div>
  )
})

/** A function and not a component, of which there would be hundreds. */
function gridCell({ index: at, gapPx, widthPx }: DrawnColumn, row: Props): ReactNode {
  const { active, from, to, editor } = row
  const column = row.columns[at]!
  const text = valueText(row.record[column.name], row.formats, row.words, column.decimals)
  const mark = row.marks[at]
  const isCut = text !== null && maxPx(text) > widthPx - paddingPx
  const isSelected = at >= from && at <= to
  const isActive = at === active
  const isEdited = isActive && editor !== null
  return (
    <div
      key={at}
      role="gridcell"
      aria-colindex={at + 2}
      aria-selected={isSelected}
      aria-readonly={present(row.isReadOnly)}
      tabIndex={isActive ? 0 : -1}
      className={column.numeric ? 'items-grid__cell num' : 'items-grid__cell'}
      data-column={at}
      data-pointer={row.pointerOf(row.index, column.name)}
      data-first={present(at === 0)}
      data-active={present(isActive)}
      data-chosen={present(isSelected && (from !== to || !isActive))}
      data-flagged={present(mark === 'f' || mark === 'b')}
      data-changed={present(mark === 'c' || mark === 'b')}
      data-shown={present(at === row.shown)}
      data-cut={present(isCut)}
      title={row.reasons?.[at] ?? (isCut ? text : undefined)}
      data-typed={present(isEdited)}
      style={cellStyle(widthPx, gapPx)}
    >
      {isEdited ? editor : (text ?? emptyCell)}
    </div>
  )
}

const emptyCell = <span className="items-grid__empty">–</span>

/** An attribute that is there, or is not. */
function present(is: boolean): true | undefined {
  return is ? true : undefined
}

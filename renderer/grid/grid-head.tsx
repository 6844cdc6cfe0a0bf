import type { PointerEvent, ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { cellStyle } from './grid-row.tsx'
import type { DrawnColumn } from './grid-row.tsx'
import type { Column } from './list-shape.ts'

type Props = { columns: readonly Column[]; drawn: readonly DrawnColumn[]; widthPx: number }

/**
 * The names of the columns; their right edges are dragged to size, a double click makes them as wide as their content.
 */
export function GridHead({
  columns,
  drawn,
  widthPx,
  onWidth,
}: Props & { onWidth: (column: Column, px: number | null) => void }): ReactNode {
  const { t } = useLanguage()
  function onPointerDown(event: PointerEvent<HTMLElement>, column: Column, startPx: number): void {
    const from = event.clientX
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = (move) => onWidth(column, startPx + move.clientX - from)
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div role="rowgroup" className="items-grid__head" style={{ width: widthPx }}>
      <div role="row" aria-rowindex={1} className="items-grid__row">
        <span role="columnheader" aria-colindex={1} className="items-grid__number">
          <span className="visually-hidden">{t('grid.row')}</span>
        </span>
        {drawn.map(({ index, gapPx, widthPx: width }) => {
          const column = columns[index]!
          return (
            <span
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              className={column.numeric ? 'items-grid__cell num' : 'items-grid__cell'}
              data-first={index === 0 || undefined}
              title={column.description}
              style={cellStyle(width, gapPx)}
            >
              {column.label}
              {/* The same is done by keys in the cells: Alt, Shift and the arrows. */}
              <span
                aria-hidden="true"
                className="items-grid__edge"
                onPointerDown={(event) => onPointerDown(event, column, width)}
                onDoubleClick={() => onWidth(column, null)}
              />
            </span>
          )
        })}
      </div>
    </div>
  )
}

/** What the numbers of each column add up to. */
export function GridFoot({ columns, drawn, widthPx, rowIndex }: Props & { rowIndex: number }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <div role="rowgroup" className="items-grid__foot" style={{ width: widthPx }}>
      <div role="row" aria-rowindex={rowIndex} className="items-grid__row">
        <span
          role="rowheader"
          aria-colindex={1}
          className="items-grid__number"
          aria-label={t('grid.sum')}
          title={t('grid.sum')}
        >
          Σ
        </span>
        {drawn.map(({ index, gapPx, widthPx: width }) => {
          const { sum, decimals } = columns[index]!
          return (
            <span
              key={index}
              role="gridcell"
              aria-colindex={index + 2}
              aria-readonly="true"
              className="items-grid__cell num"
              data-first={index === 0 || undefined}
              style={cellStyle(width, gapPx)}
            >
              {sum !== null && formats.number(sum, decimals)}
            </span>
          )
        })}
      </div>
    </div>
  )
}

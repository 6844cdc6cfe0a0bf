import { useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { columnWidth } from '../../../shared/domain/document-columns.ts'
import { CheckMark } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import type { Columns } from './column-choice.ts'
import { columnWords } from './columns-menu.tsx'
import { boundedPx } from './table-columns.ts'
import type { Table, TableColumn } from './table-columns.ts'
import { changeDocumentsView } from './view.ts'
import type { DocumentsView } from './view.ts'

/** One press of a key. */
const stepPx = 16
/** The room that a fitted column has beside its longest text. */
const besidePx = 6

const commonWords: Record<string, MessageId> = {
  number: 'documents.commonNumber',
  sender: 'documents.commonSender',
  date: 'documents.commonDate',
  total: 'documents.commonTotal',
}

function labelFor({ kind, value }: TableColumn, t: Language['t']): string {
  if (kind !== 'value') return t(columnWords[kind])
  return value!.fields === undefined ? labelOf(value!.name) : t(commonWords[value!.name]!)
}

type Props = {
  table: Table
  columns: Columns
  view: DocumentsView
  listPx: number
  allState: 'on' | 'off' | 'mixed'
  onAll: () => void
}

/** The names of the columns: they sort where there is an order for that, and their right edges are moved. */
export function DocumentsHead({ table, columns, view, listPx, allState, onAll }: Props): ReactNode {
  const { t } = useLanguage()
  const head = useRef<HTMLDivElement>(null)
  const [widths, setWidths] = useState<number[]>([])
  // Only the browser knows the final width of a column that shares the free space.
  useLayoutEffect(() => {
    const cells = [...(head.current?.children ?? [])]
      .slice(1)
      .map((cell) => Math.round(cell.getBoundingClientRect().width))
    setWidths((before) => (before.join() === cells.join() ? before : cells))
  }, [table.template, table.minPx, listPx])
  return (
    <div ref={head} className="grid__head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: table.template }}>
      <span role="columnheader" className="grid__check">
        <button
          type="button"
          tabIndex={-1}
          className="grid__check-all"
          aria-label={t(allState === 'off' ? 'documents.selectAll' : 'documents.selectNone')}
          onClick={onAll}
        >
          <CheckMark state={allState} />
        </button>
      </span>
      {table.columns.map((column, index) => {
        const label = labelFor(column, t)
        return (
          <Head key={column.key} column={column} label={label} view={view}>
            <Edge
              label={t('columns.width', { column: label })}
              place={index + 1}
              widthPx={widths[index] ?? columnWidth.minPx}
              onWidth={(px) => columns.setWidth(column.key, px)}
            />
          </Head>
        )
      })}
    </div>
  )
}

function Head({
  column,
  label,
  view,
  children,
}: {
  column: TableColumn
  label: string
  view: DocumentsView
  children: ReactNode
}): ReactNode {
  const { sort } = column
  const className = `grid__name${column.numeric ? ' num' : ''}`
  if (sort === null) {
    return (
      <span role="columnheader" className={className} title={label}>
        <span className="grid__label ellipsis">{label}</span>
        {children}
      </span>
    )
  }
  const sorted = view.sort === sort
  return (
    <span
      role="columnheader"
      className={className}
      aria-sort={sorted ? (view.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button
        type="button"
        className="grid__sort"
        onClick={() => changeDocumentsView({ sort, descending: sorted ? !view.descending : sort === 'receivedAt' })}
      >
        <span className="grid__label ellipsis">{label}</span>
        {sorted && <Icon name={view.descending ? 'down' : 'up'} size={10} />}
      </button>
      {children}
    </span>
  )
}

type EdgeProps = { label: string; place: number; widthPx: number; onWidth: (px: number) => void }

/** The right edge of a column: dragged, moved by arrows; a double click or Enter makes the column fit what it shows. */
function Edge({ label, place, widthPx, onWidth }: EdgeProps): ReactNode {
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to: Record<string, () => number> = {
      ArrowLeft: () => widthPx - stepPx,
      ArrowRight: () => widthPx + stepPx,
      Home: () => columnWidth.minPx,
      End: () => columnWidth.maxPx,
      Enter: () => fittingPx(event.currentTarget, place),
    }
    if (!Object.hasOwn(to, event.key)) return
    onWidth(boundedPx(to[event.key]!()))
    event.preventDefault()
  }
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    const handle = event.currentTarget
    const from = event.clientX
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = (move) => onWidth(boundedPx(widthPx + move.clientX - from))
    handle.onlostpointercapture = () => {
      handle.onpointermove = null
    }
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={columnWidth.minPx}
      aria-valuemax={columnWidth.maxPx}
      aria-valuenow={widthPx}
      tabIndex={0}
      className="grid__edge"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={(event) => onWidth(boundedPx(fittingPx(event.currentTarget, place)))}
    />
  )
}

/** How wide the longest text is that the column shows on the screen, its name included. */
function fittingPx(edge: HTMLElement, place: number): number {
  const rows = edge.closest('.grid')?.querySelectorAll('.grid__head, .grid__row') ?? []
  const contents = [...rows].flatMap((row) => {
    const cell = row.children[place]
    return cell === undefined
      ? []
      : [
          ...(cell.querySelector('[data-fit], .badge, .grid__sort, .grid__label')
            ? cell.querySelectorAll('[data-fit], .badge, .grid__sort, .grid__label')
            : [cell]),
        ]
  })
  return Math.ceil(Math.max(0, ...contents.map(contentPx))) + besidePx
}

/** The width of the content, also where it is cut off, and of the pages behind the name of a part. */
function contentPx(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  const behindPx = element.matches('[data-fit]') ? (element.nextElementSibling?.getBoundingClientRect().width ?? 0) : 0
  return range.getBoundingClientRect().width + parseFloat(paddingLeft) + parseFloat(paddingRight) + behindPx
}

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react'
import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Columns } from './column-choice.ts'
import { DocumentCells, hasSecondLine } from './document-cells.tsx'
import { DocumentsHead } from './documents-head.tsx'
import type { DocumentPages } from './pages.ts'
import { useRowWindow } from './row-window.ts'
import type { RowWindow } from './row-window.ts'
import { maxSelected, nothingSelected, selectRange, toggle } from './selection.ts'
import type { Selection } from './selection.ts'
import { tableOf } from './table-columns.ts'
import type { Table } from './table-columns.ts'
import type { SchemaFields } from './value-columns.ts'
import { changeDocumentsView, filterOf } from './view.ts'
import type { DocumentsView } from './view.ts'

const rowPx = 38
const headPx = 34
const tallRowPx = 54
type Props = {
  view: DocumentsView
  pages: DocumentPages
  columns: Columns
  selection: Selection
  onSelect: (selection: Selection) => void
  onRange: (range: { first: number; last: number }) => void
  onBin: (ids: number[]) => void
}

/** The long table: only the rows on the screen exist. The grid keeps the focus and names its current row. */
export function DocumentsGrid({ view, pages, columns, selection, onSelect, onRange, onBin }: Props): ReactNode {
  const { t } = useLanguage()
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const table = useTable(pages.rows, columns, width)
  const total = pages.total ?? 0
  const { places, bodyPx, show } = useListWindow(scroller, view, pages, total, onRange)
  const active = Math.min(view.active, Math.max(0, total - 1))

  const { selectAll, onKeyDown, onRowClick } = useListHandlers({
    pages,
    selection,
    onSelect,
    onBin,
    active,
    total,
    show,
    pageRows: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2),
  })

  const allState =
    selection.documents.size === 0 ? 'off' : selection.documents.size >= Math.min(total, maxSelected) ? 'on' : 'mixed'
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={t('documents.title')}
      aria-multiselectable="true"
      aria-rowcount={total + 1}
      aria-colcount={1 + table.columns.length}
      style={{ '--least': `${table.minPx}px` } as CSSProperties}
      aria-activedescendant={places.some(({ index }) => index === active) ? `document-row-${active}` : undefined}
      onKeyDown={(event) => event.target === scroller.current && onKeyDown(event)}
    >
      <DocumentsHead
        table={table}
        columns={columns}
        view={view}
        listPx={width}
        allState={allState}
        onAll={() => (allState === 'off' ? void selectAll() : onSelect(nothingSelected))}
      />
      <div className="grid__body" role="rowgroup" style={{ height: bodyPx }}>
        {places.map(({ index, startPx, heightPx }) => {
          const row = pages.row(index)
          const selected = row !== undefined && selection.documents.has(row.id)
          return (
            <div
              key={index}
              id={`document-row-${index}`}
              className="grid__row"
              role="row"
              aria-rowindex={index + 2}
              aria-selected={selected}
              data-active={index === active || undefined}
              data-tall={(row && hasSecondLine(row)) || undefined}
              style={{ gridTemplateColumns: table.template, height: heightPx, top: startPx }}
              onClick={(event) => onRowClick(event, index)}
            >
              {row ? (
                <DocumentCells document={row} columns={table.columns} selected={selected} />
              ) : (
                <span role="gridcell" className="grid__placeholder" />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Fetches the rows on the screen, and keeps their place for someone who comes back. */
function useListWindow(
  scroller: RefObject<HTMLDivElement | null>,
  view: DocumentsView,
  pages: DocumentPages,
  total: number,
  onRange: Props['onRange'],
): Pick<RowWindow, 'places' | 'bodyPx' | 'show'> {
  const heightOf = useCallback(
    (index: number) => {
      const row = pages.row(index)
      return row && hasSecondLine(row) ? tallRowPx : rowPx
    },
    [pages],
  )
  const listKey = JSON.stringify([filterOf(view), view.sort, view.descending])
  const { places, bodyPx, top, show } = useRowWindow(scroller, {
    count: total,
    heightOf,
    rowPx,
    headPx,
    listKey,
    begin: view.top,
  })
  const first = places[0]?.index ?? 0
  const last = places.at(-1)?.index ?? 0
  // Before the empty rows are painted, not after, so that their data is requested earlier.
  useLayoutEffect(() => onRange({ first, last }), [first, last, onRange])
  // Kept for the way back from a document.
  useEffect(() => () => changeDocumentsView({ top: top().index + Math.min(0.99, top().px / tallRowPx) }), [top])

  // Someone who comes back from another screen goes on with the keyboard.
  useEffect(() => {
    if (document.activeElement?.matches('.main')) scroller.current?.focus({ preventScroll: true })
  }, [])
  return { places, bodyPx, show }
}

type HandlerContext = Pick<Props, 'pages' | 'selection' | 'onSelect' | 'onBin'> & {
  active: number
  total: number
  show: (index: number) => void
  /** How many rows Page Up and Page Down move by. */
  pageRows: () => number
}

/** What keys and clicks do with the rows. */
function useListHandlers({ pages, selection, onSelect, onBin, active, total, show, pageRows }: HandlerContext) {
  const { extendTo, selectAll } = useRangeSelection(pages, total, selection.anchor ?? active, onSelect)
  const row = pages.row(active)

  function goTo(index: number, extend: boolean): void {
    const next = Math.min(Math.max(0, index), total - 1)
    changeDocumentsView({ active: next })
    show(next)
    if (extend) void extendTo(next)
  }
  function open(): void {
    if (!row) return
    changeDocumentsView({ active })
    navigate({ screen: 'document', id: row.id })
  }
  const carryOut: Record<Command, () => void> = {
    open,
    toggle: () => row && onSelect(toggle(selection, row, active)),
    selectNone: () => onSelect(nothingSelected),
    bin: () => onBin(selection.documents.size > 0 ? [...selection.documents.keys()] : row ? [row.id] : []),
    selectAll: () => void selectAll(),
  }
  return {
    selectAll,
    onKeyDown(event: KeyboardEvent): void {
      if (total === 0) return
      const move = moves[event.key]
      const command = commandOf(event, selection.documents.size > 0, row !== undefined)
      if (move) goTo(move({ active, total, pageRows: pageRows() }), event.shiftKey)
      else if (command) carryOut[command]()
      else return
      event.preventDefault()
    },
    onRowClick(event: MouseEvent, index: number): void {
      const clicked = pages.row(index)
      const onBox = (event.target as Element).closest('.grid__check') !== null
      if (!clicked) return
      changeDocumentsView({ active: index })
      if (event.shiftKey) void extendTo(index)
      else if (event.ctrlKey || event.metaKey || onBox) onSelect(toggle(selection, clicked, index))
      else navigate({ screen: 'document', id: clicked.id })
    },
  }
}

type ListPosition = { active: number; total: number; pageRows: number }

/** The keys that lead to another row, which may be beyond an end. */
const moves: Record<string, (at: ListPosition) => number> = {
  ArrowDown: ({ active }) => active + 1,
  ArrowUp: ({ active }) => active - 1,
  PageDown: ({ active, pageRows }) => active + pageRows,
  PageUp: ({ active, pageRows }) => active - pageRows,
  Home: () => 0,
  End: ({ total }) => total - 1,
}

type Command = 'open' | 'toggle' | 'selectNone' | 'bin' | 'selectAll'

/** What the other keys do; null: they are not those of the list, or there is nothing to do it to. Pure. */
function commandOf({ key, ctrlKey, metaKey }: KeyboardEvent, hasSelection: boolean, hasRow: boolean): Command | null {
  if (key === 'Enter') return 'open'
  if (key === ' ') return hasRow ? 'toggle' : null
  if (key === 'Escape') return hasSelection ? 'selectNone' : null
  if (key === 'Delete') return hasSelection || hasRow ? 'bin' : null
  return key.toLowerCase() === 'a' && (ctrlKey || metaKey) ? 'selectAll' : null
}

/** Selections of many rows, also of those that are not loaded. */
function useRangeSelection(
  pages: DocumentPages,
  total: number,
  anchor: number,
  onSelect: (selection: Selection) => void,
): { extendTo: (index: number) => Promise<void>; selectAll: () => Promise<void> } {
  const { t, formats } = useLanguage()
  const lastRequest = useRef(0)
  /** Rows that are not loaded have to be asked for; what was selected meanwhile counts. */
  async function select(from: number, to: number, anchor: number): Promise<void> {
    const request = (lastRequest.current += 1)
    const documents = await pages.fetchRange(Math.min(from, to), Math.max(from, to))
    if (request === lastRequest.current) onSelect({ ...selectRange(nothingSelected, documents, anchor), anchor })
  }
  const notifyMax = (): void => notify('problem', t('documents.maxSelected', { shown: formats.count(maxSelected) }))
  return {
    async extendTo(index) {
      const end = Math.max(anchor - maxSelected + 1, Math.min(anchor + maxSelected - 1, index))
      await select(anchor, end, anchor)
      if (end !== index) notifyMax()
    },
    async selectAll() {
      await select(0, Math.min(total, maxSelected) - 1, 0)
      if (total > maxSelected) notifyMax()
    },
  }
}

/** The columns of the list in its width, with the fields that a person chose for each schema. */
function useTable(rows: readonly DocumentRow[], { choice }: Columns, widthPx: number): Table {
  const schemas = useCall('schemas.list', {}).data?.schemas
  const fields: SchemaFields = useMemo(
    () => new Map(schemas?.map(({ id, columns, common }) => [id, { chosen: columns, common }])),
    [schemas],
  )
  return useMemo(() => tableOf(rows, choice, fields, widthPx), [rows, choice, fields, widthPx])
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

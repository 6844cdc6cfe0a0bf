import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Columns } from './column-choice.ts'
import { JobCells, hasSecondLine } from './job-cells.tsx'
import { JobsHead } from './jobs-head.tsx'
import type { JobPages } from './pages.ts'
import { useRowWindow } from './row-window.ts'
import { mostSelected, nothingSelected, selectOnly, selectRange, toggle } from './selection.ts'
import type { Selection } from './selection.ts'
import { tableOf } from './table-columns.ts'
import { changeJobsView, filterOf } from './view.ts'
import type { JobsView } from './view.ts'

const rowPx = 38
const headPx = 34
const tallRowPx = 54
type Props = { view: JobsView; pages: JobPages; columns: Columns; selection: Selection; onSelect: (selection: Selection) => void; onRange: (range: { first: number; last: number }) => void; onBin: (ids: number[]) => void }

/** The long table: only the rows on the screen exist. The grid keeps the focus and names its current row. */
export function JobsGrid({ view, pages, columns, selection, onSelect, onRange, onBin }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const wishes = useRef(0)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const schemas = useCall('schemas.list', {}).data?.schemas
  const chosen = useMemo(() => new Map(schemas?.flatMap(({ id, columns }) => (columns === null ? [] : [[id, columns] as const])) ?? []), [schemas])
  const table = useMemo(() => tableOf(pages.rows, columns.choice, chosen, width), [pages.rows, columns.choice, chosen, width])
  const total = pages.total ?? 0
  const heightOf = useCallback(
    (index: number) => {
      const row = pages.row(index)
      return row && hasSecondLine(row) ? tallRowPx : rowPx
    },
    [pages],
  )
  const listKey = JSON.stringify([filterOf(view), view.sort, view.descending])
  const { places, bodyPx, top, show } = useRowWindow(scroller, { count: total, heightOf, rowPx, headPx, listKey, begin: view.top })
  const first = places[0]?.index ?? 0
  const last = places.at(-1)?.index ?? 0
  // Before the empty rows are drawn, not after: those that belong there are asked for that much sooner.
  useLayoutEffect(() => onRange({ first, last }), [first, last, onRange])
  // Kept for the way back from a document.
  useEffect(() => () => changeJobsView({ top: top().index + Math.min(0.99, top().px / tallRowPx) }), [top])

  // Who comes back from a document, or from another screen, goes on with the keys.
  useEffect(() => {
    if (document.activeElement?.matches('.main')) scroller.current?.focus({ preventScroll: true })
  }, [])

  const active = Math.min(view.active, Math.max(0, total - 1))

  /** Rows that are not loaded have to be asked for; what was selected meanwhile is the newer wish. */
  async function select(from: number, to: number, anchor: number): Promise<void> {
    const wish = (wishes.current += 1)
    const jobs = await pages.fetchRange(Math.min(from, to), Math.max(from, to))
    if (wish === wishes.current) onSelect({ ...selectRange(nothingSelected, jobs, anchor), anchor })
  }
  async function extendTo(index: number): Promise<void> {
    const anchor = selection.anchor ?? active
    const end = Math.max(anchor - mostSelected + 1, Math.min(anchor + mostSelected - 1, index))
    await select(anchor, end, anchor)
    if (end !== index) notify('problem', t('jobs.mostSelected', { shown: formats.count(mostSelected) }))
  }
  async function selectAll(): Promise<void> {
    await select(0, Math.min(total, mostSelected) - 1, 0)
    if (total > mostSelected) notify('problem', t('jobs.mostSelected', { shown: formats.count(mostSelected) }))
  }
  function goTo(index: number, extend: boolean): void {
    const next = Math.min(Math.max(0, index), total - 1)
    changeJobsView({ active: next })
    show(next)
    if (extend) void extendTo(next)
  }
  function open(index: number): void {
    const row = pages.row(index)
    if (!row) return
    changeJobsView({ active: index })
    navigate({ screen: 'job', id: row.id })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== scroller.current || total === 0) return
    const row = pages.row(active)
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2)
    const moves: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + pageRows, PageUp: active - pageRows, Home: 0, End: total - 1 }
    const target = moves[event.key]
    if (target !== undefined) goTo(target, event.shiftKey)
    else if (event.key === 'Enter') open(active)
    else if (event.key === ' ' && row) onSelect(toggle(selection, row, active))
    else if (event.key === 'Escape' && selection.jobs.size > 0) onSelect(nothingSelected)
    else if (event.key === 'Delete' && (selection.jobs.size > 0 || row)) onBin(selection.jobs.size > 0 ? [...selection.jobs.keys()] : [row!.id])
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) void selectAll()
    else return
    event.preventDefault()
  }

  function onRowClick(event: MouseEvent, index: number): void {
    const row = pages.row(index)
    const onBox = (event.target as Element).closest('.grid__check') !== null
    // The actions that the first click of two brings in may move another row under the pointer.
    if (!row || (event.detail > 1 && !onBox)) return
    changeJobsView({ active: index })
    if (event.shiftKey) void extendTo(index)
    else if (event.ctrlKey || event.metaKey || onBox) onSelect(toggle(selection, row, index))
    else onSelect(selectOnly(row, index))
  }

  const allState = selection.jobs.size === 0 ? 'off' : selection.jobs.size >= Math.min(total, mostSelected) ? 'on' : 'mixed'
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={t('jobs.title')}
      aria-multiselectable="true"
      aria-rowcount={total + 1}
      aria-colcount={1 + table.columns.length}
      style={{ '--least': `${table.leastPx}px` } as CSSProperties}
      aria-activedescendant={places.some(({ index }) => index === active) ? `job-row-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <JobsHead table={table} columns={columns} view={view} listPx={width} allState={allState} onAll={() => (allState === 'off' ? void selectAll() : onSelect(nothingSelected))} />
      <div className="grid__body" role="rowgroup" style={{ height: bodyPx }}>
        {places.map(({ index, startPx, heightPx }) => {
          const row = pages.row(index)
          const selected = row !== undefined && selection.jobs.has(row.id)
          return (
            <div
              key={index}
              id={`job-row-${index}`}
              className="grid__row"
              role="row"
              aria-rowindex={index + 2}
              aria-selected={selected}
              data-active={index === active || undefined}
              data-tall={(row && hasSecondLine(row)) || undefined}
              style={{ gridTemplateColumns: table.template, height: heightPx, top: startPx }}
              onClick={(event) => onRowClick(event, index)}
              onDoubleClick={() => open(active)}
            >
              {row ? <JobCells job={row} columns={table.columns} selected={selected} /> : <span role="gridcell" className="grid__placeholder" />}
            </div>
          )
        })}
      </div>
    </div>
  )
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

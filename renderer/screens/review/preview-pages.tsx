import { memo, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { Box } from '../../../shared/domain/document.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { useCall } from '../../client/queries.ts'
import { useLanguage } from '../../messages/language.tsx'
import { Paper } from './paper.tsx'
import type { PagesProps } from './paper.tsx'
import type { Active } from './pointer.ts'
import { useCellPointing } from './cell-pointing.ts'
import type { Pointing } from './pointing.tsx'
import { nameOf } from './marks.tsx'

type PreviewPage = CallOutput<'documents.preview'>['pages'][number]

/** The width of an A4 page at 96 pixels to the inch. */
const pageWidthPx = 794
/** A table of many more rows would make the window slow. */
const maxRows = 1000
const sheetMarginPx = 32

/** DOCX and XLSX, which a browser cannot show itself: words on a page, or cells in a sheet. */
export function PreviewPages({
  documentId,
  scale,
  onPages,
  onProblem,
  marks,
  sources,
  active,
  onActive,
  pointing,
}: PagesProps): ReactNode {
  const { errorSentence } = useLanguage()
  const preview = useCall('documents.preview', { id: documentId })
  const pages = preview.data?.pages
  const sheets = pages?.some(isSheet) ?? false
  useEffect(() => {
    if (pages && !sheets) onPages(pages.length, pageWidthPx)
  }, [pages, sheets, onPages])
  useEffect(() => {
    if (preview.error) onProblem(errorSentence(preview.error))
  }, [preview.error, onProblem, errorSentence])
  return pages?.map((page) => {
    if (isSheet(page))
      return (
        <Sheet
          key={page.number}
          page={page}
          scale={scale}
          sources={sources}
          active={active}
          onActive={onActive}
          pointing={pointing}
          onWidth={(width) => onPages(pages.length, width)}
        />
      )
    const height = (pageWidthPx * page.height) / Math.max(page.width, 1)
    return (
      <Paper key={page.number} number={page.number} size={{ width: pageWidthPx, height }} scale={scale}>
        <div className="paper__margins">
          <Words page={page} height={height} />
          {marks(page.number)}
        </div>
      </Paper>
    )
  })
}

function isSheet(page: PreviewPage): boolean {
  return page.name !== null && page.tables.length > 0
}

/** Each word at its place, drawn to the width that it has in the file. */
function Words({ page, height }: { page: PreviewPage; height: number }): ReactNode {
  return (
    <svg className="paper__words" viewBox={`0 0 ${pageWidthPx} ${height}`} aria-hidden="false">
      {page.words.map((word, index) => (
        <text
          key={index}
          x={word.x * pageWidthPx}
          y={(word.y + word.height * 0.8) * height}
          fontSize={Math.max(1, word.height * height * 1.12)}
          fontWeight={word.bold ? 650 : 400}
          textLength={Math.max(1, word.width * pageWidthPx)}
          lengthAdjust="spacingAndGlyphs"
        >
          {word.text}
        </text>
      ))}
    </svg>
  )
}

type SheetProps = {
  page: PreviewPage
  scale: number
  sources: FieldSource[]
  active: Active
  onActive: (active: Active) => void
  onWidth: (width: number) => void
  pointing: Pointing | null
}
type Cell = PreviewPage['tables'][number][number][number]
/** The values that stand in the cells of a row, by column. */
type RowSources = ReadonlyMap<number, FieldSource>
const noSources: RowSources = new Map()

/** A sheet of a workbook as a table; a cell that holds a value is its mark. */
function Sheet({ page, scale, sources, active, onActive, onWidth, pointing }: SheetProps): ReactNode {
  const { t, formats } = useLanguage()
  const first = useRef<HTMLTableElement>(null)
  useLayoutEffect(() => {
    // The width at 100 %, whatever the scale is now.
    if (first.current) onWidth(Math.ceil(first.current.offsetWidth / scale) + sheetMarginPx)
    // Measured once: text does not scale quite evenly, and the view would never come to rest.
  }, [page])
  const hidden = page.tables.reduce((sum, table) => sum + Math.max(0, table.length - maxRows), 0)
  const onPage = useMemo(() => sources.filter((source) => source.page === page.number), [sources, page])
  const placed = useMemo(
    () => page.tables.map((table) => ({ table, edges: edgesOf(table), rows: sourcesByRow(table, onPage) })),
    [page, onPage],
  )
  return (
    <div
      className="workbook"
      data-page={page.number}
      {...useCellPointing(page.number, pointing)}
      style={{ fontSize: `${Math.round(13 * scale)}px` }}
    >
      <h2 className="workbook__name ellipsis" title={page.name ?? undefined}>
        {page.name}
      </h2>
      {placed.map(({ table, edges, rows }, at) => (
        <table key={at} ref={at === 0 ? first : undefined}>
          <tbody>
            {table.slice(0, maxRows).map((row, index) => {
              const found = rows.get(index) ?? noSources
              const isHere = active !== null && [...found.values()].some(({ pointer }) => pointer === active.pointer)
              return (
                <SheetRow
                  key={index}
                  row={row}
                  edges={edges}
                  sources={found}
                  shown={isHere ? active.pointer : null}
                  onActive={onActive}
                />
              )
            })}
          </tbody>
        </table>
      ))}
      {hidden > 0 && <p className="hint">{t('document.moreRows', { shown: formats.count(hidden) })}</p>}
    </div>
  )
}

type SheetRowProps = {
  row: Cell[]
  edges: readonly number[]
  sources: RowSources
  shown: string | null
  onActive: (active: Active) => void
}

/** A row is drawn again only when the active value is one of its own, or was. */
const SheetRow = memo(function SheetRow({ row, edges, sources, shown, onActive }: SheetRowProps): ReactNode {
  return (
    <tr>
      {row.map((cell, column) => {
        const source = sources.get(column)
        return (
          <td
            key={column}
            colSpan={spanOf(cell, edges)}
            className={/^[-+]?[\d.,\s]+\s?[€$£%]?$/.test(cell.text) && cell.text !== '' ? 'num' : undefined}
          >
            {source ? (
              <button
                type="button"
                tabIndex={-1}
                className="mark mark--cell"
                data-mark={source.pointer}
                data-on={shown === source.pointer || undefined}
                aria-label={`${nameOf(source.pointer)}: ${cell.text}`}
                onClick={() => onActive({ pointer: source.pointer, from: 'mark' })}
              >
                {cell.text}
              </button>
            ) : (
              cell.text
            )}
          </td>
        )
      })}
    </tr>
  )
})

/** In which row and column of a table each source stands, the first one where there are two. Pure. */
function sourcesByRow(table: Cell[][], sources: readonly FieldSource[]): ReadonlyMap<number, RowSources> {
  const tops = table.map((row) => row[0]?.y ?? 1)
  const byRow = new Map<number, Map<number, FieldSource>>()
  for (const source of sources) {
    const middle = source.box.y + source.box.height / 2
    // A merged cell is listed in the row where it begins.
    for (let row = lastAtMost(tops, middle); row >= 0; row -= 1) {
      const column = table[row]!.findIndex((cell) => covers(cell, source.box))
      if (column === -1) continue
      const found = byRow.get(row) ?? new Map<number, FieldSource>()
      if (!found.has(column)) found.set(column, source)
      byRow.set(row, found)
      break
    }
  }
  return byRow
}

/** The index of the last number of an ascending list that is not above a bound; -1 where all are. Pure. */
function lastAtMost(ascending: readonly number[], bound: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const half = (low + high) >> 1
    if (ascending[half]! <= bound) low = half + 1
    else high = half
  }
  return low - 1
}

/** True when the middle of `inner` lies in `outer`. */
function covers(outer: Box, inner: Box): boolean {
  const x = inner.x + inner.width / 2
  const y = inner.y + inner.height / 2
  return x >= outer.x && x <= outer.x + outer.width && y >= outer.y && y <= outer.y + outer.height
}

/** Where the columns of a table begin. Pure. */
function edgesOf(table: Box[][]): number[] {
  return [...new Set(table.flat().map((cell) => Math.round(cell.x * 1e5)))]
}

/** How many columns a cell reaches over. Pure. */
function spanOf(cell: Box, edges: readonly number[]): number {
  const [from, to] = [Math.round(cell.x * 1e5), Math.round((cell.x + cell.width) * 1e5)]
  return Math.max(1, edges.filter((edge) => edge >= from && edge < to - 2).length)
}

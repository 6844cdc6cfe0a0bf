import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ComponentType, KeyboardEvent, ReactNode, RefObject } from 'react'
import type { FieldSource } from '../../../shared/domain/result.ts'
import { IconButton } from '../../components/controls.tsx'
import { lazyPart } from '../../components/lazy-screen.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { ImagePages } from './image-pages.tsx'
import { Marks } from './marks.tsx'
import { sourcesByPage, sourcesByPointer, withAlternative } from './pointer.ts'
import type { Active } from './pointer.ts'
import { PointingLayer } from './pointing.tsx'
import type { Pointing } from './pointing.tsx'
import type { PagesProps } from './paper.tsx'
import { PreviewPages } from './preview-pages.tsx'
import { TablePicker } from './table-picker.tsx'
import type { TablePick } from './table-picker.tsx'
import { rotateBox, rotateClockwise } from './rotation.ts'
import type { Rotation } from './rotation.ts'
import type { FileKind } from '../../../shared/domain/document.ts'

/** pdf.js is large and not needed before the first PDF is opened. */
const PdfPages = lazyPart(async () => (await import('./pdf-pages.tsx')).PdfPages)

type Props = {
  documentId: number
  kind: FileKind | undefined
  sources: FieldSource[]
  active: Active
  onActive: (active: Active) => void
  pointing: Pointing | null
  /** Rows that are being taken out of a page. */
  pick: TablePick | null
  /** Begins that; null where there is no list for them. */
  onPick: (() => void) | null
}

const none: FieldSource[] = []
const zooms = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
const marginPx = 48
const smallestPage = 0.25
/** A mark nearer than this to the upper or lower edge, as a share of the view, shows too little around it. */
const calmEdge = 0.15
/** While a person goes quickly from value to value the document follows with no more than five of them a second. */
const throttleMs = 200
/** A wide sheet is scrolled rather than fitted with letters that nobody can read. */
const smallestSheet = 0.7

/** The document as it looks, with a mark for each value that was found in it. */
export function DocumentView({
  documentId,
  kind,
  sources: values,
  active: latest,
  onActive,
  pointing,
  pick,
  onPick,
}: Props): ReactNode {
  const { t } = useLanguage()
  const looked = useThrottled(latest)
  // A cell of a sheet is the mark of the first value in it.
  const isSheet = kind === 'xlsx'
  const { sources, active } = useMemo(() => withAlternative(values, looked, isSheet), [values, looked, isSheet])
  const scroller = useRef<HTMLDivElement>(null)
  const width = useElementWidth(scroller)
  const [rotation, setRotation] = useState<Rotation>(0)
  const byPage = useMemo(() => sourcesByPage(sources), [sources])
  const byPointer = useMemo(() => sourcesByPointer(sources), [sources])
  const [pages, onPages] = usePages()
  const [problem, setProblem] = useState<string | null>(null)
  const zoom = useZoom((width - marginPx) / pages.width, isSheet ? smallestSheet : smallestPage)
  const { scale } = zoom

  useEffect(() => showActive(scroller.current, active, byPointer, rotation), [active, pages.count, byPointer, rotation])

  const shared: PagesProps = useMemo(
    () => ({
      documentId,
      scale,
      scroller,
      onPages,
      onProblem: setProblem,
      marks: (number) => {
        const shown = active !== null && byPointer.get(active.pointer)?.page === number ? active.pointer : null
        const drawn = (
          <Marks sources={byPage.get(number) ?? none} shown={shown} rotation={rotation} onActive={onActive} />
        )
        if (pick !== null) return <TablePicker page={number} pick={pick} />
        return pointing === null ? (
          drawn
        ) : (
          <PointingLayer {...{ page: number, pointing, rotation }}>{drawn}</PointingLayer>
        )
      },
      rotation,
      sources,
      active,
      onActive,
      pointing,
    }),
    [documentId, scale, rotation, onPages, sources, byPage, byPointer, active, onActive, pointing, pick],
  )
  const isPreview = kind === 'docx' || isSheet
  const Pages: ComponentType<PagesProps> = kind === 'pdf' ? PdfPages : isPreview ? PreviewPages : ImagePages
  const drawn = useMemo(() => <Pages {...shared} />, [Pages, shared])
  return (
    <div className="document" onKeyDown={zoom.onKeyDown}>
      {problem === null ? (
        <>
          <ViewTools
            zoom={zoom}
            scroller={scroller}
            pageCount={pages.count}
            onRotate={isPreview ? null : () => setRotation(rotateClockwise)}
            onPick={isSheet || rotation !== 0 ? null : onPick}
          />
          <div ref={scroller} className="document__scroll" tabIndex={0} role="region" aria-label={t('document.label')}>
            <Suspense>{drawn}</Suspense>
          </div>
        </>
      ) : (
        <EmptyState
          icon="document"
          title={t('preview.unreadable')}
          text={t('preview.unreadableHint', { detail: problem })}
        />
      )}
    </div>
  )
}

/**
 * How many pages there are, and how wide the widest is. What sets it is stable: a document is opened again when it
 * changes.
 */
function usePages(): [{ count: number; width: number }, (count: number, width: number) => void] {
  const [pages, setPages] = useState({ count: 0, width: 794 })
  const onPages = useCallback(
    (count: number, width: number) =>
      setPages((before) => (before.count === count && before.width === width ? before : { count, width })),
    [],
  )
  return [pages, onPages]
}

type Zoom = {
  scale: number
  isFit: boolean
  smaller: () => void
  larger: () => void
  fit: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** How large pages are drawn; `fitting`: the scale at which the widest one fills the view. */
function useZoom(fitting: number, smallest: number): Zoom {
  const [zoom, setZoom] = useState<number | 'fit'>('fit')
  const scale = zoom === 'fit' ? Math.min(2, Math.max(smallest, fitting)) : zoom
  const smaller = (): void => setZoom(zooms.findLast((step) => step < scale - 0.01) ?? 0.25)
  const larger = (): void => setZoom(zooms.find((step) => step > scale + 0.01) ?? 4)
  const fit = (): void => setZoom('fit')
  const keys: Record<string, () => void> = { '+': larger, '=': larger, '-': smaller, '0': fit }
  function onKeyDown(event: KeyboardEvent): void {
    if ((!event.ctrlKey && !event.metaKey) || !Object.hasOwn(keys, event.key)) return
    keys[event.key]!()
    event.preventDefault()
  }
  return { scale, isFit: zoom === 'fit', smaller, larger, fit, onKeyDown }
}

/** Above the pages: their size, their rotation, and which one is in view. */
function ViewTools({
  zoom,
  scroller,
  pageCount,
  onRotate,
  onPick,
}: {
  zoom: Zoom
  scroller: RefObject<HTMLElement | null>
  pageCount: number
  onRotate: (() => void) | null
  onPick: (() => void) | null
}): ReactNode {
  const { t, formats } = useLanguage()
  const page = useCurrentPage(scroller, pageCount)
  return (
    <div className="document__bar" role="group" aria-label={t('document.tools')}>
      <IconButton
        icon="minus"
        label={t('document.smaller')}
        isDisabled={zoom.scale <= (zooms[0] ?? 0)}
        onPress={zoom.smaller}
      />
      <span className="document__zoom tabular">{formats.percent(zoom.scale)}</span>
      <IconButton
        icon="plus"
        label={t('document.larger')}
        isDisabled={zoom.scale >= (zooms.at(-1) ?? 4)}
        onPress={zoom.larger}
      />
      <IconButton icon="fit" label={t('document.fit')} isDisabled={zoom.isFit} onPress={zoom.fit} />
      {onRotate && <IconButton icon="rotate" label={t('document.rotate')} onPress={onRotate} />}
      {onPick && <IconButton icon="columns" label={t('rows.begin')} onPress={onPick} />}
      {pageCount > 0 && (
        <span className="document__page tabular">{t('document.page', { page, count: pageCount })}</span>
      )}
    </div>
  )
}

/** Brings the place of the value in hand into view. */
function showActive(
  view: HTMLElement | null,
  active: Active,
  byPointer: ReadonlyMap<string, FieldSource>,
  rotation: Rotation,
): void {
  if (active?.from !== 'value') return
  const mark = view?.querySelector<HTMLElement>(`[data-mark="${CSS.escape(active.pointer)}"]`)
  const source = byPointer.get(active.pointer)
  if (mark) showMark(view, mark)
  else if (source) scrollToPlace(view, source.page, rotateBox(source.box, rotation))
}

/**
 * The document stands still for as long as the mark is well in view, so that it does not move with each value of a
 * list.
 */
function showMark(view: HTMLElement | null, mark: HTMLElement): void {
  if (!view) return
  const [place, seen] = [mark.getBoundingClientRect(), view.getBoundingClientRect()]
  const edge = view.clientHeight * calmEdge
  const isWellInView =
    place.top >= seen.top + edge &&
    place.bottom <= seen.top + view.clientHeight - edge &&
    place.left >= seen.left &&
    place.right <= seen.left + view.clientWidth
  if (!isWellInView) mark.scrollIntoView({ block: 'center', inline: 'nearest' })
}

/** A page that is out of view has no marks yet: its place is where the mark will be. */
function scrollToPlace(view: HTMLElement | null, page: number, box: FieldSource['box']): void {
  const paper = view?.querySelector(`[data-page="${page}"]`)
  if (!view || !paper) return
  const [place, seen] = [paper.getBoundingClientRect(), view.getBoundingClientRect()]
  const [left, right] = [place.left + place.width * box.x, place.left + place.width * (box.x + box.width)]
  const seenRight = seen.left + view.clientWidth
  const beyond =
    left < seen.left ? left - seen.left : right > seenRight ? Math.min(right - seenRight, left - seen.left) : 0
  view.scrollBy({ top: place.top + place.height * box.y - seen.top - view.clientHeight / 2, left: beyond })
}

/**
 * The active value, throttled: the first one and a clicked mark count at once, quick successors a moment later, and the
 * last one always.
 */
function useThrottled(active: Active): Active {
  const [throttled, setThrottled] = useState(active)
  const changedAt = useRef(-Infinity)
  useEffect(() => {
    if (active === throttled) return
    const timer = setTimeout(
      () => {
        changedAt.current = performance.now()
        setThrottled(active)
      },
      changedAt.current + throttleMs - performance.now(),
    )
    return () => clearTimeout(timer)
  }, [active, throttled])
  return active?.from === 'mark' ? active : throttled
}

function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(600)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** The page that fills most of the view. */
function useCurrentPage(scroller: RefObject<HTMLElement | null>, count: number): number {
  const [page, setPage] = useState(1)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = (): void => {
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2
      const above = [...element.querySelectorAll<HTMLElement>('[data-page]')].filter(
        (paper) => paper.getBoundingClientRect().top <= middle,
      )
      setPage(Number(above.at(-1)?.dataset.page ?? 1))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroller, count])
  return page
}

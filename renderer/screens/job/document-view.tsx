import { Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, ComponentType, KeyboardEvent, ReactNode, RefObject } from 'react'
import type { FieldSource } from '../../../shared/result.ts'
import { IconButton } from '../../components/controls.tsx'
import { EmptyState } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { ImagePages } from './image-pages.tsx'
import { Marks } from './marks.tsx'
import { sourcesByPage, sourcesByPointer } from './pointer.ts'
import type { Active } from './pointer.ts'
import { PreviewPages } from './preview-pages.tsx'
import { turnedBox, turnedOn } from './turn.ts'
import type { Turn } from './turn.ts'

/** pdf.js is large and not needed before the first PDF is opened. */
const PdfPages = lazy(async () => ({ default: (await import('./pdf-pages.tsx')).PdfPages }))

type Props = { jobId: number; extension: string; sources: FieldSource[]; active: Active; onActive: (active: Active) => void }

/** The size of a page in CSS pixels at 100 %. */
export type PageSize = { width: number; height: number }

/** What every kind of document gets to draw its pages with. */
export type PagesProps = {
  jobId: number
  /** Pixels for each pixel at 100 %. */
  scale: number
  scroller: RefObject<HTMLDivElement | null>
  /** How many pages there are and how wide the widest is, once that is known. */
  onPages: (count: number, width: number) => void
  onProblem: (detail: string) => void
  /** The marks of one page, to be put over its drawing. */
  marks: (page: number) => ReactNode
  turn: Turn
  sources: FieldSource[]
  active: Active
  onActive: (active: Active) => void
}

const none: FieldSource[] = []
const zooms = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
const marginPx = 48
const smallestPage = 0.25
/** A mark this near to the upper or lower edge, as a share of the view, has too little of the document around it. */
const calmEdge = 0.15
/** While a person goes quickly from value to value the document follows with no more than five of them a second. */
const followMs = 200
/** A wide sheet is scrolled rather than fitted with letters that nobody can read. */
const smallestSheet = 0.7

/** The document as it looks, with a mark for each value that was found in it. */
export function DocumentView({ jobId, extension, sources, active: inHand, onActive }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const active = useFollowed(inHand)
  const scroller = useRef<HTMLDivElement>(null)
  const width = useElementWidth(scroller)
  const [zoom, setZoom] = useState<number | 'fit'>('fit')
  const [turn, setTurn] = useState<Turn>(0)
  const byPage = useMemo(() => sourcesByPage(sources), [sources])
  const byPointer = useMemo(() => sourcesByPointer(sources), [sources])
  const [pages, setPages] = useState({ count: 0, width: 794 })
  const [problem, setProblem] = useState<string | null>(null)
  const page = useCurrentPage(scroller, pages.count)
  const fit = Math.min(2, Math.max(extension === 'xlsx' ? smallestSheet : smallestPage, (width - marginPx) / pages.width))
  const scale = zoom === 'fit' ? fit : zoom

  useEffect(() => {
    if (active?.from !== 'value') return
    const mark = scroller.current?.querySelector<HTMLElement>(`[data-mark="${CSS.escape(active.pointer)}"]`)
    const source = byPointer.get(active.pointer)
    if (mark) showMark(scroller.current, mark)
    else if (source) scrollToPlace(scroller.current, source.page, turnedBox(source.box, turn))
  }, [active, pages.count, byPointer, turn])

  // Stable, since a document is opened again when it changes.
  const onPages = useCallback((count: number, widest: number) => setPages((before) => (before.count === count && before.width === widest ? before : { count, width: widest })), [])
  const shared: PagesProps = useMemo(
    () => ({
      jobId,
      scale,
      scroller,
      onPages,
      onProblem: setProblem,
      marks: (number) => {
        const shown = active !== null && byPointer.get(active.pointer)?.page === number ? active.pointer : null
        return <Marks sources={byPage.get(number) ?? none} shown={shown} turn={turn} onActive={onActive} />
      },
      turn,
      sources,
      active,
      onActive,
    }),
    [jobId, scale, turn, onPages, sources, byPage, byPointer, active, onActive],
  )
  const smaller = (): void => setZoom(zooms.findLast((step) => step < scale - 0.01) ?? 0.25)
  const larger = (): void => setZoom(zooms.find((step) => step > scale + 0.01) ?? 4)
  function onKeyDown(event: KeyboardEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    if (event.key === '+' || event.key === '=') larger()
    else if (event.key === '-') smaller()
    else if (event.key === '0') setZoom('fit')
    else return
    event.preventDefault()
  }
  const canTurn = extension !== 'docx' && extension !== 'xlsx'
  const Pages: ComponentType<PagesProps> = extension === 'pdf' ? PdfPages : extension === 'docx' || extension === 'xlsx' ? PreviewPages : ImagePages
  const drawn = useMemo(() => <Pages {...shared} />, [Pages, shared])
  return (
    <div className="document" onKeyDown={onKeyDown}>
      {problem === null ? (
        <>
          <div className="document__bar" role="group" aria-label={t('document.tools')}>
            <IconButton icon="minus" label={t('document.smaller')} isDisabled={scale <= (zooms[0] ?? 0)} onPress={smaller} />
            <span className="document__zoom tabular">{formats.percent(scale)}</span>
            <IconButton icon="plus" label={t('document.larger')} isDisabled={scale >= (zooms.at(-1) ?? 4)} onPress={larger} />
            <IconButton icon="fit" label={t('document.fit')} isDisabled={zoom === 'fit'} onPress={() => setZoom('fit')} />
            {canTurn && <IconButton icon="rotate" label={t('document.rotate')} onPress={() => setTurn(turnedOn)} />}
            {pages.count > 0 && <span className="document__page tabular">{t('document.page', { page, count: pages.count })}</span>}
          </div>
          <div ref={scroller} className="document__scroll" tabIndex={0} role="region" aria-label={t('document.label')}>
            <Suspense>{drawn}</Suspense>
          </div>
        </>
      ) : (
        <EmptyState icon="document" title={t('document.unreadable')} text={t('document.unreadableHint', { detail: problem })} />
      )}
    </div>
  )
}

/** The sheet of paper that a page is drawn on. */
export function Paper({ number, size, scale, children, className = '' }: { number: number; size: PageSize; scale: number; children: ReactNode; className?: string }): ReactNode {
  const { t } = useLanguage()
  const style: CSSProperties = { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
  return (
    <div className={`paper ${className}`} style={style} data-page={number} role="group" aria-label={t('document.pageLabel', { page: number })}>
      {children}
    </div>
  )
}

/** The document stands still for as long as the mark is well in view, so that it does not move with each value of a list. */
function showMark(view: HTMLElement | null, mark: HTMLElement): void {
  if (!view) return
  const [place, seen] = [mark.getBoundingClientRect(), view.getBoundingClientRect()]
  const edge = view.clientHeight * calmEdge
  const isWellInView = place.top >= seen.top + edge && place.bottom <= seen.top + view.clientHeight - edge && place.left >= seen.left && place.right <= seen.left + view.clientWidth
  if (!isWellInView) mark.scrollIntoView({ block: 'center', inline: 'nearest' })
}

/** A page that is out of view has no marks yet: its place is where the mark will be. */
function scrollToPlace(view: HTMLElement | null, page: number, box: FieldSource['box']): void {
  const paper = view?.querySelector(`[data-page="${page}"]`)
  if (!view || !paper) return
  const [place, seen] = [paper.getBoundingClientRect(), view.getBoundingClientRect()]
  const [left, right] = [place.left + place.width * box.x, place.left + place.width * (box.x + box.width)]
  const seenRight = seen.left + view.clientWidth
  const beyond = left < seen.left ? left - seen.left : right > seenRight ? Math.min(right - seenRight, left - seen.left) : 0
  view.scrollBy({ top: place.top + place.height * box.y - seen.top - view.clientHeight / 2, left: beyond })
}

/** The value in hand: a new one, and a mark that was clicked, at once; one that comes soon after another a moment later, and the last one always. */
function useFollowed(inHand: Active): Active {
  const [followed, setFollowed] = useState(inHand)
  const since = useRef(-Infinity)
  useEffect(() => {
    if (inHand === followed) return
    const timer = setTimeout(() => {
      since.current = performance.now()
      setFollowed(inHand)
    }, since.current + followMs - performance.now())
    return () => clearTimeout(timer)
  }, [inHand, followed])
  return inHand?.from === 'mark' ? inHand : followed
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
      const above = [...element.querySelectorAll<HTMLElement>('[data-page]')].filter((paper) => paper.getBoundingClientRect().top <= middle)
      setPage(Number(above.at(-1)?.dataset.page ?? 1))
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroller, count])
  return page
}

import { memo, useEffect, useRef } from 'react'
import type { MouseEvent, ReactNode, RefObject } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { Icon } from '../../components/icon.tsx'
import { pagesText } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'
import { useNear, usePdfPage } from '../review/near-pages.ts'
import type { Part } from './parts.ts'
import { SchemaOfPart } from './schema-of-part.tsx'
import type { OpenedPdf } from './use-pdf.ts'

/** What is this near to the view is drawn, and has a list of schemas. Hundreds of each would take seconds. */
const nearPx = 800
/** Height by width of a page that was not read yet: A4. */
const usualRatio = Math.SQRT2

type ThumbProps = { number: number; opened: OpenedPdf | null; thumbPx: number; isNear: boolean }
type TileProps = Omit<ThumbProps, 'isNear'> & {
  scroller: RefObject<HTMLDivElement | null>
  /** The part that begins with this page; null within one. */
  part: Part | null
  /** Of its part, counted from 0. */
  index: number
  isLast: boolean
  /** Whether this page, and whether its part, is in hand. */
  isCurrent: boolean
  isInHand: boolean
  /** The element that names its part. */
  nameId: string
  schemas: SortedFile['schemas']
  toggle: (page: number) => void
  choose: (page: number, schemaId: number) => void
  focusPage: (page: number) => void
  /** Takes the page in hand without the focus. */
  goTo: (page: number) => void
}

/** A page with its place in the band of its part: what begins there is named above it. */
export const PageTile = memo(function PageTile({
  number,
  part,
  index,
  isLast,
  isCurrent,
  isInHand,
  nameId,
  schemas,
  toggle,
  choose,
  focusPage,
  goTo,
  scroller,
  opened,
  thumbPx,
}: TileProps): ReactNode {
  const { t } = useLanguage()
  const tile = useRef<HTMLDivElement>(null)
  const isNear = useNear(tile, scroller, nearPx)
  /** A pointer is there to look at the page; a key, or what assists a person, presses the button without one. */
  function onClick({ detail }: MouseEvent): void {
    if (detail === 0) toggle(number)
    else focusPage(number)
  }
  return (
    <div
      ref={tile}
      className="sort-tile"
      data-first={part !== null || undefined}
      data-last={isLast || undefined}
      data-in-hand={isInHand || undefined}
    >
      {part !== null && (
        <div
          className="sort-tile__part"
          role="group"
          aria-labelledby={nameId}
          data-unsure={part.schemaId === null || undefined}
          onFocus={() => !isInHand && goTo(number)}
        >
          <span id={nameId} className="sort-tile__name tabular ellipsis">
            <span className="visually-hidden">{t('sort.part')}</span> <b>{index + 1}</b> · {pagesText(part.pages, t)}
          </span>
          {isNear ? (
            <SchemaOfPart
              page={number}
              schemaId={part.schemaId}
              likely={part.likely}
              schemas={schemas}
              choose={choose}
            />
          ) : (
            <span className="sort-tile__schema ellipsis">
              {schemas.find(({ id }) => id === part.schemaId)?.name ?? t('sort.unsure')}
            </span>
          )}
        </div>
      )}
      {number > 1 && <Gap number={number} isCut={part !== null} toggle={toggle} focusPage={focusPage} />}
      <button
        type="button"
        className="sort-page"
        data-page={number}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={t('sort.pageBegins', { page: number })}
        aria-pressed={part !== null}
        aria-disabled={number === 1 || undefined}
        aria-describedby={nameId}
        onClick={onClick}
        onFocus={() => !isCurrent && goTo(number)}
      >
        <PageThumb number={number} opened={opened} thumbPx={thumbPx} isNear={isNear} />
        <span className="sort-page__number tabular">{number}</span>
      </button>
    </div>
  )
})

/** Between two pages, for the pointer: cuts there, or joins. With keys the page behind it does the same. */
function Gap({
  number,
  isCut,
  toggle,
  focusPage,
}: Pick<TileProps, 'number' | 'toggle' | 'focusPage'> & { isCut: boolean }): ReactNode {
  const { t } = useLanguage()
  return (
    <button
      type="button"
      className="sort-gap"
      tabIndex={-1}
      aria-hidden="true"
      data-cut={isCut || undefined}
      title={t(isCut ? 'sort.joinHere' : 'sort.cutHere')}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        toggle(number)
        focusPage(number)
      }}
    >
      <span className="sort-gap__mark">
        <Icon name="cut" size={14} />
      </span>
    </button>
  )
}

/** One page, small. */
const PageThumb = memo(function PageThumb({ number, opened, thumbPx, isNear }: ThumbProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const page = usePdfPage(opened?.pdf ?? null, number, isNear)
  const size = opened && page ? opened.sizeOf(page) : { width: 1, height: usualRatio }
  const scale = Math.min(thumbPx / size.width, (thumbPx * usualRatio) / size.height)
  useEffect(() => {
    if (!isNear || !page || !opened || !canvas.current) return
    return opened.drawPage(page, opened.viewportOf(page, scale, 0), canvas.current)
  }, [isNear, page, opened, scale])
  return (
    <span className="sort-page__place">
      <span className="sort-page__paper" style={{ width: size.width * scale, height: size.height * scale }}>
        {isNear && <canvas ref={canvas} aria-hidden="true" />}
      </span>
    </span>
  )
})

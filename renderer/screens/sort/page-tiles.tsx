import { useCallback, useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { IconButton } from '../../components/controls.tsx'
import { isDialogOpen } from '../../components/dialog.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { PageTile } from './page-tile.tsx'
import { SchemaDigits } from './schema-of-part.tsx'
import { useThumbSize } from './thumb-size.ts'
import type { ThumbSize } from './thumb-size.ts'
import { usePdf } from './use-pdf.ts'
import type { Sorting } from './use-sorting.ts'

/**
 * The pages of a file in reading order. What is one document is held together by a band behind its pages, so that a
 * cut moves no page and draws none again.
 */
export function PageTiles({ file, sorting, head }: { file: SortedFile; sorting: Sorting; head: ReactNode }): ReactNode {
  const { t } = useLanguage()
  const { parts, page, current } = sorting
  const { opened, problem } = usePdf(file.id)
  const scroller = useRef<HTMLDivElement>(null)
  const size = useThumbSize(file.pageCount, scroller)
  const names = useId()
  const { toggle, choose, focusPage } = useSteady(sorting, scroller)
  // Whoever opens a file goes on in it.
  useEffect(() => {
    if (!isDialogOpen()) tileOf(scroller.current, page)?.focus()
  }, [])
  // The page in hand is another one when its part begins later.
  useEffect(() => {
    if (document.activeElement?.matches('.sort-page')) tileOf(scroller.current, page)?.focus()
  }, [page])

  function onKeyDown(event: KeyboardEvent): void {
    const isOnPage = event.target instanceof Element && event.target.matches('.sort-page')
    if (!isOnPage || event.ctrlKey || event.metaKey || event.shiftKey) return
    const by = { ArrowLeft: -1, ArrowRight: 1 } as const
    const move = moves[event.key]
    if (event.altKey && Object.hasOwn(by, event.key)) sorting.move(by[event.key as keyof typeof by])
    else if (!event.altKey && move !== undefined) {
      const to = move(page, columnsOf(scroller.current), file.pageCount)
      if (to >= 1 && to <= file.pageCount) focusPage(to)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <header className="sort-file__head">
        {head}
        <SchemaDigits schemas={file.schemas} />
        <SizeTools size={size} />
      </header>
      {problem !== null && (
        <div className="sort-file__problem">
          <Callout kind="flag">{t('preview.unreadableHint', { detail: problem })}</Callout>
        </div>
      )}
      <div
        ref={scroller}
        className="sort-pages"
        role="group"
        aria-label={t('sort.pages', { name: file.name })}
        style={{ '--thumb': `${size.px}px` } as CSSProperties}
        onKeyDown={onKeyDown}
      >
        {parts.flatMap((part, index) =>
          Array.from({ length: part.pages.last - part.pages.first + 1 }, (_, at) => part.pages.first + at).map(
            (number) => (
              <PageTile
                key={number}
                number={number}
                part={number === part.pages.first ? part : null}
                index={index}
                isLast={number === part.pages.last}
                isCurrent={number === page}
                isInHand={index === current}
                nameId={`${names}${index}`}
                schemas={file.schemas}
                opened={opened}
                scroller={scroller}
                thumbPx={size.px}
                toggle={toggle}
                choose={choose}
                focusPage={focusPage}
                goTo={sorting.goTo}
              />
            ),
          ),
        )}
      </div>
    </>
  )
}

type Scroller = { readonly current: HTMLDivElement | null }

/** What pages do, by functions that stay the same: hundreds of them are not drawn again for each key. */
function useSteady(
  sorting: Sorting,
  scroller: Scroller,
): Pick<Sorting, 'toggle' | 'choose'> & { focusPage: (page: number) => void } {
  const latest = useRef(sorting)
  useLayoutEffect(() => {
    latest.current = sorting
  })
  return {
    toggle: useCallback((page) => latest.current.toggle(page), []),
    choose: useCallback((page, schemaId) => latest.current.choose(page, schemaId), []),
    focusPage: useCallback(
      (page) => {
        latest.current.goTo(page)
        tileOf(scroller.current, page)?.focus()
      },
      [scroller],
    ),
  }
}

function tileOf(pages: HTMLElement | null, page: number): HTMLElement | null {
  return pages?.querySelector<HTMLElement>(`.sort-page[data-page="${page}"]`) ?? null
}

/** How many pages stand side by side. */
function columnsOf(pages: HTMLElement | null): number {
  return pages === null ? 1 : getComputedStyle(pages).gridTemplateColumns.split(' ').length
}

/** The keys that lead to another page, which may be none of the file. */
const moves: Record<string, (page: number, columns: number, count: number) => number> = {
  ArrowLeft: (page) => page - 1,
  ArrowRight: (page) => page + 1,
  ArrowUp: (page, columns) => page - columns,
  ArrowDown: (page, columns) => page + columns,
  Home: () => 1,
  End: (_page, _columns, count) => count,
}

function SizeTools({ size }: { size: ThumbSize }): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="sort-file__tools" role="group" aria-label={t('document.tools')}>
      <IconButton icon="minus" label={t('document.smaller')} isDisabled={size.isSmallest} onPress={size.smaller} />
      <IconButton icon="plus" label={t('document.larger')} isDisabled={size.isLargest} onPress={size.larger} />
    </div>
  )
}

import { useCallback, useEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { isPopupOpen } from '../../components/dialog.tsx'
import { Callout } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'
import { Attempts } from './attempts.tsx'
import { DocumentReason } from './document-reason.tsx'
import type { Active, Sources } from './pointer.ts'
import { ApproveBar } from './approve-bar.tsx'
import { GridsContext } from '../../grid/grid-context.ts'
import type { GridHandle, Grids } from '../../grid/grid-context.ts'
import { RecordValues } from './record-values.tsx'
import { commitTyped } from './commit-typed.ts'
import type { Review } from './use-review.ts'
import { useWorkMeter } from './work-meter.ts'

type Props = {
  document: DocumentDetail
  review: Review
  /** All of the document, whose time in hand is measured. */
  screen: RefObject<HTMLElement | null>
  grids: Grids
  sources: Sources
  active: Active
  onActive: (active: Active) => void
  /** Called once it is approved; null where there is no other document to go to. */
  onApproved: (() => void) | null
  /** Whether the first flag takes the focus when the document is opened. */
  startsAtFlag: boolean
}

/** What was read, or why nothing was. Up and down go from value to value, F8 from flag to flag. */
export function ValuesPanel(props: Props): ReactNode {
  const { document, review, screen, grids, sources, active, onActive, onApproved, startsAtFlag } = props
  const { t } = useLanguage()
  const panel = useRef<HTMLElement>(null)
  const approveButton = useRef<HTMLButtonElement>(null)
  const scroll = useFocusInView()
  useEffect(() => {
    if (active?.from !== 'mark') return
    if ([...grids.all.values()].some((grid) => grid.focusCell(active.pointer))) return
    const value = valueElements(panel.current).find((element) => element.dataset.pointer === active.pointer)
    if (value) focusInView(value)
  }, [active, grids])
  const work = useWorkMeter(screen)
  const goToFlag = useFlags(panel, approveButton, review, grids)
  useEffect(() => {
    if (startsAtFlag) goToFlag(null)
    // Only when the document is opened: later flags come and go under a person's hands.
  }, [startsAtFlag])
  const approve = async (): Promise<void> => {
    if (commitTyped(panel.current) && (await review.approve(work()))) onApproved?.()
  }
  const canApprove = review.editable && document.check.state !== 'approved'
  const onKeyDown = usePanelKeys(panel, grids, goToFlag, canApprove ? approve : null)
  return (
    <GridsContext value={grids}>
      <section ref={panel} className="values" aria-label={t('document.values')} onKeyDown={onKeyDown}>
        <div ref={scroll} className="values__scroll">
          <DocumentReason document={document} />
          {document.records.map((record, index) => (
            <div key={index} className="record">
              {document.records.length > 1 && <h2>{t('document.record', { number: index + 1 })}</h2>}
              <RecordValues
                record={record}
                elements={document.schemaElements}
                pointer={`/${index}`}
                sources={sources}
                active={active}
                onActive={onActive}
                review={review}
                onNextFlag={goToFlag}
              />
            </div>
          ))}
          {document.status === 'done' && document.records.length === 0 && (
            <Callout kind="info">{t('document.noRecords')}</Callout>
          )}
          {document.attempts.length > 0 && <Attempts document={document} />}
        </div>
        {review.editable && (
          <ApproveBar document={document} review={review} button={approveButton} onApprove={() => void approve()} />
        )}
      </section>
    </GridsContext>
  )
}

/** False: the focus has not gone anywhere yet. */
type GoToFlag = (from: Element | null, step?: -1 | 1) => boolean

/** Leads round to the next value with an open flag; to the button that ends the review once there is none. */
function useFlags(
  panel: RefObject<HTMLElement | null>,
  approveButton: RefObject<HTMLButtonElement | null>,
  review: Review,
  grids: Grids,
): GoToFlag {
  return useCallback(
    function goToFlag(from: Element | null, step: -1 | 1 = 1): boolean {
      const own = from?.closest('[data-grid]') ?? from
      const flagged = review.openFlags().map(({ pointer }) => pointer)
      if (gridOf(own, grids)?.focusFlag(step, true, flagged)) return true
      const values = valueElements(panel.current)
      if (step === -1) values.reverse()
      const at = values.indexOf(own as HTMLElement)
      const others = [...values.slice(at + 1), ...values.slice(0, at + 1)]
      if (others.some((value) => focusFlagged(value, step, flagged, grids))) return true
      if (review.isStored()) {
        if (step === -1 || approveButton.current === null) return false
        approveButton.current.focus()
        return true
      }
      // What was just done may have settled its flag, left it, or raised another: core says which.
      void review.stored().then(() => {
        if (own?.contains(window.document.activeElement)) goToFlag(own, step)
      })
      return false
    },
    [review, grids],
  )
}

/** False: neither the value, nor a cell of it where it is a grid, has one of the flags. */
function focusFlagged(value: HTMLElement, step: -1 | 1, flagged: readonly string[], grids: Grids): boolean {
  const grid = gridOf(value, grids)
  if (grid) return grid.focusFlag(step, false, flagged)
  if (!flagged.includes(value.dataset.pointer ?? '')) return false
  focusInView(value)
  return true
}

/** The keys of the panel: those that count wherever a person is, and the arrows from value to value. */
function usePanelKeys(
  panel: RefObject<HTMLElement | null>,
  grids: Grids,
  goToFlag: GoToFlag,
  approve: (() => Promise<void>) | null,
): (event: KeyboardEvent) => void {
  useWindowKeys((event) => {
    if (isPopupOpen()) return
    if (event.key === 'F8') {
      const from = focusedValue()
      if (commitTyped(panel.current) && !goToFlag(from, event.shiftKey ? -1 : 1)) focusValue(from, grids)
      event.preventDefault()
    }
  })
  // Before the focused button is pressed by it: what adds a row would change what is approved.
  useWindowKeys((event) => {
    if (isPopupOpen() || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !approve) return
    event.preventDefault()
    event.stopPropagation()
    void approve()
  }, true)
  return (event) => {
    if (event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || staysInside(event)) return
    const values = valueElements(panel.current)
    const at = values.indexOf(focusedValue() as HTMLElement)
    if (at === -1) return
    event.preventDefault()
    focusValue(values[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? null, grids)
  }
}

/** The value with the focus; a grid is one. */
function focusedValue(): Element | null {
  const focused = window.document.activeElement
  return focused?.closest('[data-grid]') ?? focused
}

function focusValue(value: Element | null, grids: Grids): void {
  const grid = gridOf(value, grids)
  if (grid) grid.focus()
  else if (value instanceof HTMLElement) value.focus()
}

/**
 * For what scrolls: the focused value stays in view when the room for it becomes smaller, as by the bars around it or a
 * zoom.
 */
function useFocusInView(): RefObject<HTMLDivElement | null> {
  const scroll = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (scroll.current === null) return
    const observer = new ResizeObserver(() => {
      if (scroll.current?.contains(window.document.activeElement))
        window.document.activeElement?.scrollIntoView({ block: 'nearest' })
    })
    observer.observe(scroll.current)
    return () => observer.disconnect()
  }, [])
  return scroll
}

/** An arrow within a text of several lines moves the caret first. */
function staysInside({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLSelectElement) return true
  if (!(target instanceof HTMLTextAreaElement)) return false
  const { selectionStart, selectionEnd, value } = target
  if (selectionStart === 0 && selectionEnd === value.length) return false
  return key === 'ArrowUp' ? selectionStart > 0 : selectionEnd < value.length
}

function focusInView(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  // First what stands below the value, and then the value, which matters more where there is no room for both.
  element.closest('.field')?.scrollIntoView({ block: 'nearest' })
  element.scrollIntoView({ block: 'nearest' })
}

/** All values in their order; a grid is one of them. Its cells are its own business, and may not be drawn yet. */
function valueElements(panel: HTMLElement | null): HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>('[data-pointer]:not([role="gridcell"]), [data-grid]') ?? [])]
}

function gridOf(element: Element | null, grids: Grids): GridHandle | null {
  return grids.all.get(element?.closest<HTMLElement>('[data-grid]')?.dataset.grid ?? '') ?? null
}

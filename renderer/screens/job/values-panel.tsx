import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { JobDetail } from '../../../shared/contract-jobs.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useAgain } from '../jobs/again.ts'
import { ConfirmResend } from '../jobs/job-actions.tsx'
import { actionsFor, selectOnly } from '../jobs/selection.ts'
import { Attempts, isAnswered } from './attempts.tsx'
import type { Active, Sources } from './pointer.ts'
import { ApproveBar } from './approve-bar.tsx'
import { GridsContext } from './grids.ts'
import type { GridHandle, Grids } from './grids.ts'
import { RecordValues } from './record-values.tsx'
import { storeTyped } from './typed.ts'
import type { Check } from './use-check.ts'

type Props = {
  job: JobDetail
  check: Check
  sources: Sources
  active: Active
  onActive: (active: Active) => void
  /** Called once it is approved; null where there is no other document to go to. */
  onApproved: (() => void) | null
  /** Whether the first flag takes the focus when the document is opened. */
  startsAtFlag: boolean
}

/** What was read, or why nothing was. Up and down go from value to value, F8 from flag to flag. */
export function ValuesPanel({ job, check, sources, active, onActive, onApproved, startsAtFlag }: Props): ReactNode {
  const { t } = useLanguage()
  const panel = useRef<HTMLElement>(null)
  const approveButton = useRef<HTMLButtonElement>(null)
  const scroll = useFocusInView()
  const grids = useMemo((): Grids => ({ schemaId: job.schemaId, all: new Map() }), [job.schemaId])
  useEffect(() => {
    if (active?.from !== 'mark') return
    if ([...grids.all.values()].some((grid) => grid.reveal(active.pointer))) return
    const value = valueElements(panel.current).find((element) => element.dataset.pointer === active.pointer)
    value?.focus({ preventScroll: true })
    value?.scrollIntoView({ block: 'nearest' })
  }, [active, grids])
  useEffect(() => {
    if (startsAtFlag) nextFlag(null)
    // Only when the document is opened: later flags come and go under a person's hands.
  }, [startsAtFlag])

  const canApprove = check.editable && job.check.state !== 'approved'
  /** Round to the next value with an open flag; to the button that ends the check once there is none. */
  const nextFlag = useCallback((from: Element | null, step: -1 | 1 = 1): boolean => {
    const own = from?.closest('[data-grid]') ?? from
    const flags = check.openFlags()
    if (gridOf(own, grids)?.toFlag(step, true, flags)) return true
    const values = valueElements(panel.current)
    if (step === -1) values.reverse()
    const at = values.indexOf(own as HTMLElement)
    for (const value of [...values.slice(at + 1), ...values.slice(0, at + 1)]) {
      const grid = gridOf(value, grids)
      if (grid?.toFlag(step, false, flags)) return true
      if (grid || !flags.some(({ pointer }) => pointer === value.dataset.pointer)) continue
      goTo(value)
      return true
    }
    if (check.isStored()) {
      if (step === -1 || approveButton.current === null) return false
      approveButton.current.focus()
      return true
    }
    // What was just done may have settled its flag, left it, or raised another: core says which.
    void check.stored().then(() => {
      if (own?.contains(document.activeElement)) nextFlag(own, step)
    })
    return false
  }, [check, grids])
  const approve = async (): Promise<void> => {
    if (storeTyped(panel.current) && (await check.approve())) onApproved?.()
  }

  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="listbox"]')) return
      if (event.key === 'F8') {
        const from = document.activeElement?.closest('[data-grid]') ?? document.activeElement
        if (storeTyped(panel.current) && !nextFlag(from, event.shiftKey ? -1 : 1)) enter(from)
      } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canApprove) void approve()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  })

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || staysInside(event)) return
    const values = valueElements(panel.current)
    const at = values.indexOf((document.activeElement?.closest('[data-grid]') ?? document.activeElement) as HTMLElement)
    if (at === -1) return
    event.preventDefault()
    enter(values[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? null)
  }
  function enter(value: Element | null): void {
    const grid = gridOf(value, grids)
    if (grid) grid.enter()
    else if (value instanceof HTMLElement) value.focus()
  }
  return (
    <GridsContext value={grids}>
    <section ref={panel} className="values" aria-label={t('job.values')} onKeyDown={onKeyDown}>
      <div ref={scroll} className="values__scroll">
        <Reason job={job} />
        {job.records.map((record, index) => (
          <div key={index} className="record">
            {job.records.length > 1 && <h2>{t('job.record', { number: index + 1 })}</h2>}
            <RecordValues record={record} elements={job.schemaElements} pointer={`/${index}`} sources={sources} active={active} onActive={onActive} check={check} onNextFlag={nextFlag} />
          </div>
        ))}
        {job.status === 'done' && job.records.length === 0 && <Callout kind="info">{t('job.noRecords')}</Callout>}
        {job.attempts.length > 0 && <Attempts job={job} />}
      </div>
      {check.editable && <ApproveBar job={job} check={check} button={approveButton} onApprove={() => void approve()} />}
    </section>
    </GridsContext>
  )
}

/** For what scrolls: the value in hand stays in view when the room for it becomes smaller, as by the bars around it or a zoom. */
function useFocusInView(): RefObject<HTMLDivElement | null> {
  const scroll = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (scroll.current === null) return
    const observer = new ResizeObserver(() => {
      if (scroll.current?.contains(document.activeElement)) document.activeElement?.scrollIntoView({ block: 'nearest' })
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

function goTo(element: HTMLElement): void {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest' })
}

/** All values in their order; a grid is one of them. Its cells are its own business, and may not be drawn yet. */
function valueElements(panel: HTMLElement | null): HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>('[data-pointer]:not([role="gridcell"]), [data-grid]') ?? [])]
}

function gridOf(element: Element | null, grids: Grids): GridHandle | null {
  return grids.all.get(element?.closest<HTMLElement>('[data-grid]')?.dataset.grid ?? '') ?? null
}

function Reason({ job }: { job: JobDetail }): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const again = useAgain()
  const cancel = useAction('jobs.cancel')
  const isPaused = useCall('app.state', {}).data?.paused === true
  const [asking, setAsking] = useState(false)
  const possible = actionsFor(selectOnly(job, 0), () => undefined)
  // What lies in its place is a document of its own: this version is not sent any more.
  const actions = job.newerJobId === null ? possible : { ...possible, retry: [], resend: [] }
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const overdue = job.reason?.code === 'callback_overdue'
  const underOtherNumber = job.reason?.code === 'callback_other_number'
  const kind = job.newerJobId !== null ? 'info' : job.status === 'failed' ? 'bad' : job.status === 'unknown' || overdue || underOtherNumber ? 'flag' : 'info'
  const text = job.reason ? sentence(job.reason) : waitingText()
  if (text === null && actions.retry.length === 0) return null

  function waitingText(): string | null {
    if (job.status === 'queued') return t(isPaused ? 'job.queuedPaused' : 'job.queuedText')
    if (job.status === 'submitting') return t('job.submittingText')
    if (job.status === 'waiting') return t('job.waitingText')
    return job.status === 'cancelled' ? t('job.cancelledText') : null
  }
  return (
    <div className="reason">
      {text !== null && <Callout kind={kind}>{text}</Callout>}
      {job.newerJobId !== null && (
        <Callout kind="good">
          {t('job.newer')} <a href={hrefOf({ screen: 'job', id: job.newerJobId })}>{t('job.newerLink')}</a>
        </Callout>
      )}
      <div className="form__row">
        {actions.retry.length > 0 && (
          <Button icon="refresh" onPress={() => again.retry([job.id])}>
            {t('job.retry')}
          </Button>
        )}
        {actions.resend.length > 0 && (
          <Button variant="primary" icon="question" onPress={() => setAsking(true)}>
            {t('job.resend')}
          </Button>
        )}
        {(((job.status === 'failed' || job.reason?.code === 'file_replaced') && isAnswered(job)) || underOtherNumber || job.reason?.code === 'callback_missing') && (
          <Button icon="document" onPress={() => again.readAgain([job.id])}>
            {t('readAgain.one')}
          </Button>
        )}
        {actions.cancel.length > 0 && (
          <Button icon="stop" onPress={() => cancel.mutate({ ids: [job.id] }, { onError })}>
            {t('job.cancel')}
          </Button>
        )}
      </div>
      {asking && <ConfirmResend count={1} onConfirm={() => again.resend([job.id])} onClose={() => setAsking(false)} />}
    </div>
  )
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useAction } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { useApprove } from '../../components/approve.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { draftExport } from '../exports/draft.ts'
import { useAgain } from './again.ts'
import { useBin } from './bin.ts'
import { ExtractWithDialog } from './extract-with.tsx'
import type { JobPages } from './pages.ts'
import { actionsFor } from './selection.ts'
import type { Selection } from './selection.ts'
import { jobsView, useJobsView } from './view.ts'

type Props = { selection: Selection; pages: JobPages; onDone: () => void }

/** What can be done with the selected documents. */
export function JobActions({ selection, pages, onDone }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const again = useAgain()
  const bin = useBin()
  const { tab } = useJobsView()
  const cancel = useAction('jobs.cancel')
  const approve = useApprove()
  const [asking, setAsking] = useState<number[] | null>(null)
  const [extracting, setExtracting] = useState<number[] | null>(null)
  const byId = new Map(pages.rows.map((row) => [row.id, row]))
  const actions = actionsFor(selection, (id) => byId.get(id))
  const count = selection.jobs.size
  const onError = (error: unknown): void => notify('problem', errorSentence(error))

  function retry(ids: number[]): void {
    again.retry(ids)
    onDone()
  }
  function resend(ids: number[]): void {
    again.resend(ids)
    onDone()
  }
  function readAgain(ids: number[]): void {
    again.readAgain(ids)
    onDone()
  }
  function stop(ids: number[]): void {
    cancel.mutate({ ids }, { onError, onSuccess: ({ cancelled }) => notify('done', t('jobs.cancelled', { count: cancelled, shown: formats.count(cancelled) })) })
    onDone()
  }
  function approveSome(ids: number[]): void {
    approve.some(ids)
    onDone()
  }
  function toExport(): void {
    const schemaId = actions.exportable.map((id) => byId.get(id)?.schemaId).find((id) => id !== undefined)
    const { folderId, schemaId: filtered } = jobsView()
    if (actions.exportable.length > 0) draftExport({ schemaId: schemaId ?? filtered, folderId: null, jobIds: actions.exportable })
    else draftExport({ schemaId: filtered, folderId, jobIds: null })
    navigate({ screen: 'exports' })
  }

  if (tab === 'bin') return <BinActions ids={[...selection.jobs.keys()]} onDone={onDone} />
  return (
    <div className="job-actions" role="group" aria-label={t('jobs.actions')}>
      <div className="job-actions__some">
        {count > 0 && <span className="job-actions__count">{t('jobs.selected', { count, shown: formats.count(count) })}</span>}
        {actions.approve.length > 0 && (
          <Button variant="quiet" icon="check" onPress={() => approveSome(actions.approve)}>
            {t('check.approveSome', { shown: formats.count(actions.approve.length) })}
          </Button>
        )}
        {actions.retry.length > 0 && (
          <Button variant="quiet" icon="refresh" onPress={() => retry(actions.retry)}>
            {t('jobs.retry', { shown: formats.count(actions.retry.length) })}
          </Button>
        )}
        {actions.resend.length > 0 && (
          <Button variant={tab === 'unknown' ? 'primary' : 'quiet'} icon="question" onPress={() => setAsking(actions.resend)}>
            {t('jobs.resend', { shown: formats.count(actions.resend.length) })}
          </Button>
        )}
        {actions.cancel.length > 0 && (
          <Button variant="quiet" icon="stop" onPress={() => stop(actions.cancel)}>
            {t('jobs.cancel', { shown: formats.count(actions.cancel.length) })}
          </Button>
        )}
        {count > 0 && (
          <Button variant="quiet" icon="schema" onPress={() => setExtracting([...selection.jobs.keys()])}>
            {t('with.button')}
          </Button>
        )}
        {count > 0 && (
          <IconButton
            icon="trash"
            label={t('bin.move')}
            keys={t('bin.key')}
            onPress={() => {
              bin.move([...selection.jobs.keys()])
              onDone()
            }}
          />
        )}
        {actions.readAgain.length > 0 && (
          <MenuTrigger>
            <AriaButton className="icon-button" aria-label={t('readAgain.more')}>
              <Icon name="more" />
            </AriaButton>
            <Popover className="popover" placement="bottom end" offset={4}>
              <Menu className="list-box" onAction={() => readAgain(actions.readAgain)}>
                <MenuItem id="readAgain" className="list-box__item menu__item" textValue={t('readAgain.one')}>
                  <span className="menu__words">
                    {t('readAgain.selected', { shown: formats.count(actions.readAgain.length) })}
                    <small className="hint">{t('readAgain.hint')}</small>
                  </span>
                </MenuItem>
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
      </div>
      <Button onPress={toExport}>{t('jobs.export')}</Button>
      {extracting && (
        <ExtractWithDialog
          ids={extracting}
          schemaId={byId.get(extracting[0]!)?.schemaId}
          folderId={byId.get(extracting[0]!)?.folderId}
          onClose={() => setExtracting(null)}
          onDone={() => {
            setExtracting(null)
            onDone()
          }}
        />
      )}
      {asking && <ConfirmResend count={asking.length} onConfirm={() => resend(asking)} onClose={() => setAsking(null)} />}
    </div>
  )
}

/** What is in the bin can only come back. */
function BinActions({ ids, onDone }: { ids: number[]; onDone: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const bin = useBin()
  const count = ids.length
  function restore(): void {
    bin.restore(ids)
    onDone()
  }
  return (
    <div className="job-actions" role="group" aria-label={t('jobs.actions')}>
      <span className="job-actions__count">{count > 0 ? t('jobs.selected', { count, shown: formats.count(count) }) : t('bin.hint')}</span>
      {count > 0 && (
        <Button icon="undo" onPress={restore}>
          {t('bin.restoreSome', { shown: formats.count(count) })}
        </Button>
      )}
    </div>
  )
}

/** Asks before documents are sent that may have been billed already. */
export function ConfirmResend({ count, onConfirm, onClose }: { count: number; onConfirm: () => void; onClose: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  const shown = formats.count(count)
  return (
    <Confirm title={t('resend.title', { count, shown })} confirm={t('resend.confirm')} onConfirm={onConfirm} onClose={onClose}>
      <p>{t('resend.text', { count, shown })}</p>
    </Confirm>
  )
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { useAction } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { useApprove } from '../../components/approve.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { prefillExport } from '../exports/plan-store.ts'
import { useRetryActions } from './retry-actions.ts'
import { useBin } from './bin.ts'
import { ChangeSchemaDialog } from './change-schema.tsx'
import { ExtraDocumentDialog } from './extra-document.tsx'
import type { DocumentPages } from './pages.ts'
import { SchemaMenu } from './schema-menu.tsx'
import type { SchemaAction } from './schema-menu.tsx'
import { actionsFor } from './selection.ts'
import type { Selection } from './selection.ts'
import { isSortable, schemaIdOf } from './sortable.ts'
import { documentsView, useDocumentsView } from './view.ts'

type Props = { selection: Selection; pages: DocumentPages; onDone: () => void }

/** What can be done with the selected documents. */
export function DocumentActions({ selection, pages, onDone }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { tab } = useDocumentsView()
  const run = useActions(onDone)
  const [asking, setAsking] = useState<number[] | null>(null)
  const [dialog, setDialog] = useState<{ Dialog: typeof ExtraDocumentDialog; ids: number[] } | null>(null)
  const byId = new Map(pages.rows.map((row) => [row.id, row]))
  const actions = actionsFor(selection, (id) => byId.get(id))
  const ids = [...selection.documents.keys()]
  const count = ids.length

  const only = count === 1 ? byId.get(ids[0]!) : undefined
  const canSort = only !== undefined && isSortable(only)
  function runOnSchema(action: SchemaAction): void {
    if (action === 'sort') navigate({ screen: 'sort', id: ids[0]! })
    else setDialog({ Dialog: action === 'change' ? ChangeSchemaDialog : ExtraDocumentDialog, ids })
  }

  if (tab === 'bin') return <BinActions ids={ids} onDone={onDone} />
  return (
    <div className="document-actions" role="group" aria-label={t('documents.actions')}>
      <div className="document-actions__some">
        {count > 0 && (
          <span className="document-actions__count">
            {t('documents.selected', { count, shown: formats.count(count) })}
          </span>
        )}
        <CountedButton
          ids={actions.approve}
          label={actions.flagged === 0 ? 'check.approveSome' : 'check.approveFlagged'}
          flagged={actions.flagged}
          icon="check"
          onPress={run.approve}
        />
        <CountedButton ids={actions.retry} label="documents.retry" icon="refresh" onPress={run.retry} />
        <CountedButton
          ids={actions.resend}
          label="documents.resend"
          icon="question"
          variant={tab === 'unknown' ? 'primary' : 'quiet'}
          onPress={setAsking}
        />
        <CountedButton ids={actions.cancel} label="documents.cancel" icon="stop" onPress={run.cancel} />
        {count > 0 && (
          <>
            <SchemaMenu canSort={canSort} onAction={runOnSchema} />
            <IconButton icon="trash" label={t('bin.move')} keys={t('bin.key')} onPress={() => run.bin(ids)} />
          </>
        )}
        {actions.readAgain.length > 0 && (
          <ReadAgainMenu count={actions.readAgain.length} onReadAgain={() => run.readAgain(actions.readAgain)} />
        )}
      </div>
      <Button onPress={() => exportSome(actions.export, byId)}>{t('documents.export')}</Button>
      {dialog && (
        <dialog.Dialog
          ids={dialog.ids}
          schemaId={commonSchema(dialog.ids, byId)}
          folderId={byId.get(dialog.ids[0]!)?.folderId}
          onClose={() => setDialog(null)}
          onDone={() => {
            setDialog(null)
            onDone()
          }}
        />
      )}
      {asking && (
        <ConfirmResend count={asking.length} onConfirm={() => run.resend(asking)} onClose={() => setAsking(null)} />
      )}
    </div>
  )
}

/** The schema of all of these; undefined where they have several, or that of one is not known. */
function commonSchema(ids: readonly number[], byId: ReadonlyMap<number, DocumentRow>): number | undefined {
  const schemas = ids.map((id) => byId.get(id)).map((row) => row && schemaIdOf(row))
  const [first, ...others] = new Set(schemas)
  return others.length === 0 ? first : undefined
}

type Run = (ids: number[]) => void

/** The actions that need no more to be known; each says later what came of it. */
function useActions(onDone: () => void): Record<'approve' | 'retry' | 'resend' | 'readAgain' | 'cancel' | 'bin', Run> {
  const { t, formats, errorSentence } = useLanguage()
  const retryActions = useRetryActions()
  const bin = useBin()
  const approve = useApprove()
  const cancel = useAction('documents.cancel')
  const thenDone =
    (run: Run): Run =>
    (ids) => {
      run(ids)
      onDone()
    }
  return {
    approve: thenDone(approve.some),
    retry: thenDone(retryActions.retry),
    resend: thenDone(retryActions.resend),
    readAgain: thenDone(retryActions.readAgain),
    cancel: thenDone((ids) =>
      cancel.mutate(
        { ids },
        {
          onError: (error) => notify('problem', errorSentence(error)),
          onSuccess: ({ cancelled }) =>
            notify('done', t('documents.cancelled', { count: cancelled, shown: formats.count(cancelled) })),
        },
      ),
    ),
    bin: thenDone(bin.move),
  }
}

/** Leads to a new export of these documents, or of all that the list is filtered to. */
function exportSome(ids: number[], byId: ReadonlyMap<number, DocumentRow>): void {
  const schemaId = ids.map((id) => byId.get(id)?.schemaId).find((id) => id !== undefined)
  const { folderId, schemaId: filtered } = documentsView()
  if (ids.length > 0) prefillExport({ schemaId: schemaId ?? filtered, folderId: null, documentIds: ids })
  else prefillExport({ schemaId: filtered, folderId, documentIds: null })
  navigate({ screen: 'exports' })
}

/** An action that names how many documents it is for; nothing where it is for none. */
function CountedButton({
  ids,
  label,
  flagged = 0,
  icon,
  variant = 'quiet',
  onPress,
}: {
  ids: number[]
  label: MessageId
  /** How many of them have open flags. */
  flagged?: number
  icon: IconName
  variant?: 'quiet' | 'primary'
  onPress: Run
}): ReactNode {
  const { t, formats } = useLanguage()
  if (ids.length === 0) return null
  return (
    <Button variant={variant} icon={icon} onPress={() => onPress(ids)}>
      {t(label, { shown: formats.count(ids.length), flagged: formats.count(flagged) })}
    </Button>
  )
}

function ReadAgainMenu({ count, onReadAgain }: { count: number; onReadAgain: () => void }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <MenuTrigger>
      <AriaButton className="icon-button" aria-label={t('readAgain.more')}>
        <Icon name="more" />
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu className="list-box" onAction={onReadAgain}>
          <MenuItem id="readAgain" className="list-box__item menu__item" textValue={t('readAgain.one')}>
            <span className="menu__words">
              {t('readAgain.selected', { shown: formats.count(count) })}
              <small className="hint">{t('readAgain.hint')}</small>
            </span>
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
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
    <div className="document-actions" role="group" aria-label={t('documents.actions')}>
      <span className="document-actions__count">
        {count > 0 ? t('documents.selected', { count, shown: formats.count(count) }) : t('bin.hint')}
      </span>
      {count > 0 && (
        <Button icon="undo" onPress={restore}>
          {t('bin.restoreSome', { shown: formats.count(count) })}
        </Button>
      )}
    </div>
  )
}

/** Asks before documents are sent that may have been billed already. */
export function ConfirmResend({
  count,
  onConfirm,
  onClose,
}: {
  count: number
  onConfirm: () => void
  onClose: () => void
}): ReactNode {
  const { t, formats } = useLanguage()
  const shown = formats.count(count)
  return (
    <Confirm
      title={t('resend.title', { count, shown })}
      confirm={t('resend.confirm')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('resend.text', { count, shown })}</p>
    </Confirm>
  )
}

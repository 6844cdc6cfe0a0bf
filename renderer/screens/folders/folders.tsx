import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { FolderCard } from './folder-card.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { DryRunDialog } from './dry-run-dialog.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'dryRun' | 'remove'; folder: FolderRow }

/** The watched folders, each with its schema, its connection and how far it is. */
export function FoldersScreen({ state }: { state: AppState }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders
  const activity = useCall('folders.activity', {}).data?.folders ?? []
  const workbooks = useCall('workbooks.list', {}).data?.workbooks ?? []
  const remove = useAction('folders.remove')
  const [open, setOpen] = useState<Open | null>(null)
  const addButton = (
    <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
      {t('folders.add')}
    </Button>
  )
  return (
    <div className="screen">
      <PageHead title={t('folders.title')}>{addButton}</PageHead>
      {folders?.length === 0 ? (
        <EmptyState icon="folder" title={t('folders.none')} text={t('folders.noneHint')}>
          {addButton}
        </EmptyState>
      ) : (
        <ul className="screen__scroll cards cards--folders" aria-label={t('folders.title')}>
          {folders?.map((folder) => (
            <FolderCard
              key={folder.id}
              folder={folder}
              allPaused={state.paused}
              connection={state.connections.find(({ id }) => id === folder.connectionId)}
              activity={activity.find(({ folderId }) => folderId === folder.id)}
              workbook={workbooks.find(({ folderId }) => folderId === folder.id)}
              onEdit={() => setOpen({ kind: 'edit', folder })}
              onRemove={() => setOpen({ kind: 'remove', folder })}
              onDryRun={() => setOpen({ kind: 'dryRun', folder })}
            />
          ))}
        </ul>
      )}
      {open && (
        <OpenDialog
          open={open}
          state={state}
          folders={folders ?? []}
          onRemove={(id) => remove.mutate({ id }, { onError: (error) => notify('problem', errorSentence(error)) })}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

type OpenDialogProps = {
  open: Open
  state: AppState
  folders: FolderRow[]
  /** Called here and not in the dialog: it is closed before the answer is there. */
  onRemove: (id: number) => void
  onClose: () => void
}

function OpenDialog({ open, state, folders, onRemove, onClose }: OpenDialogProps): ReactNode {
  const { t, formats } = useLanguage()
  if (open.kind === 'add') return <FolderDialog state={state} folder={null} onClose={onClose} />
  const { kind, folder } = open
  if (kind === 'edit') return <FolderDialog state={state} folder={folder} onClose={onClose} />
  if (kind === 'dryRun') return <DryRunDialog state={state} folder={folder} onClose={onClose} />
  // As it is now, not as it was when the dialog opened.
  const queued = folders.find(({ id }) => id === folder.id)?.queued ?? 0
  return (
    <Confirm
      title={t('folders.removeTitle', { name: folder.name })}
      confirm={t('folders.removeConfirm')}
      danger
      onConfirm={() => onRemove(folder.id)}
      onClose={onClose}
    >
      <p>{t('folders.removeText')}</p>
      {queued > 0 && <p>{t('folders.removeQueued', { count: queued, shown: formats.count(queued) })}</p>}
    </Confirm>
  )
}

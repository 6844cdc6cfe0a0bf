import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AppState, FolderRow } from '../../../shared/contract.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { notify } from '../../components/notices.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { FolderCard } from './folder-card.tsx'
import { FolderDialog } from './folder-dialog.tsx'
import { LookDialog } from './look-dialog.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'look' | 'remove'; folder: FolderRow }

/** The watched folders, each with its schema, its connection and how far it is. */
export function FoldersScreen({ state }: { state: AppState }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders
  const activity = useCall('folders.activity', {}).data?.folders
  const workbooks = useCall('workbooks.list', {}).data?.workbooks
  const remove = useAction('folders.remove')
  const [open, setOpen] = useState<Open | null>(null)
  // As it is now, not as it was when the dialog opened.
  const queued = open?.kind === 'remove' ? (folders?.find(({ id }) => id === open.folder.id)?.queued ?? 0) : 0
  return (
    <div className="screen">
      <PageHead title={t('folders.title')}>
        <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
          {t('folders.add')}
        </Button>
      </PageHead>
      {folders?.length === 0 ? (
        <EmptyState icon="folder" title={t('folders.none')} text={t('folders.noneHint')}>
          <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
            {t('folders.add')}
          </Button>
        </EmptyState>
      ) : (
        <ul className="screen__scroll cards cards--folders" aria-label={t('folders.title')}>
          {folders?.map((folder) => (
            <FolderCard
              key={folder.id}
              folder={folder}
              allPaused={state.paused}
              connection={state.connections.find(({ id }) => id === folder.connectionId)}
              activity={activity?.find(({ folderId }) => folderId === folder.id)}
              workbook={workbooks?.find(({ folderId }) => folderId === folder.id)}
              onEdit={() => setOpen({ kind: 'edit', folder })}
              onRemove={() => setOpen({ kind: 'remove', folder })}
              onLook={() => setOpen({ kind: 'look', folder })}
            />
          ))}
        </ul>
      )}
      {open?.kind === 'add' && <FolderDialog state={state} folder={null} onClose={() => setOpen(null)} />}
      {open?.kind === 'edit' && <FolderDialog state={state} folder={open.folder} onClose={() => setOpen(null)} />}
      {open?.kind === 'look' && <LookDialog state={state} folder={open.folder} onClose={() => setOpen(null)} />}
      {open?.kind === 'remove' && (
        <Confirm
          title={t('folders.removeTitle', { name: open.folder.name })}
          confirm={t('folders.removeConfirm')}
          danger
          onConfirm={() => remove.mutate({ id: open.folder.id }, { onError: (error) => notify('problem', errorSentence(error)) })}
          onClose={() => setOpen(null)}
        >
          <p>{t('folders.removeText')}</p>
          {queued > 0 && <p>{t('folders.removeQueued', { count: queued, shown: formats.count(queued) })}</p>}
        </Confirm>
      )}
    </div>
  )
}

import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { useDryRun } from './use-dry-run.ts'

/** What lies in a watched folder now, and what would become of it. */
export function DryRunDialog({
  state,
  folder,
  onClose,
}: {
  state: AppState
  folder: FolderRow
  onClose: () => void
}): ReactNode {
  const { t } = useLanguage()
  const { id, path, includeSubfolders, afterwards, include, exclude, schemaId, connectionId, agentReference } = folder
  const dryRun = useDryRun({
    folderId: id,
    path,
    includeSubfolders,
    afterwards,
    include,
    exclude,
    schemaId,
    connectionId,
    agentReference,
  })
  // The dialog is opened for nothing else.
  useEffect(dryRun.start, [])
  return (
    <Dialog
      title={t('dryRun.title', { name: folder.name })}
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('action.close')}</Button>}
    >
      <DryRunPanel
        state={dryRun.state}
        connection={state.connections.find((one) => one.id === connectionId)}
        leavesExisting={false}
        onStart={dryRun.start}
        onStop={dryRun.stop}
      />
    </Dialog>
  )
}

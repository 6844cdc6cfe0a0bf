import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { AppState, FolderRow } from '../../../shared/contract.ts'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { LookPanel } from './look-panel.tsx'
import { useLook } from './use-look.ts'

/** What lies in a watched folder now, and what would become of it. */
export function LookDialog({ state, folder, onClose }: { state: AppState; folder: FolderRow; onClose: () => void }): ReactNode {
  const { t } = useLanguage()
  const { id, path, includeSubfolders, afterwards, include, exclude, schemaId, connectionId, agentReference } = folder
  const look = useLook({ folderId: id, path, includeSubfolders, afterwards, include, exclude, schemaId, connectionId, agentReference })
  // It is what the dialog was opened for.
  useEffect(look.start, [])
  return (
    <Dialog title={t('look.title', { name: folder.name })} width="wide" onClose={onClose} actions={<Button onPress={onClose}>{t('action.close')}</Button>}>
      <LookPanel state={look.state} connection={state.connections.find((one) => one.id === connectionId)} leaves={false} onStart={look.start} onStop={look.stop} />
    </Dialog>
  )
}

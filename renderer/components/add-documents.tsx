import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import type { AppState, SchemaRow } from '../../shared/contract.ts'
import { supportedExtensions } from '../../shared/limits.ts'
import { droppedFiles } from '../client/dropped.ts'
import type { Dropped } from '../client/dropped.ts'
import { upload } from '../client/files.ts'
import { useCall } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { connectionChoices } from './connection-choices.ts'
import { ConnectionStopped } from './connection-stopped.tsx'
import { Button, Select } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { EstimateLine } from './estimate.tsx'
import { Icon } from './icon.tsx'
import { notify } from './notices.tsx'

type Target = { schemaId: number; connectionId: number }

const PickDocuments = createContext<() => void>(() => undefined)

/** Opens the file dialog; what is chosen goes into the inbox folder. */
export function usePickDocuments(): () => void {
  return use(PickDocuments)
}

/** Makes the whole window a place to drop documents on, and asks with which schema when there is a choice. */
export function AddDocuments({ state, children }: { state: AppState; children: ReactNode }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<Dropped | null>(null)
  const lastTarget = useRef<Target | null>(null)

  const send = useCallback(
    async (files: File[], target: Target) => {
      lastTarget.current = target
      let added = 0
      for (const file of files) {
        try {
          await upload(file, target)
          added += 1
        } catch (error) {
          notify('problem', `${file.name}: ${errorSentence(error)}`)
        }
      }
      if (added > 0) notify('done', t('add.done', { count: added, shown: formats.count(added) }))
    },
    [errorSentence, formats, t],
  )

  const add = useCallback(
    ({ files, passedOver }: Dropped) => {
      const connection = state.connections[0]
      const schema = schemas?.[0]
      if (files.length === 0) {
        if (passedOver !== null) notify('problem', t('add.noDocuments'))
        return
      }
      if (!schema || !connection) notify('problem', t('add.noSchema'))
      // What may be billed, would wait, and how much a folder holds, is shown first; what stays on this computer is simply taken.
      else if (passedOver === null && schemas.length === 1 && state.connections.length === 1 && connection.kind === 'local' && connection.pausedReason === null) void send(files, { schemaId: schema.id, connectionId: connection.id })
      else setAsked({ files, passedOver })
    },
    [schemas, send, state.connections, t],
  )

  const drop = useCallback((transfer: DataTransfer) => void droppedFiles(transfer).then(add, (error: unknown) => notify('problem', errorSentence(error))), [add, errorSentence])
  const dragging = useFileDrag(drop)
  const pick = useCallback(() => input.current?.click(), [])
  const accept = useMemo(() => Object.keys(supportedExtensions).map((extension) => `.${extension}`).join(','), [])
  function chosen(event: ChangeEvent<HTMLInputElement>): void {
    add({ files: [...(event.target.files ?? [])], passedOver: null })
    event.target.value = ''
  }
  return (
    <PickDocuments value={pick}>
      {children}
      <input ref={input} type="file" multiple accept={accept} hidden onChange={chosen} data-testid="file-input" />
      {dragging && (
        <div className="drop-veil">
          <div className="drop-veil__card">
            <Icon name="document" size={32} />
            <strong>{t('add.drop')}</strong>
            <span>{t('add.dropHint')}</span>
          </div>
        </div>
      )}
      {asked && schemas && (
        <TargetDialog
          dropped={asked}
          schemas={schemas}
          connections={state.connections}
          initial={lastTarget.current}
          onClose={() => setAsked(null)}
          onSend={(target) => {
            void send(asked.files, target)
            setAsked(null)
          }}
        />
      )}
    </PickDocuments>
  )
}

/** True while files are dragged over the window; `onDrop` gets what is dropped while the event is handled. */
function useFileDrag(onDrop: (transfer: DataTransfer) => void): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    let depth = 0
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth += 1
      setDragging(true)
    }
    const leave = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setDragging(false)
    }
    // Without this the browser would open the file in place of the window.
    const over = (event: DragEvent): void => event.preventDefault()
    const drop = (event: DragEvent): void => {
      event.preventDefault()
      depth = 0
      setDragging(false)
      if (event.dataTransfer) onDrop(event.dataTransfer)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  }, [onDrop])
  return dragging
}

type TargetDialogProps = {
  dropped: Dropped
  schemas: SchemaRow[]
  connections: AppState['connections']
  initial: Target | null
  onSend: (target: Target) => void
  onClose: () => void
}

function TargetDialog({ dropped: { files, passedOver }, schemas, connections, initial, onSend, onClose }: TargetDialogProps): ReactNode {
  const { t, formats } = useLanguage()
  const [schemaId, setSchemaId] = useState(initial?.schemaId ?? schemas[0]?.id ?? 0)
  const [connectionId, setConnectionId] = useState(initial?.connectionId ?? connections[0]?.id ?? 0)
  const source = useMemo(() => ({ files: files.map(({ name, size }) => ({ name, sizeBytes: size })) }), [files])
  return (
    <Dialog
      title={t('add.title', { count: files.length, shown: formats.count(files.length) })}
      onClose={onClose}
      onSubmit={() => onSend({ schemaId, connectionId })}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t('add.confirm')}
          </Button>
        </>
      }
    >
      <Select label={t('field.schema')} value={String(schemaId)} onChange={(key) => setSchemaId(Number(key))} choices={schemas.map(({ id, name }) => ({ key: String(id), label: name }))} />
      {connections.length > 1 && (
        <Select
          label={t('field.connection')}
          value={String(connectionId)}
          onChange={(key) => setConnectionId(Number(key))}
          choices={connectionChoices(connections, t)}
        />
      )}
      <ConnectionStopped connection={connections.find(({ id }) => id === connectionId)} />
      <EstimateLine schemaId={schemaId} connectionId={connectionId} source={source} />
      {passedOver !== null && (
        <p className="hint">
          {passedOver > 0 && t('add.passedOver', { count: passedOver, shown: formats.count(passedOver) })} {t('add.folderOnce')}
        </p>
      )}
    </Dialog>
  )
}

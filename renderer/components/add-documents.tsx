import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ChangeEvent, ReactNode } from 'react'
import type { AppState } from '../../shared/contract/contract.ts'
import type { OpenedFile } from '../../shared/contract/opened-files.ts'
import type { SchemaRow } from '../../shared/contract/schemas.ts'
import { acceptedExtensions } from '../../shared/domain/limits.ts'
import { call } from '../client/client.ts'
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

/** Files that wait until it is said what becomes of them; `skipped`: others of their folder, null without one. */
type Offered = { files: readonly OpenedFile[]; skipped: number | null }

const PickDocuments = createContext<() => void>(() => undefined)

/** Opens the file dialog; what is chosen goes into the inbox folder. */
export function usePickDocuments(): () => void {
  return use(PickDocuments)
}

/** Puts files into the inbox one after the other, and says what came of it. */
function useUploads(): (files: File[], target: Target) => Promise<void> {
  const { t, formats, errorSentence } = useLanguage()
  return useCallback(
    async (files, target) => {
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
}

/**
 * The one schema and connection that there are, where what they take stays on this computer. What may be billed, or
 * would wait, is shown before it is sent. Pure.
 */
function onlyTarget(schemas: readonly SchemaRow[], connections: AppState['connections']): Target | null {
  const [schema, otherSchema] = schemas
  const [connection, otherConnection] = connections
  if (!schema || otherSchema || !connection || otherConnection) return null
  return connection.kind === 'local' && connection.pausedReason === null
    ? { schemaId: schema.id, connectionId: connection.id }
    : null
}

const accepted = acceptedExtensions.map((extension) => `.${extension}`).join(',')

/** Makes the whole window a place to drop documents on, and asks with which schema when there is a choice. */
export function AddDocuments({ state, children }: { state: AppState; children: ReactNode }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const { connections } = state
  const schemas = useCall('schemas.list', {}).data?.schemas
  const input = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<Dropped | null>(null)
  const lastTarget = useRef<Target | null>(null)
  const uploadAll = useUploads()

  const send = useCallback(
    (files: File[], target: Target) => {
      lastTarget.current = target
      void uploadAll(files, target)
    },
    [uploadAll],
  )
  const add = useCallback(
    async ({ files, skipped }: Dropped) => {
      if (files.length === 0) {
        if (skipped !== null) notify('problem', t('add.noDocuments'))
        return
      }
      // Asked for anew: documents may be dropped before the window knows its schemas.
      const { schemas: known } = await call('schemas.list', {})
      if (!known[0] || !connections[0]) return notify('problem', t('add.noSchema'))
      // How much a folder holds is shown first.
      const target = skipped === null ? onlyTarget(known, connections) : null
      if (target) send(files, target)
      else setAsked({ files, skipped })
    },
    [send, connections, t],
  )
  const addAll = useCallback(
    (dropped: Promise<Dropped>) =>
      void dropped.then(add).catch((error: unknown) => notify('problem', errorSentence(error))),
    [add, errorSentence],
  )
  const drop = useCallback((transfer: DataTransfer) => addAll(droppedFiles(transfer)), [addAll])
  const dragging = useFileDrag(drop)
  const pick = useCallback(() => input.current?.click(), [])
  function onChange(event: ChangeEvent<HTMLInputElement>): void {
    addAll(Promise.resolve({ files: [...(event.target.files ?? [])], skipped: null }))
    event.target.value = ''
  }
  return (
    <PickDocuments value={pick}>
      {children}
      <input ref={input} type="file" multiple accept={accepted} hidden onChange={onChange} data-testid="file-input" />
      {dragging && <DropVeil />}
      {asked && schemas && (
        <TargetDialog
          offered={{ files: asked.files.map(({ name, size }) => ({ name, sizeBytes: size })), skipped: asked.skipped }}
          schemas={schemas}
          connections={connections}
          initial={lastTarget.current}
          onClose={() => setAsked(null)}
          onSend={(target) => {
            send(asked.files, target)
            setAsked(null)
          }}
        />
      )}
      {state.host === 'electron' && schemas && <OpenedFiles schemas={schemas} connections={connections} />}
    </PickDocuments>
  )
}

/**
 * Files that were opened with Sheaf, or dropped on its icon: taken at once where there is no choice, like dropped ones.
 */
function OpenedFiles({ schemas, connections }: Pick<TargetDialogProps, 'schemas' | 'connections'>): ReactNode {
  const { t, formats, errorSentence, trialSentence } = useLanguage()
  const { data, refetch } = useCall('openedFiles.list', {})
  const files = data?.files ?? []
  const target = onlyTarget(schemas, connections)
  const [lastTarget, setLastTarget] = useState<Target | null>(null)
  /** Until what waits is known anew, nobody is asked about what was just taken. */
  const [isTaking, setIsTaking] = useState(false)
  /** They could not be taken by themselves: whoever is there says how to go on. */
  const [isAsking, setIsAsking] = useState(false)
  async function settle(work: Promise<unknown>): Promise<void> {
    setIsTaking(true)
    try {
      await work
      setIsAsking(false)
    } catch (error) {
      notify('problem', errorSentence(error))
      setIsAsking(true)
    }
    await refetch()
    setIsTaking(false)
  }
  async function take(chosen: Target): Promise<void> {
    setLastTarget(chosen)
    const { added, failed } = await call('openedFiles.take', chosen)
    for (const reason of failed) notify('problem', `${String(reason.details['file'])}: ${trialSentence(reason)}`)
    if (added > 0) notify('done', t('add.done', { count: added, shown: formats.count(added) }))
  }
  const isClear = files.length > 0 && !isTaking && !isAsking && target !== null
  useEffect(() => {
    if (isClear) void settle(take(target))
  }, [isClear])
  if (files.length === 0 || isTaking || isClear) return null
  return (
    <TargetDialog
      offered={{ files, skipped: null }}
      schemas={schemas}
      connections={connections}
      initial={lastTarget}
      onClose={() => void settle(call('openedFiles.dismiss', {}))}
      onSend={(chosen) => void settle(take(chosen))}
    />
  )
}

function DropVeil(): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="drop-veil">
      <div className="drop-veil__card">
        <Icon name="document" size={32} />
        <strong>{t('add.drop')}</strong>
        <span>{t('add.dropHint')}</span>
      </div>
    </div>
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
  offered: Offered
  schemas: SchemaRow[]
  connections: AppState['connections']
  initial: Target | null
  onSend: (target: Target) => void
  onClose: () => void
}

function TargetDialog({
  offered: { files, skipped },
  schemas,
  connections,
  initial,
  onSend,
  onClose,
}: TargetDialogProps): ReactNode {
  const { t, formats } = useLanguage()
  const [schemaId, setSchemaId] = useState(initial?.schemaId ?? schemas[0]?.id ?? 0)
  const [connectionId, setConnectionId] = useState(initial?.connectionId ?? connections[0]?.id ?? 0)
  const source = useMemo(() => ({ files: [...files] }), [files])
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
      <Select
        label={t('field.schema')}
        value={String(schemaId)}
        onChange={(key) => setSchemaId(Number(key))}
        choices={schemas.map(({ id, name }) => ({ key: String(id), label: name }))}
      />
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
      {skipped !== null && (
        <p className="hint">
          {skipped > 0 && t('add.passedOver', { count: skipped, shown: formats.count(skipped) })} {t('add.folderOnce')}
        </p>
      )}
    </Dialog>
  )
}

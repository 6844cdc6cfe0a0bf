import { useState } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { patternsIn, patternsText } from '../../../shared/domain/file-patterns.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'

/** What was entered about a folder: its patterns as they are typed; null where nothing is chosen. */
export type FolderFormValues = Pick<FolderRow, 'path' | 'mode' | 'includeSubfolders' | 'afterwards'> & {
  schemaId: number | null
  connectionId: number | null
  agent: string
  include: string
  exclude: string
  /** What becomes of files that lie in a new folder already. */
  existing: 'take' | 'leave'
}

/** A folder's settings as core takes them. */
type FolderSettings = Pick<
  FolderRow,
  | 'path'
  | 'schemaId'
  | 'connectionId'
  | 'agentReference'
  | 'mode'
  | 'includeSubfolders'
  | 'afterwards'
  | 'include'
  | 'exclude'
>

export type FolderForm = {
  values: FolderFormValues
  change: (part: Partial<FolderFormValues>) => void
  schemas: SchemaRow[]
  /** The schema that is chosen, or else offered; null while there is none. */
  schemaId: number | null
  connection: ConnectionRow | undefined
  /** Null while something is missing. */
  settings: FolderSettings | null
  isSaving: boolean
  /** Why saving failed; null when it did not. */
  problem: unknown
  save: () => Promise<void>
}

/** The form of a new folder (null), or of one that is watched. Calls `onSaved` when core has taken it. */
export function useFolderForm(state: AppState, folder: FolderRow | null, onSaved: () => void): FolderForm {
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const [values, setValues] = useState(() => initialValues(folder, state.connections))
  const [problem, setProblem] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)
  const schemaId = values.schemaId ?? schemas[0]?.id ?? null
  const connection = state.connections.find(({ id }) => id === values.connectionId)
  const settings = settingsOf({ ...values, schemaId })

  async function save(): Promise<void> {
    if (settings === null) return
    setIsSaving(true)
    try {
      if (folder) await call('folders.update', { id: folder.id, ...settings })
      else await call('folders.add', { ...settings, existing: values.existing })
      onSaved()
    } catch (error) {
      setProblem(error)
      setIsSaving(false)
    }
  }
  return {
    values,
    change: (part) => setValues((before) => ({ ...before, ...part })),
    schemas,
    schemaId,
    connection,
    settings,
    isSaving,
    problem,
    save,
  }
}

function initialValues(folder: FolderRow | null, connections: readonly ConnectionRow[]): FolderFormValues {
  if (folder === null)
    return {
      path: '',
      schemaId: null,
      connectionId: connections[0]?.id ?? null,
      agent: '',
      mode: 'auto',
      afterwards: 'stay',
      includeSubfolders: true,
      include: '',
      exclude: '',
      existing: 'take',
    }
  const { path, schemaId, connectionId, agentReference, mode, afterwards, includeSubfolders, include, exclude } = folder
  return {
    path,
    schemaId,
    connectionId,
    agent: agentReference ?? '',
    mode,
    afterwards,
    includeSubfolders,
    include: patternsText(include),
    exclude: patternsText(exclude),
    existing: 'take',
  }
}

/** The settings that the values stand for; null while something is missing. Pure. */
function settingsOf(values: FolderFormValues): FolderSettings | null {
  const { schemaId, connectionId, mode, afterwards, includeSubfolders } = values
  const [path, agent] = [values.path.trim(), values.agent.trim()]
  if (path === '' || schemaId === null || connectionId === null) return null
  return {
    path,
    schemaId,
    connectionId,
    agentReference: agent === '' ? null : agent,
    mode,
    afterwards,
    includeSubfolders,
    include: patternsIn(values.include),
    exclude: patternsIn(values.exclude),
  }
}

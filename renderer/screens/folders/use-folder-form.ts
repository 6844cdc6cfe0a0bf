import { useState } from 'react'
import type { AppState, CallOutput } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { archiveName } from '../../../shared/domain/archive-name.ts'
import { patternsIn, patternsText } from '../../../shared/domain/file-patterns.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { useLanguage } from '../../messages/language.tsx'

/** What was entered about a folder: its patterns as they are typed; null where nothing is chosen. */
export type FolderFormValues = Pick<
  FolderRow,
  'path' | 'mode' | 'includeSubfolders' | 'afterwards' | 'archiveName' | 'otherSchemaIds' | 'cuts'
> & {
  schemaId: number | null
  /** The key of a template that becomes a schema with the folder, in the place of `schemaId`. */
  template: string | null
  /** Keys of templates that become other schemas with the folder. */
  otherTemplates: string[]
  connectionId: number | null
  agent: string
  include: string
  exclude: string
  /** What becomes of files that lie in a new folder already. */
  existing: 'take' | 'leave'
}

type Template = CallOutput<'schemas.templates'>['templates'][number]

/** A folder's settings as core takes them. */
type FolderSettings = Pick<
  FolderRow,
  | 'path'
  | 'schemaId'
  | 'otherSchemaIds'
  | 'cuts'
  | 'connectionId'
  | 'agentReference'
  | 'mode'
  | 'includeSubfolders'
  | 'afterwards'
  | 'archiveName'
  | 'include'
  | 'exclude'
>

export type FolderForm = {
  values: FolderFormValues
  change: (part: Partial<FolderFormValues>) => void
  schemas: SchemaRow[]
  /** Those that no schema has the name of. */
  templates: Template[]
  /** The schema that is chosen, or else offered; null while there is none. */
  schemaId: number | null
  connection: ConnectionRow | undefined
  /** Null while something is missing, or the schema is still to be made. */
  settings: FolderSettings | null
  canSave: boolean
  isSaving: boolean
  /** Why saving failed; null when it did not. */
  problem: unknown
  save: () => Promise<void>
}

/** The form of a new folder (null), or of one that is watched. Calls `onSaved` when core has taken it. */
export function useFolderForm(state: AppState, folder: FolderRow | null, onSaved: () => void): FolderForm {
  const { locale } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const all = useCall('schemas.templates', { locale }).data?.templates ?? []
  const templates = all.filter(({ name }) => !schemas.some((schema) => schema.name === name))
  const [values, setValues] = useState(() => initialValues(folder, state.connections))
  const [problem, setProblem] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)
  const schemaId = values.schemaId ?? schemas[0]?.id ?? null
  const connection = state.connections.find(({ id }) => id === values.connectionId)
  const template = templates.find(({ key }) => key === values.template)
  const ways = waysOf(values, template === undefined ? schemaId : null)
  const settings = ways === null || template !== undefined || schemaId === null ? null : { ...ways, schemaId }

  /** The schema of the folder; a template becomes one, once. */
  async function schemaFor(): Promise<number | null> {
    if (template === undefined) return schemaId
    const id = await schemaOf(template)
    setValues((before) => ({ ...before, schemaId: id, template: null }))
    return id
  }
  /** Its other schemas; of templates as well. */
  async function othersFor(known: readonly number[]): Promise<number[]> {
    const ids = [...known]
    for (const one of templates.filter(({ key }) => values.otherTemplates.includes(key) && key !== template?.key)) {
      const id = await schemaOf(one)
      ids.push(id)
      setValues(({ otherSchemaIds, otherTemplates, ...before }) => ({
        ...before,
        otherSchemaIds: [...otherSchemaIds, id],
        otherTemplates: otherTemplates.filter((key) => key !== one.key),
      }))
    }
    return ids
  }
  async function save(): Promise<void> {
    if (ways === null) return
    setIsSaving(true)
    try {
      const chosen = await schemaFor()
      if (chosen === null) return setIsSaving(false)
      const isOfAgent = ways.agentReference !== null
      const otherSchemaIds = isOfAgent ? [] : await othersFor(ways.otherSchemaIds)
      const taken = { ...ways, schemaId: chosen, otherSchemaIds }
      if (folder) await call('folders.update', { id: folder.id, ...taken })
      else await call('folders.add', { ...taken, existing: values.existing })
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
    templates,
    schemaId,
    connection,
    settings,
    canSave: ways !== null && (template !== undefined || schemaId !== null),
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
      template: null,
      otherTemplates: [],
      otherSchemaIds: [],
      cuts: 'never',
      connectionId: connections[0]?.id ?? null,
      agent: '',
      mode: 'auto',
      afterwards: 'stay',
      archiveName: '',
      includeSubfolders: true,
      include: '',
      exclude: '',
      existing: 'take',
    }
  const { path, schemaId, connectionId, agentReference, mode, afterwards, includeSubfolders, include, exclude } = folder
  return {
    path,
    schemaId,
    template: null,
    otherTemplates: [],
    otherSchemaIds: folder.otherSchemaIds,
    cuts: folder.cuts,
    connectionId,
    agent: agentReference ?? '',
    mode,
    afterwards,
    archiveName: folder.archiveName,
    includeSubfolders,
    include: patternsText(include),
    exclude: patternsText(exclude),
    existing: 'take',
  }
}

/** Makes a schema of a template, and returns its id. */
async function schemaOf({ name, elements, rules }: Template): Promise<number> {
  return (await call('schemas.save', { id: null, name, elements, rules })).id
}

/** The settings that the values stand for, beside this schema; null while something is missing. Pure. */
function waysOf(values: FolderFormValues, schemaId: number | null): Omit<FolderSettings, 'schemaId'> | null {
  const { connectionId, mode, afterwards, includeSubfolders } = values
  const [path, agent] = [values.path.trim(), values.agent.trim()]
  // What is not shown holds nothing up.
  const name = archiveName.safeParse(values.archiveName).data ?? (afterwards === 'move' ? undefined : '')
  if (path === '' || connectionId === null || name === undefined) return null
  return {
    path,
    // An agent has a schema of its own.
    otherSchemaIds: agent === '' ? values.otherSchemaIds.filter((id) => id !== schemaId) : [],
    cuts: agent === '' ? values.cuts : 'never',
    connectionId,
    agentReference: agent === '' ? null : agent,
    mode,
    afterwards,
    archiveName: name,
    includeSubfolders,
    include: patternsIn(values.include),
    exclude: patternsIn(values.exclude),
  }
}

import { useState } from 'react'
import type { AppState, CallOutput } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { connectionInput, emptyConnection, isComplete } from '../../components/connection-fields.tsx'
import type { ConnectionDraft } from '../../components/connection-fields.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { elementsOf, newField, problemsOf } from '../schemas/field-draft.ts'
import type { FieldDraft } from '../schemas/field-draft.ts'

type Template = CallOutput<'schemas.templates'>['templates'][number]

export type FirstRunValues = {
  where: 'local' | 'platform'
  account: ConnectionDraft
  source: 'samples' | 'folder'
  /** The folder to watch. */
  path: string
  /** The key of a template, or `own`; empty: the first template. */
  schemaKey: string
  /** What a schema of one's own is called and reads. */
  schemaName: string
  fields: FieldDraft[]
}

export type FirstRunForm = {
  values: FirstRunValues
  change: (part: Partial<FirstRunValues>) => void
  templates: Template[]
  /** The template that is chosen or offered, or `own`. */
  schemaKey: string
  /** The service on this computer. */
  local: ConnectionRow | undefined
  isComplete: boolean
  isStarting: boolean
  /** Why the start failed; null when it did not. */
  problem: unknown
  start: () => Promise<void>
}

/** The answers of the first start, and what is set up by them. */
export function useFirstRun(state: AppState): FirstRunForm {
  const { t, locale } = useLanguage()
  const templates = useCall('schemas.templates', { locale }).data?.templates ?? []
  const [values, setValues] = useState<FirstRunValues>(() => ({
    where: 'local',
    account: emptyConnection,
    source: state.samplesDir === null ? 'folder' : 'samples',
    path: '',
    schemaKey: '',
    schemaName: t('schemas.untitled'),
    fields: [newField()],
  }))
  const [isStarting, setIsStarting] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const { where, account, source, fields } = values
  const path = values.path.trim()
  const schemaKey = values.schemaKey || (templates[0]?.key ?? '')
  const local = state.connections.find((connection) => connection.kind === 'local')
  const hasSchema = schemaKey === 'own' ? fields.length > 0 && problemsOf(fields).size === 0 : schemaKey !== ''
  const hasConnection = where === 'local' ? local !== undefined : isComplete(account)
  const hasSource = source === 'samples' || path !== ''

  async function connectionId(): Promise<number> {
    if (where === 'local') return local?.id ?? 0
    const { id, isSecretTemporary } = await saveWorkingConnection(account)
    if (isSecretTemporary) notify('problem', t('connection.secretTemporary'))
    // A second try after a failure takes up what the first one made.
    setValues((before) => ({ ...before, account: { ...before.account, id } }))
    return id
  }
  async function schemaId(): Promise<number> {
    const template = templates.find(({ key }) => key === schemaKey)
    return template
      ? savedSchema(template)
      : savedSchema({ name: values.schemaName.trim() || t('schemas.untitled'), elements: elementsOf(fields) })
  }
  async function start(): Promise<void> {
    setIsStarting(true)
    setProblem(null)
    try {
      const choice = { connectionId: await connectionId(), schemaId: await schemaId() }
      if (source === 'samples') await call('folders.addSamples', choice)
      else await call('folders.add', { path, ...choice })
      // An account that was tried and then not chosen is not kept.
      if (where === 'local' && account.id !== null) await call('connections.remove', { id: account.id })
      await call('settings.update', { firstRunDone: true })
      navigate({ screen: 'documents' })
    } catch (error) {
      setProblem(error)
      setIsStarting(false)
    }
  }
  return {
    values,
    change: (part) => setValues((before) => ({ ...before, ...part })),
    templates,
    schemaKey,
    local,
    isComplete: hasSchema && hasConnection && hasSource,
    isStarting,
    problem,
    start,
  }
}

/** Stores an account, only if it works. Throws the reason as an `AppError` if it does not. */
async function saveWorkingConnection(account: ConnectionDraft): Promise<CallOutput<'connections.save'>> {
  const input = connectionInput(account)
  const { problem } = await call('connections.test', input)
  if (problem !== null) throw new AppError(problem.code, problem.details)
  return call('connections.save', input)
}

/** The id of the schema, which is saved unless an earlier try did so. */
async function savedSchema({
  name,
  elements,
  rules,
}: Pick<Template, 'name' | 'elements'> & Partial<Pick<Template, 'rules'>>): Promise<number> {
  const made = (await call('schemas.list', {})).schemas.find(
    (schema) => schema.name === name && JSON.stringify(schema.elements) === JSON.stringify(elements),
  )
  return made?.id ?? (await call('schemas.save', { id: null, name, elements, rules })).id
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import { visibilities } from '../../../shared/domain/agent.ts'
import type { AgentRow, Visibility } from '../../../shared/domain/agent.ts'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, MessageId } from '../../messages/language.tsx'

/** Who may ask an agent, and what that means. */
export const visibilityLabels: Record<Visibility, { label: MessageId; detail: MessageId }> = {
  Private: { label: 'agents.private', detail: 'agents.privateDetail' },
  Organization: { label: 'agents.organization', detail: 'agents.organizationDetail' },
  Public: { label: 'agents.public', detail: 'agents.publicDetail' },
}

/** The kinds that can be made here; the spec announces a third one, Writer, without an interface. */
type Kind = 'documentalist' | 'extractor'

type AgentValues = {
  kind: Kind
  name: string
  visibility: Visibility
  /** A folder whose documents a new Documentalist answers from. */
  path: string
  /** Null as long as no other schema than the proposed one is chosen. */
  schemaId: number | null
}

type AgentForm = {
  values: AgentValues
  change: (part: Partial<AgentValues>) => void
  schemas: SchemaRow[]
  /** The schema that is chosen, or else proposed; null while there is none. */
  schemaId: number | null
  /** The kind can no longer be chosen. */
  isMade: boolean
  isComplete: boolean
  isSaving: boolean
  /** Why saving failed; null when it did not. */
  problem: unknown
  save: () => Promise<void>
}

/** The message for documents that were added to a Documentalist, and for files that could not be. */
export function addedMessage(
  { added, skipped }: { added: number; skipped: number },
  { t, formats }: Pick<Language, 't' | 'formats'>,
): string {
  return t('agents.added', { added, shown: formats.count(added), skipped, skippedShown: formats.count(skipped) })
}

function initialValues(agent: AgentRow | null): AgentValues {
  const unchosen = { path: '', schemaId: null }
  if (agent === null) return { kind: 'documentalist', name: '', visibility: 'Organization', ...unchosen }
  const kind = agent.kind === 'extractor' ? 'extractor' : 'documentalist'
  return { kind, name: agent.name, visibility: agent.visibility, ...unchosen }
}

/** The schema that a form begins with. The service keeps the fields, not which schema of ours they came from. Pure. */
function proposedSchema(agent: AgentRow | null, schemas: readonly SchemaRow[]): SchemaRow | undefined {
  if (agent === null) return schemas[0]
  if (!agent.schema) return undefined
  const fields = JSON.stringify(agent.schema)
  return schemas.find(({ elements }) => JSON.stringify(elements) === fields)
}

/** The form of a new agent (null), or of one that is there. Calls `onSaved` when the service has taken it. */
function useAgentForm(agent: AgentRow | null, onSaved: () => void): AgentForm {
  const language = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const [values, setValues] = useState(() => initialValues(agent))
  const [reference, setReference] = useState<string | null>(agent?.reference ?? null)
  const [problem, setProblem] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)
  const { kind, visibility } = values
  const [name, path] = [values.name.trim(), values.path.trim()]
  const schemaId = values.schemaId ?? proposedSchema(agent, schemas)?.id ?? null
  // An Extractor saved without a schema keeps its own.
  const isComplete = name !== '' && (kind === 'documentalist' || schemaId !== null || agent !== null)

  async function save(): Promise<void> {
    if (!isComplete) return
    setIsSaving(true)
    setProblem(null)
    try {
      // A second try after a failure takes up what the first one made.
      const saved = await call('agents.save', {
        reference,
        kind,
        name,
        visibility,
        schemaId: kind === 'extractor' ? schemaId : null,
      })
      setReference(saved.reference)
      if (kind === 'documentalist' && path !== '') {
        const answer = await call('agents.addDocuments', { reference: saved.reference, paths: [path] })
        notify('done', addedMessage(answer, language))
      }
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
    isMade: reference !== null,
    isComplete,
    isSaving,
    problem,
    save,
  }
}

type Props = { host: AppState['host']; agent: AgentRow | null; onClose: () => void }

/** Makes an agent, or changes one; its kind never changes. */
export function AgentDialog({ host, agent, onClose }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const form = useAgentForm(agent, onClose)
  const { values, change } = form
  const isNew = agent === null
  return (
    <Dialog
      title={isNew ? t('agents.addTitle') : t('agents.editTitle', { name: agent.name })}
      width="wide"
      onClose={onClose}
      onSubmit={() => void form.save()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!form.isComplete || form.isSaving}>
            {isNew ? t('agents.addConfirm') : t('action.save')}
          </Button>
        </>
      }
    >
      {isNew && <KindChoice value={values.kind} onChange={(kind) => change({ kind })} isDisabled={form.isMade} />}
      <div className="form__columns">
        <TextField
          label={t('agents.name')}
          value={values.name}
          onChange={(name) => change({ name })}
          isRequired
          autoFocus
        />
        <Select
          label={t('agents.visibility')}
          value={values.visibility}
          onChange={(visibility) => change({ visibility })}
          choices={visibilities.map((key) => ({
            key,
            label: t(visibilityLabels[key].label),
            detail: t(visibilityLabels[key].detail),
          }))}
          hint={t(visibilityLabels[values.visibility].detail)}
        />
      </div>
      {values.kind === 'extractor' && <SchemaSelect form={form} isNew={isNew} />}
      {values.kind === 'documentalist' && isNew && (
        <div className="with-hint">
          <FolderPicker host={host} value={values.path} onChange={(path) => change({ path })} />
          <p className="hint">{t('agents.folderHint')}</p>
        </div>
      )}
      {form.problem !== null && <Callout kind="bad">{errorSentence(form.problem)}</Callout>}
    </Dialog>
  )
}

type KindChoiceProps = { value: Kind; onChange: (kind: Kind) => void; isDisabled: boolean }

function KindChoice({ value, onChange, isDisabled }: KindChoiceProps): ReactNode {
  const { t } = useLanguage()
  return (
    <RadioGroup
      className="radio-cards"
      aria-label={t('agents.kind')}
      value={value}
      onChange={(kind) => onChange(kind as Kind)}
      isDisabled={isDisabled}
    >
      <RadioCard
        value="documentalist"
        icon="agent"
        title={t('agents.documentalist')}
        text={t('agents.documentalistText')}
      />
      <RadioCard value="extractor" icon="schema" title={t('agents.extractor')} text={t('agents.extractorText')} />
    </RadioGroup>
  )
}

function SchemaSelect({ form, isNew }: { form: AgentForm; isNew: boolean }): ReactNode {
  const { t } = useLanguage()
  const { schemas, schemaId, change } = form
  return (
    <Select
      label={t('field.schema')}
      value={schemaId === null ? null : String(schemaId)}
      onChange={(key) => change({ schemaId: Number(key) })}
      choices={schemas.map(({ id, name }) => ({ key: String(id), label: name }))}
      placeholder={t(isNew ? 'folders.noSchema' : 'agents.otherSchema')}
      hint={t('agents.schemaHint')}
      isDisabled={schemas.length === 0}
    />
  )
}

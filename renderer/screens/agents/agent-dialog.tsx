import { useState } from 'react'
import type { ReactNode } from 'react'
import { RadioGroup } from 'react-aria-components'
import { visibilities } from '../../../shared/agent.ts'
import type { AgentRow, Visibility } from '../../../shared/agent.ts'
import type { AppState } from '../../../shared/contract.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { visibilityWords } from './agents.tsx'

/** The kinds that can be made here; the spec announces a third one, Writer, without an interface. */
type Kind = 'documentalist' | 'extractor'

type Props = { host: AppState['host']; agent: AgentRow | null; onClose: () => void }

/** Makes an agent, or changes one; its kind never changes. */
export function AgentDialog({ host, agent, onClose }: Props): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const [kind, setKind] = useState<Kind>(agent?.kind === 'extractor' ? 'extractor' : 'documentalist')
  const [name, setName] = useState(agent?.name ?? '')
  const [visibility, setVisibility] = useState<Visibility>(agent?.visibility ?? 'Organization')
  const [path, setPath] = useState('')
  const [chosenSchema, setChosenSchema] = useState<number | null>(null)
  const [made, setMade] = useState<string | null>(agent?.reference ?? null)
  const [problem, setProblem] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  // The service keeps the fields, not which schema of ours they came from.
  const same = agent?.schema ? schemas.find(({ elements }) => JSON.stringify(elements) === JSON.stringify(agent.schema)) : undefined
  const schemaId = chosenSchema ?? same?.id ?? (agent ? null : (schemas[0]?.id ?? null))
  // An Extractor saved without a schema keeps its own.
  const ready = name.trim() !== '' && (kind === 'documentalist' || schemaId !== null || agent !== null)

  async function save(): Promise<void> {
    if (!ready) return
    setSaving(true)
    setProblem(null)
    try {
      // A second try after a failure takes up what the first one made.
      const { reference } = await call('agents.save', { reference: made, kind, name: name.trim(), visibility, schemaId: kind === 'extractor' ? schemaId : null })
      setMade(reference)
      if (kind === 'documentalist' && path.trim() !== '') {
        const { added, skipped } = await call('agents.addDocuments', { reference, paths: [path.trim()] })
        notify('done', addedSentence(added, skipped))
      }
      onClose()
    } catch (error) {
      setProblem(error)
      setSaving(false)
    }
  }
  function addedSentence(added: number, skipped: number): string {
    return t('agents.added', { added, shown: formats.count(added), skipped, skippedShown: formats.count(skipped) })
  }

  return (
    <Dialog
      title={agent ? t('agents.editTitle', { name: agent.name }) : t('agents.addTitle')}
      width="wide"
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!ready || saving}>
            {agent ? t('action.save') : t('agents.addConfirm')}
          </Button>
        </>
      }
    >
      {!agent && (
        <RadioGroup className="radio-cards" aria-label={t('agents.kind')} value={kind} onChange={(value) => setKind(value as Kind)} isDisabled={made !== null}>
          <RadioCard value="documentalist" icon="agent" title={t('agents.documentalist')} text={t('agents.documentalistText')} />
          <RadioCard value="extractor" icon="schema" title={t('agents.extractor')} text={t('agents.extractorText')} />
        </RadioGroup>
      )}
      <div className="form__columns">
        <TextField label={t('agents.name')} value={name} onChange={setName} isRequired autoFocus />
        <Select
          label={t('agents.visibility')}
          value={visibility}
          onChange={setVisibility}
          choices={visibilities.map((key) => ({ key, label: t(visibilityWords[key].label), detail: t(visibilityWords[key].detail) }))}
          hint={t(visibilityWords[visibility].detail)}
        />
      </div>
      {kind === 'extractor' && (
        <Select
          label={t('field.schema')}
          value={schemaId === null ? null : String(schemaId)}
          onChange={(key) => setChosenSchema(Number(key))}
          choices={schemas.map(({ id, name: label }) => ({ key: String(id), label }))}
          placeholder={t(agent ? 'agents.otherSchema' : 'folders.noSchema')}
          hint={t('agents.schemaHint')}
          isDisabled={schemas.length === 0}
        />
      )}
      {kind === 'documentalist' && !agent && (
        <div className="with-hint">
          <FolderPicker host={host} value={path} onChange={setPath} />
          <p className="hint">{t('agents.folderHint')}</p>
        </div>
      )}
      {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
    </Dialog>
  )
}

import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Label, RadioGroup } from 'react-aria-components'
import type { AppState, FolderRow } from '../../../shared/contract.ts'
import { patternsIn, patternsText } from '../../../shared/file-patterns.ts'
import { afterwardsChoices, extractionModes } from '../../../shared/job.ts'
import type { Afterwards, ExtractionMode } from '../../../shared/job.ts'
import { call } from '../../client/client.ts'
import { useCall } from '../../client/queries.ts'
import { connectionChoices, connectionName } from '../../components/connection-choices.ts'
import { ConnectionStopped } from '../../components/connection-stopped.tsx'
import { Button, Checkbox, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EstimateLine } from '../../components/estimate.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { Callout } from '../../components/page.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { LookPanel } from './look-panel.tsx'
import { useLook } from './use-look.ts'
import { wayBackHint } from './way-back.ts'
import { afterwardsWords, modeWords } from './words.ts'

type Props = { state: AppState; folder: FolderRow | null; onClose: () => void }

/** While something is typed, only what stands still for this long is looked at. */
const typingMs = 400

type Existing = 'take' | 'leave'

/** Adds a folder, or changes how one is watched. */
export function FolderDialog({ state, folder, onClose }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas ?? []
  const [path, setPath] = useState(folder?.path ?? '')
  const [schemaId, setSchemaId] = useState<number | null>(folder?.schemaId ?? null)
  const [connectionId, setConnectionId] = useState<number | null>(folder?.connectionId ?? state.connections[0]?.id ?? null)
  const [agent, setAgent] = useState(folder?.agentReference ?? '')
  const [mode, setMode] = useState<ExtractionMode>(folder?.mode ?? 'auto')
  const [afterwards, setAfterwards] = useState<Afterwards>(folder?.afterwards ?? 'stay')
  const [subfolders, setSubfolders] = useState(folder?.includeSubfolders ?? true)
  const [include, setInclude] = useState(patternsText(folder?.include ?? []))
  const [exclude, setExclude] = useState(patternsText(folder?.exclude ?? []))
  const [existing, setExisting] = useState<Existing>('take')
  const [problem, setProblem] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const schema = schemaId ?? schemas[0]?.id ?? null
  const ready = path.trim() !== '' && schema !== null && connectionId !== null
  const connection = state.connections.find(({ id }) => id === connectionId)
  const local = connection?.kind === 'local'
  const patterns = { include: patternsIn(include), exclude: patternsIn(exclude) }
  const settled = useSettled(patterns)
  const agentReference = local || agent.trim() === '' ? null : agent.trim()
  const look = useLook(
    ready && schema !== null && connectionId !== null
      ? { folderId: folder?.id ?? null, path: path.trim(), includeSubfolders: subfolders, afterwards, ...patterns, schemaId: schema, connectionId, agentReference }
      : null,
  )
  const hint = wayBackHint(mode, connection, state.wayBack)

  async function save(): Promise<void> {
    if (!ready || schema === null || connectionId === null) return
    const input = { path: path.trim(), schemaId: schema, connectionId, agentReference, mode, includeSubfolders: subfolders, afterwards, ...patterns }
    setSaving(true)
    try {
      if (folder) await call('folders.update', { id: folder.id, ...input })
      else await call('folders.add', { ...input, existing })
      onClose()
    } catch (error) {
      setProblem(error)
      setSaving(false)
    }
  }

  return (
    <Dialog
      title={folder ? t('folders.editTitle', { name: folder.name }) : t('folders.addTitle')}
      width="wide"
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!ready || saving}>
            {folder ? t('action.save') : t('folders.addConfirm')}
          </Button>
        </>
      }
    >
      <FolderPicker host={state.host} value={path} onChange={setPath} />
      <Checkbox isSelected={subfolders} onChange={setSubfolders}>
        {t('folders.subfolders')}
      </Checkbox>
      <div className="form__columns">
        <Select
          label={t('field.schema')}
          value={schema === null ? null : String(schema)}
          onChange={(key) => setSchemaId(Number(key))}
          choices={schemas.map(({ id, name }) => ({ key: String(id), label: name }))}
          placeholder={t('folders.noSchema')}
          isDisabled={schemas.length === 0}
        />
        <Select label={t('field.connection')} value={connectionId === null ? null : String(connectionId)} onChange={(key) => setConnectionId(Number(key))} choices={connectionChoices(state.connections, t)} />
        <Select label={t('field.mode')} value={mode} onChange={setMode} choices={extractionModes.map((key) => ({ key, label: t(modeWords[key].label), detail: t(modeWords[key].detail) }))} hint={t(modeWords[mode].detail)} />
        <Select label={t('field.afterwards')} value={afterwards} onChange={setAfterwards} choices={afterwardsChoices.map((key) => ({ key, label: t(afterwardsWords[key].label) }))} hint={t(afterwardsWords[afterwards].detail)} />
        {!local && <TextField label={t('field.agent')} value={agent} onChange={setAgent} hint={t('folders.agentHint')} />}
      </div>
      <ConnectionStopped connection={connection} />
      {hint && connection && <Callout kind={hint.kind}>{hint.words.map((words) => t(words, { name: connectionName(connection, t) })).join(' ')}</Callout>}
      <div className="form__columns">
        <TextField label={t('folders.include')} value={include} onChange={setInclude} placeholder={t('folders.includeExample')} hint={t('folders.includeHint')} />
        <TextField label={t('folders.exclude')} value={exclude} onChange={setExclude} placeholder={t('folders.excludeExample')} hint={t('folders.excludeHint')} />
      </div>
      {!folder && (
        <RadioGroup className="form__choice" value={existing} onChange={(value) => setExisting(value as Existing)}>
          <Label className="label">{t('folders.existing')}</Label>
          <div className="radio-cards radio-cards--small">
            <RadioCard value="take" title={t('folders.existingTake')} text={t('folders.existingTakeText')} />
            <RadioCard value="leave" title={t('folders.existingLeave')} text={t('folders.existingLeaveText')} />
          </div>
        </RadioGroup>
      )}
      <LookPanel state={look.state} connection={connection} leaves={!folder && existing === 'leave'} onStart={look.start} onStop={look.stop} isDisabled={!ready}>
        {!folder && existing === 'take' && path.trim() !== '' && <EstimateLine schemaId={schema} connectionId={connectionId} source={{ path: path.trim(), includeSubfolders: subfolders, ...settled }} />}
      </LookPanel>
      {problem !== null && <Callout kind="bad">{errorSentence(problem)}</Callout>}
    </Dialog>
  )
}

/** Patterns that did not change for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const key = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as T), typingMs)
    return () => clearTimeout(timer)
  }, [key])
  return settled
}

import type { ReactNode } from 'react'
import { Label, RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { patternsIn } from '../../../shared/domain/file-patterns.ts'
import { afterwardsChoices, extractionModes } from '../../../shared/domain/document-status.ts'
import { connectionChoices, connectionName } from '../../components/connection-choices.ts'
import { ConnectionStopped } from '../../components/connection-stopped.tsx'
import { Button, Checkbox, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EstimateLine } from '../../components/estimate.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { Callout } from '../../components/page.tsx'
import { SetByAdministrator } from '../../components/set-by-administrator.tsx'
import { RadioCard } from '../../components/radio-card.tsx'
import { typingMs, useDebounced } from '../../components/use-debounced.ts'
import { useLanguage } from '../../messages/language.tsx'
import { ArchiveNamePart } from './archive-name-part.tsx'
import { callbackRouteHint } from './callback-route-hint.ts'
import { DryRunPanel } from './dry-run-panel.tsx'
import { KindsPart } from './kinds-part.tsx'
import { afterwardsLabels, modeLabels } from './labels.ts'
import { useDryRun } from './use-dry-run.ts'
import type { DryRunTarget } from './use-dry-run.ts'
import { useFolderForm } from './use-folder-form.ts'
import type { FolderForm, FolderFormValues } from './use-folder-form.ts'

type Props = { state: AppState; folder: FolderRow | null; onClose: () => void }

/** Adds a folder, or changes how one is watched. */
export function FolderDialog({ state, folder, onClose }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const form = useFolderForm(state, folder, onClose)
  const { values, change, connection, settings } = form
  const { path, includeSubfolders, existing } = values
  const patterns = useDebounced({ include: patternsIn(values.include), exclude: patternsIn(values.exclude) }, typingMs)
  const dryRun = useDryRun(dryRunTarget(folder, settings))
  const takesExisting = !folder && existing === 'take'
  const leavesExisting = !folder && existing === 'leave'
  return (
    <Dialog
      title={folder ? t('folders.editTitle', { name: folder.name }) : t('folders.addTitle')}
      width="wide"
      onClose={onClose}
      onSubmit={() => void form.save()}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={!form.canSave || form.isSaving}>
            {folder ? t('action.save') : t('folders.addConfirm')}
          </Button>
        </>
      }
    >
      <FolderPicker host={state.host} value={path} onChange={(next) => change({ path: next })} />
      <SetByAdministrator policy="AllowedFolders" />
      <Checkbox isSelected={includeSubfolders} onChange={(on) => change({ includeSubfolders: on })}>
        {t('folders.subfolders')}
      </Checkbox>
      <ReadingFields form={form} connections={state.connections} />
      {values.afterwards === 'move' && <ArchiveNamePart form={form} />}
      {values.agent.trim() === '' && <KindsPart form={form} />}
      <ConnectionStopped connection={connection} />
      <RouteHint mode={values.mode} connection={connection} callbackRoute={state.callbackRoute} />
      <PatternFields values={values} onChange={change} />
      {!folder && <ExistingFilesChoice value={existing} onChange={(next) => change({ existing: next })} />}
      <DryRunPanel
        state={dryRun.state}
        connection={connection}
        leavesExisting={leavesExisting}
        onStart={dryRun.start}
        onStop={dryRun.stop}
        isDisabled={settings === null}
      >
        {takesExisting && path.trim() !== '' && (
          <EstimateLine
            schemaId={values.template === null ? form.schemaId : null}
            connectionId={values.connectionId}
            source={{ path: path.trim(), includeSubfolders, ...patterns }}
          />
        )}
      </DryRunPanel>
      {form.problem !== null && <Callout kind="bad">{errorSentence(form.problem)}</Callout>}
    </Dialog>
  )
}

/** What a dry run is about: all settings but those that change nothing that it finds. Pure. */
function dryRunTarget(folder: FolderRow | null, settings: FolderForm['settings']): DryRunTarget | null {
  if (settings === null) return null
  const { mode: _mode, otherSchemaIds: _others, cuts: _cuts, archiveName: _name, ...target } = settings
  return { folderId: folder?.id ?? null, ...target }
}

/** By what, where and how its documents are read, and what becomes of the files. */
function ReadingFields({ form, connections }: { form: FolderForm; connections: ConnectionRow[] }): ReactNode {
  const { t } = useLanguage()
  const { values, change } = form
  const { connectionId, mode, afterwards } = values
  // What concerns platforms is not asked while there is only this computer.
  const isOnlyHere = connections.every(({ kind, id }) => kind === 'local' && id === connectionId)
  return (
    <div className="form__columns">
      <SchemaSelect form={form} />
      {!isOnlyHere && (
        <>
          <Select
            label={t('field.connection')}
            value={connectionId === null ? null : String(connectionId)}
            onChange={(key) => change({ connectionId: Number(key) })}
            choices={connectionChoices(connections, t)}
          />
          <Select
            label={t('field.mode')}
            value={mode}
            onChange={(next) => change({ mode: next })}
            choices={extractionModes.map((key) => ({
              key,
              label: t(modeLabels[key].label),
              detail: t(modeLabels[key].detail),
            }))}
            hint={t(modeLabels[mode].detail)}
          />
        </>
      )}
      <Select
        label={t('field.afterwards')}
        value={afterwards}
        onChange={(next) => change({ afterwards: next })}
        choices={afterwardsChoices.map((key) => ({ key, label: t(afterwardsLabels[key].label) }))}
        hint={t(afterwardsLabels[afterwards].detail)}
      />
      <TextField
        label={t('field.agent')}
        value={values.agent}
        onChange={(agent) => change({ agent })}
        hint={t('folders.agentHint')}
      />
    </div>
  )
}

const templatePrefix = 'template:'

/** By what its documents are read: a schema, or a template that becomes one with the folder. */
function SchemaSelect({ form: { values, change, schemas, templates, schemaId } }: { form: FolderForm }): ReactNode {
  const { t } = useLanguage()
  const chosen = schemaId === null ? null : String(schemaId)
  return (
    <Select
      label={t('field.schema')}
      value={values.template === null ? chosen : `${templatePrefix}${values.template}`}
      onChange={(key) =>
        change(
          key.startsWith(templatePrefix)
            ? { template: key.slice(templatePrefix.length) }
            : { schemaId: Number(key), template: null },
        )
      }
      choices={[
        ...schemas.map(({ id, name }) => ({ key: String(id), label: name })),
        ...templates.map(({ key, name, description }) => ({
          key: `${templatePrefix}${key}`,
          label: t('folders.fromTemplate', { name }),
          detail: description,
        })),
      ]}
      placeholder={t('folders.chooseSchema')}
    />
  )
}

type RouteHintProps = Pick<FolderFormValues, 'mode'> & Pick<AppState, 'callbackRoute'> & Pick<FolderForm, 'connection'>

function RouteHint({ mode, connection, callbackRoute }: RouteHintProps): ReactNode {
  const { t } = useLanguage()
  const hint = callbackRouteHint(mode, connection, callbackRoute)
  if (!hint || !connection) return null
  const name = connectionName(connection, t)
  return <Callout kind={hint.kind}>{hint.messages.map((message) => t(message, { name })).join(' ')}</Callout>
}

type PatternFieldsProps = { values: FolderFormValues; onChange: FolderForm['change'] }

function PatternFields({ values: { include, exclude }, onChange }: PatternFieldsProps): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="form__columns">
      <TextField
        label={t('folders.include')}
        value={include}
        onChange={(next) => onChange({ include: next })}
        placeholder={t('folders.includeExample')}
        hint={t('folders.includeHint')}
      />
      <TextField
        label={t('folders.exclude')}
        value={exclude}
        onChange={(next) => onChange({ exclude: next })}
        placeholder={t('folders.excludeExample')}
        hint={t('folders.excludeHint')}
      />
    </div>
  )
}

type Existing = FolderFormValues['existing']

function ExistingFilesChoice({
  value,
  onChange,
}: {
  value: Existing
  onChange: (existing: Existing) => void
}): ReactNode {
  const { t } = useLanguage()
  return (
    <RadioGroup className="form__choice" value={value} onChange={(next) => onChange(next as Existing)}>
      <Label className="label">{t('folders.existing')}</Label>
      <div className="radio-cards radio-cards--small">
        <RadioCard value="take" title={t('folders.existingTake')} text={t('folders.existingTakeText')} />
        <RadioCard value="leave" title={t('folders.existingLeave')} text={t('folders.existingLeaveText')} />
      </div>
    </RadioGroup>
  )
}

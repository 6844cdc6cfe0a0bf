import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { ExportPreset } from '../../../shared/contract/exports.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { isSameSpec } from './plan.ts'

type Spec = ExportPreset['spec']

type Props = {
  presetId: number | null
  /** What is planned now; null while there is no schema. */
  spec: Spec | null
  onChoose: (preset: ExportPreset | null) => void
  /** The plan is this preset now; null: none. */
  onSaved: (id: number | null) => void
}

type PresetActions = {
  add: (name: string, spec: Spec) => void
  rename: (preset: ExportPreset, name: string) => void
  replace: (preset: ExportPreset, spec: Spec) => void
  remove: (preset: ExportPreset) => void
}

/** Saves, replaces, renames and removes presets; what loses something can be undone from its notice. */
function usePresetActions({ onChoose, onSaved }: Pick<Props, 'onChoose' | 'onSaved'>): PresetActions {
  const { t, errorSentence } = useLanguage()
  const save = useAction('exports.presets.save')
  const remove = useAction('exports.presets.remove')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const saveAs = (id: number | null, name: string, spec: Spec): void =>
    save.mutate({ id, name, spec }, { onError, onSuccess: (preset) => onSaved(preset.id) })
  return {
    add: (name, spec) => saveAs(null, name, spec),
    rename: ({ id, spec }, name) => saveAs(id, name, spec),
    replace(before, spec) {
      save.mutate(
        { ...before, spec },
        {
          onError,
          onSuccess: () =>
            notify('done', t('exports.presetUpdated', { name: before.name }), {
              label: t('check.undo'),
              run: () => save.mutate(before, { onError, onSuccess: onChoose }),
            }),
        },
      )
    },
    remove({ id, name, spec }) {
      remove.mutate(
        { id },
        {
          onError,
          onSuccess: () => {
            onSaved(null)
            notify('done', t('exports.presetRemoved', { name }), {
              label: t('check.undo'),
              run: () => save.mutate({ id: null, name, spec }, { onError, onSuccess: onChoose }),
            })
          },
        },
      )
    },
  }
}

/** Exports that a person keeps under a name: chosen, saved, replaced, renamed, removed. */
export function PresetBar({ presetId, spec, onChoose, onSaved }: Props): ReactNode {
  const { t } = useLanguage()
  const presets = useCall('exports.presets.list', {}).data?.presets ?? []
  const actions = usePresetActions({ onChoose, onSaved })
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const chosen = presets.find(({ id }) => id === presetId) ?? null
  const renamed = naming === 'rename' ? chosen : null
  const isChanged = chosen !== null && spec !== null && !isSameSpec(chosen.spec, spec)
  return (
    <>
      <PresetSelect presets={presets} chosen={chosen} onChoose={onChoose} />
      {isChanged && <Button onPress={() => actions.replace(chosen, spec)}>{t('exports.presetUpdate')}</Button>}
      <Button variant="quiet" isDisabled={spec === null} onPress={() => setNaming('new')}>
        {t('exports.presetSave')}
      </Button>
      {chosen !== null && (
        <PresetMenu name={chosen.name} onRename={() => setNaming('rename')} onRemove={() => actions.remove(chosen)} />
      )}
      {naming !== null && spec !== null && (
        <NameDialog
          title={t(naming === 'new' ? 'exports.presetSave' : 'exports.presetRename')}
          start={renamed?.name ?? ''}
          onClose={() => setNaming(null)}
          onName={(name) => {
            if (renamed !== null) actions.rename(renamed, name)
            else actions.add(name, spec)
            setNaming(null)
          }}
        />
      )}
    </>
  )
}

type SelectProps = { presets: ExportPreset[]; chosen: ExportPreset | null; onChoose: Props['onChoose'] }

function PresetSelect({ presets, chosen, onChoose }: SelectProps): ReactNode {
  const { t } = useLanguage()
  if (presets.length === 0) return null
  return (
    <Select
      look="chip"
      label={t('exports.preset')}
      value={chosen === null ? 'none' : String(chosen.id)}
      onChange={(key) => onChoose(presets.find(({ id }) => String(id) === key) ?? null)}
      choices={[
        { key: 'none', label: t('exports.noPreset') },
        ...presets.map(({ id, name }) => ({ key: String(id), label: name })),
      ]}
    />
  )
}

function PresetMenu({
  name,
  onRename,
  onRemove,
}: {
  name: string
  onRename: () => void
  onRemove: () => void
}): ReactNode {
  const { t } = useLanguage()
  return (
    <MenuTrigger>
      <AriaButton className="icon-button" aria-label={t('exports.presetMore', { name })}>
        <Icon name="more" />
      </AriaButton>
      <Popover className="popover" placement="bottom end" offset={4}>
        <Menu className="list-box" onAction={(key) => (key === 'rename' ? onRename() : onRemove())}>
          <MenuItem id="rename" className="list-box__item menu__item">
            {t('exports.presetRename')}
          </MenuItem>
          <MenuItem id="remove" className="list-box__item menu__item menu__item--danger">
            {t('exports.presetRemove')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

function NameDialog({
  title,
  start,
  onName,
  onClose,
}: {
  title: string
  start: string
  onName: (name: string) => void
  onClose: () => void
}): ReactNode {
  const { t } = useLanguage()
  const [name, setName] = useState(start)
  const [tried, setTried] = useState(false)
  const isMissing = name.trim() === ''
  function submit(): void {
    setTried(true)
    if (!isMissing) onName(name.trim().slice(0, 200))
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t('action.save')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('exports.presetName')}
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        problem={tried && isMissing ? t('exports.presetNameMissing') : null}
        hint={t('exports.presetHint')}
      />
    </Dialog>
  )
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button as AriaButton, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { ExportPreset } from '../../../shared/contract-exports.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { isSameSpec } from './plan.ts'

type Props = {
  presetId: number | null
  /** What is planned now; null while there is no schema. */
  spec: ExportPreset['spec'] | null
  onChoose: (preset: ExportPreset | null) => void
  /** The plan is this preset now. */
  onKept: (id: number | null) => void
}

/** Exports that a person keeps under a name: chosen, saved, replaced, renamed, removed. */
export function PresetBar({ presetId, spec, onChoose, onKept }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const presets = useCall('exports.presets.list', {}).data?.presets ?? []
  const save = useAction('exports.presets.save')
  const remove = useAction('exports.presets.remove')
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null)
  const chosen = presets.find(({ id }) => id === presetId) ?? null
  const onError = (error: unknown): void => notify('problem', errorSentence(error))

  function keep(id: number | null, name: string, kept: ExportPreset['spec']): void {
    save.mutate({ id, name, spec: kept }, { onError, onSuccess: (preset) => onKept(preset.id) })
  }
  function update(): void {
    if (chosen === null || spec === null) return
    const before = chosen
    save.mutate(
      { ...before, spec },
      { onError, onSuccess: () => notify('done', t('exports.presetUpdated', { name: before.name }), { label: t('check.undo'), run: () => save.mutate(before, { onError, onSuccess: onChoose }) }) },
    )
  }
  function removeChosen(): void {
    if (chosen === null) return
    const { id, name, spec: kept } = chosen
    remove.mutate(
      { id },
      {
        onError,
        onSuccess: () => {
          onKept(null)
          notify('done', t('exports.presetRemoved', { name }), { label: t('check.undo'), run: () => save.mutate({ id: null, name, spec: kept }, { onError, onSuccess: onChoose }) })
        },
      },
    )
  }
  return (
    <>
      {presets.length > 0 && (
        <Select
          look="chip"
          label={t('exports.preset')}
          value={chosen === null ? 'none' : String(chosen.id)}
          onChange={(key) => onChoose(presets.find(({ id }) => String(id) === key) ?? null)}
          choices={[{ key: 'none', label: t('exports.noPreset') }, ...presets.map(({ id, name }) => ({ key: String(id), label: name }))]}
        />
      )}
      {chosen !== null && spec !== null && !isSameSpec(chosen.spec, spec) && <Button onPress={update}>{t('exports.presetUpdate')}</Button>}
      <Button variant="quiet" isDisabled={spec === null} onPress={() => setNaming('new')}>
        {t('exports.presetSave')}
      </Button>
      {chosen !== null && (
        <MenuTrigger>
          <AriaButton className="icon-button" aria-label={t('exports.presetMore', { name: chosen.name })}>
            <Icon name="more" />
          </AriaButton>
          <Popover className="popover" placement="bottom end" offset={4}>
            <Menu className="list-box" onAction={(key) => (key === 'rename' ? setNaming('rename') : removeChosen())}>
              <MenuItem id="rename" className="list-box__item menu__item">
                {t('exports.presetRename')}
              </MenuItem>
              <MenuItem id="remove" className="list-box__item menu__item menu__item--danger">
                {t('exports.presetRemove')}
              </MenuItem>
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {naming !== null && spec !== null && (
        <NameDialog
          title={t(naming === 'new' ? 'exports.presetSave' : 'exports.presetRename')}
          start={naming === 'new' ? '' : (chosen?.name ?? '')}
          onClose={() => setNaming(null)}
          onName={(name) => {
            if (naming === 'rename' && chosen !== null) keep(chosen.id, name, chosen.spec)
            else keep(null, name, spec)
            setNaming(null)
          }}
        />
      )}
    </>
  )
}

function NameDialog({ title, start, onName, onClose }: { title: string; start: string; onName: (name: string) => void; onClose: () => void }): ReactNode {
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
      <TextField label={t('exports.presetName')} value={name} onChange={setName} autoFocus isRequired problem={tried && isMissing ? t('exports.presetNameMissing') : null} hint={t('exports.presetHint')} />
    </Dialog>
  )
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import { listLayouts } from '../../../shared/contract/exports.ts'
import type { ListLayout } from '../../../shared/contract/exports.ts'
import type { WorkbookRow } from '../../../shared/contract/workbooks.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { useAction } from '../../client/queries.ts'
import { Button, Select, TextField } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fileNameOf } from './file-name.ts'
import { listLayoutLabels } from './list-choice.tsx'

type Props = { workbook: WorkbookRow; host: AppState['host']; onClose: () => void }

/** Where a folder's workbook is written, what becomes of line items in it, and the language of its headers. */
export function WorkbookDialog({ workbook, host, onClose }: Props): ReactNode {
  const { t, errorSentence } = useLanguage()
  const set = useAction('workbooks.set')
  const [isElsewhere, setIsElsewhere] = useState(workbook.path !== null)
  const [directory, setDirectory] = useState(directoryOf(workbook.place))
  const [name, setName] = useState(fileNameOf(workbook.path ?? `${workbook.folderName}.xlsx`))
  const [lists, setLists] = useState(workbook.lists)
  const [locale, setLocale] = useState(workbook.locale)
  const [tried, setTried] = useState(false)
  const missing = (text: string): string | null => (tried && text.trim() === '' ? t('workbooks.missing') : null)
  const labels = listLayoutLabels('xlsx')
  function submit(): void {
    setTried(true)
    if (isElsewhere && (directory.trim() === '' || name.trim() === '')) return
    set.mutate(
      { folderId: workbook.folderId, path: isElsewhere ? joined(directory.trim(), name.trim()) : null, lists, locale },
      { onSuccess: onClose },
    )
  }
  return (
    <Dialog
      title={t('workbooks.editTitle', { name: workbook.folderName })}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>{t('action.cancel')}</Button>
          <Button variant="primary" type="submit" isDisabled={set.isPending}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      {set.isError && <Callout kind="bad">{errorSentence(set.error)}</Callout>}
      <RadioGroup
        className="radio-list"
        value={isElsewhere ? 'elsewhere' : 'usual'}
        onChange={(value) => setIsElsewhere(value === 'elsewhere')}
      >
        <Label className="label">{t('workbooks.where')}</Label>
        <Radio value="usual" className="radio-line">
          <span className="radio-card__dot" aria-hidden="true" />
          {t('workbooks.usualPlace')}
        </Radio>
        <Radio value="elsewhere" className="radio-line">
          <span className="radio-card__dot" aria-hidden="true" />
          {t('workbooks.otherPlace')}
        </Radio>
      </RadioGroup>
      {isElsewhere && (
        <>
          <FolderPicker host={host} value={directory} onChange={setDirectory} problem={missing(directory)} />
          <TextField
            label={t('workbooks.fileName')}
            value={name}
            onChange={setName}
            isRequired
            problem={missing(name)}
          />
        </>
      )}
      <Select<ListLayout>
        label={t('exports.lists')}
        value={lists}
        onChange={setLists}
        choices={listLayouts.map((key) => ({ key, label: t(labels[key]) }))}
      />
      <Select<Locale>
        label={t('workbooks.language')}
        value={locale}
        onChange={setLocale}
        choices={[
          { key: 'en', label: 'English' },
          { key: 'de', label: 'Deutsch' },
          { key: 'fr', label: 'Français' },
        ]}
      />
    </Dialog>
  )
}

/** The directory of a path of any system, without the sign at its end. */
function directoryOf(path: string): string {
  return path.slice(0, path.length - fileNameOf(path).length).replace(/(?<=.)[/\\]$/, '')
}

function joined(directory: string, name: string): string {
  const sign = directory.includes('\\') && !directory.includes('/') ? '\\' : '/'
  return /[/\\]$/.test(directory) ? `${directory}${name}` : `${directory}${sign}${name}`
}

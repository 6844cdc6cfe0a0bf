import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import type { AppState, CallInput } from '../../../shared/contract.ts'
import type { ExportRow, ExportSpec } from '../../../shared/contract-exports.ts'
import { AppError } from '../../../shared/errors.ts'
import type { Locale } from '../../../shared/sentences.ts'
import { exportUrl } from '../../client/files.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button, Checkbox, Select } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { exportDraft } from './draft.ts'
import { ExportHistory } from './export-history.tsx'
import { ExportPreview } from './export-preview.tsx'
import { SegmentedChoice } from './segmented-choice.tsx'

const previewRows = 50

/** Chooses what is exported and how, shows what will stand in the file, and writes it. */
export function ExportsScreen({ host }: { host: AppState['host'] }): ReactNode {
  const { t, locale, formats, errorSentence } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const draft = useMemo(exportDraft, [])
  const [schemaId, setSchemaId] = useState(draft.schemaId)
  const [source, setSource] = useState<string>(draft.jobIds ? 'jobs' : draft.folderId === null ? 'all' : String(draft.folderId))
  const [format, setFormat] = useState<ExportSpec['format']>('xlsx')
  const [numbers, setNumbers] = useState<Locale>(locale)
  const [lists, setLists] = useState<ExportSpec['lists']>('rows')
  const [approvedOnly, setApprovedOnly] = useState(false)
  const [written, setWritten] = useState<ExportRow | null>(null)
  const run = useAction('exports.run')

  // The schema with the most results is what a person most likely came for.
  const chosen = schemaId ?? schemas?.toSorted((a, b) => b.resultCount - a.resultCount)[0]?.id ?? null
  const spec: CallInput<'exports.preview'> = {
    schemaId: chosen ?? 1,
    folderId: source === 'all' || source === 'jobs' ? null : Number(source),
    jobIds: source === 'jobs' ? draft.jobIds : null,
    reviews: approvedOnly ? ['approved'] : [],
    format,
    locale: numbers,
    lists,
  }
  const preview = useCall('exports.preview', { ...spec, limit: previewRows }, { enabled: chosen !== null, keepPrevious: true })
  const nothing = preview.error instanceof AppError ? preview.error.code === 'export_empty' : preview.data?.documents === 0

  if (schemas?.length === 0) {
    return (
      <div className="screen">
        <PageHead title={t('exports.title')} />
        <EmptyState icon="export" title={t('exports.noSchema')} text={t('exports.noSchemaHint')}>
          <Button variant="primary" onPress={() => navigate({ screen: 'schemas' })}>
            {t('exports.toSchemas')}
          </Button>
        </EmptyState>
      </div>
    )
  }

  function write(askWhere: boolean): void {
    setWritten(null)
    run.mutate({ ...spec, askWhere }, { onSuccess: (answer) => setWritten(answer.export), onError: (error) => notify('problem', errorSentence(error)) })
  }
  const sources = [
    { key: 'all', label: t('exports.allFolders') },
    ...(draft.jobIds ? [{ key: 'jobs', label: t('exports.selectedJobs', { count: draft.jobIds.length, shown: formats.count(draft.jobIds.length) }) }] : []),
    ...folders.map(({ id, name, path }) => ({ key: String(id), label: name, detail: path })),
  ]
  return (
    <div className="screen">
      <PageHead title={t('exports.title')} />
      <div className="screen__scroll exports">
        <section className="panel exports__form" aria-label={t('exports.what')}>
          <Select label={t('field.schema')} value={chosen === null ? null : String(chosen)} onChange={(key) => setSchemaId(Number(key))} choices={(schemas ?? []).map(({ id, name, resultCount }) => ({ key: String(id), label: name, detail: t('exports.results', { count: resultCount, shown: formats.count(resultCount) }) }))} />
          <Select label={t('exports.documents')} value={source} onChange={setSource} choices={sources} />
          <Checkbox isSelected={approvedOnly} onChange={setApprovedOnly}>
            {t('exports.approvedOnly')}
          </Checkbox>
          <SegmentedChoice label={t('exports.format')} value={format} onChange={setFormat} choices={[['xlsx', 'Excel'], ['csv', 'CSV'], ['json', 'JSON']]} />
          <Select<Locale>
            label={t('exports.locale')}
            value={numbers}
            onChange={setNumbers}
            hint={t('exports.localeHint')}
            isDisabled={format === 'json'}
            choices={[
              { key: 'en', label: 'English · 1,234.56' },
              { key: 'de', label: 'Deutsch · 1.234,56' },
              { key: 'fr', label: 'Français · 1 234,56' },
            ]}
          />
          <RadioGroup className="radio-list" value={lists} onChange={(value) => setLists(value as ExportSpec['lists'])} isDisabled={format === 'json'}>
            <Label className="label">{t('exports.lists')}</Label>
            <Radio value="rows" className="radio-line">
              <span className="radio-card__dot" aria-hidden="true" />
              {t('exports.listsRows')}
            </Radio>
            <Radio value="sheets" className="radio-line">
              <span className="radio-card__dot" aria-hidden="true" />
              {format === 'csv' ? t('exports.listsFiles') : t('exports.listsSheets')}
            </Radio>
          </RadioGroup>
          <div className="exports__run">
            <Button variant="primary" icon="export" isDisabled={nothing || chosen === null || run.isPending} onPress={() => write(host === 'electron')}>
              {run.isPending ? t('exports.running') : t('exports.run')}
            </Button>
          </div>
          <div role="status">{written && <Written written={written} host={host} />}</div>
        </section>
        <div className="exports__side">
          {nothing ? <Callout kind="info">{t('exports.nothing')}</Callout> : preview.isError ? <Callout kind="bad">{errorSentence(preview.error)}</Callout> : preview.data && <ExportPreview preview={preview.data} />}
          <ExportHistory host={host} />
        </div>
      </div>
    </div>
  )
}

/** The files of an export that was just written. */
function Written({ written, host }: { written: ExportRow; host: AppState['host'] }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const reveal = useAction('exports.reveal')
  return (
    <div className="written">
      <p className="written__head">
        <Icon name="check" size={14} />
        {t('exports.written', {
          rows: t('exports.rows', { count: written.rows, shown: formats.count(written.rows) }),
          documents: t('exports.fromDocuments', { count: written.documents, shown: formats.count(written.documents) }),
        })}
      </p>
      {written.paths.map((path, index) => (
        <div key={path} className="written__file">
          <span className="selectable">{path}</span>
          {host === 'browser' && (
            <a className="button button--plain" href={exportUrl(written.id, index)} download>
              {t('exports.download')}
            </a>
          )}
        </div>
      ))}
      {host === 'electron' && <Button onPress={() => reveal.mutate({ id: written.id }, { onError: (error) => notify('problem', errorSentence(error)) })}>{t('exports.reveal')}</Button>}
    </div>
  )
}

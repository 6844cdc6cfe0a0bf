import type { ReactNode } from 'react'
import type { SchemaRow } from '../../../shared/contract.ts'
import type { Locale } from '../../../shared/sentences.ts'
import { useCall } from '../../client/queries.ts'
import { Select } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { ColumnList } from './column-list.tsx'
import { columnsFor, usualColumns } from './columns.ts'
import type { ColumnDraft } from './columns.ts'
import { Fold } from './fold.tsx'
import { ListChoice } from './list-choice.tsx'
import { daysOf, DaysChoice, StateChoice } from './narrowing.tsx'
import type { ExportPlan, SettledPlan } from './plan.ts'
import { SegmentedChoice } from './segmented-choice.tsx'

type Props = { plan: SettledPlan; schemas: SchemaRow[]; chosen: number | null; onChange: (change: Partial<ExportPlan>) => void }

/** What is exported and how: schema, documents, format and what becomes of lists; the rest is folded until somebody wants it otherwise. */
export function ExportForm({ plan, schemas, chosen, onChange }: Props): ReactNode {
  const language = useLanguage()
  const { t, locale, formats } = language
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const elements = schemas.find(({ id }) => id === chosen)?.elements ?? []
  const usual = usualColumns(elements, plan.lists)
  const columns = plan.columns ?? usual
  const on = columns.filter(({ isOn }) => isOn).length
  const sources = [
    { key: 'all', label: t('exports.allFolders') },
    ...(plan.jobIds ? [{ key: 'jobs', label: t('exports.selectedJobs', { count: plan.jobIds.length, shown: formats.count(plan.jobIds.length) }) }] : []),
    ...folders.map(({ id, name, path }) => ({ key: String(id), label: name, detail: path })),
  ]
  const localeLabels: Record<Locale, string> = { en: 'English · 1,234.56', de: 'Deutsch · 1.234,56', fr: 'Français · 1 234,56' }
  const chooseColumns = (next: ColumnDraft[] | null): void => onChange({ columns: next })
  return (
    <>
      <Select
        label={t('field.schema')}
        value={chosen === null ? null : String(chosen)}
        placeholder={t('exports.schemaGone')}
        onChange={(key) => onChange({ schemaId: Number(key), columns: null, lists: null, listLimit: null })}
        choices={schemas.map(({ id, name, resultCount }) => ({ key: String(id), label: name, detail: t('exports.results', { count: resultCount, shown: formats.count(resultCount) }) }))}
      />
      <Select
        label={t('exports.documents')}
        value={plan.onlyJobs ? 'jobs' : plan.folderId === null ? 'all' : String(plan.folderId)}
        placeholder={t('exports.folderGone')}
        onChange={(key) => onChange({ onlyJobs: key === 'jobs', folderId: key === 'all' || key === 'jobs' ? null : Number(key) })}
        choices={sources}
      />
      <StateChoice plan={plan} onChange={onChange} />
      <SegmentedChoice label={t('exports.format')} value={plan.format} onChange={(format) => onChange({ format })} choices={[['xlsx', 'Excel'], ['csv', 'CSV'], ['json', 'JSON']]} />
      {plan.format !== 'json' && elements.some(({ items }) => items) && (
        <ListChoice
          lists={plan.lists}
          limit={plan.listLimit}
          format={plan.format}
          onChange={(lists) => onChange({ lists, columns: plan.columns === null ? null : columnsFor(lists, plan.columns, elements) })}
          onLimit={(listLimit) => onChange({ listLimit })}
        />
      )}
      <div className="folds">
        <Fold title={t('exports.days')} summary={daysOf(plan, language)}>
          <DaysChoice plan={plan} onChange={onChange} />
        </Fold>
        {plan.format !== 'json' && (
          <>
            <Fold title={t('exports.columns')} summary={plan.columns === null ? t('exports.columnsUsual') : t('exports.columnsChosen', { on: formats.count(on), all: formats.count(columns.length) })}>
              <ColumnList columns={columns} isUsual={plan.columns === null} onChange={chooseColumns} />
            </Fold>
            <Fold title={t('exports.locale')} summary={plan.locale === 'own' ? t('exports.localeOwn') : localeLabels[plan.locale]}>
              <Select<Locale | 'own'>
                label={t('exports.locale')}
                labelHidden
                value={plan.locale}
                onChange={(next) => onChange({ locale: next })}
                hint={t('exports.localeHint')}
                choices={[{ key: 'own', label: t('exports.localeOwn'), detail: localeLabels[locale] }, ...(['en', 'de', 'fr'] as const).map((key) => ({ key, label: localeLabels[key] }))]}
              />
            </Fold>
          </>
        )}
      </div>
    </>
  )
}

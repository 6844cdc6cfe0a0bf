import type { ReactNode } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'
import { bookFormats } from '../../../shared/contract/exports.ts'
import type { BookFormat, tableFormats } from '../../../shared/contract/exports.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { useCall } from '../../client/queries.ts'
import { Select } from '../../components/controls.tsx'
import type { Choice } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { exportFormatNames } from '../../messages/export-formats.ts'
import { useLanguage } from '../../messages/language.tsx'
import { ColumnList } from './column-list.tsx'
import { columnsFor, usualColumns } from './columns.ts'
import { PeriodFilter, periodSummary, ReviewStateFilter } from './document-filters.tsx'
import { BillForm } from './bill-form.tsx'
import { readBook, saveBook } from './book-preference.ts'
import { DatevForm } from './datev-form.tsx'
import { ListChoice } from './list-choice.tsx'
import { isBillProgram, usualStates } from './plan.ts'
import type { ExportPlan, ResolvedPlan } from './plan.ts'
import { SegmentedChoice } from './segmented-choice.tsx'

type TableFormat = (typeof tableFormats)[number]
const shownFormats: TableFormat[] = ['xlsx', 'csv', 'json']

const localeLabels: Record<Locale, string> = {
  en: 'English · 1,234.56',
  de: 'Deutsch · 1.234,56',
  fr: 'Français · 1 234,56',
}

type PlanProps = { plan: ResolvedPlan; onChange: (change: Partial<ExportPlan>) => void }
type Props = PlanProps & { schemas: SchemaRow[]; chosen: number | null }

/**
 * What is exported and how: schema, documents, format and what becomes of lists; the rest is folded until somebody
 * wants it otherwise.
 */
export function ExportForm({ plan, schemas, chosen, onChange }: Props): ReactNode {
  const language = useLanguage()
  const { t, formats } = language
  const elements = schemas.find(({ id }) => id === chosen)?.elements ?? []
  const hasColumns = plan.format === 'xlsx' || plan.format === 'csv'
  return (
    <>
      <Select
        label={t('field.schema')}
        value={chosen === null ? null : String(chosen)}
        placeholder={t('exports.schemaGone')}
        onChange={(key) => onChange({ schemaId: Number(key), columns: null, lists: null, listLimit: null })}
        choices={schemas.map(({ id, name, resultCount }) => ({
          key: String(id),
          label: name,
          detail: t('exports.results', { count: resultCount, shown: formats.count(resultCount) }),
        }))}
      />
      <SourceSelect plan={plan} onChange={onChange} />
      <ReviewStateFilter plan={plan} onChange={onChange} />
      <FormatChoice plan={plan} onChange={onChange} />
      {hasColumns && elements.some(({ items }) => items) && (
        <ListChoice
          lists={plan.lists}
          limit={plan.listLimit}
          format={plan.format}
          onChange={(lists) =>
            onChange({ lists, columns: plan.columns === null ? null : columnsFor(lists, plan.columns, elements) })
          }
          onLimit={(listLimit) => onChange({ listLimit })}
        />
      )}
      <div className="folds">
        <Section title={t('exports.days')} summary={periodSummary(plan, language)}>
          <PeriodFilter plan={plan} onChange={onChange} />
        </Section>
        {hasColumns && (
          <>
            <ColumnsSection plan={plan} elements={elements} onChange={onChange} />
            <LocaleSection plan={plan} onChange={onChange} />
          </>
        )}
      </div>
    </>
  )
}

/** As a table, or for which program of bookkeeping, with what that has to know. */
function FormatChoice({ plan, onChange }: PlanProps): ReactNode {
  const { t } = useLanguage()
  const { format, datev, bills } = plan
  const book = bookFormats.find((each) => each === format) ?? null
  return (
    <>
      <SegmentedChoice<TableFormat | 'book'>
        label={t('exports.format')}
        value={book === null ? (format as TableFormat) : 'book'}
        onChange={(next) => onChange({ format: next === 'book' ? readBook() : next })}
        choices={[
          ...shownFormats.map((each): [TableFormat, string] => [each, exportFormatNames[each]]),
          ['book', t('exports.bookkeeping')],
        ]}
      />
      {book !== null && (
        <Select<BookFormat>
          label={t('bookings.program')}
          value={book}
          onChange={(next) => {
            saveBook(next)
            onChange({ format: next })
          }}
          choices={bookFormats.map((key) => ({ key, label: exportFormatNames[key] }))}
        />
      )}
      {format === 'datev' && datev !== null && (
        <DatevForm draft={datev} onChange={(next) => onChange({ datev: next })} />
      )}
      {isBillProgram(format) && bills !== null && (
        <BillForm
          program={format}
          draft={bills[format]}
          onChange={(draft) => onChange({ bills: { ...bills, [format]: draft } })}
        />
      )}
    </>
  )
}

/** Which documents: of all folders, of one, or those that were selected elsewhere. */
function SourceSelect({ plan: { documentIds, onlyDocuments, folderId }, onChange }: PlanProps): ReactNode {
  const { t, formats } = useLanguage()
  const folders = useCall('folders.list', {}).data?.folders ?? []
  const sources: Choice<string>[] = [{ key: 'all', label: t('exports.allFolders') }]
  if (documentIds) {
    const count = documentIds.length
    sources.push({ key: 'documents', label: t('exports.selectedDocuments', { count, shown: formats.count(count) }) })
  }
  sources.push(...folders.map(({ id, name, path }) => ({ key: String(id), label: name, detail: path })))
  return (
    <Select
      label={t('exports.documents')}
      value={onlyDocuments ? 'documents' : folderId === null ? 'all' : String(folderId)}
      placeholder={t('exports.folderGone')}
      onChange={(key) =>
        onChange({
          onlyDocuments: key === 'documents',
          ...((key === 'documents') !== onlyDocuments && { states: usualStates(key === 'documents') }),
          folderId: key === 'all' || key === 'documents' ? null : Number(key),
        })
      }
      choices={sources}
    />
  )
}

function ColumnsSection({ plan, elements, onChange }: PlanProps & { elements: SchemaElement[] }): ReactNode {
  const { t, formats } = useLanguage()
  const isUsual = plan.columns === null
  const columns = plan.columns ?? usualColumns(elements, plan.lists)
  const on = columns.filter(({ isOn }) => isOn).length
  return (
    <Section
      title={t('exports.columns')}
      summary={
        isUsual
          ? t('exports.columnsUsual')
          : t('exports.columnsChosen', { on: formats.count(on), all: formats.count(columns.length) })
      }
    >
      <ColumnList columns={columns} isUsual={isUsual} onChange={(next) => onChange({ columns: next })} />
    </Section>
  )
}

function LocaleSection({ plan, onChange }: PlanProps): ReactNode {
  const { t, locale } = useLanguage()
  return (
    <Section
      title={t('exports.locale')}
      summary={plan.locale === 'own' ? t('exports.localeOwn') : localeLabels[plan.locale]}
    >
      <Select<Locale | 'own'>
        label={t('exports.locale')}
        labelHidden
        value={plan.locale}
        onChange={(next) => onChange({ locale: next })}
        hint={t('exports.localeHint')}
        choices={[
          { key: 'own', label: t('exports.localeOwn'), detail: localeLabels[locale] },
          ...(['en', 'de', 'fr'] as const).map((key) => ({ key, label: localeLabels[key] })),
        ]}
      />
    </Section>
  )
}

type SectionProps = { title: string; summary: string; children: ReactNode }

/** A part that most people need not open; what is chosen in it is said beside its name. */
function Section({ title, summary, children }: SectionProps): ReactNode {
  return (
    <Disclosure className="fold">
      <Heading level={2} className="fold__heading">
        <Button slot="trigger" className="fold__button">
          <Icon name="chevron" size={12} />
          <span className="fold__title">{title}</span>
          <span className="fold__summary ellipsis" title={summary}>
            {summary}
          </span>
        </Button>
      </Heading>
      <DisclosurePanel className="fold__panel">
        <div className="fold__content">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  )
}

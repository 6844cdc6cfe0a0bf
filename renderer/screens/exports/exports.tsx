import { useState } from 'react'
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import type { ExportPreset } from '../../../shared/contract/exports.ts'
import type { WorkbookRow } from '../../../shared/contract/workbooks.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { storePlan, storedPlan } from './plan-store.ts'
import type { StoredPlan } from './plan-store.ts'
import { readBillDrafts, saveBillDrafts } from './bill-draft.ts'
import { readDatevDraft, saveDatevDraft } from './datev-draft.ts'
import { ExportHistory } from './export-history.tsx'
import { NewExport } from './new-export.tsx'
import { saveListPreference, readListPreference } from './list-preference.ts'
import { isComplete, newPlan, planOf, presetSpecOf, resolvePlan, specOf } from './plan.ts'
import type { ExportPlan } from './plan.ts'
import { PresetBar } from './preset-bar.tsx'
import { Workbooks } from './workbooks.tsx'

type Props = { host: AppState['host'] }

/** Spreadsheets of what was extracted: exported once, kept as workbooks that grow, and those of before. */
export function ExportsScreen({ host }: Props): ReactNode {
  const { t } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const workbooks = useCall('workbooks.list', {}).data?.workbooks ?? []
  const [tab, setTab] = useState('new')
  const [stored, setStored] = useState(storedPlan)

  function store(next: StoredPlan): void {
    storePlan(next)
    setStored(next)
  }
  if (schemas === undefined) return null
  if (schemas.length === 0) {
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
  return (
    <ExportTabs
      host={host}
      schemas={schemas}
      workbooks={workbooks}
      tab={tab}
      onTab={setTab}
      stored={stored}
      onStore={store}
    />
  )
}

type TabsProps = Props & {
  schemas: SchemaRow[]
  workbooks: WorkbookRow[]
  tab: string
  onTab: (tab: string) => void
  stored: StoredPlan
  onStore: (next: StoredPlan) => void
}

function ExportTabs({ host, schemas, workbooks, tab, onTab, stored, onStore }: TabsProps): ReactNode {
  const { t, locale, formats } = useLanguage()
  const { plan, presetId } = stored
  // The schema with the most results is what a person most likely came for.
  const schemaId = plan.schemaId ?? schemas.toSorted((a, b) => b.resultCount - a.resultCount)[0]!.id
  const drafts = { datev: plan.datev ?? readDatevDraft(), bills: plan.bills ?? readBillDrafts() }
  const resolved = resolvePlan({ ...plan, ...drafts }, readListPreference(schemaId))
  const spec = specOf(resolved, schemaId, locale)
  const troubled = workbooks.filter(({ problem, changedByHand }) => problem !== null || changedByHand !== null).length

  // What is chosen is about this schema, whichever has more results later.
  function change(part: Partial<ExportPlan>): void {
    if (part.lists || part.listLimit)
      saveListPreference(schemaId, {
        lists: part.lists ?? resolved.lists,
        listLimit: part.listLimit ?? resolved.listLimit,
      })
    if (part.datev) saveDatevDraft(part.datev)
    if (part.bills) saveBillDrafts(part.bills)
    onStore({ plan: { ...plan, schemaId, ...part }, presetId })
  }
  function choosePreset(preset: ExportPreset | null): void {
    const { documentIds } = plan
    if (preset === null) return onStore({ plan: { ...newPlan, documentIds }, presetId: null })
    const elements = schemas.find(({ id }) => id === preset.spec.schemaId)?.elements ?? []
    onStore({ plan: { ...planOf(preset.spec, elements, locale), documentIds }, presetId: preset.id })
  }
  return (
    <div className="screen">
      <PageHead title={t('exports.title')}>
        {tab === 'new' && (
          <PresetBar
            presetId={presetId}
            spec={isComplete(spec) ? presetSpecOf(spec) : null}
            onChoose={choosePreset}
            onSaved={(id) => onStore({ plan, presetId: id })}
          />
        )}
      </PageHead>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(key) => onTab(String(key))}>
        <TabList className="tab-list" aria-label={t('exports.title')}>
          <Tab id="new" className="tab">
            {t('exports.new')}
          </Tab>
          <Tab id="workbooks" className="tab">
            {t('workbooks.title')}
            {troubled > 0 && <span className="tab__count tone-flag">{formats.count(troubled)}</span>}
          </Tab>
          <Tab id="history" className="tab">
            {t('exports.history')}
          </Tab>
        </TabList>
        <TabPanel id="new" className="tab-panel">
          <NewExport plan={resolved} spec={spec} schemas={schemas} host={host} onChange={change} />
        </TabPanel>
        <TabPanel id="workbooks" className="tab-panel">
          <Workbooks workbooks={workbooks} host={host} />
        </TabPanel>
        <TabPanel id="history" className="tab-panel">
          <ExportHistory host={host} />
        </TabPanel>
      </Tabs>
    </div>
  )
}

import { useState } from 'react'
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { AppState } from '../../../shared/contract.ts'
import { useCall } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { keepPlan, keptPlan } from './draft.ts'
import { ExportHistory } from './export-history.tsx'
import { NewExport } from './new-export.tsx'
import { keepLastLists, lastLists } from './last-lists.ts'
import { newPlan, planOf, presetSpecOf, settledPlan, specOf } from './plan.ts'
import type { ExportPlan } from './plan.ts'
import { PresetBar } from './preset-bar.tsx'
import { Workbooks } from './workbooks.tsx'

/** Spreadsheets of what was extracted: exported once, kept as workbooks that grow, and those of before. */
export function ExportsScreen({ host }: { host: AppState['host'] }): ReactNode {
  const { t, locale, formats } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const workbooks = useCall('workbooks.list', {}).data?.workbooks ?? []
  const [tab, setTab] = useState('new')
  const [{ plan, presetId }, setKept] = useState(keptPlan)

  function keep(next: { plan: ExportPlan; presetId: number | null }): void {
    keepPlan(next)
    setKept(next)
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
  // The schema with the most results is what a person most likely came for.
  const schemaId = plan.schemaId ?? schemas.toSorted((a, b) => b.resultCount - a.resultCount)[0]!.id
  const settled = settledPlan(plan, lastLists(schemaId))
  const spec = specOf(settled, schemaId, locale)
  // What is chosen is about this schema, whichever has more results later.
  function change(part: Partial<ExportPlan>): void {
    if (part.lists || part.listLimit) keepLastLists(schemaId, { lists: part.lists ?? settled.lists, listLimit: part.listLimit ?? settled.listLimit })
    keep({ plan: { ...plan, schemaId, ...part }, presetId })
  }
  const waiting = workbooks.filter(({ problem, changedByHand }) => problem !== null || changedByHand !== null).length
  return (
    <div className="screen">
      <PageHead title={t('exports.title')}>
        {tab === 'new' && (
          <PresetBar
            presetId={presetId}
            spec={spec.columns?.length === 0 ? null : presetSpecOf(spec)}
            onChoose={(preset) => keep(preset === null ? { plan: { ...newPlan, jobIds: plan.jobIds }, presetId: null } : { plan: { ...planOf(preset.spec, schemas.find(({ id }) => id === preset.spec.schemaId)?.elements ?? [], locale), jobIds: plan.jobIds }, presetId: preset.id })}
            onKept={(id) => keep({ plan, presetId: id })}
          />
        )}
      </PageHead>
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
        <TabList className="tab-list" aria-label={t('exports.title')}>
          <Tab id="new" className="tab">
            {t('exports.new')}
          </Tab>
          <Tab id="workbooks" className="tab">
            {t('workbooks.title')}
            {waiting > 0 && <span className="tab__count tone-flag">{formats.count(waiting)}</span>}
          </Tab>
          <Tab id="history" className="tab">
            {t('exports.history')}
          </Tab>
        </TabList>
        <TabPanel id="new" className="tab-panel">
          <NewExport plan={settled} spec={spec} schemas={schemas} host={host} onChange={change} />
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

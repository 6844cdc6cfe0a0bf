import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { SchemaRow } from '../../../shared/contract.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { Button, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { columnsOf, draftOf, elementsOf, newField, preparedSchema, problemsOf } from './draft.ts'
import type { DraftOrigin, FieldDraft, NewSchema } from './draft.ts'
import { FieldList } from './field-list.tsx'
import { ruleDrafts, ruleOf, rulesLeft, rulesMovedTo } from './rule-draft.ts'
import { RuleList } from './rule-list.tsx'
import { SchemaJson } from './schema-json.tsx'
import { TryIt, notTried } from './try-it.tsx'
import { Versions } from './versions.tsx'

/** One schema, to be read and changed; null makes a new one. */
export function SchemaScreen({ id }: { id: number | null }): ReactNode {
  const { t } = useLanguage()
  const schemas = useCall('schemas.list', {}).data?.schemas
  const saved = schemas?.find((schema) => schema.id === id)
  if (!schemas) return null
  if (id !== null && !saved) {
    return (
      <div className="screen">
        <PageHead title={t('schemas.title')} />
        <EmptyState icon="schema" title={t('schemas.gone')} text={t('schemas.goneHint')}>
          <Button onPress={() => navigate({ screen: 'schemas' })}>{t('schemas.back')}</Button>
        </EmptyState>
      </div>
    )
  }
  return <Editor saved={saved ?? null} />
}

function Editor({ saved }: { saved: SchemaRow | null }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const start: NewSchema = useMemo(() => (saved ? { name: saved.name, elements: saved.elements } : preparedSchema()), [saved])
  const [name, setName] = useState(start.name)
  const [fields, setFields] = useState(() => (start.elements.length > 0 ? draftOf(start.elements, saved?.columns ?? []) : [newField()]))
  const [rules, setRules] = useState(() => ruleDrafts(saved?.rules ?? start.rules ?? [], fields))
  const [view, setView] = useState('fields')
  const [tried, setTried] = useState(false)
  const [trying, setTrying] = useState(notTried)
  const [jsonProblem, setJsonProblem] = useState<string | null>(null)
  const save = useAction('schemas.save')
  const queryClient = useQueryClient()
  const problems = problemsOf(fields)
  const elements = elementsOf(fields)
  const kept = rules.map((rule) => ruleOf(rule, fields))
  const columns = columnsOf(fields)
  const changed = saved === null || JSON.stringify(columns) !== JSON.stringify(saved.columns) || JSON.stringify(kept) !== JSON.stringify(saved.rules) || name.trim() !== saved.name || JSON.stringify(elements) !== JSON.stringify(saved.elements)
  const nameProblem = tried && name.trim() === '' ? t('schemas.nameMissing') : null

  function changeFields(next: FieldDraft[]): void {
    setFields(next)
    setRules(rulesLeft(rules, next))
  }
  function replaceFields(next: SchemaElement[]): void {
    const drafts = draftOf(next, columns ?? [])
    setFields(drafts)
    setRules(rulesMovedTo(drafts, rules, fields))
  }
  function takeBack(next: SchemaElement[], version: number): void {
    replaceFields(next)
    setView('fields')
    notify('done', t('versions.taken', { version: formats.count(version) }))
  }
  function submit(): void {
    setTried(true)
    if (name.trim() === '' || problems.size > 0 || fields.length === 0) return
    if (kept.includes(null)) return setView('rules')
    save.mutate(
      { id: saved?.id ?? null, name: name.trim(), elements, rules: kept.filter((rule) => rule !== null), columns },
      {
        onSuccess: (answer) => {
          notify('done', t('schemas.saved', { name: name.trim() }))
          // The editor of the saved schema needs it in the list.
          if (!saved) void queryClient.invalidateQueries({ queryKey: ['schemas.list'] }).then(() => navigate({ screen: 'schema', id: answer.id }, true))
        },
      },
    )
  }
  return (
    <div className="screen">
      <PageHead
        title={saved ? saved.name : t('schemas.newTitle')}
        sub={
          <a className="back-link" href={hrefOf({ screen: 'schemas' })}>
            <Icon name="left" size={12} />
            {t('schemas.back')}
          </a>
        }
      >
        {changed && saved !== null && <span className="hint">{t('schemas.unsaved')}</span>}
        <Button variant="primary" onPress={submit} isDisabled={!changed || jsonProblem !== null || save.isPending}>
          {t('action.save')}
        </Button>
      </PageHead>
      <div className="screen__scroll editor">
        {save.isError && <Callout kind="bad">{errorSentence(save.error)}</Callout>}
        {start.origin && <Origin origin={start.origin} />}
        {saved !== null && JSON.stringify(elements) !== JSON.stringify(saved.elements) && saved.resultCount > 0 && <Callout kind="info">{t('schemas.newVersion')}</Callout>}
        <div className="editor__name">
          <TextField label={t('schemas.name')} value={name} onChange={setName} problem={nameProblem} isRequired />
        </div>
        <Tabs className="editor__tabs" selectedKey={view} onSelectionChange={(key) => setView(String(key))}>
          <TabList className="tab-list tab-list--inset" aria-label={t('schemas.views')}>
            <Tab id="fields" className="tab">
              {t('schemas.fields')}
            </Tab>
            <Tab id="rules" className="tab">
              {t('rules.title')}
              {rules.length > 0 && <span className="tab__count">{formats.count(rules.length)}</span>}
            </Tab>
            <Tab id="json" className="tab">
              JSON
            </Tab>
            {saved !== null && (
              <>
                <Tab id="try" className="tab">
                  {t('try.title')}
                </Tab>
                <Tab id="versions" className="tab">
                  {t('versions.title')}
                </Tab>
              </>
            )}
          </TabList>
          <TabPanel id="fields" className="editor__panel">
            <FieldList fields={fields} onChange={changeFields} problems={tried ? problems : new Map()} />
            {tried && problems.size > 0 && <p className="field-problem" role="alert">{t('schemas.problems', { count: problems.size })}</p>}
            {tried && fields.length === 0 && <p className="field-problem" role="alert">{t('schemas.noFields')}</p>}
          </TabPanel>
          <TabPanel id="rules" className="editor__panel">
            <RuleList rules={rules} fields={fields} onChange={setRules} tried={tried} />
          </TabPanel>
          <TabPanel id="json" className="editor__panel">
            <SchemaJson name={name} elements={elements} onElements={replaceFields} onProblem={setJsonProblem} />
          </TabPanel>
          {saved !== null && (
            <>
              <TabPanel id="try" className="editor__panel">
                <TryIt saved={saved} elements={elements} problem={problems.size > 0 || fields.length === 0 || jsonProblem !== null ? t('try.mend') : null} trying={trying} onTrying={setTrying} />
              </TabPanel>
              <TabPanel id="versions" className="editor__panel">
                <Versions saved={saved} elements={elements} onTake={takeBack} />
              </TabPanel>
            </>
          )}
        </Tabs>
      </div>
    </div>
  )
}

/** Says where drafted fields come from, so that a person looks at them before they are used. */
function Origin({ origin: { from, by, model, note } }: { origin: DraftOrigin }): ReactNode {
  const { t, questionSentence } = useLanguage()
  return (
    <>
      <Callout kind="info">{by === 'model' ? t('draft.madeByModel', { name: from, model }) : t('draft.madeByRules', { name: from })}</Callout>
      {note && <Callout kind="flag">{t('draft.note', { reason: questionSentence(note) })}</Callout>}
    </>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { SchemaRow } from '../../../shared/contract.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import type { Route } from '../../client/route.ts'
import { Button, IconButton, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { columnsOf, elementsOf, problemsOf } from './draft.ts'
import type { DraftOrigin } from './draft.ts'
import { FieldList } from './field-list.tsx'
import { ruleOf } from './rule-draft.ts'
import { RuleList } from './rule-list.tsx'
import { SchemaJson } from './schema-json.tsx'
import { TryIt, notTried } from './try-it.tsx'
import { keepUnsaved } from './unsaved.ts'
import { useSchemaEdit } from './use-schema-edit.ts'
import type { SchemaEditing } from './use-schema-edit.ts'
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
  const editing = useSchemaEdit(saved)
  const { name, fields, rules, json, origin } = editing.edit
  const [view, setView] = useState(json === null ? 'fields' : 'json')
  const [tried, setTried] = useState(false)
  const [trying, setTrying] = useState(notTried)
  const save = useAction('schemas.save')
  const queryClient = useQueryClient()
  const problems = problemsOf(fields)
  const elements = elementsOf(fields)
  const kept = rules.map((rule) => ruleOf(rule, fields))
  const nameProblem = tried && name.trim() === '' ? t('schemas.nameMissing') : null
  const makesVersion = saved !== null && saved.resultCount > 0 && JSON.stringify(elements) !== JSON.stringify(saved.elements)

  function takeBack(next: SchemaElement[], version: number): void {
    editing.replaceFields(next)
    setView('fields')
    notify('done', t('versions.taken', { version: formats.count(version) }))
  }
  function discard(): void {
    const takeUp = editing.discard()
    const route: Route = { screen: 'schema', id: saved?.id ?? null }
    notify('done', t('schemas.discarded', { name: name.trim() || t('schemas.untitled') }), {
      label: t('check.undo'),
      run: () => {
        takeUp()
        navigate(route)
      },
    })
    if (!saved) navigate({ screen: 'schemas' })
  }
  function submit(): void {
    setTried(true)
    // What is typed there is not in the fields: it must not be lost by saving them.
    if (json !== null) return setView('json')
    if (name.trim() === '' || problems.size > 0 || fields.length === 0) return
    if (kept.includes(null)) return setView('rules')
    save.mutate(
      { id: saved?.id ?? null, name: name.trim(), elements, rules: kept.filter((rule) => rule !== null), columns: columnsOf(fields) },
      {
        onSuccess: (answer) => {
          notify('done', t('schemas.saved', { name: name.trim() }))
          if (!saved) keepUnsaved(null, null)
          void queryClient.invalidateQueries({ queryKey: ['schemas.list'] }).then(() => {
            if (saved) editing.rebase()
            // The editor of the saved schema needs it in the list.
            else navigate({ screen: 'schema', id: answer.id }, true)
          })
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
        {/* Its place is kept, so that nothing moves with the first letter. */}
        <div className="editor__unsaved" data-shown={editing.isUnsaved || undefined}>
          <span className="hint">{t('schemas.unsaved')}</span>
          <Button variant="quiet" onPress={discard}>
            {t('schemas.discard')}
          </Button>
        </div>
        <Steps editing={editing} />
        <Button variant="primary" onPress={submit} isDisabled={(saved !== null && !editing.isUnsaved) || (view === 'json' && json !== null) || save.isPending}>
          {t('action.save')}
        </Button>
      </PageHead>
      <div className="screen__scroll editor">
        {save.isError && <Callout kind="bad">{errorSentence(save.error)}</Callout>}
        {origin && <Origin origin={origin} />}
        <div className="editor__name">
          <TextField label={t('schemas.name')} value={name} onChange={editing.setName} problem={nameProblem} isRequired />
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
            <FieldList fields={fields} onChange={editing.setFields} problems={tried ? problems : new Map()} />
            {tried && problems.size > 0 && <p className="field-problem" role="alert">{t('schemas.problems', { count: problems.size })}</p>}
            {tried && fields.length === 0 && <p className="field-problem" role="alert">{t('schemas.noFields')}</p>}
          </TabPanel>
          <TabPanel id="rules" className="editor__panel">
            <RuleList rules={rules} fields={fields} onChange={editing.setRules} tried={tried} />
          </TabPanel>
          <TabPanel id="json" className="editor__panel">
            <SchemaJson key={editing.turn} name={name} elements={elements} pending={json} onElements={(next) => editing.replaceFields(next, 'json')} onPending={editing.setJson} />
          </TabPanel>
          {saved !== null && (
            <>
              <TabPanel id="try" className="editor__panel">
                <TryIt saved={saved} elements={elements} problem={problems.size > 0 || fields.length === 0 || json !== null ? t('try.mend') : null} trying={trying} onTrying={setTrying} />
              </TabPanel>
              <TabPanel id="versions" className="editor__panel">
                <Versions saved={saved} elements={elements} onTake={takeBack} />
              </TabPanel>
            </>
          )}
        </Tabs>
      </div>
      {/* Below, where it moves nothing that a pointer is just about to press. */}
      {(editing.isBehind || makesVersion) && (
        <footer className="editor__foot">
          {editing.isBehind && <Callout kind="flag">{t('schemas.behind')}</Callout>}
          {makesVersion && <Callout kind="info">{t('schemas.newVersion')}</Callout>}
        </footer>
      )}
    </div>
  )
}

/** One change back and forth, also by the keys; within a text those are the text's own. */
function Steps({ editing: { undo, redo, canUndo, canRedo } }: { editing: SchemaEditing }): ReactNode {
  const { t } = useLanguage()
  const { command, shift } = useKeyNames()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return
      if (event.target instanceof Element && event.target.closest('input, textarea, [role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      if (event.shiftKey) redo()
      else undo()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [undo, redo])
  return (
    <div className="editor__steps">
      <IconButton icon="undo" label={t('check.undo')} keys={`${command} Z`} isDisabled={!canUndo} onPress={undo} />
      <IconButton icon="redo" label={t('schemas.redo')} keys={`${command} ${shift} Z`} isDisabled={!canRedo} onPress={redo} />
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

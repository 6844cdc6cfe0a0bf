import { useQueryClient } from '@tanstack/react-query'
import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import type { CallInput } from '../../../shared/contract/contract.ts'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, isAt, navigate } from '../../client/route.ts'
import type { Route } from '../../client/route.ts'
import { Button, IconButton, TextField } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useKeyNames } from '../../components/key-names.ts'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import { useLanguage } from '../../messages/language.tsx'
import { columnsOf, elementsOf, problemsOf } from './field-draft.ts'
import type { DraftOrigin, FieldProblem } from './field-draft.ts'
import { FieldList } from './field-list.tsx'
import { ruleOf } from './rule-draft.ts'
import { Reextraction } from './reextraction.tsx'
import { RuleList } from './rule-list.tsx'
import { SchemaJson } from './schema-json.tsx'
import { TrialPanel, emptyTrialSetup } from './trial-panel.tsx'
import { readUnsaved, saveUnsaved } from './unsaved-edits.ts'
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
  const { t, errorSentence } = useLanguage()
  const editing = useSchemaEdit(saved)
  const { name, fields, rules, json, origin } = editing.edit
  const [view, setView] = useState(json === null ? 'fields' : 'json')
  const [tried, setTried] = useState(false)
  const { save, saving } = useSaveSchema(saved, editing)
  const problems = problemsOf(fields)
  const elements = elementsOf(fields)
  const hasName = name.trim() !== ''
  const isUnchanged = saved !== null && !editing.isUnsaved
  const isJsonWrong = view === 'json' && json !== null

  function submit(): void {
    setTried(true)
    // What is typed there is not in the fields: it must not be lost by saving them.
    if (json !== null) return setView('json')
    if (!hasName || problems.size > 0 || fields.length === 0) return
    const complete = rules.map((rule) => ruleOf(rule, fields)).filter((rule) => rule !== null)
    if (complete.length < rules.length) return setView('rules')
    save({ name: name.trim(), elements, rules: complete, columns: columnsOf(fields) })
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
        <UnsavedNote editing={editing} saved={saved} />
        <UndoButtons editing={editing} />
        <Button variant="primary" onPress={submit} isDisabled={isUnchanged || isJsonWrong || saving.isPending}>
          {t('action.save')}
        </Button>
      </PageHead>
      <div className="screen__scroll editor">
        {saving.isError && <Callout kind="bad">{errorSentence(saving.error)}</Callout>}
        {origin && <Origin origin={origin} />}
        {saved && <Reextraction saved={saved} />}
        <div className="editor__name">
          <TextField
            label={t('schemas.name')}
            value={name}
            onChange={editing.setName}
            problem={tried && !hasName ? t('schemas.nameMissing') : null}
            isRequired
          />
        </div>
        <EditorTabs
          saved={saved}
          editing={editing}
          elements={elements}
          problems={problems}
          tried={tried}
          view={view}
          onView={setView}
        />
      </div>
      <EditorFoot saved={saved} elements={elements} isBehind={editing.isBehind} />
    </div>
  )
}

type SchemaContent = Omit<CallInput<'schemas.save'>, 'id'>

/** Saves a schema, tells the person, and goes on from what is saved; a new one opens under its number. */
function useSaveSchema(
  saved: SchemaRow | null,
  { rebase }: SchemaEditing,
): { save: (content: SchemaContent) => void; saving: Pick<UseMutationResult, 'isPending' | 'isError' | 'error'> } {
  const { t } = useLanguage()
  const queryClient = useQueryClient()
  const saving = useAction('schemas.save')
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => void (isOpen.current = false)
  }, [])
  // Goes on when the editor was left meanwhile: else a saved schema would stay among those that are not.
  async function follow(answer: Promise<{ id: number }>, name: string): Promise<void> {
    const asked = JSON.stringify(readUnsaved(null))
    const { id } = await answer
    notify('done', t('schemas.saved', { name }))
    // Another one may have been begun in the place of the one that was saved.
    if (!saved && JSON.stringify(readUnsaved(null)) === asked) saveUnsaved(null, null)
    await queryClient.invalidateQueries({ queryKey: ['schemas.list'] })
    if (saved) rebase()
    // The editor of the saved schema needs it in the list. Who went elsewhere meanwhile stays there.
    else if (isOpen.current && isAt({ screen: 'schema', id: null })) navigate({ screen: 'schema', id }, true)
  }
  function save(content: SchemaContent): void {
    const answer = saving.mutateAsync({ id: saved?.id ?? null, ...content })
    // Why it failed is told by `saving`.
    void follow(answer, content.name).catch(() => undefined)
  }
  return { save, saving }
}

type EditProps = { editing: SchemaEditing; saved: SchemaRow | null }

/**
 * That something is not saved, and the way to discard it; its space is reserved, so that nothing shifts with the first
 * letter.
 */
function UnsavedNote({ editing, saved }: EditProps): ReactNode {
  const { t } = useLanguage()
  function discard(): void {
    const restore = editing.discard()
    const route: Route = { screen: 'schema', id: saved?.id ?? null }
    notify('done', t('schemas.discarded', { name: editing.edit.name.trim() || t('schemas.untitled') }), {
      label: t('check.undo'),
      run: () => {
        restore()
        navigate(route)
      },
    })
    if (!saved) navigate({ screen: 'schemas' })
  }
  return (
    <div className="editor__unsaved" data-shown={editing.isUnsaved || undefined}>
      <span className="hint">{t('schemas.unsaved')}</span>
      <Button variant="quiet" onPress={discard}>
        {t('schemas.discard')}
      </Button>
    </div>
  )
}

type TabsProps = EditProps & {
  elements: SchemaElement[]
  problems: Map<string, FieldProblem>
  /** Saving was tried, so what is missing is said. */
  tried: boolean
  view: string
  onView: (view: string) => void
}

/** The schema as fields, rules and JSON; one that is saved can be tried and has versions. */
function EditorTabs({ saved, editing, elements, problems, tried, view, onView }: TabsProps): ReactNode {
  const { t, formats } = useLanguage()
  const { name, fields, rules, json } = editing.edit
  const [trialSetup, setTrialSetup] = useState(emptyTrialSetup)
  const isIncomplete = problems.size > 0 || fields.length === 0 || json !== null
  function restoreVersion(next: SchemaElement[], version: number): void {
    editing.replaceFields(next)
    onView('fields')
    notify('done', t('versions.taken', { version: formats.count(version) }))
  }
  return (
    <Tabs className="editor__tabs" selectedKey={view} onSelectionChange={(key) => onView(String(key))}>
      <EditorTabList isSaved={saved !== null} ruleCount={rules.length} />
      <TabPanel id="fields" className="editor__panel">
        <FieldList fields={fields} onChange={editing.setFields} problems={tried ? problems : new Map()} />
        {tried && <FieldProblems count={problems.size} isEmpty={fields.length === 0} />}
      </TabPanel>
      <TabPanel id="rules" className="editor__panel">
        <RuleList rules={rules} fields={fields} onChange={editing.setRules} tried={tried} />
      </TabPanel>
      <TabPanel id="json" className="editor__panel">
        <SchemaJson
          key={editing.revision}
          name={name}
          elements={elements}
          pending={json}
          onElements={(next) => editing.replaceFields(next, 'json')}
          onPending={editing.setJson}
        />
      </TabPanel>
      {saved !== null && (
        <>
          <TabPanel id="try" className="editor__panel">
            <TrialPanel
              saved={saved}
              elements={elements}
              problem={isIncomplete ? t('try.mend') : null}
              setup={trialSetup}
              onSetup={setTrialSetup}
            />
          </TabPanel>
          <TabPanel id="versions" className="editor__panel">
            <Versions saved={saved} elements={elements} onRestore={restoreVersion} />
          </TabPanel>
        </>
      )}
    </Tabs>
  )
}

function EditorTabList({ isSaved, ruleCount }: { isSaved: boolean; ruleCount: number }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <TabList className="tab-list tab-list--inset" aria-label={t('schemas.views')}>
      <Tab id="fields" className="tab">
        {t('schemas.fields')}
      </Tab>
      <Tab id="rules" className="tab">
        {t('rules.title')}
        {ruleCount > 0 && <span className="tab__count">{formats.count(ruleCount)}</span>}
      </Tab>
      <Tab id="json" className="tab">
        JSON
      </Tab>
      {isSaved && (
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
  )
}

function FieldProblems({ count, isEmpty }: { count: number; isEmpty: boolean }): ReactNode {
  const { t } = useLanguage()
  return (
    <>
      {count > 0 && (
        <p className="field-problem" role="alert">
          {t('schemas.problems', { count })}
        </p>
      )}
      {isEmpty && (
        <p className="field-problem" role="alert">
          {t('schemas.noFields')}
        </p>
      )}
    </>
  )
}

type FootProps = { saved: SchemaRow | null; elements: SchemaElement[]; isBehind: boolean }

/** What saving would mean; at the bottom, where it shifts nothing that the pointer is about to press. */
function EditorFoot({ saved, elements, isBehind }: FootProps): ReactNode {
  const { t } = useLanguage()
  const makesVersion =
    saved !== null && saved.resultCount > 0 && JSON.stringify(elements) !== JSON.stringify(saved.elements)
  if (!isBehind && !makesVersion) return null
  return (
    <footer className="editor__foot">
      {isBehind && <Callout kind="flag">{t('schemas.behind')}</Callout>}
      {makesVersion && <Callout kind="info">{t('schemas.newVersion')}</Callout>}
    </footer>
  )
}

/** Undo and redo, also by their keys; within a text those are the text's own. */
function UndoButtons({ editing: { undo, redo, canUndo, canRedo } }: { editing: SchemaEditing }): ReactNode {
  const { t } = useLanguage()
  const { command, shift } = useKeyNames()
  useWindowKeys((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return
    if (
      event.target instanceof Element &&
      event.target.closest('input, textarea, [role="dialog"], [role="alertdialog"]')
    )
      return
    event.preventDefault()
    if (event.shiftKey) redo()
    else undo()
  })
  return (
    <div className="editor__steps">
      <IconButton icon="undo" label={t('check.undo')} keys={`${command} Z`} isDisabled={!canUndo} onPress={undo} />
      <IconButton
        icon="redo"
        label={t('schemas.redo')}
        keys={`${command} ${shift} Z`}
        isDisabled={!canRedo}
        onPress={redo}
      />
    </div>
  )
}

/** Says where drafted fields come from, so that a person looks at them before they are used. */
function Origin({ origin: { from, by, model, note } }: { origin: DraftOrigin }): ReactNode {
  const { t, questionSentence } = useLanguage()
  return (
    <>
      <Callout kind="info">
        {by === 'model' ? t('draft.madeByModel', { name: from, model }) : t('draft.madeByRules', { name: from })}
      </Callout>
      {note && <Callout kind="flag">{t('draft.note', { reason: questionSentence(note) })}</Callout>}
    </>
  )
}

import { useEffect, useMemo, useState } from 'react'
import type { SchemaRow } from '../../../shared/contract.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { columnsOf, draftOf, elementsOf, newField, preparedSchema } from './draft.ts'
import type { FieldDraft } from './draft.ts'
import { ruleDrafts, ruleOf, rulesLeft, rulesMovedTo } from './rule-draft.ts'
import type { RuleDraft } from './rule-draft.ts'
import { keepUnsaved, readUnsaved } from './unsaved.ts'
import type { SchemaEdit } from './unsaved.ts'

/** `base`: the content that the edit began from; null: whatever is saved now. `place`: where was typed last. `turn`: how often all of it was replaced. */
type State = { edit: SchemaEdit; base: string | null; done: SchemaEdit[]; undone: SchemaEdit[]; place: string | null; turn: number }

const mostSteps = 100

export type SchemaEditing = ReturnType<typeof useSchemaEdit>

/**
 * A schema while it is edited, and the steps back. What is not saved yet is kept from the first change on, and is there again
 * however the editor was left. An editor without changes follows what is saved elsewhere; changes stay as they are.
 */
export function useSchemaEdit(saved: SchemaRow | null) {
  const id = saved?.id ?? null
  // A result more is no other schema.
  const start = useMemo(() => startOf(saved), [id, saved?.name, saved?.elements, saved?.rules, saved?.columns])
  const savedContent = useMemo(() => contentOf(start), [start])
  const [state, setState] = useState<State>(() => {
    const kept = readUnsaved(id)
    return { edit: kept?.edit ?? start, base: kept?.base ?? savedContent, done: [], undone: [], place: null, turn: 0 }
  })
  const { edit, base, done, undone, turn } = state
  const content = contentOf(edit)
  const isChanged = content !== savedContent
  // Fields that were drafted from a document are work already.
  const isUnsaved = isChanged || edit.json !== null || (saved === null && edit.origin !== null)
  if (base !== savedContent) {
    if (base === null || !isChanged) setState({ ...state, base: savedContent })
    // What a new one was drafted as is nowhere else.
    else if (saved !== null && content === base && edit.json === null) setState({ edit: start, base: savedContent, done: [], undone: [], place: null, turn: turn + 1 })
  }
  useEffect(() => {
    keepUnsaved(id, isUnsaved ? { edit, base: base ?? savedContent } : null)
  }, [id, isUnsaved, edit, base, savedContent])

  /** `place`: where a person types; all of it is one step back. */
  function change(part: Partial<SchemaEdit>, place: string | null = null): void {
    setState((before) => {
      const goesOn = place !== null && place === before.place
      return { ...before, edit: { ...before.edit, ...part }, done: goesOn ? before.done : [...before.done, before.edit].slice(-mostSteps), undone: [], place }
    })
  }
  return {
    edit,
    isUnsaved,
    /** Whether the schema was saved elsewhere since these changes began. */
    isBehind: isChanged && saved !== null && base !== null && base !== savedContent,
    turn,
    setName: (name: string): void => change({ name }, 'name'),
    setRules: (rules: RuleDraft[], place?: string): void => change({ rules }, place),
    setFields: (fields: FieldDraft[], place?: string): void => change({ fields, rules: rulesLeft(edit.rules, fields), json: null }, place),
    /** Other fields in place of all of them. */
    replaceFields(elements: SchemaElement[], place?: string): void {
      const fields = draftOf(elements, columnsOf(edit.fields) ?? [])
      change({ fields, rules: rulesMovedTo(fields, edit.rules, edit.fields), json: null }, place)
    },
    setJson: (json: string): void => change({ json }, 'json'),
    canUndo: done.length > 0,
    canRedo: undone.length > 0,
    undo: (): void => setState((before) => stepped(before, 'done', 'undone')),
    redo: (): void => setState((before) => stepped(before, 'undone', 'done')),
    /** Takes back what is saved. Gives the way back from there, which holds after the editor was left as well. */
    discard(): () => void {
      const kept = { edit, base: base ?? savedContent }
      const takeUp = (next: SchemaEdit): void => setState((before) => ({ ...before, edit: next, done: [...before.done, before.edit], undone: [], place: null, turn: before.turn + 1 }))
      // What was drafted and is not wanted is no work any more.
      takeUp({ ...start, origin: null })
      keepUnsaved(id, null)
      return () => {
        keepUnsaved(id, kept)
        takeUp(edit)
      }
    },
    /** After saving: what is saved now is what later changes begin from. */
    rebase: (): void => setState((before) => ({ ...before, base: null })),
  }
}

/** What the editor shows where nothing is changed. */
function startOf(saved: SchemaRow | null): SchemaEdit {
  const { name, elements, rules, origin } = saved ? { ...saved, origin: null } : preparedSchema()
  const fields = elements.length > 0 ? draftOf(elements, saved?.columns ?? []) : [newField()]
  return { name, fields, rules: ruleDrafts(rules ?? [], fields), json: null, origin: origin ?? null }
}

/** What of an edit would be saved, to be compared. Pure. */
function contentOf({ name, fields, rules }: SchemaEdit): string {
  return JSON.stringify([name.trim(), elementsOf(fields), rules.map((rule) => ruleOf(rule, fields)), columnsOf(fields)])
}

/** One step from one pile to the other. Pure. */
function stepped(state: State, from: 'done' | 'undone', to: 'done' | 'undone'): State {
  const edit = state[from].at(-1)
  if (edit === undefined) return state
  return { ...state, edit, [from]: state[from].slice(0, -1), [to]: [...state[to], state.edit], place: null, turn: state.turn + 1 }
}

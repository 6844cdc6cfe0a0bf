import { useEffect, useMemo, useState } from 'react'
import type { SchemaRow } from '../../../shared/contract/schemas.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { columnsOf, draftOf, elementsOf, newField, preparedSchema } from './field-draft.ts'
import type { FieldDraft } from './field-draft.ts'
import { ruleDrafts, ruleOf, rulesLeft, rulesMovedTo } from './rule-draft.ts'
import type { RuleDraft } from './rule-draft.ts'
import { saveUnsaved, readUnsaved } from './unsaved-edits.ts'
import type { SchemaEdit } from './unsaved-edits.ts'

type State = {
  edit: SchemaEdit
  /** The content that the edit began from; null: whatever is saved now. */
  base: string | null
  undoStack: SchemaEdit[]
  redoStack: SchemaEdit[]
  /** Where was typed last: all that is typed in one place is one undo step. */
  place: string | null
  /** How often all of the edit was replaced. */
  revision: number
}

const maxSteps = 100

export type SchemaEditing = ReturnType<typeof useSchemaEdit>

/**
 * A schema while it is edited, with undo and redo. What is not saved yet is kept from the first change on, and is there
 * again however the editor was left. An editor without changes follows what is saved elsewhere; changes stay as they
 * are.
 */
export function useSchemaEdit(saved: SchemaRow | null) {
  const id = saved === null ? null : saved.id
  const { start, savedContent } = useSavedEdit(saved)
  const [state, setState] = useState<State>(() => {
    const { edit, base } = readUnsaved(id) ?? { edit: start, base: savedContent }
    return { edit, base, undoStack: [], redoStack: [], place: null, revision: 0 }
  })
  const { edit, base, undoStack, redoStack, revision } = state
  const isChanged = contentOf(edit) !== savedContent
  // Drafted fields are unsaved work from the start.
  const isUnsaved = isChanged || edit.json !== null || (saved === null && edit.origin !== null)
  const followed = followSaved(state, start, savedContent, saved !== null)
  if (followed !== state) setState(followed)
  useEffect(() => {
    saveUnsaved(id, isUnsaved ? { edit, base: base ?? savedContent } : null)
  }, [id, isUnsaved, edit, base, savedContent])

  /** `place`: where a person types, the same from letter to letter. */
  function change(part: Partial<SchemaEdit>, place: string | null = null): void {
    setState((before) => changed(before, part, place))
  }
  return {
    edit,
    isUnsaved,
    /** Whether the schema was saved elsewhere since these changes began. */
    isBehind: isChanged && saved !== null && base !== null && base !== savedContent,
    revision,
    setName: (name: string): void => change({ name }, 'name'),
    setRules: (rules: RuleDraft[], place?: string): void => change({ rules }, place),
    setFields: (fields: FieldDraft[], place?: string): void =>
      change({ fields, rules: rulesLeft(edit.rules, fields), json: null }, place),
    /** Other fields in place of all of them. */
    replaceFields(elements: SchemaElement[], place?: string): void {
      const fields = draftOf(elements, columnsOf(edit.fields) ?? [])
      change({ fields, rules: rulesMovedTo(fields, edit.rules, edit.fields), json: null }, place)
    },
    setJson: (json: string): void => change({ json }, 'json'),
    canUndo: undoStack.length > 0,
    canRedo: redoStack.length > 0,
    undo: (): void => setState((before) => stepped(before, 'undoStack', 'redoStack')),
    redo: (): void => setState((before) => stepped(before, 'redoStack', 'undoStack')),
    /**
     * Takes back what is saved. Returns a function that restores the edit, and works after the editor was left as well.
     */
    discard(): () => void {
      const kept = { edit, base: base ?? savedContent }
      const restore = (next: SchemaEdit): void => setState((before) => replaced(before, next))
      // A discarded draft is no longer unsaved work.
      restore({ ...start, origin: null })
      saveUnsaved(id, null)
      return () => {
        saveUnsaved(id, kept)
        restore(edit)
      }
    },
    /** After saving: what is saved now is what later changes begin from. */
    rebase: (): void => setState((before) => ({ ...before, base: null })),
  }
}

/** What the editor shows where nothing is changed, and its content; the same object until the schema is another. */
function useSavedEdit(saved: SchemaRow | null): { start: SchemaEdit; savedContent: string } {
  return useMemo(() => {
    const start = startOf(saved)
    return { start, savedContent: contentOf(start) }
    // One more result does not make it another schema.
  }, [saved?.id, saved?.name, saved?.elements, saved?.rules, saved?.columns])
}

/** The state beside what is saved now, which may have been saved elsewhere; the same one if nothing follows. Pure. */
function followSaved(state: State, start: SchemaEdit, savedContent: string, isSaved: boolean): State {
  const { edit, base, revision } = state
  if (base === savedContent) return state
  const content = contentOf(edit)
  if (base === null || content === savedContent) return { ...state, base: savedContent }
  // The draft of a new schema is stored nowhere else.
  if (!isSaved || content !== base || edit.json !== null) return state
  return { edit: start, base: savedContent, undoStack: [], redoStack: [], place: null, revision: revision + 1 }
}

/** A part of the edit changed. Pure. */
function changed(state: State, part: Partial<SchemaEdit>, place: string | null): State {
  const isSameStep = place !== null && place === state.place
  return {
    ...state,
    edit: { ...state.edit, ...part },
    undoStack: isSameStep ? state.undoStack : [...state.undoStack, state.edit].slice(-maxSteps),
    redoStack: [],
    place,
  }
}

/** All of the edit replaced, which is one step back as well. Pure. */
function replaced(state: State, edit: SchemaEdit): State {
  return {
    ...state,
    edit,
    undoStack: [...state.undoStack, state.edit],
    redoStack: [],
    place: null,
    revision: state.revision + 1,
  }
}

function startOf(saved: SchemaRow | null): SchemaEdit {
  const { name, elements, rules, origin } = saved ? { ...saved, origin: null } : preparedSchema()
  const fields = elements.length > 0 ? draftOf(elements, saved?.columns ?? []) : [newField()]
  return { name, fields, rules: ruleDrafts(rules ?? [], fields), json: null, origin: origin ?? null }
}

/** What of an edit would be saved, to be compared. Pure. */
function contentOf({ name, fields, rules }: SchemaEdit): string {
  return JSON.stringify([name.trim(), elementsOf(fields), rules.map((rule) => ruleOf(rule, fields)), columnsOf(fields)])
}

/** One step from one stack to the other. Pure. */
function stepped(state: State, from: 'undoStack' | 'redoStack', to: 'undoStack' | 'redoStack'): State {
  const edit = state[from].at(-1)
  if (edit === undefined) return state
  return {
    ...state,
    edit,
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], state.edit],
    place: null,
    revision: state.revision + 1,
  }
}

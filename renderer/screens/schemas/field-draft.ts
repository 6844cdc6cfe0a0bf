import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import type { Rule } from '../../../shared/domain/review.ts'
import { elementOf, typeOf } from '../../../shared/domain/schema.ts'
import type { FieldType, SchemaElement } from '../../../shared/domain/schema.ts'

/**
 * A field while it is edited. `key` stays the same however the field is renamed or moved. `format`: its type, by the
 * name that it has in drafts which windows kept.
 */
export type FieldDraft = {
  key: string
  name: string
  format: FieldType
  description: string
  items: FieldDraft[]
  inTables: boolean
}

export type FieldProblem = 'nameMissing' | 'nameTwice' | 'itemsMissing'

let lastKey = 0
/**
 * Unsaved fields and rules are restored into windows whose counter begins at one again, so the counter alone is not
 * unique.
 */
const thisWindow = Math.random().toString(36).slice(2, 8)

/** A key that no other field or rule has, nor one that was kept. */
export function newKey(): string {
  return `${thisWindow}-${++lastKey}`
}

/** An empty text field. */
export function newField(): FieldDraft {
  return { key: newKey(), name: '', format: 'text', description: '', items: [], inTables: false }
}

/** Fields to edit, from a schema and the names of those that tables show. */
export function draftOf(elements: readonly SchemaElement[], columns: readonly string[] = []): FieldDraft[] {
  return elements.map((element) => ({
    ...newField(),
    name: element.name,
    format: typeOf(element),
    description: element.description,
    items: draftOf(element.items ?? []),
    inTables: columns.includes(element.name),
  }))
}

/** The fields that tables show; null where nobody chose any. Pure. */
export function columnsOf(fields: readonly FieldDraft[]): string[] | null {
  const names = fields.filter(({ format, inTables }) => inTables && format !== 'list').map(({ name }) => name.trim())
  return names.length === 0 ? null : names
}

/** The schema that the fields stand for: names and descriptions trimmed, sub-fields only for lists. Pure. */
export function elementsOf(fields: readonly FieldDraft[]): SchemaElement[] {
  return fields.map(({ name, format, description, items }) =>
    elementOf(format, {
      name: name.trim(),
      description: description.trim(),
      items: format === 'list' ? elementsOf(items) : undefined,
    }),
  )
}

/** The fields with one of them, at any depth, replaced by what `change` makes of it. Pure. */
export function changeField(
  fields: readonly FieldDraft[],
  key: string,
  change: (field: FieldDraft) => FieldDraft,
): FieldDraft[] {
  return fields.map((field) =>
    field.key === key ? change(field) : { ...field, items: changeField(field.items, key, change) },
  )
}

/** The fields without one of them, at any depth. Pure. */
export function removeField(fields: readonly FieldDraft[], key: string): FieldDraft[] {
  return fields
    .filter((field) => field.key !== key)
    .map((field) => ({ ...field, items: removeField(field.items, key) }))
}

/** The fields with one of them a place up (-1) or down (+1) among its siblings; unchanged at the end. Pure. */
export function moveField(fields: readonly FieldDraft[], key: string, step: -1 | 1): FieldDraft[] {
  const from = fields.findIndex((field) => field.key === key)
  if (from === -1) return fields.map((field) => ({ ...field, items: moveField(field.items, key, step) }))
  const moved = [...fields]
  const [field] = moved.splice(from, 1)
  if (field) moved.splice(Math.min(Math.max(0, from + step), fields.length - 1), 0, field)
  return moved
}

/**
 * The fields with a new one at the end, or at the end of the sub-fields of `parentKey`. Pure but for the new field's
 * key.
 */
export function addField(fields: readonly FieldDraft[], parentKey: string | null, added: FieldDraft): FieldDraft[] {
  if (parentKey === null) return [...fields, added]
  return changeField(fields, parentKey, (parent) => ({ ...parent, items: [...parent.items, added] }))
}

/** What is wrong, by the key of the field; the rules of `parseSchema` as far as the editor can break them. Pure. */
export function problemsOf(fields: readonly FieldDraft[]): Map<string, FieldProblem> {
  const problems = new Map<string, FieldProblem>()
  const seen = new Set<string>()
  for (const field of fields) {
    const name = field.name.trim()
    if (name === '') problems.set(field.key, 'nameMissing')
    else if (seen.has(name)) problems.set(field.key, 'nameTwice')
    else if (field.format === 'list' && field.items.length === 0) problems.set(field.key, 'itemsMissing')
    seen.add(name)
    if (field.format === 'list') for (const [key, problem] of problemsOf(field.items)) problems.set(key, problem)
  }
  return problems
}

/**
 * How the fields of a new schema were drafted: from which document, by whom, and why not by the model that was asked.
 */
export type DraftOrigin = { from: string; by: 'model' | 'rules'; model: string; note: ErrorReason | null }

export type NewSchema = { name: string; elements: SchemaElement[]; rules?: Rule[] | undefined; origin?: DraftOrigin }

let prepared: NewSchema = { name: '', elements: [] }

/** Keeps what a new schema starts from, for the editor that opens next. */
export function prepareSchema(start: NewSchema): void {
  prepared = start
}

/** What a new schema starts from. */
export function preparedSchema(): NewSchema {
  return prepared
}

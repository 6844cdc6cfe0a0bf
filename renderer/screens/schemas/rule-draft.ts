import type { FieldPath, Rule, RuleKind } from '../../../shared/domain/review.ts'
import { formatOf } from '../../../shared/domain/schema.ts'
import type { FieldFormat } from '../../../shared/domain/schema.ts'
import { newKey } from './field-draft.ts'
import type { FieldDraft } from './field-draft.ts'

/**
 * A rule while it is edited: its fields by their keys, so that it follows a field that is renamed. Null: not chosen
 * yet, or gone.
 */
export type RuleDraft = { key: string; kind: RuleKind; fields: (string | null)[]; pattern: string }

/** How many fields a kind of rule has at first and at least, and at most, and whether a pattern goes with them. */
export const slots: Record<RuleKind, { min: number; max: number; hasPattern?: true }> = {
  required: { min: 1, max: 1 },
  pattern: { min: 1, max: 1, hasPattern: true },
  not_in_future: { min: 1, max: 1 },
  // The last one is what the others come to.
  sum: { min: 3, max: 11 },
  rows_sum: { min: 2, max: 2 },
  product: { min: 3, max: 3 },
  unique: { min: 1, max: 5 },
}

/** A rule of a kind with nothing chosen. */
export function newRule(kind: RuleKind): RuleDraft {
  return { key: newKey(), kind, fields: Array.from({ length: slots[kind].min }, () => null), pattern: '' }
}

/** Rules to edit, from those of a schema; without those about fields that are not there. */
export function ruleDrafts(rules: readonly Rule[], fields: readonly FieldDraft[]): RuleDraft[] {
  const drafts = rules.map((rule) => ({
    ...newRule(rule.kind),
    fields: pathsOf(rule).map((path) => keyAt(fields, path)),
    pattern: rule.kind === 'pattern' ? rule.pattern : '',
  }))
  return drafts.filter((draft) => !draft.fields.includes(null))
}

/** The rules for other fields than they were made for: those about fields of the same names. Pure but for new keys. */
export function rulesMovedTo(
  next: readonly FieldDraft[],
  rules: readonly RuleDraft[],
  fields: readonly FieldDraft[],
): RuleDraft[] {
  return ruleDrafts(
    rules.flatMap((draft) => ruleOf(draft, fields) ?? []),
    next,
  )
}

/** The rules without those about a field that was removed. Pure. */
export function rulesLeft(rules: readonly RuleDraft[], fields: readonly FieldDraft[]): RuleDraft[] {
  const there = new Set(fieldChoices(fields).map(({ key }) => key))
  return rules.filter((rule) => rule.fields.every((key) => key === null || there.has(key)))
}

/** The rule that a draft stands for; null where something is not chosen. Pure. */
export function ruleOf(draft: RuleDraft, fields: readonly FieldDraft[]): Rule | null {
  const paths = draft.fields.map((key) => (key === null ? null : pathTo(fields, key)))
  if (!paths.every((path) => path !== null)) return null
  const [first, second, third] = paths as [FieldPath, FieldPath, FieldPath]
  switch (draft.kind) {
    case 'required':
    case 'not_in_future':
      return { kind: draft.kind, field: first }
    case 'pattern':
      return draft.pattern.trim() === '' ? null : { kind: 'pattern', field: first, pattern: draft.pattern.trim() }
    case 'sum':
      return { kind: 'sum', terms: paths.slice(0, -1), total: paths.at(-1)! }
    case 'rows_sum':
      return { kind: 'rows_sum', column: first, total: second }
    case 'product':
      return { kind: 'product', factors: [first, second], result: third }
    case 'unique':
      return { kind: 'unique', fields: paths }
  }
}

function pathsOf(rule: Rule): FieldPath[] {
  switch (rule.kind) {
    case 'required':
    case 'not_in_future':
    case 'pattern':
      return [rule.field]
    case 'sum':
      return [...rule.terms, rule.total]
    case 'rows_sum':
      return [rule.column, rule.total]
    case 'product':
      return [...rule.factors, rule.result]
    case 'unique':
      return rule.fields
  }
}

export type FieldChoice = { key: string; path: FieldPath; format: FieldFormat }

/** Every field that holds a value, those of lists behind the list's name. Pure. */
export function fieldChoices(fields: readonly FieldDraft[], before: FieldPath = []): FieldChoice[] {
  return fields.flatMap(({ key, name, format, items }) => {
    const path = [...before, name.trim()]
    return format === 'list' ? fieldChoices(items, path) : [{ key, path, format: formatOf(format) }]
  })
}

/** Whether a place of a rule of each kind can take a field. */
const takes: Record<RuleKind, (choice: FieldChoice, slot: number) => boolean> = {
  required: () => true,
  pattern: ({ format }) => format !== 'boolean',
  not_in_future: ({ format }) => format !== 'boolean',
  sum: ({ path, format }) => path.length === 1 && format === 'number',
  rows_sum: ({ path, format }, slot) => format === 'number' && (slot === 0 ? path.length > 1 : path.length === 1),
  product: ({ format }) => format === 'number',
  unique: ({ path }) => path.length === 1,
}

/** The fields that a place of a rule can take. Pure. */
export function choicesFor(kind: RuleKind, slot: number, choices: readonly FieldChoice[]): FieldChoice[] {
  return choices.filter((choice) => takes[kind](choice, slot))
}

function pathTo(fields: readonly FieldDraft[], key: string): FieldPath | null {
  return fieldChoices(fields).find((choice) => choice.key === key)?.path ?? null
}

function keyAt(fields: readonly FieldDraft[], path: FieldPath): string | null {
  return fieldChoices(fields).find((choice) => JSON.stringify(choice.path) === JSON.stringify(path))?.key ?? null
}

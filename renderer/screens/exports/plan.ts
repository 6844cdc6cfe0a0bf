import type { ExportDays, ExportPreset, ExportSpec, ListLayout } from '../../../shared/contract/exports.ts'
import { reviewStates } from '../../../shared/domain/document-status.ts'
import type { ReviewState } from '../../../shared/domain/document-status.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { billPrograms } from '../../../shared/domain/bill-settings.ts'
import type { BillProgram, BillSettings } from '../../../shared/domain/bill-settings.ts'
import { billDraftsOf, billSettingsOf } from './bill-draft.ts'
import type { BillDrafts } from './bill-draft.ts'
import { savedColumns } from './columns.ts'
import type { ColumnDraft } from './columns.ts'
import { datevDraftOf, datevSettingsOf } from './datev-draft.ts'
import type { DatevDraft } from './datev-draft.ts'
import type { ListPreference } from './list-preference.ts'

/** Everything that a person chose for an export. */
export type ExportPlan = {
  /** Null: the schema with the most results. */
  schemaId: number | null
  folderId: number | null
  /** Documents that were selected elsewhere, and whether they are what is exported. */
  documentIds: number[] | null
  onlyDocuments: boolean
  /** None: each. */
  states: ReviewState[]
  span: 'any' | 'last' | 'between'
  days: { by: ExportDays['by']; last: number; from: string | null; to: string | null }
  format: ExportSpec['format']
  /** `own`: as the window. */
  locale: Locale | 'own'
  /** Null: as the schema has them. */
  columns: ColumnDraft[] | null
  /** Null: as they were written last for the schema. */
  lists: ListLayout | null
  listLimit: number | null
  /** Null: as they were typed last. */
  datev: DatevDraft | null
  bills: BillDrafts | null
}

/** A plan in which it is settled how lists are written. */
export type ResolvedPlan = ExportPlan & ListPreference

/** The usual choices of how far the check of documents is. */
export const stateChoices = {
  unflagged: ['ready', 'approved'],
  approved: ['approved'],
  all: [],
} as const satisfies Record<string, readonly ReviewState[]>
export type StateChoice = keyof typeof stateChoices

/** Which of the usual choices these states are; null for others. Pure. */
export function stateChoiceOf(states: readonly ReviewState[]): StateChoice | null {
  const choices = Object.keys(stateChoices) as StateChoice[]
  return choices.find((choice) => stateChoices[choice].join() === states.join()) ?? null
}

/** With which states a choice of documents begins: who selects documents means all of them. Pure. */
export function usualStates(onlyDocuments: boolean): ReviewState[] {
  return [...stateChoices[onlyDocuments ? 'all' : 'unflagged']]
}

export const newPlan: ExportPlan = {
  schemaId: null,
  folderId: null,
  documentIds: null,
  onlyDocuments: false,
  states: usualStates(false),
  span: 'any',
  days: { by: 'received', last: 30, from: null, to: null },
  format: 'xlsx',
  locale: 'own',
  columns: null,
  lists: null,
  listLimit: null,
  datev: null,
  bills: null,
}

/** What a person chose, and where they chose nothing what they chose last. Pure. */
export function resolvePlan(plan: ExportPlan, last: ListPreference): ResolvedPlan {
  return { ...plan, lists: plan.lists ?? last.lists, listLimit: plan.listLimit ?? last.listLimit }
}

/** What is asked of core. Pure. */
export function specOf(plan: ResolvedPlan, schemaId: number, ownLocale: Locale): ExportSpec {
  const { by, last, from, to } = plan.days
  return {
    schemaId,
    folderId: plan.onlyDocuments ? null : plan.folderId,
    documentIds: plan.onlyDocuments ? plan.documentIds : null,
    // All states are no condition. Written in one way, so that equal choices are equal texts.
    reviews:
      plan.states.length === reviewStates.length ? [] : reviewStates.filter((state) => plan.states.includes(state)),
    days:
      plan.span === 'any'
        ? { by: 'received', from: null, to: null, last: null }
        : plan.span === 'last'
          ? { by, from: null, to: null, last }
          : { by, from, to, last: null },
    format: plan.format,
    locale: plan.locale === 'own' ? ownLocale : plan.locale,
    columns: plan.columns === null ? null : plan.columns.filter(({ isOn }) => isOn).map(({ column }) => column),
    lists: plan.lists,
    listLimit: plan.listLimit,
    datev: plan.format === 'datev' && plan.datev !== null ? datevSettingsOf(plan.datev) : null,
    bills: billsOf(plan),
  }
}

function billsOf({ format, bills }: ResolvedPlan): BillSettings | null {
  return isBillProgram(format) && bills !== null ? billSettingsOf(format, bills[format]) : null
}

/** Pure. */
export function isBillProgram(format: ExportSpec['format']): format is BillProgram {
  return (billPrograms as readonly string[]).includes(format)
}

/** False: no column is on, or something that a program of bookkeeping has to know is missing. Pure. */
export function isComplete({ columns, format, datev, bills }: ExportSpec): boolean {
  if (format === 'datev') return datev !== null
  return isBillProgram(format) ? bills !== null : columns?.length !== 0
}

/** What a person chose when they kept it. Pure. */
export function planOf(
  spec: ExportPreset['spec'],
  elements: readonly SchemaElement[],
  ownLocale: Locale,
): ResolvedPlan {
  const { by, from, to, last } = spec.days
  return {
    ...newPlan,
    schemaId: spec.schemaId,
    folderId: spec.folderId,
    states: spec.reviews,
    span: last !== null ? 'last' : from !== null || to !== null ? 'between' : 'any',
    days: { by, last: last ?? newPlan.days.last, from, to },
    format: spec.format,
    locale: spec.locale === ownLocale ? 'own' : spec.locale,
    columns: spec.columns === null ? null : savedColumns(spec.columns, elements, spec.lists),
    lists: spec.lists,
    listLimit: spec.listLimit,
    datev: spec.datev === null ? null : datevDraftOf(spec.datev),
    bills: spec.bills === null ? null : billDraftsOf(spec.bills),
  }
}

/** An export as it is kept under a name: it is about documents of any time, so it names none. Pure. */
export function presetSpecOf({ documentIds: _, ...spec }: ExportSpec): ExportPreset['spec'] {
  return spec
}

/** True when two exports ask for the same. Pure. */
export function isSameSpec(one: ExportPreset['spec'], other: ExportPreset['spec']): boolean {
  const text = (spec: ExportPreset['spec']): string =>
    JSON.stringify(spec, (_, value: unknown) =>
      isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
    )
  return text(one) === text(other)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

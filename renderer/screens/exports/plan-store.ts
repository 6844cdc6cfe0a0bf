import { newPlan, usualStates } from './plan.ts'
import type { ExportPlan } from './plan.ts'

/** What a person chose elsewhere to be exported; the export screen starts with it. */
type Selection = Pick<ExportPlan, 'schemaId' | 'folderId' | 'documentIds'>

/** A plan, and the preset that it began with. */
export type StoredPlan = { plan: ExportPlan; presetId: number | null }

let stored: StoredPlan = { plan: newPlan, presetId: null }

/** Starts a new plan with a choice, for the export screen that opens next. */
export function prefillExport({ schemaId, folderId, documentIds }: Selection): void {
  const onlyDocuments = documentIds !== null
  stored = {
    plan: { ...newPlan, schemaId, folderId, documentIds, onlyDocuments, states: usualStates(onlyDocuments) },
    presetId: null,
  }
}

/** What was planned last: it outlives the screen. */
export function storedPlan(): StoredPlan {
  return stored
}

/** Keeps a plan as long as the window is open. */
export function storePlan(next: StoredPlan): void {
  stored = next
}

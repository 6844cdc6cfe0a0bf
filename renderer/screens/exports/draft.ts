import { newPlan } from './plan.ts'
import type { ExportPlan } from './plan.ts'

/** What a person chose elsewhere to be exported; the export screen starts with it. */
export type ExportDraft = { schemaId: number | null; folderId: number | null; jobIds: number[] | null }

type Kept = { plan: ExportPlan; presetId: number | null }

let kept: Kept = { plan: newPlan, presetId: null }

/** Keeps a choice for the export screen. */
export function draftExport({ schemaId, folderId, jobIds }: ExportDraft): void {
  kept = { plan: { ...newPlan, schemaId, folderId, jobIds, onlyJobs: jobIds !== null }, presetId: null }
}

/** What was planned last: it outlives the screen. */
export function keptPlan(): Kept {
  return kept
}

export function keepPlan(next: Kept): void {
  kept = next
}

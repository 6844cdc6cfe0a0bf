import { useSyncExternalStore } from 'react'
import { totalOf } from '../../../shared/contract-jobs.ts'
import type { JobCounts, JobFilter, jobSorts } from '../../../shared/contract-jobs.ts'
import { jobStatuses } from '../../../shared/job.ts'
import type { JobStatus } from '../../../shared/job.ts'
import { reviewStates } from '../../../shared/review.ts'
import type { ReviewState } from '../../../shared/review.ts'

/** The tabs above the documents, and what each shows; an empty list shows all. */
export const tabs = {
  all: [],
  waiting: ['queued', 'submitting', 'waiting'],
  flagged: ['flagged'],
  ready: ['ready'],
  approved: ['approved'],
  failed: ['failed'],
  unknown: ['unknown'],
  skipped: ['skipped'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly (JobStatus | ReviewState)[]>
export type TabKey = keyof typeof tabs

export type JobSort = (typeof jobSorts)[number]

/** What the list shows; `top`: the row at its upper edge. It outlives the screen, so that a person comes back to the same place. */
export type JobsView = { tab: TabKey; search: string; folderId: number | null; schemaId: number | null; sort: JobSort; descending: boolean; active: number; top: number }

let view: JobsView = { tab: 'all', search: '', folderId: null, schemaId: null, sort: 'receivedAt', descending: true, active: 0, top: 0 }
const listeners = new Set<() => void>()

/** The view as it is now. */
export function jobsView(): JobsView {
  return view
}

/** Changes a part of the view; a change of what is listed starts at the top again. */
export function changeJobsView(change: Partial<JobsView>): void {
  const restarts = !('active' in change) && !('top' in change)
  view = { ...view, ...(restarts ? { active: 0, top: 0 } : {}), ...change }
  for (const listener of listeners) listener()
}

/** The view, followed. */
export function useJobsView(): JobsView {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, jobsView)
}

/** The filter of the contract for a view. Pure. */
export function filterOf(shown: Pick<JobsView, 'tab' | 'search' | 'folderId' | 'schemaId'>): JobFilter {
  const states: readonly string[] = tabs[shown.tab]
  const statuses = jobStatuses.filter((status) => states.includes(status))
  const reviews = reviewStates.filter((state) => states.includes(state))
  return { search: shown.search.trim(), statuses, reviews, folderId: shown.folderId, schemaId: shown.schemaId }
}

/** True when the list leaves documents of its tab out. Pure. */
export function isNarrowed({ search, folderId, schemaId }: Pick<JobsView, 'search' | 'folderId' | 'schemaId'>): boolean {
  return search.trim() !== '' || folderId !== null || schemaId !== null
}

/** How many jobs a tab holds. Pure. */
export function tabCount(tab: TabKey, counts: Partial<JobCounts>): number {
  const states: readonly (JobStatus | ReviewState)[] = tabs[tab]
  return states.length === 0 ? totalOf(counts) : states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

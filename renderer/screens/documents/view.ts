import { useSyncExternalStore } from 'react'
import type { DocumentCounts, DocumentFilter, documentSorts } from '../../../shared/contract/documents.ts'
import { documentStatuses, reviewStates, totalOf } from '../../../shared/domain/document-status.ts'
import type { DocumentStatus, ReviewState } from '../../../shared/domain/document-status.ts'

/** The tabs above the documents, and what each shows; an empty list shows all: of the bin, or outside of it. */
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
  bin: [],
} as const satisfies Record<string, readonly (DocumentStatus | ReviewState)[]>
export type TabKey = keyof typeof tabs

export type DocumentSort = (typeof documentSorts)[number]

/** The spans of days in which documents came, the shortest first. */
export const receivedSpans = ['any', 'today', 'yesterday', 'week', 'month'] as const
export type ReceivedSpan = (typeof receivedSpans)[number]

/**
 * What the list shows; `top`: the row at its upper edge. It outlives the screen, so that a person comes back to the
 * same place.
 */
export type DocumentsView = {
  tab: TabKey
  search: string
  folderId: number | null
  schemaId: number | null
  received: ReceivedSpan
  sort: DocumentSort
  descending: boolean
  active: number
  top: number
}

let view: DocumentsView = {
  tab: 'all',
  search: '',
  folderId: null,
  schemaId: null,
  received: 'any',
  sort: 'receivedAt',
  descending: true,
  active: 0,
  top: 0,
}
const listeners = new Set<() => void>()

/** The view as it is now. */
export function documentsView(): DocumentsView {
  return view
}

/** Changes a part of the view; a change of what is listed starts at the top again. */
export function changeDocumentsView(change: Partial<DocumentsView>): void {
  const restarts = !('active' in change) && !('top' in change)
  view = { ...view, ...(restarts ? { active: 0, top: 0 } : {}), ...change }
  for (const listener of listeners) listener()
}

/** The view, followed. */
export function useDocumentsView(): DocumentsView {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, documentsView)
}

/** Midnights of this computer's clock; the two ends of a span of days, the second one open. Pure but for the clock. */
export function momentsOf(
  span: ReceivedSpan,
  now = new Date(),
): Pick<DocumentFilter, 'receivedFrom' | 'receivedBefore'> {
  const midnight = (daysAgo: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  const from: Record<ReceivedSpan, number | null> = {
    any: null,
    today: midnight(0),
    yesterday: midnight(1),
    week: midnight(6),
    month: midnight(29),
  }
  return { receivedFrom: from[span], receivedBefore: span === 'yesterday' ? midnight(0) : null }
}

/** The filter of the contract for a view. Pure but for the clock. */
export function filterOf(
  shown: Pick<DocumentsView, 'tab' | 'search' | 'folderId' | 'schemaId' | 'received'>,
): DocumentFilter {
  const states: readonly string[] = tabs[shown.tab]
  const statuses = documentStatuses.filter((status) => states.includes(status))
  const reviews = reviewStates.filter((state) => states.includes(state))
  return {
    search: shown.search.trim(),
    statuses,
    reviews,
    folderId: shown.folderId,
    schemaId: shown.schemaId,
    inBin: shown.tab === 'bin',
    ...momentsOf(shown.received),
  }
}

/** True when the list leaves documents of its tab out. Pure. */
export function isNarrowed({
  search,
  folderId,
  schemaId,
  received,
}: Pick<DocumentsView, 'search' | 'folderId' | 'schemaId' | 'received'>): boolean {
  return search.trim() !== '' || folderId !== null || schemaId !== null || received !== 'any'
}

/** How many documents a tab holds. Pure. */
export function tabCount(tab: TabKey, counts: Partial<DocumentCounts>): number {
  const states: readonly (DocumentStatus | ReviewState)[] = tabs[tab]
  if (tab === 'bin') return counts.bin ?? 0
  return states.length === 0 ? totalOf(counts) : states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

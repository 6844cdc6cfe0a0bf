import { useCall } from '../../client/queries.ts'
import { filterOf, useJobsView } from '../jobs/view.ts'

export type Neighbours = { previous: number | null; next: number | null; index: number | null; total: number | null }

/** A link from elsewhere is looked for among the first documents of the list only. */
const searched = 500

/** The documents before and after one, in the list that a person came from. */
export function useNeighbours(id: number): Neighbours {
  const view = useJobsView()
  const list = { ...filterOf(view), sort: view.sort, descending: view.descending }
  const near = useCall('jobs.list', { ...list, offset: Math.max(0, view.active - 1), limit: 3 }, { keepPrevious: true })
  const missing = near.data !== undefined && !near.isPlaceholderData && !near.data.rows.some((row) => row.id === id)
  const far = useCall('jobs.list', { ...list, offset: 0, limit: searched }, { enabled: missing })
  const answer = missing ? far.data : near.data
  const offset = missing ? 0 : Math.max(0, view.active - 1)
  const at = answer?.rows.findIndex((row) => row.id === id) ?? -1
  if (!answer || at === -1) return { previous: null, next: null, index: null, total: null }
  return { previous: answer.rows[at - 1]?.id ?? null, next: answer.rows[at + 1]?.id ?? null, index: offset + at, total: answer.total }
}

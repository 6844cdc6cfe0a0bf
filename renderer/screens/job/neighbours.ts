import type { CallInput } from '../../../shared/contract.ts'
import { useCall } from '../../client/queries.ts'

/** The list that a person goes through, and how far in it they were when they came. */
export type Path = { list: CallInput<'jobs.list'>; at: number }

export type Neighbours = { previous: number | null; next: number | null; index: number | null; total: number | null }

/** A link from elsewhere is looked for among the first documents of the list only. */
const searched = 500

/** The documents before and after one, in the list that a person came from. */
export function useNeighbours(id: number, { list, at }: Path): Neighbours {
  const near = useCall('jobs.list', { ...list, offset: Math.max(0, at - 1), limit: 3 }, { keepPrevious: true })
  const missing = near.data !== undefined && !near.isPlaceholderData && !near.data.rows.some((row) => row.id === id)
  const far = useCall('jobs.list', { ...list, offset: 0, limit: searched }, { enabled: missing })
  const answer = missing ? far.data : near.data
  const offset = missing ? 0 : Math.max(0, at - 1)
  const found = answer?.rows.findIndex((row) => row.id === id) ?? -1
  if (!answer || found === -1) return { previous: null, next: null, index: null, total: null }
  return { previous: answer.rows[found - 1]?.id ?? null, next: answer.rows[found + 1]?.id ?? null, index: offset + found, total: answer.total }
}

import { useRef } from 'react'
import type { CallInput, CallOutput } from '../../../shared/contract.ts'
import { useCall } from '../../client/queries.ts'

/** The list that a person goes through, and how far in it they were when they came. */
export type Path = { list: CallInput<'jobs.list'>; at: number }

export type Neighbours = { previous: number | null; next: number | null; index: number | null; total: number | null }

/** A link from elsewhere is looked for among the first documents of the list only. */
const searched = 500

/**
 * The documents before and after one, in the list that a person came from. What leaves the list as it is worked on, as a corrected
 * document leaves those that need a look, has no place in it any more, but still those that were around it.
 */
export function useNeighbours(id: number, { list, at }: Path): Neighbours {
  const near = useCall('jobs.list', { ...list, ...around(at) }, { keepPrevious: true })
  const isKnown = near.data !== undefined && !near.isPlaceholderData
  const place = isKnown ? indexIn(near.data, id, around(at).offset) : null
  const missing = isKnown && place === null
  const far = useCall('jobs.list', { ...list, offset: 0, limit: searched }, { enabled: missing })
  const isFar = missing && far.data !== undefined && indexIn(far.data, id, 0) !== null
  const stood = useRef<number | null>(null)
  if (place !== null) stood.current = place
  const left = missing && !isFar ? stood.current : null
  const shown = place ?? left
  // Who came by an address may stand beside where the list was left: what is behind it was not asked for yet.
  const isBeside = shown !== null && shown !== at
  const beside = useCall('jobs.list', { ...list, ...around(shown ?? 0) }, { enabled: isBeside })
  const [answer, offset] = isFar ? [far.data, 0] : isBeside ? [beside.data, around(shown).offset] : [near.data, around(at).offset]
  const index = answer === undefined ? null : indexIn(answer, id, offset)
  if (answer === undefined || (index ?? left) === null) return { previous: null, next: null, index: null, total: null }
  const idAt = (other: number): number | null => answer.rows[other - offset]?.id ?? null
  if (index === null) return { previous: idAt(left! - 1), next: idAt(left!), index: null, total: null }
  return { previous: idAt(index - 1), next: idAt(index + 1), index, total: answer.total }
}

/** The part of a list that shows a place with the one before and the one after it. */
function around(index: number): { offset: number; limit: number } {
  return { offset: Math.max(0, index - 1), limit: 3 }
}

function indexIn({ rows }: CallOutput<'jobs.list'>, id: number, offset: number): number | null {
  const found = rows.findIndex((row) => row.id === id)
  return found === -1 ? null : offset + found
}

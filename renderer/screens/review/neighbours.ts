import { useRef } from 'react'
import type { CallInput, CallOutput } from '../../../shared/contract/contract.ts'
import { useCall } from '../../client/queries.ts'

/** The list that a person goes through, and how far in it they were when they came. */
export type Path = { list: CallInput<'documents.list'>; at: number }

/** A document of the list, and where it stands there. */
export type Neighbour = { id: number; at: number }
export type Neighbours = {
  previous: Neighbour | null
  next: Neighbour | null
  index: number | null
  total: number | null
}

const unknown: Neighbours = { previous: null, next: null, index: null, total: null }

/** A link from elsewhere is looked for among the first documents of the list only. */
const searched = 500

/**
 * The documents before and after one, in the list that a person came from. What leaves the list as it is worked on, as
 * a corrected document leaves those that need a look, has no place in it any more and keeps its neighbours.
 */
export function useNeighbours(id: number, { list, at }: Path): Neighbours {
  const near = useCall('documents.list', { ...list, ...around(at) }, { keepPrevious: true })
  const isKnown = near.data !== undefined && !near.isPlaceholderData
  const place = isKnown ? indexIn(near.data, id, around(at).offset) : null
  const missing = isKnown && place === null
  const far = useCall('documents.list', { ...list, offset: 0, limit: searched }, { enabled: missing })
  // Who came by an address may stand beside where the list was left: what is behind it was not asked for yet.
  const isBeside = place !== null && place !== at
  const beside = useCall('documents.list', { ...list, ...around(place ?? 0) }, { enabled: isBeside })
  const [answer, offset] = missing
    ? [far.data, 0]
    : isBeside
      ? [beside.data, around(place).offset]
      : [near.data, around(at).offset]
  const known = useRef<Neighbours | null>(null)
  const index = answer === undefined ? null : indexIn(answer, id, offset)
  if (answer === undefined || index === null) return known.current === null ? unknown : withoutPlace(known.current)
  const neighbour = (other: number): Neighbour | null => {
    const row = answer.rows[other - offset]
    return row ? { id: row.id, at: other } : null
  }
  known.current = { previous: neighbour(index - 1), next: neighbour(index + 1), index, total: answer.total }
  return known.current
}

/** The one behind it stands in its place now. */
function withoutPlace({ previous, next }: Neighbours): Neighbours {
  return { previous, next: next && { id: next.id, at: next.at - 1 }, index: null, total: null }
}

/** The part of a list that shows a place with the one before and the one after it. */
function around(index: number): { offset: number; limit: number } {
  return { offset: Math.max(0, index - 1), limit: 3 }
}

function indexIn({ rows }: CallOutput<'documents.list'>, id: number, offset: number): number | null {
  const found = rows.findIndex((row) => row.id === id)
  return found === -1 ? null : offset + found
}

import { useSyncExternalStore } from 'react'
import type { EventPayload } from '../../shared/contract/contract.ts'

type Looking = EventPayload<'folders.looking'>

/**
 * How far the last look into a folder is that was heard of: kept apart from the queries because it changes many times a
 * second.
 */
let heard: Looking | null = null
const listeners = new Set<() => void>()

/** Notes how far a look is. */
export function setLooking(looking: Looking): void {
  heard = looking
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How far the look with this token is, or null. */
export function useLooking(token: string | null): Looking | null {
  return useSyncExternalStore(subscribe, () => (heard !== null && heard.token === token ? heard : null))
}

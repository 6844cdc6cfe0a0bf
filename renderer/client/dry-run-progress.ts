import { useSyncExternalStore } from 'react'
import type { EventPayload } from '../../shared/contract/contract.ts'

type DryRunProgress = EventPayload<'folders.dryRunProgress'>

/**
 * How far the last dry run of a folder is that was heard of: kept apart from the queries because it changes many times
 * a second.
 */
let heard: DryRunProgress | null = null
const listeners = new Set<() => void>()

/** Notes how far a dry run is. */
export function setDryRunProgress(progress: DryRunProgress): void {
  heard = progress
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How far the dry run with this token is, or null. */
export function useDryRunProgress(token: string | null): DryRunProgress | null {
  return useSyncExternalStore(subscribe, () => (heard !== null && heard.token === token ? heard : null))
}

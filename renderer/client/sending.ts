import { useSyncExternalStore } from 'react'

/**
 * How much of each document has been sent, 0..1, by document id: kept apart from the queries because it changes many
 * times a second.
 */
const sentById = new Map<number, number>()
const listeners = new Set<() => void>()

/**
 * Notes the part (0..1) of a document's body that has been sent; null forgets it, once the document is in another
 * state.
 */
export function setSent(id: number, sent: number | null): void {
  if (sent === null ? !sentById.delete(id) : sentById.get(id) === sent) return
  if (sent !== null) sentById.set(id, sent)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The part (0..1) of a document's body that has been sent, as last reported, or null. */
export function useSent(id: number): number | null {
  return useSyncExternalStore(subscribe, () => sentById.get(id) ?? null)
}

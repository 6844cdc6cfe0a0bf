import type { QueryClient } from '@tanstack/react-query'
import { events } from '../../shared/contract.ts'
import type { Bridge, CallName, EventName } from '../../shared/contract.ts'
import { setSent } from './sending.ts'

/** Which calls may answer differently after an event. */
const staleAfter: Record<Exclude<EventName, 'job.progress'>, CallName[]> = {
  'job.changed': ['jobs.list', 'jobs.counts', 'jobs.get', 'folders.list', 'schemas.list', 'app.state', 'exports.preview'],
  'folders.changed': ['folders.list', 'jobs.list', 'app.state'],
  'schemas.changed': ['schemas.list', 'folders.list', 'jobs.list', 'exports.preview'],
  'connections.changed': ['connections.list', 'folders.list', 'app.state'],
  'exports.changed': ['exports.list'],
  'app.changed': ['app.state'],
}

/** Hundreds of files may change in a second; the window asks again at most this often. */
const gatherMs = 200

/** Turns core's events into refetches of what is on the screen. Returns how to stop. */
export function followEvents(bridge: Bridge, queryClient: QueryClient): () => void {
  const stale = new Set<CallName>()
  const changedJobs = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function refetch(): void {
    timer = null
    const names = new Set(stale)
    const jobs = new Set(changedJobs)
    stale.clear()
    changedJobs.clear()
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [name, input] }) =>
        names.has(name as CallName) && (name !== 'jobs.get' || jobs.size === 0 || jobs.has((input as { id: number }).id)),
    })
  }

  return bridge.onEvent((name, payload) => {
    if (!Object.hasOwn(events, name)) return
    if (name === 'job.progress') {
      const progress = events['job.progress'].safeParse(payload)
      if (progress.success) setSent(progress.data.id, progress.data.sent)
      return
    }
    for (const stalled of staleAfter[name as keyof typeof staleAfter]) stale.add(stalled)
    if (name === 'job.changed') {
      const changed = events['job.changed'].safeParse(payload)
      if (changed.success) {
        changedJobs.add(changed.data.id)
        if (changed.data.status !== 'submitting') setSent(changed.data.id, null)
      }
    }
    timer ??= setTimeout(refetch, gatherMs)
  })
}

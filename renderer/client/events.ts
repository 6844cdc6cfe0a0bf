import type { QueryClient } from '@tanstack/react-query'
import { events } from '../../shared/contract.ts'
import type { Bridge, CallName, EventName } from '../../shared/contract.ts'
import { hearAnswer } from './answers.ts'
import { setSent } from './sending.ts'

/** Which calls may answer differently after an event. */
const staleAfter: Record<Exclude<EventName, 'job.progress' | 'ask.delta'>, CallName[]> = {
  'job.changed': ['jobs.list', 'jobs.counts', 'jobs.get', 'folders.list', 'schemas.list', 'app.state', 'exports.preview'],
  'folders.changed': ['folders.list', 'jobs.list', 'app.state'],
  'schemas.changed': ['schemas.list', 'folders.list', 'jobs.list', 'exports.preview'],
  'connections.changed': ['connections.list', 'folders.list', 'app.state', 'ask.list', 'agents.list', 'models.list', 'models.server'],
  'exports.changed': ['exports.list'],
  'app.changed': ['app.state'],
  'ask.changed': ['ask.list', 'ask.get', 'agents.list'],
  'agents.changed': ['agents.list', 'agents.documents'],
  'callbacks.changed': ['callbacks.get', 'app.state'],
  'storage.changed': ['storage.get', 'app.state'],
  'usage.changed': ['usage.report', 'usage.estimate', 'app.state'],
}

/** Hundreds of files may change in a second; the window asks again at most this often. */
const gatherMs = 200

/** Turns core's events into refetches of what is on the screen. Returns how to stop. */
export function followEvents(bridge: Bridge, queryClient: QueryClient): () => void {
  const stale = new Set<CallName>()
  /** Of these two calls only the answers about what changed are stale; an empty set means all of them. */
  const changed = { 'jobs.get': new Set<number>(), 'ask.get': new Set<number>() }
  let timer: ReturnType<typeof setTimeout> | null = null

  function refetch(): void {
    timer = null
    const names = new Set(stale)
    const jobs = new Set(changed['jobs.get'])
    const conversations = new Set(changed['ask.get'])
    stale.clear()
    changed['jobs.get'].clear()
    changed['ask.get'].clear()
    void queryClient.invalidateQueries({
      predicate({ queryKey: [name, input] }) {
        if (!names.has(name as CallName)) return false
        const ids = name === 'jobs.get' ? jobs : name === 'ask.get' ? conversations : null
        return ids === null || ids.size === 0 || ids.has((input as { id: number }).id)
      },
    })
  }

  return bridge.onEvent((name, payload) => {
    if (!Object.hasOwn(events, name)) return
    if (name === 'job.progress') {
      const progress = events['job.progress'].safeParse(payload)
      if (progress.success) setSent(progress.data.id, progress.data.sent)
      return
    }
    if (name === 'ask.delta') {
      const delta = events['ask.delta'].safeParse(payload)
      // What came before this piece was missed: the whole text is asked for again.
      if (delta.success && !hearAnswer(delta.data)) {
        stale.add('ask.get')
        changed['ask.get'].add(delta.data.conversationId)
        timer ??= setTimeout(refetch, gatherMs)
      }
      return
    }
    for (const stalled of staleAfter[name as keyof typeof staleAfter]) stale.add(stalled)
    if (name === 'job.changed') {
      const job = events['job.changed'].safeParse(payload)
      if (job.success) {
        changed['jobs.get'].add(job.data.id)
        if (job.data.status !== 'submitting') setSent(job.data.id, null)
      }
    }
    if (name === 'ask.changed') {
      const conversation = events['ask.changed'].safeParse(payload)
      if (conversation.success) changed['ask.get'].add(conversation.data.conversationId)
    }
    timer ??= setTimeout(refetch, gatherMs)
  })
}

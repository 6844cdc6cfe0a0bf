import type { QueryClient } from '@tanstack/react-query'
import { events } from '../../shared/contract.ts'
import type { Bridge, CallName, EventName } from '../../shared/contract.ts'
import { hearAnswer } from './answers.ts'
import { setLooking } from './looking.ts'
import { navigate } from './route.ts'
import { setSent } from './sending.ts'

/** Which calls may answer differently after an event. */
const staleAfter: Record<Exclude<EventName, 'job.progress' | 'ask.delta' | 'folders.looking' | 'window.go'>, CallName[]> = {
  'job.changed': ['jobs.list', 'jobs.counts', 'jobs.get', 'jobs.file', 'jobs.sources', 'folders.list', 'folders.activity', 'schemas.list', 'schemas.versions', 'app.state', 'exports.preview', 'callbacks.get', 'workbooks.list'],
  'folders.changed': ['folders.list', 'folders.activity', 'folders.reach', 'jobs.list', 'jobs.file', 'jobs.sources', 'workbooks.list', 'app.state'],
  'schemas.changed': ['schemas.list', 'schemas.versions', 'schemas.version', 'folders.list', 'jobs.list', 'exports.preview'],
  'connections.changed': ['connections.list', 'folders.list', 'jobs.list', 'jobs.get', 'app.state', 'ask.list', 'agents.list', 'models.list', 'models.server'],
  'exports.changed': ['exports.list', 'exports.presets.list'],
  'app.changed': ['app.state'],
  'ask.changed': ['ask.list', 'ask.get', 'agents.list'],
  'agents.changed': ['agents.list', 'agents.documents'],
  'callbacks.changed': ['callbacks.get', 'app.state'],
  'storage.changed': ['storage.get', 'app.state'],
  'workbooks.changed': ['workbooks.list'],
  'trial.changed': ['trials.get'],
  'usage.changed': ['usage.report', 'usage.estimate', 'ledger.list', 'app.state'],
}

/** Hundreds of files may change in a second; the window asks again at most this often. */
const gatherMs = 200

/** Calls about one document or conversation: only the answers about what changed are stale. */
const aboutOne = new Set<CallName>(['jobs.get', 'jobs.file', 'jobs.sources', 'ask.get', 'trials.get'])

/** The name of this window in events about what it did itself. */
export const windowName = crypto.randomUUID()

/** Turns core's events into refetches of what is on the screen. Returns how to stop. */
export function followEvents(bridge: Bridge, queryClient: QueryClient): () => void {
  /** The ids that a call's answers are stale for; null: all of them. */
  let stale = new Map<CallName, Set<number> | null>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function refetch(): void {
    timer = null
    const told = stale
    stale = new Map()
    void queryClient.invalidateQueries({
      predicate({ queryKey: [name, input] }) {
        const ids = told.get(name as CallName)
        return ids === null || (ids !== undefined && ids.has((input as { id: number }).id))
      },
    })
  }

  function mark(name: CallName, id: number | null): void {
    const ids = stale.get(name)
    if (id === null) stale.set(name, null)
    else if (ids !== null) stale.set(name, (ids ?? new Set()).add(id))
    timer ??= setTimeout(refetch, gatherMs)
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
      if (delta.success && !hearAnswer(delta.data)) mark('ask.get', delta.data.conversationId)
      return
    }
    if (name === 'folders.looking') {
      const looking = events['folders.looking'].safeParse(payload)
      if (looking.success) setLooking(looking.data)
      return
    }
    if (name === 'window.go') {
      const there = events['window.go'].safeParse(payload)
      if (there.success) navigate(there.data)
      return
    }
    let id: number | null = null
    let isOwn = false
    if (name === 'job.changed') {
      const job = events['job.changed'].safeParse(payload)
      if (job.success) {
        id = job.data.id
        isOwn = job.data.by === windowName
        if (job.data.status !== 'submitting') setSent(job.data.id, null)
      }
    }
    if (name === 'ask.changed') {
      const conversation = events['ask.changed'].safeParse(payload)
      if (conversation.success) id = conversation.data.conversationId
    }
    if (name === 'trial.changed') {
      const trial = events['trial.changed'].safeParse(payload)
      if (trial.success) id = trial.data.id
    }
    for (const call of staleAfter[name as keyof typeof staleAfter]) if (!isOwn || !aboutOne.has(call)) mark(call, aboutOne.has(call) ? id : null)
  })
}

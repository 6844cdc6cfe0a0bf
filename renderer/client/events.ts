import type { QueryClient } from '@tanstack/react-query'
import type { Bridge, CallName, EventName, EventPayload } from '../../shared/contract/contract.ts'
import { addToAnswer } from './answers.ts'
import { windowName } from './client.ts'
import { setDryRunProgress } from './dry-run-progress.ts'
import { navigate } from './route.ts'
import { setSent } from './sending.ts'

/** Events as core sends them. Like answers to calls they come from the same program and are not validated. */
type CoreEvent = { [N in EventName]: { name: N; payload: EventPayload<N> } }[EventName]

/** Which calls may answer differently after an event. */
const staleAfter: Record<
  Exclude<EventName, 'document.progress' | 'ask.delta' | 'folders.dryRunProgress' | 'window.go'>,
  CallName[]
> = {
  'document.changed': [
    'documents.list',
    'documents.counts',
    'documents.get',
    'documents.file',
    'documents.sources',
    'folders.list',
    'folders.activity',
    'schemas.list',
    'schemas.versions',
    'app.state',
    'exports.preview',
    'callbacks.get',
    'workbooks.list',
    'lessons.offers',
    'reextraction.get',
    'sorting.list',
    'sorting.get',
  ],
  'folders.changed': [
    'folders.list',
    'folders.activity',
    'folders.reach',
    'documents.list',
    'documents.file',
    'documents.sources',
    'workbooks.list',
    'app.state',
  ],
  'schemas.changed': [
    'schemas.list',
    'schemas.versions',
    'schemas.version',
    'folders.list',
    'documents.list',
    'exports.preview',
    'reextraction.get',
    'sorting.get',
  ],
  'connections.changed': [
    'connections.list',
    'folders.list',
    'documents.list',
    'documents.get',
    'app.state',
    'ask.list',
    'agents.list',
    'models.list',
    'models.server',
  ],
  'exports.changed': ['exports.list', 'exports.presets.list', 'exports.preview'],
  'app.changed': ['app.state'],
  'ask.changed': ['ask.list', 'ask.get', 'agents.list'],
  'agents.changed': ['agents.list', 'agents.documents'],
  'callbacks.changed': ['callbacks.get', 'app.state'],
  'storage.changed': ['storage.get', 'app.state'],
  'updates.changed': ['updates.get'],
  'workbooks.changed': ['workbooks.list'],
  'openedFiles.changed': ['openedFiles.list'],
  'lessons.changed': ['lessons.list', 'lessons.offers'],
  'trial.changed': ['trials.get', 'reextraction.get'],
  'reextraction.changed': ['reextraction.get'],
  'partners.changed': ['partners.list'],
  'usage.changed': ['usage.report', 'usage.estimate', 'ledger.list', 'app.state'],
}

/** Hundreds of files may change in a second; the window asks again at most this often. */
const refetchDelayMs = 200

/** Calls about one document or conversation: only the answers about what changed are stale. */
const byId = new Set<CallName>([
  'documents.get',
  'documents.file',
  'documents.sources',
  'ask.get',
  'trials.get',
  // Of a file that nobody asked about yet it is read each time.
  'sorting.get',
])

/** Turns core's events into refetches of what is on the screen. Returns a function that stops it. */
export function followEvents(bridge: Bridge, queryClient: QueryClient): () => void {
  /** The ids that a call's answers are stale for; null: all of them. */
  let stale = new Map<CallName, Set<number> | null>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function refetch(): void {
    timer = null
    const marked = stale
    stale = new Map()
    void queryClient.invalidateQueries({
      predicate({ queryKey: [name, input] }) {
        const ids = marked.get(name as CallName)
        return ids === null || (ids !== undefined && ids.has((input as { id: number }).id))
      },
    })
  }

  function mark(name: CallName, id: number | null): void {
    const ids = stale.get(name)
    if (id === null) stale.set(name, null)
    else if (ids !== null) stale.set(name, (ids ?? new Set()).add(id))
    timer ??= setTimeout(refetch, refetchDelayMs)
  }

  function follow(event: CoreEvent): void {
    switch (event.name) {
      case 'document.progress':
        return setSent(event.payload.id, event.payload.sent)
      case 'ask.delta':
        // An earlier piece was missed: the whole text is fetched again.
        return addToAnswer(event.payload) ? undefined : mark('ask.get', event.payload.conversationId)
      case 'folders.dryRunProgress':
        return setDryRunProgress(event.payload)
      case 'window.go':
        return navigate(event.payload)
      case 'document.changed': {
        const { id, status, by } = event.payload
        if (status !== 'submitting') setSent(id, null)
        return markAfter(event.name, id, by === windowName)
      }
      case 'ask.changed':
        return markAfter(event.name, event.payload.conversationId)
      case 'trial.changed':
        return markAfter(event.name, event.payload.id)
      default:
        // An unknown event, such as one of a newer core, is ignored.
        if (Object.hasOwn(staleAfter, event.name)) markAfter(event.name)
    }
  }

  /** `id`: what the event is about. For a change that this window made itself, it already has the answer. */
  function markAfter(name: keyof typeof staleAfter, id: number | null = null, isOwn = false): void {
    for (const call of staleAfter[name]) if (!isOwn || !byId.has(call)) mark(call, byId.has(call) ? id : null)
  }

  return bridge.onEvent((name, payload) => follow({ name, payload } as CoreEvent))
}

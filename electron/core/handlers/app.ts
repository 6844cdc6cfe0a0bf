import { documentFilter } from '../../../shared/contract/documents.ts'
import { requireAllowedSettings } from '../../../shared/domain/policies.ts'
import type { Handlers, HandlerContext } from './types.ts'

const platforms: Partial<Record<NodeJS.Platform, 'windows' | 'macos'>> = { win32: 'windows', darwin: 'macos' }

type Needs = Pick<
  HandlerContext,
  | 'tables'
  | 'queue'
  | 'now'
  | 'emit'
  | 'version'
  | 'desktop'
  | 'dataDir'
  | 'dataDirShared'
  | 'samplesDir'
  | 'cap'
  | 'policies'
  | 'policySet'
  | 'storage'
  | 'callbacks'
  | 'connections'
  | 'localService'
>

export function appHandlers(
  context: Needs,
): Pick<Handlers, 'app.state' | 'settings.update' | 'queue.pause' | 'queue.resume'> {
  const { tables, queue, now } = context
  return {
    'app.state': async () => {
      const midnight = new Date(now()).setHours(0, 0, 0, 0)
      return {
        version: context.version,
        host: context.desktop === null ? 'browser' : 'electron',
        platform: platforms[process.platform] ?? 'linux',
        dataDir: context.dataDir,
        dataDirShared: await context.dataDirShared,
        samplesDir: context.samplesDir,
        paused: queue.paused,
        counts: tables.documentList.counts(documentFilter.parse({})).counts,
        progress: queue.progress(),
        bytesSentToday: tables.ledger.bytesSince(midnight),
        connections: tables.connections.list(),
        cap: context.cap.state(),
        storageTrouble: queue.storageTrouble,
        recovery: context.storage.recovery,
        callbackRoute: context.callbacks.routeStatus,
        policies: context.policySet,
        settings: tables.settings.get(),
      }
    },
    'settings.update': async (change) => {
      requireAllowedSettings(context.policies, change)
      const before = tables.settings.get()
      const next = tables.settings.update(change)
      if (next.localService !== before.localService) switchService(context, next.localService)
      queue.wake()
      context.emit('app.changed', {})
      context.emit('usage.changed', {})
      return next
    },
    'queue.pause': async () => {
      queue.pause()
      return {}
    },
    'queue.resume': async () => {
      queue.resume()
      return {}
    },
  }
}

/** What is queued for the service on this computer goes on, or waits from now on; what it was doing is queued again. */
function switchService({ tables, connections, localService, emit }: Needs, on: boolean): void {
  // What it answers while it ends says nothing about the next one.
  connections.forget(tables.connections.local().id)
  localService.apply()
  if (on) localService.startIfAwaited()
  else void localService.suspend()
  emit('connections.changed', {})
}

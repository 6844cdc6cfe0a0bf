import { arch, release } from 'node:os'
import { documentFilter } from '../../../shared/contract/documents.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listFolders } from './folders.ts'
import type { Handlers, HandlerContext } from './types.ts'

type Needs = Pick<
  HandlerContext,
  'tables' | 'queue' | 'storage' | 'callbacks' | 'now' | 'version' | 'desktop' | 'cap' | 'watchers' | 'archiver'
>

const lookBackMs = 7 * 24 * 3600_000
const mb = (bytes: number): number => Math.round(bytes / 1024 / 1024)
const isoTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

export function diagnosticsHandlers(context: Needs): Pick<Handlers, 'diagnostics.get'> {
  return {
    'diagnostics.get': async () => ({ text: `${JSON.stringify(diagnosticsOf(context), null, 2)}\n` }),
  }
}

/**
 * What helps whoever has to find out why Sheaf does not do what it should. It is made to be sent to somebody: codes in
 * the place of sentences (their details hold names and paths), numbers in the place of names, of addresses the host
 * alone.
 */
function diagnosticsOf(context: Needs): Record<string, unknown> {
  const { tables, queue, storage, callbacks, now } = context
  const { databaseBytes, snapshots, lastFailure, recovery } = storage.state()
  const callbackState = callbacks.state()
  const { language, theme, concurrency, resendUnknown, dailyDocumentCap, dailyTokenCap } = tables.settings.get()
  return {
    madeAt: isoTime(now()),
    sheaf: {
      version: context.version,
      host: context.desktop === null ? 'browser' : 'desktop',
      node: process.versions.node,
      runningForMinutes: Math.round(process.uptime() / 60),
      memoryMb: mb(process.memoryUsage().rss),
    },
    system: {
      platform: process.platform,
      release: release(),
      processor: arch(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    settings: { language, theme, concurrency, resendUnknown, dailyDocumentCap, dailyTokenCap },
    documents: tables.documentList.counts(documentFilter.parse({})).counts,
    queue: { paused: queue.paused, storageTrouble: queue.storageTrouble, heldByCap: context.cap.state().held },
    attemptsOfSevenDays: tables.ledger.outcomes(now() - lookBackMs),
    connections: tables.connections.list().map(({ id, kind, baseUrl, pausedReason, throttledUntil }) => ({
      number: id,
      kind,
      host: baseUrl === null ? null : new URL(baseUrl).host,
      stoppedBy: pausedReason?.code ?? null,
      slowedUntil: isoTime(throttledUntil),
    })),
    callbacks: {
      route: callbackState.route,
      status: callbacks.routeStatus,
      testedAt: isoTime(callbackState.testedAt),
      problem: callbackState.problem?.code ?? null,
      mailboxProblem: callbackState.mailbox?.problem?.code ?? null,
      awaited: callbackState.awaited,
      overdue: callbackState.overdue,
    },
    folders: listFolders(context).map((folder) => ({
      number: folder.id,
      schema: folder.schemaId,
      connection: folder.connectionId,
      mode: folder.mode,
      includeSubfolders: folder.includeSubfolders,
      afterwards: folder.afterwards,
      archiveName: folder.archiveName,
      patterns: folder.include.length + folder.exclude.length,
      paused: folder.paused,
      reachable: folder.online,
      moveProblem: folder.moveProblem?.code ?? null,
      documents: folder.total,
      open: folder.open,
      needAttention: folder.attention,
    })),
    schemas: tables.schemas
      .list()
      .map(({ id, version, elements }) => ({ number: id, version, fields: fieldsIn(elements) })),
    storage: {
      databaseMb: mb(databaseBytes),
      backups: snapshots.map(({ at, kind, sizeBytes }) => ({ at: isoTime(at), kind, mb: mb(sizeBytes) })),
      lastBackupFailure: lastFailure === null ? null : { at: isoTime(lastFailure.at), code: lastFailure.problem.code },
      recovery:
        recovery === null ? null : { at: isoTime(recovery.at), how: recovery.how, journalLost: recovery.journalLost },
    },
  }
}

function fieldsIn(elements: readonly SchemaElement[]): number {
  return elements.reduce((sum, { items }) => sum + 1 + fieldsIn(items ?? []), 0)
}

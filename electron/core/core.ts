import { EventEmitter } from 'node:events'
import { realpath } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { EventName, EventPayload } from '../../shared/contract.ts'
import type { Document, FileKind } from '../../shared/document.ts'
import { AppError } from '../../shared/errors.ts'
import type { ReadingLanguage } from '../../shared/reading-languages.ts'
import { Asking } from './asking/asking.ts'
import { Callbacks } from './callback/callbacks.ts'
import { isDamage, isStorageTrouble } from './db/storage-trouble.ts'
import { SearchFill } from './db/search-fill.ts'
import { Storage } from './db/storage.ts'
import { openTables } from './db/tables.ts'
import type { Tables } from './db/tables.ts'
import { removeOldSamples, storeSample } from './drafting/samples.ts'
import { removeHalfWritten } from './export/replace-file.ts'
import { agentHandlers } from './handlers/agents.ts'
import { appHandlers } from './handlers/app.ts'
import { askHandlers } from './handlers/ask.ts'
import { binHandlers } from './handlers/bin.ts'
import { callbackHandlers } from './handlers/callbacks.ts'
import { connectionHandlers } from './handlers/connections.ts'
import { exportHandlers } from './handlers/exports.ts'
import { extractWithHandlers } from './handlers/extract-with.ts'
import { folderLookHandlers } from './handlers/folder-look.ts'
import { folderHandlers } from './handlers/folders.ts'
import { findJob, findText, jobHandlers } from './handlers/jobs.ts'
import { modelHandlers } from './handlers/models.ts'
import { reviewHandlers } from './handlers/review.ts'
import { schemaHandlers } from './handlers/schemas.ts'
import { storageHandlers } from './handlers/storage.ts'
import type { DesktopAbilities, HandlerContext, Handlers, ReadingUrgency } from './handlers/types.ts'
import { trustHandlers } from './handlers/trust.ts'
import { trialHandlers } from './handlers/trials.ts'
import { usageHandlers } from './handlers/usage.ts'
import { workbookHandlers } from './handlers/workbooks.ts'
import { assessByNewRules } from './pipeline/assess.ts'
import type { Context } from './pipeline/context.ts'
import { Queue } from './pipeline/queue.ts'
import { recoverInterrupted } from './pipeline/recover.ts'
import { FileAway } from './pipeline/file-away.ts'
import { FolderWatchers } from './pipeline/watch-folders.ts'
import { diskAccess } from './platform/file-access.ts'
import type { FileAccess } from './platform/file-access.ts'
import { withTimeLimits } from './platform/file-limits.ts'
import { withTextNames } from './platform/file-names.ts'
import { defaultTimings } from './platform/timings.ts'
import type { Timings } from './platform/timings.ts'
import { normaliseBaseAddress } from './platform/base-address.ts'
import { Connections } from './platform/connect.ts'
import type { LocalService, SecretStore } from './platform/connect.ts'
import { LocalSwitch } from './platform/local-switch.ts'
import { TextFill } from './text-fill.ts'
import { Trials } from './trying/trials.ts'
import { recoverTrials } from './trying/try-document.ts'
import { storeUpload } from './uploads.ts'
import { DailyCap } from './usage/cap.ts'
import { Workbooks } from './workbook/workbooks.ts'

export type CoreOptions = {
  dataDir: string
  secrets: SecretStore
  localService: LocalService
  /** The bundle of the thread that makes snapshots of the database. */
  snapshotThread: string
  /** Reads a document's content for review and preview, outside of this thread, its pictures in these languages. */
  read: (content: Uint8Array, kind: FileKind, languages: readonly ReadingLanguage[], urgency: ReadingUrgency) => Promise<Document>
  /** With less on the disk of the data folder nothing is sent; the usual room for results when absent. */
  roomBytes?: number
  /** How many documents are with a service at once; the person's setting when absent. */
  concurrency?: number
  /** Who works here, as the system calls them: corrections and approvals carry the name. */
  person: string
  version: string
  documentsDir: string
  samplesDir: string | null
  desktop: DesktopAbilities | null
  now?: () => number
  /** For how long the computer has been running, asleep or not: what tells a day that passed from a clock that was set. */
  uptimeMs?: () => number
  /** Time limits and delays other than the usual ones. */
  timings?: Partial<Timings>
  /** The file system in which the person's folders are; the computer's own when absent. */
  files?: FileAccess
}

export type Core = Awaited<ReturnType<typeof startCore>>

/**
 * Builds the stages and starts them: watch → intake → queue → extract → record → file away (export is called by a person; workbooks follow approvals).
 * Throws `already_running` when another process holds the data folder, and `newer_database` or `storage_…` where it cannot be used.
 */
export async function startCore(options: CoreOptions) {
  const now = options.now ?? Date.now
  const holder: { queue: Queue | null } = { queue: null }
  const { dataDir, snapshotThread, roomBytes } = options
  const storage = await Storage.open({ dataDir, snapshotThread, roomBytes, now, onDamaged: () => holder.queue?.holdForRepair() })
  const tables = openTables(storage.db, storage.journal)
  const searchFill = new SearchFill((limit) => tables.search.catchUp(limit))
  const sent = new Map<number, number>()
  const bus = new EventEmitter()
  const emit = <N extends EventName>(name: N, payload: EventPayload<N>): void => {
    trackSent(sent, name, payload)
    bus.emit('event', name, payload)
    if (name === 'job.changed' || name === 'trial.changed') usage.changed()
    if (name === 'job.changed' || name === 'folders.changed') searchFill.soon()
  }
  const cap = new DailyCap({ tables, now, uptimeMs: options.uptimeMs ?? (() => uptime() * 1000) })
  const usage = gathered(() => {
    bus.emit('event', 'usage.changed', {})
    // A result that came by webhook may have freed what was reserved for it.
    if (holder.queue?.held === true) holder.queue.wake()
  })
  const timings = { ...defaultTimings, ...options.timings }
  const files = withTimeLimits(withTextNames(options.files ?? diskAccess), timings.fileAccessMs, () => tables.folders.list().map(({ path }) => path))
  const ownPlaces = [...new Set([resolve(options.dataDir), await realpath(options.dataDir)])]
  const onStorageTrouble = (error: unknown): void => {
    if (isDamage(error)) storage.noteDamage()
    else holder.queue?.holdForStorage(error)
  }
  const context: Context = { tables, now, timings, files, emit, cap, ownPlaces, onStorageTrouble, requireRoom: () => storage.requireRoom() }

  const callbacks = new Callbacks(context, { dataDir: options.dataDir, secrets: options.secrets, onQueued: () => holder.queue?.wake() })
  const localService = new LocalSwitch(options.localService, tables)
  const connections = new Connections({ connections: tables.connections, exchanges: tables.exchanges, now }, options.secrets, localService, (reachesUs) => callbacks.wayBack(reachesUs))
  const queue = new Queue(
    context,
    connections,
    () => options.concurrency ?? tables.settings.get().concurrency,
    () => storage.probe(),
  )
  holder.queue = queue
  const fileAway = new FileAway(context, () => queue.wake())
  bus.on('event', (name: EventName, payload: unknown) => {
    if (name !== 'job.changed') return
    fileAway.changed(payload as EventPayload<'job.changed'>)
    workbooks.changed()
  })
  const workbooks = new Workbooks({ ...context, documentsDir: options.documentsDir })
  const watchers = new FolderWatchers(
    context,
    () => queue.wake(),
    (error) => {
      if (isStorageTrouble(error)) onStorageTrouble(error)
    },
    () => {
      queue.wake()
      fileAway.retryNow()
    },
  )
  const asking = new Asking(context, (connectionId) => connections.routeTo(connectionId))
  const trials = new Trials(context, {
    routeTo: (connectionId) => connections.routeTo(connectionId),
    refusal: (draft) => queue.refusalFor(draft.connectionId) ?? cap.errorOfTrial(draft),
  })
  // The service on this computer makes its credentials itself: what once stopped the way there says nothing about now.
  localService.apply()
  normaliseAddresses(tables)
  tables.conversations.interruptWriting()
  recoverInterrupted(context)
  recoverTrials(context)
  const ended = new AbortController()
  const checks = oneAtATime(() => assessByNewRules(context, ended.signal))
  const draftsDir = join(options.dataDir, 'drafts')
  await removeOldSamples(draftsDir, now())
  const exportsDir = join(options.dataDir, 'exports')
  await removeHalfWritten(exportsDir)
  const { moved } = await callbacks.start()

  const handlerContext: HandlerContext = {
    tables,
    now,
    emit,
    queue,
    watchers,
    fileAway,
    workbooks,
    files,
    ownPlaces,
    ended: ended.signal,
    asking,
    trials,
    cap,
    connections,
    localService,
    callbacks,
    storage,
    secrets: options.secrets,
    grounds: new Map(),
    readings: new Map(),
    read: (content, kind, urgency = 'awaited') => options.read(content, kind, tables.settings.get().readingLanguages, urgency),
    person: options.person,
    checks,
    indexSoon: () => searchFill.soon(),
    indexNow: () => searchFill.now(),
    version: options.version,
    dataDir: options.dataDir,
    draftsDir,
    exportsDir,
    documentsDir: options.documentsDir,
    samplesDir: options.samplesDir,
    desktop: options.desktop,
    sentShare: (jobId) => sent.get(jobId) ?? null,
  }
  const textFill = new TextFill({ isBusy: () => !queue.idle, read: (jobId) => findText(handlerContext, jobId) })
  bus.on('event', (name: EventName, payload: unknown) => {
    if (name !== 'job.changed') return
    const { id, status } = payload as EventPayload<'job.changed'>
    if (status === 'done') textFill.add(id)
  })
  const handlers = tellingDamage(onStorageTrouble, {
    ...appHandlers(handlerContext),
    ...jobHandlers(handlerContext),
    ...extractWithHandlers(handlerContext),
    ...binHandlers(handlerContext),
    ...folderHandlers(handlerContext),
    ...folderLookHandlers(handlerContext),
    ...schemaHandlers(handlerContext),
    ...connectionHandlers(handlerContext),
    ...exportHandlers(handlerContext),
    ...reviewHandlers(handlerContext),
    ...workbookHandlers(handlerContext),
    ...askHandlers(handlerContext),
    ...agentHandlers(handlerContext),
    ...modelHandlers(handlerContext),
    ...trialHandlers(handlerContext),
    ...usageHandlers(handlerContext),
    ...callbackHandlers(handlerContext),
    ...storageHandlers(handlerContext),
    ...trustHandlers(handlerContext),
  })

  return {
    handlers,
    /** The stages' own interface, for the terminal. */
    context,
    queue,
    watchers,
    fileAway,
    onEvent(heard: (name: EventName, payload: unknown) => void): () => void {
      bus.on('event', heard)
      return () => bus.off('event', heard)
    },
    /** Starts watching and working. Nothing is sent before. */
    async run(): Promise<void> {
      if (moved) sendWaitingAgain(context)
      localService.startIfAwaited()
      await watchers.follow()
      fileAway.start()
      workbooks.start()
      queue.wake()
      checks.begin()
      searchFill.soon()
      storage.begin(timings.snapshotMs, () => emit('storage.changed', {}))
      textFill.begin(tables.search.withoutText)
    },
    /** For a command that ends before `run` would make one: a snapshot where the last is an hour old. What fails is shown in the settings. */
    backUpIfDue: (): Promise<void> => storage.snapshotIfDue(timings.snapshotMs).catch(() => undefined),
    /** The path of a job's document, for showing it. Throws `not_found`. */
    pathOf: (jobId: number): string => findJob(handlerContext, jobId).path,
    /** The path of a written export's file. Throws `not_found`. */
    exportPath(exportId: number, index: number): string {
      const path = tables.exports.get(exportId)?.paths[index]
      if (path === undefined) throw new AppError('not_found', { what: 'export' })
      return path
    },
    /** Puts a file that was dropped on the window into the inbox; from then on it is a file like any other. */
    async receiveUpload(upload: { name: string; schemaId: number; connectionId: number; content: Readable }): Promise<void> {
      if (tables.schemas.get(upload.schemaId) === null) throw new AppError('not_found', { what: 'schema' })
      if (tables.connections.get(upload.connectionId) === null) throw new AppError('not_found', { what: 'connection' })
      const path = join(options.dataDir, 'inbox', `${upload.schemaId}-${upload.connectionId}`)
      await storeUpload(path, upload.name, upload.content)
      tables.folders.findOrAdd(
        {
          kind: 'inbox',
          path,
          name: 'Inbox',
          schemaId: upload.schemaId,
          connectionId: upload.connectionId,
          agentReference: null,
          mode: 'auto',
          includeSubfolders: true,
        },
        now(),
      )
      await watchers.follow()
      emit('folders.changed', {})
    },
    /** Keeps a sample document for `schemas.draft`; returns its id. Throws `unsupported_type` or `file_too_large`. */
    receiveDraft: (name: string, content: Readable): Promise<string> => storeSample(draftsDir, name, content),
    /** Ends cleanly: what is with a service that bills is waited for a little, unless `atOnce`. */
    async stop(how: { atOnce: boolean } = { atOnce: false }): Promise<void> {
      callbacks.endTest()
      ended.abort()
      searchFill.stop()
      textFill.stop()
      // First of all nothing new begins: a share that does not answer would hold that up, and a system that shuts down does not wait.
      await Promise.all([queue.stop(how), watchers.stop().then(() => fileAway.stop()), workbooks.stop(how), asking.end(), trials.end(how)])
      usage.stop()
      await checks.settled()
      await callbacks.stop()
      await connections.http.close()
      await localService.stop()
      await storage.close()
    },
  }
}

/** What meets a database that broke says so, whoever asked for it. */
function tellingDamage(tell: (error: unknown) => void, handlers: Handlers): Handlers {
  const telling = ([name, handle]: [string, (input: never) => Promise<unknown>]) => [
    name,
    async (input: never) => {
      try {
        return await handle(input)
      } catch (error) {
        if (!isDamage(error)) throw error
        tell(error)
        throw new AppError('storage_damaged', {}, { cause: error })
      }
    },
  ]
  return Object.fromEntries(Object.entries(handlers).map(telling)) as Handlers
}

/** The listener could not have its port back, so no webhook of this computer finds it: its jobs are sent again, which costs nothing. */
function sendWaitingAgain({ tables, now }: Context): void {
  const local = tables.connections.local().id
  for (const job of tables.jobs.withStatus('waiting')) if (job.connectionId === local) tables.jobs.apply(job.id, 'resubmit', {}, now())
}

/** Addresses were once stored as they were typed; a connection is looked up by what `connections.save` stores today. */
function normaliseAddresses(tables: Tables): void {
  for (const { id, name, baseUrl, clientId } of tables.connections.list()) {
    if (baseUrl === null || clientId === null) continue
    try {
      const address = normaliseBaseAddress(baseUrl)
      if (address !== baseUrl) tables.connections.update(id, name, address, clientId)
    } catch {
      // What is no address stays as it is: only a person can say what was meant.
    }
  }
}

function trackSent(sent: Map<number, number>, name: EventName, payload: unknown): void {
  if (name === 'job.progress') {
    const progress = payload as EventPayload<'job.progress'>
    sent.set(progress.id, progress.sent)
  } else if (name === 'job.changed') {
    sent.delete((payload as EventPayload<'job.changed'>).id)
  }
}

/** Work in the background that is begun again when it was asked for meanwhile; what fails is done at the next start. */
function oneAtATime(work: () => Promise<void>): { begin: () => void; settled: () => Promise<void> } {
  let running: Promise<void> | null = null
  let again = false
  const begin = (): void => {
    if (running !== null) {
      again = true
      return
    }
    again = false
    running = work()
      .catch(() => undefined)
      .finally(() => {
        running = null
        if (again) begin()
      })
  }
  return { begin, settled: async () => running ?? undefined }
}

const gatherMs = 250

/** Many changes in a row are told as one, a moment after the first. */
function gathered(tell: () => void): { changed: () => void; stop: () => void } {
  let timer: NodeJS.Timeout | null = null
  let stopped = false
  return {
    changed: () => {
      if (stopped) return
      timer ??= setTimeout(() => {
        timer = null
        tell()
      }, gatherMs)
    },
    stop: () => {
      stopped = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

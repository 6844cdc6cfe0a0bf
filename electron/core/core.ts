import { EventEmitter } from 'node:events'
import { realpath } from 'node:fs/promises'
import { uptime } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { EventName } from '../../shared/contract/contract.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { requireAllowedHost, withPolicies } from '../../shared/domain/policies.ts'
import type { PolicySet } from '../../shared/domain/policies.ts'
import { Callbacks } from './callback/callbacks.ts'
import type { Migrations } from './db/open.ts'
import { SearchIndexer } from './db/search/indexer.ts'
import { Storage } from './db/durability/storage.ts'
import { openTables } from './db/tables/tables.ts'
import type { Tables } from './db/tables/tables.ts'
import { OpenedFiles } from './opened-files.ts'
import { DocumentReader, readableOf, withFile } from './document-reader.ts'
import type { ReadContent, SortContent } from './document-reader.ts'
import { sampleLifetimeMs, storeSample } from './drafting/samples.ts'
import { removeOldFiles } from './files/old-files.ts'
import { Reextractions } from './trials/reextraction.ts'
import { Trials } from './trials/trials.ts'
import { recoverTrials } from './trials/try-document.ts'
import { EventBus } from './event-bus.ts'
import { removeTemporaryFiles } from './export/replace-file.ts'
import { othersMayWrite } from '../system/folder-access.ts'
import type { ProxyFor } from '../system/tunnel.ts'
import { diskAccess } from './files/file-access.ts'
import type { FileAccess } from './files/file-access.ts'
import { withTimeLimits } from './files/file-limits.ts'
import { FileThreads } from './files/file-threads.ts'
import { withTextNames } from './files/file-names.ts'
import { allHandlers } from './handlers/all-handlers.ts'
import { findDocument } from './handlers/lookups.ts'
import type { DesktopAbilities } from './handlers/types.ts'
import { reassess } from './pipeline/answers/assess.ts'
import { Archiver } from './pipeline/archive.ts'
import type { Context } from './pipeline/context.ts'
import { extractDocument } from './pipeline/extract.ts'
import { refuse, takeIn } from './pipeline/intake.ts'
import { Queue } from './pipeline/queue.ts'
import { recordAnswer } from './pipeline/record.ts'
import { recoverInterrupted } from './pipeline/recover.ts'
import { StorageHold } from './pipeline/sending/storage-hold.ts'
import { FolderWatchers } from './pipeline/watch-folders.ts'
import { normaliseBaseAddress } from './platform/base-address.ts'
import { pauseForbidden } from './pause-forbidden.ts'
import { Connections } from './platform/connect.ts'
import type { SecretStore } from './platform/connect.ts'
import type { LocalService } from './platform/local-switch.ts'
import { LocalSwitch } from './platform/local-switch.ts'
import { QuestionSender } from './questions/question-sender.ts'
import { Learner } from './learning/learner.ts'
import { oneAtATime, coalesce } from './scheduling.ts'
import { TextFill } from './text-fill.ts'
import { defaultTimings } from './timings.ts'
import type { Timings } from './timings.ts'
import { receiveUpload } from './uploads.ts'
import type { Upload } from './uploads.ts'
import { DailyCap } from './usage/cap.ts'
import { Workbooks } from './workbook/workbooks.ts'
import type { ConvertedFormat } from '../../shared/domain/limits.ts'
import type { PageSpan } from '../../shared/domain/sorting.ts'
import { localeOf } from '../../shared/messages/sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { ConvertedFiles } from './converted-files.ts'

export type CoreOptions = {
  dataDir: string
  secrets: SecretStore
  localService: LocalService
  /** The bundle of the thread that makes snapshots of the database. */
  snapshotThread: string
  /** The bundle of the threads that look at many files at once. */
  fileThread: string
  read: ReadContent
  /** Makes a PDF of a file outside of this thread, its own words in this language. */
  convert: (bytes: Uint8Array, format: ConvertedFormat, locale: Locale) => Promise<Uint8Array>
  /** Makes a PDF of some pages of another outside of this thread. */
  cut: (bytes: Uint8Array, pages: PageSpan) => Promise<Uint8Array>
  /** Reads a file, its pictures in these languages, and sorts it, outside of this thread. */
  sort: SortContent
  /** Takes a mail apart outside of this thread. */
  unpack: Context['unpack']
  /** With less on the disk of the data folder nothing is sent; the usual room for results when absent. */
  roomBytes?: number
  /** How the database comes to its newest version; the product's own when absent. */
  migrations?: Migrations
  /** How many documents are with a service at once; the person's setting when absent. */
  concurrency?: number
  /** Who works here, as the system calls them: corrections and approvals carry the name. */
  person: string
  version: string
  documentsDir: string
  samplesDir: string | null
  desktop: DesktopAbilities | null
  /** What an administrator has set; the host reads it. */
  policies: PolicySet
  now?: () => number
  /**
   * For how long the computer has been running, asleep or not: what tells a day that passed from a clock that was set.
   */
  uptimeMs?: () => number
  /** Time limits and delays other than the usual ones. */
  timings?: Partial<Timings>
  /** The file system in which the person's folders are; the computer's own when absent. */
  files?: FileAccess
  /** Which proxies lead to a host; none when absent. */
  proxyFor?: ProxyFor
}

export type Core = Awaited<ReturnType<typeof startCore>>

/**
 * Builds core from the ground up: what it stands on, the connections, the stages of a file's way, what goes on beside
 * them, and the handlers of the window's calls. Throws `already_running` when another process holds the data folder,
 * and `newer_database` or `storage_…` where it cannot be used.
 */
export async function startCore(options: CoreOptions) {
  const base = await openBase(options)
  const services = { ...base, ...buildConnections(options, base) }
  const stages = { ...services, ...buildStages(options, services) }
  const parts = { ...stages, ...buildCompanions(options, stages) }
  const { moved } = await resumeEarlierRun(parts)
  const textFill = new TextFill({
    idleMs: parts.context.timings.textFillIdleMs,
    isBusy: () => !parts.queue.idle || options.desktop?.isOnBattery() === true,
    read: (documentId) => parts.reader.index(documentId),
  })
  const { context, tables, bus, queue, watchers, archiver, storage } = parts
  bus.on('document.changed', ({ id, status }) => {
    if (status === 'done') textFill.add(id)
  })
  const handlerContext = {
    ...context,
    ...parts,
    ended: parts.ended.signal,
    indexNow: () => parts.searchIndexer.indexNow(),
    person: options.person,
    secrets: options.secrets,
    version: options.version,
    samplesDir: options.samplesDir,
    desktop: options.desktop,
    dataDirShared: othersMayWrite(options.dataDir),
    policySet: options.policies,
  }
  const handlers = allHandlers(handlerContext, context.onStorageTrouble)

  return {
    handlers,
    /** The stages' own interface, for the terminal. */
    context,
    queue,
    watchers,
    archiver,
    learner: parts.learner,
    /** Returns how to end it. */
    onEvent: (listener: (name: EventName, payload: unknown) => void) => bus.onAny(listener),
    /** Starts watching and working. Nothing is sent before. */
    run: () => run(parts, textFill, moved),
    /**
     * For a command that ends before `run` would make one: a snapshot where the last is an hour old. What fails is
     * shown in the settings.
     */
    backUpIfDue: (): Promise<void> => storage.snapshotIfDue(context.timings.snapshotMs).catch(() => undefined),
    /** The path of a document's file as it is shown. Throws `not_found`, and what converting throws. */
    shownPath: async (documentId: number): Promise<string> =>
      (await context.converted.of(await withFile(context, findDocument(context, documentId)))).path,
    /** The path of a written export's file. Throws `not_found`. */
    exportPath(exportId: number, index: number): string {
      const path = tables.exports.get(exportId)?.paths[index]
      if (path === undefined) throw new AppError('not_found', { what: 'export' })
      return path
    },
    receiveUpload: parts.receive,
    /** Keeps a sample document for `schemas.draft`; returns its id. Throws `unsupported_type` or `file_too_large`. */
    receiveDraft: (name: string, content: Readable): Promise<string> => storeSample(parts.draftsDir, name, content),
    /** Files that a person opened with Sheaf: the window asks what becomes of them. */
    offerFiles: (paths: readonly string[]): void => parts.openedFiles.add(paths),
    /** The computer goes to sleep: nothing more is sent until it wakes up, since its answer would be lost. */
    sleep: (): void => queue.sleep(),
    /** The computer woke up: what changed in the folders meanwhile was not announced. */
    async wakeUp(): Promise<void> {
      queue.wakeUp()
      archiver.retryNow()
      await watchers.sweepAll()
    },
    /** Ends cleanly: what is with a service that bills is waited for a little, unless `atOnce`. */
    stop: (how: { atOnce: boolean } = { atOnce: false }): Promise<void> => stop(parts, textFill, how),
  }
}

/** What all else stands on: events, the database, the clock, the file system, and what holds when nothing is stored. */
async function openBase(options: CoreOptions) {
  const { dataDir, snapshotThread, roomBytes, migrations, now = Date.now } = options
  const timings = { ...defaultTimings, ...options.timings }
  const bus = new EventBus()
  const { emit } = bus
  /** `due`: documents may go that could not before. */
  const signals = new EventEmitter<{ due: []; damaged: [] }>()
  const wake = (): void => void signals.emit('due')
  const onDamaged = (): void => void signals.emit('damaged')
  const storage = await Storage.open({ dataDir, snapshotThread, roomBytes, migrations, now, onDamaged })
  const storageHold = new StorageHold({
    emit,
    retryMs: timings.storageRetryMs,
    probe: () => storage.probe(),
    reportDamage: () => storage.reportDamage(),
    onLifted: wake,
  })
  signals.on('damaged', () => storageHold.holdForRepair())
  const policies = options.policies.values
  const tables = openTables(storage.db, storage.journal, (settings) => withPolicies(policies, settings))
  const cap = new DailyCap({ tables, now, uptimeMs: options.uptimeMs ?? (() => uptime() * 1000) })
  const fileThreads = new FileThreads(options.fileThread)
  // What another file system says is not what the threads would see.
  const { askBatch } = options.files ?? fileThreads
  const files = withTimeLimits(
    { ...withTextNames(options.files ?? diskAccess), ...(askBatch ? { askBatch } : {}) },
    timings.fileAccessMs,
    () => tables.folders.list().map(({ path }) => path),
  )
  const converted = new ConvertedFiles(join(dataDir, 'converted'), files, {
    convert: (bytes, format) => options.convert(bytes, format, localeOf(tables.settings.get().language)),
    cut: options.cut,
  })
  const context: Context & { converted: ConvertedFiles } = {
    tables,
    now,
    timings,
    files,
    converted,
    sort: async (document, question) => {
      const { content, kind } = await readableOf(files, converted, document)
      return options.sort(content, kind, tables.settings.get().readingLanguages, question)
    },
    unpack: options.unpack,
    emit,
    cap,
    policies,
    dataDirPaths: [...new Set([resolve(dataDir), await realpath(dataDir)])],
    onStorageTrouble: (error) => storageHold.report(error),
    requireStorage: () => storage.requireUsable(),
  }
  return { context, fileThreads, tables, bus, signals, wake, storage, storageHold, cap, ended: new AbortController() }
}

type Base = Awaited<ReturnType<typeof openBase>>

/** The ways to the services, and the way back for results that come later. */
function buildConnections(
  { dataDir, secrets, localService: service, proxyFor }: CoreOptions,
  { context, tables, wake, storage, ended }: Base,
) {
  const localService = new LocalSwitch(service, tables)
  const callbacks = new Callbacks(context, {
    dataDir,
    secrets,
    onQueued: wake,
    onCheck: () => localService.startIfAwaited(),
    proxyFor,
  })
  const connections = new Connections(
    {
      connections: tables.connections,
      exchanges: tables.exchanges,
      now: context.now,
      requireInPlace: () => storage.requireInPlace(),
      requireAllowed: (policy, address) => requireAllowedHost(context.policies, policy, address),
    },
    secrets,
    localService,
    (reachesUs) => callbacks.callbackRoute(reachesUs),
    ended.signal,
    proxyFor,
  )
  return { callbacks, localService, connections }
}

type Services = Base & ReturnType<typeof buildConnections>

/**
 * The way of a file: watch → intake → queue → extract → record → archive. No stage imports an earlier one: they are
 * connected here. (Export is called by a person; workbooks follow approvals.)
 */
function buildStages(options: CoreOptions, { context, signals, wake, bus, storageHold, connections }: Services) {
  const archiver = new Archiver(context, wake)
  const queue = new Queue(context, {
    storage: storageHold,
    routes: connections,
    concurrency: () => options.concurrency ?? context.tables.settings.get().concurrency,
    extract: (document, route, permission) => extractDocument(context, document, route, permission, recordAnswer),
  })
  const watchers = new FolderWatchers(context, {
    takeIn,
    refuse,
    onQueued: wake,
    onBack: () => {
      wake()
      archiver.retryNow()
    },
  })
  signals.on('due', () => queue.wake())
  bus.on('document.changed', (change) => archiver.changed(change))
  return { queue, watchers, archiver }
}

type Stages = Services & ReturnType<typeof buildStages>

const usageEveryMs = 250
/** A PDF that was made of a file is made again when it is asked for. */
const convertedLifetimeMs = 30 * 24 * 60 * 60_000

/** What goes on beside the way of a file: workbooks, questions, trials, the search, and what the window shows. */
function buildCompanions(options: CoreOptions, stages: Stages) {
  const { context, tables, bus, queue, watchers, cap, connections, ended } = stages
  const { dataDir, documentsDir } = options
  const workbooks = new Workbooks({ ...context, documentsDir })
  const questions = new QuestionSender(context, (connectionId) => connections.routeTo(connectionId))
  const trials = new Trials(context, {
    routeTo: (connectionId) => connections.routeTo(connectionId),
    refusal: (draft) => queue.refusalFor(draft.connectionId) ?? cap.errorOfTrial(draft),
  })
  const reextractions = new Reextractions(context, trials)
  const searchIndexer = new SearchIndexer((limit) => tables.search.catchUp(limit))
  const reader = new DocumentReader({
    ...context,
    read: options.read,
    onTextStored: () => searchIndexer.schedule(),
    ended: ended.signal,
  })
  const learner = new Learner(context, { ...context, reader, ended: ended.signal })
  const usage = coalesce(() => {
    context.emit('usage.changed', {})
    // A result that came by webhook may have freed what was reserved for it.
    if (queue.held) queue.wake()
  }, usageEveryMs)
  bus.on('document.changed', ({ id }) => {
    reextractions.documentChanged(id)
    workbooks.changed()
    learner.begin()
    usage.call()
    searchIndexer.schedule()
  })
  bus.on('trial.changed', () => usage.call())
  bus.on('folders.changed', () => searchIndexer.schedule())
  /** Puts a file into the inbox; from then on it is a file like any other. */
  const receive = async (upload: Upload): Promise<void> => {
    await receiveUpload(context, dataDir, upload)
    await watchers.follow()
    context.emit('folders.changed', {})
  }
  return {
    workbooks,
    questions,
    trials,
    reextractions,
    searchIndexer,
    reader,
    learner,
    usage,
    receive,
    openedFiles: new OpenedFiles({
      files: context.files,
      onChange: () => context.emit('openedFiles.changed', {}),
      receive,
    }),
    reassessment: oneAtATime(() => reassess(context, ended.signal)),
    sentShare: followSentShares(bus),
    dataDir,
    documentsDir,
    draftsDir: join(dataDir, 'drafts'),
    exportsDir: join(dataDir, 'exports'),
  }
}

type Parts = Stages & ReturnType<typeof buildCompanions>

/**
 * Brings into order what an earlier run left. `moved`: no webhook of this computer finds the listener where it was.
 */
async function resumeEarlierRun(parts: Parts): Promise<{ moved: boolean }> {
  const { context, tables } = parts
  // The service on this computer makes its credentials itself: what once stopped the way there says nothing about now.
  parts.localService.apply()
  normaliseAddresses(tables)
  await pauseForbidden(context)
  tables.conversations.interruptWriting()
  recoverInterrupted(context)
  recoverTrials(context)
  await removeOldFiles(parts.draftsDir, context.now() - sampleLifetimeMs)
  await removeOldFiles(join(parts.dataDir, 'converted'), context.now() - convertedLifetimeMs)
  await removeTemporaryFiles(parts.exportsDir)
  return parts.callbacks.start()
}

async function run(parts: Parts, textFill: TextFill, moved: boolean): Promise<void> {
  const { context, tables } = parts
  if (moved) sendWaitingAgain(context)
  parts.localService.startIfAwaited()
  await parts.watchers.follow()
  parts.archiver.start()
  parts.workbooks.start()
  parts.queue.wake()
  parts.reassessment.begin()
  parts.learner.begin()
  parts.searchIndexer.schedule()
  parts.storage.begin(context.timings.snapshotMs, () => context.emit('storage.changed', {}))
  textFill.begin((among) => tables.search.withoutText(among))
}

async function stop(parts: Parts, textFill: TextFill, how: { atOnce: boolean }): Promise<void> {
  parts.callbacks.endTest()
  parts.ended.abort()
  parts.searchIndexer.stop()
  textFill.stop()
  parts.storageHold.stop()
  // First of all nothing new begins: a share that does not answer would hold that up, and a system that shuts down
  // does not wait.
  await Promise.all([
    parts.queue.stop(how),
    parts.watchers.stop().then(() => parts.archiver.stop()),
    parts.workbooks.stop(how),
    parts.questions.end(),
    parts.trials.end(how),
  ])
  parts.usage.stop()
  await parts.reassessment.settled()
  await parts.learner.settled()
  await parts.callbacks.stop()
  await parts.connections.http.close()
  await parts.localService.stop()
  parts.fileThreads.close()
  await parts.storage.close()
}

/**
 * The listener could not have its port back, so no webhook of this computer finds it: its documents are sent again,
 * which costs nothing.
 */
function sendWaitingAgain({ tables, now }: Context): void {
  const local = tables.connections.local().id
  for (const document of tables.documents.withStatus('waiting'))
    if (document.connectionId === local) tables.documents.apply(document.id, 'requeue', {}, now())
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

/** 0..1 of the body sent, by document, for those that are being submitted. */
function followSentShares(bus: EventBus): (documentId: number) => number | null {
  const shares = new Map<number, number>()
  bus.on('document.progress', ({ id, sent }) => void shares.set(id, sent))
  bus.on('document.changed', ({ id }) => void shares.delete(id))
  return (documentId) => shares.get(documentId) ?? null
}

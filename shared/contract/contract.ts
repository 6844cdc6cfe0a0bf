import * as z from 'zod'
import { exportCalls } from './exports.ts'
import { folderCalls, folderEvents } from './folders.ts'
import { callbackCalls, callbackEvents } from './callbacks.ts'
import { connectionCalls, connectionRow } from './connections.ts'
import { columnChoice, documentCalls, documentCounts } from './documents.ts'
import { diagnosticsCalls } from './diagnostics.ts'
import { agentCalls, agentEvents } from './agents.ts'
import { askCalls, askEvents } from './ask.ts'
import { capState, usageCalls, usageEvents } from './usage.ts'
import { lessonCalls, lessonEvents } from './lessons.ts'
import { openedFileCalls, openedFileEvents } from './opened-files.ts'
import { partnerCalls, partnerEvents } from './partners.ts'
import { reextractionCalls, reextractionEvents } from './reextraction.ts'
import { reviewCalls } from './review.ts'
import { ledgerCalls } from './ledger.ts'
import { schemaCalls, schemaEvents } from './schemas.ts'
import { sortingCalls } from './sorting.ts'
import { recovery, storageCalls, storageEvents, storageTroubles } from './storage.ts'
import { transferCalls } from './transfer.ts'
import { updateCalls, updateEvents } from './updates.ts'
import { workbookCalls, workbookEvents } from './workbooks.ts'
import type { Answer, HandlersOf } from './dispatch.ts'
import { policySet } from '../domain/policies.ts'
import { documentStatuses } from '../domain/document-status.ts'
import { chosenLanguages, readingLanguages } from '../domain/reading-languages.ts'
import { locales } from '../messages/sentences.ts'
import { id, nothing } from './shapes.ts'

/**
 * Every call and event between the window and core. `dispatch` parses the input with the shape
 * given here; handlers return the output. Events are hints: the window refetches what they name.
 * Times are epoch milliseconds, sizes are bytes, ids are row numbers.
 */

const settingFields = z.object({
  /** `system`: the language of the browser or operating system. */
  language: z.enum(['system', ...locales]),
  theme: z.enum(['system', 'light', 'dark']),
  /** How many documents are with the service at once. */
  concurrency: z.number().int().min(1).max(64),
  firstRunDone: z.boolean(),
  /** At most so many documents, or tokens, go to connections that bill on one day; null: no cap. */
  dailyDocumentCap: z.number().int().min(1).max(1_000_000).nullable(),
  dailyTokenCap: z.number().int().min(1).max(1_000_000_000_000).nullable(),
  /** A document whose answer was lost is sent again without asking, although it may be billed twice. */
  resendUnknown: z.boolean(),
  /** The system says so when a batch is done and nobody looks at the window. */
  notifyWhenDone: z.boolean(),
  /** The desktop looks for updates of its program and installs them when it is quit. */
  updates: z.boolean(),
  documentColumns: columnChoice,
  /** Off: the service on this computer does not run, and what would go to it waits. */
  localService: z.boolean(),
  /** In which pictures and scans are read from now on. */
  readingLanguages: chosenLanguages,
  /** On the desktop: Sheaf goes on without its window when that is closed. */
  staysInTray: z.boolean(),
  /** On the desktop: Sheaf starts, without its window, when the person logs in. */
  startsAtLogin: z.boolean(),
})

/** What was never set has its default; a change names only what it changes. */
export const settings = z.object({
  language: settingFields.shape.language.default('system'),
  theme: settingFields.shape.theme.default('system'),
  concurrency: settingFields.shape.concurrency.default(4),
  firstRunDone: settingFields.shape.firstRunDone.default(false),
  dailyDocumentCap: settingFields.shape.dailyDocumentCap.default(null),
  dailyTokenCap: settingFields.shape.dailyTokenCap.default(null),
  resendUnknown: settingFields.shape.resendUnknown.default(false),
  notifyWhenDone: settingFields.shape.notifyWhenDone.default(false),
  updates: settingFields.shape.updates.default(true),
  documentColumns: columnChoice.default({ shown: null, widths: {} }),
  localService: settingFields.shape.localService.default(true),
  readingLanguages: chosenLanguages.default([...readingLanguages]),
  staysInTray: settingFields.shape.staysInTray.default(true),
  startsAtLogin: settingFields.shape.startsAtLogin.default(false),
})
export type Settings = z.infer<typeof settings>

const appState = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser']),
  platform: z.enum(['windows', 'macos', 'linux']),
  dataDir: z.string(),
  /** Others than the person's account may change what is in it. */
  dataDirShared: z.boolean(),
  /** The folder of sample documents that come with Sheaf, or null when it is not there. */
  samplesDir: z.string().nullable(),
  paused: z.boolean(),
  /** Counts by status over everything. */
  counts: documentCounts,
  /** Of the batch that runs now: how many are settled of how many, and a measured guess of the time left. */
  progress: z.object({ settled: z.number().int(), total: z.number().int(), msLeft: z.number().nullable() }).nullable(),
  /** Bytes of documents and questions sent to hosts other than this computer since midnight. */
  bytesSentToday: z.number(),
  connections: z.array(connectionRow),
  cap: capState,
  /** Nothing is sent while nothing can be stored; goes on by itself. */
  storageTrouble: z.enum(storageTroubles).nullable(),
  recovery: recovery.nullable(),
  /**
   * Whether large files can go asynchronously to services elsewhere: `none` is set up, or the route is not tested,
   * tested, or failed its test.
   */
  callbackRoute: z.enum(['none', 'untested', 'tested', 'failed']),
  /** What an administrator has set, where, and what of that was not understood. */
  policies: policySet,
  settings,
})
export type AppState = z.infer<typeof appState>

export const calls = {
  'app.state': { input: nothing, output: appState },
  'settings.update': { input: settingFields.partial(), output: settings },
  'queue.pause': { input: nothing, output: nothing },
  'queue.resume': { input: nothing, output: nothing },

  ...callbackCalls,
  ...connectionCalls,
  ...documentCalls,
  ...exportCalls,
  ...folderCalls,
  ...agentCalls,
  ...askCalls,
  ...usageCalls,
  ...reviewCalls,
  ...ledgerCalls,
  ...lessonCalls,
  ...openedFileCalls,
  ...diagnosticsCalls,
  ...schemaCalls,
  ...reextractionCalls,
  ...partnerCalls,
  ...sortingCalls,
  ...storageCalls,
  ...transferCalls,
  ...updateCalls,
  ...workbookCalls,
} as const

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>

export const events = {
  /** `by`: the window whose correction it was, where it named itself. */
  'document.changed': z.object({ id, status: z.enum(documentStatuses), by: z.string().optional() }),
  'document.progress': z.object({ id, sent: z.number() }),
  'folders.changed': nothing,
  'schemas.changed': nothing,
  'connections.changed': nothing,
  'exports.changed': nothing,
  'app.changed': nothing,
  /** A command of the system's menus, or a notification that was clicked. */
  'window.go': z.union([
    z.object({ screen: z.enum(['settings', 'documents']) }),
    z.object({ screen: z.literal('review'), id: z.null() }),
    z.object({ screen: z.literal('document'), id }),
  ]),
  ...folderEvents,
  ...agentEvents,
  ...askEvents,
  ...usageEvents,
  ...callbackEvents,
  ...storageEvents,
  ...updateEvents,
  ...schemaEvents,
  ...reextractionEvents,
  ...partnerEvents,
  ...workbookEvents,
  ...lessonEvents,
  ...openedFileEvents,
} as const

export type Events = typeof events
export type EventName = keyof Events
export type EventPayload<N extends EventName> = z.output<Events[N]>

/** One function for each call, on parsed input. */
export type CallHandlers = HandlersOf<Calls>

/** What the window is given by its host, over Electron IPC or a WebSocket. */
export type Bridge = {
  call(name: string, input: unknown): Promise<Answer>
  onEvent(listener: (name: string, payload: unknown) => void): () => void
}

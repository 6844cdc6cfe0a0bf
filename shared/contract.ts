import { z } from 'zod'
import { exportCalls } from './contract-exports.ts'
import { folderCalls, folderEvents } from './contract-folders.ts'
import { columnChoice, jobCounts, jobDetail, jobFilter, jobRow, jobSorts } from './contract-jobs.ts'
import { capState, platformCalls, platformEvents } from './contract-platform.ts'
import { reviewCalls } from './contract-review.ts'
import { recovery, reliabilityCalls, reliabilityEvents, storageTroubles } from './contract-reliability.ts'
import { trustCalls } from './contract-trust.ts'
import { schemaCalls, schemaEvents } from './contract-schemas.ts'
import { workbookCalls, workbookEvents } from './contract-workbooks.ts'
import type { Answer, HandlersOf } from './dispatch.ts'
import { errorReason } from './error-reason.ts'
import { patternList } from './file-patterns.ts'
import { afterwardsChoices, extractionModes, jobStatuses } from './job.ts'
import { chosenLanguages, readingLanguages } from './reading-languages.ts'
import { fieldSource } from './result.ts'
import { rules } from './review.ts'
import { schemaElement } from './schema.ts'
import { locales } from './sentences.ts'

/**
 * Every call and event between the window and core. `dispatch` parses the input with the shape
 * given here; handlers return the output. Events are hints: the window refetches what they name.
 * Times are epoch milliseconds, sizes are bytes, ids are row numbers.
 */

const id = z.number().int().positive()
const time = z.number().int()

/** Why a job is skipped, failed, unknown or waiting. */
export const reason = errorReason

export const folderRow = z.object({
  id,
  path: z.string(),
  name: z.string(),
  schemaId: id,
  schemaName: z.string(),
  agentReference: z.string().nullable(),
  connectionId: id,
  connectionName: z.string(),
  mode: z.enum(extractionModes),
  includeSubfolders: z.boolean(),
  afterwards: z.enum(afterwardsChoices),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  /** How many files the patterns leave out; null while the folder is paused. */
  leftOut: z.number().int().nullable(),
  /** What lay there before it was watched is left alone. */
  leavesEarlier: z.boolean(),
  /** Why a file could not be moved after its outcome (`move_failed`, `failed_not_moved`) or the text beside it is not true (`failed_note_stale`); null when none waits for that. */
  moveProblem: errorReason.nullable(),
  paused: z.boolean(),
  online: z.boolean(),
  /** Files of it were found that are not in the list yet, or it was not looked yet. */
  arriving: z.boolean(),
  /** Files by state, for the card. */
  total: z.number().int(),
  open: z.number().int(),
  /** Those of the open ones that are not sent yet: they end when the folder is removed. */
  queued: z.number().int(),
  done: z.number().int(),
  attention: z.number().int(),
  lastFileAt: time.nullable(),
})
export type FolderRow = z.infer<typeof folderRow>

const folderFields = z.object({
  path: z.string().min(1),
  schemaId: id,
  connectionId: id,
  agentReference: z.string().trim().min(1).nullable(),
  mode: z.enum(extractionModes),
  includeSubfolders: z.boolean(),
  /** Whether originals stay, or move into `Done` and `Failed` in the folder. */
  afterwards: z.enum(afterwardsChoices),
  include: patternList,
  exclude: patternList,
})

/** Defaults only here: in a partial change they would undo what was not meant to change. */
export const folderInput = folderFields.extend({
  agentReference: folderFields.shape.agentReference.default(null),
  mode: folderFields.shape.mode.default('auto'),
  includeSubfolders: folderFields.shape.includeSubfolders.default(true),
  afterwards: folderFields.shape.afterwards.default('stay'),
  include: patternList.default([]),
  exclude: patternList.default([]),
  /** What lies there already: taken in, or left alone as long as it stays as it is. */
  existing: z.enum(['take', 'leave']).default('take'),
})

export const schemaRow = z.object({
  id,
  name: z.string(),
  version: z.number().int(),
  fieldCount: z.number().int(),
  elements: z.array(schemaElement),
  rules,
  /** The fields that tables show; null: the first ones. */
  columns: z.array(z.string()).nullable(),
  /** Documents that have a result with any version of it. */
  resultCount: z.number().int(),
  folderCount: z.number().int(),
  updatedAt: time,
})
export type SchemaRow = z.infer<typeof schemaRow>

export const connectionRow = z.object({
  id,
  kind: z.enum(['local', 'platform']),
  name: z.string(),
  baseUrl: z.string().nullable(),
  clientId: z.string().nullable(),
  /** Set while the connection waits for a person (wrong credentials, quota, certificate). */
  pausedReason: reason.nullable(),
  /** Set while the service asked for time: it goes on by itself then. */
  pausedUntil: time.nullable(),
})
export type ConnectionRow = z.infer<typeof connectionRow>

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
  documentColumns: columnChoice,
  /** Off: the service on this computer does not run, and what would go to it waits. */
  localService: z.boolean(),
  /** In which pictures and scans are read from now on. */
  readingLanguages: chosenLanguages,
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
  documentColumns: columnChoice.default({ shown: null, widths: {} }),
  localService: settingFields.shape.localService.default(true),
  readingLanguages: chosenLanguages.default([...readingLanguages]),
})
export type Settings = z.infer<typeof settings>

export const previewPage = z.object({
  number: z.number().int(),
  width: z.number(),
  height: z.number(),
  name: z.string().nullable(),
  /** Words with their places (fractions of the page), for files that a browser cannot show itself. */
  words: z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number(), bold: z.boolean() })),
  /** Tables as the file declares them; their cells' words are in `words` too. */
  tables: z.array(z.array(z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })))),
})

export const appState = z.object({
  version: z.string(),
  host: z.enum(['electron', 'browser']),
  platform: z.enum(['windows', 'macos', 'linux']),
  dataDir: z.string(),
  /** The folder of sample documents that come with Sheaf, or null when it is not there. */
  samplesDir: z.string().nullable(),
  paused: z.boolean(),
  /** Counts by status over everything. */
  counts: jobCounts,
  /** Of the batch that runs now: how many are settled of how many, and a measured guess of the time left. */
  progress: z.object({ settled: z.number().int(), total: z.number().int(), msLeft: z.number().nullable() }).nullable(),
  /** Bytes of documents and questions sent to hosts other than this computer since midnight. */
  bytesLeftToday: z.number(),
  connections: z.array(connectionRow),
  cap: capState,
  /** Nothing is sent while nothing can be stored; goes on by itself. */
  storageTrouble: z.enum(storageTroubles).nullable(),
  recovery: recovery.nullable(),
  /** Whether large files can go asynchronously to services elsewhere: `none` is set up, or the way is not tested, tested, or failed its test. */
  wayBack: z.enum(['none', 'untested', 'tested', 'failed']),
  settings,
})
export type AppState = z.infer<typeof appState>

const nothing = z.object({})
const ids = z.object({ ids: z.array(id).min(1).max(10_000) })

const jobPage = jobFilter.extend({
  sort: z.enum(jobSorts).default('receivedAt'),
  descending: z.boolean().default(true),
  offset: z.number().int().min(0).default(0),
})

export const calls = {
  'app.state': { input: nothing, output: appState },
  'settings.update': { input: settingFields.partial(), output: settings },
  'queue.pause': { input: nothing, output: nothing },
  'queue.resume': { input: nothing, output: nothing },

  'jobs.list': {
    input: jobPage.extend({ limit: z.number().int().min(1).max(500).default(100) }),
    /** A search lists the newest 10,000 that it finds; `more`: there are others. */
    output: z.object({ rows: z.array(jobRow), total: z.number().int(), more: z.boolean() }),
  },
  /** Of a part of the same list what is needed to select it: as many as other calls take at once. */
  'jobs.selectable': {
    input: jobPage.extend({ limit: z.number().int().min(1).max(10_000) }),
    output: z.object({ jobs: z.array(jobRow.pick({ id: true, status: true, mayBeBilled: true, reason: true, review: true })) }),
  },
  /** Counts by status and by state of the check under the same search, folder and schema (statuses and reviews of the filter ignored); `more`: at least so many. */
  'jobs.counts': { input: jobFilter, output: z.object({ counts: jobCounts, more: z.boolean() }) },
  'jobs.get': { input: z.object({ id }), output: jobDetail },
  /** Whether the document can be shown beside its values; `replaced`: another version lies there than the one that was read. A share that does not answer takes its time: nothing else waits for this. */
  'jobs.file': { input: z.object({ id }), output: z.object({ file: z.enum(['there', 'replaced', 'missing', 'unreachable']) }) },
  /** Where the values stand, looked up in the document where its service does not say. */
  'jobs.sources': { input: z.object({ id }), output: z.object({ sources: z.array(fieldSource) }) },
  /**
   * Failed, skipped and cancelled jobs go into the queue again; what is unknown or may be billed only by `jobs.resend`. Of a few jobs
   * it is looked at once how many cannot be sent, since their file is another version than the one that was sent, or is gone.
   */
  'jobs.retry': { input: ids, output: z.object({ retried: z.number().int(), replaced: z.number().int(), missing: z.number().int() }) },
  /**
   * Has documents extracted with another schema as well, each in a job of its own; the first one stays as it is. What was asked
   * already is not sent: `linked` to a copy's result, or `known`. `problem`: why the first of the `refused` cannot be sent. `id`:
   * the job, where one document was given. Throws `not_found`.
   */
  'jobs.extractWith': {
    input: ids.extend({ schemaId: id, connectionId: id }),
    output: z.object({ queued: z.number().int(), linked: z.number().int(), known: z.number().int(), refused: z.number().int(), problem: reason.extend({ name: z.string() }).nullable(), id: id.nullable() }),
  },
  /** Out of every list, count, search and spreadsheet; file, result and attempts stay. What a service has at the moment is left out. */
  'jobs.bin': { input: ids, output: z.object({ moved: z.number().int(), underWay: z.number().int() }) },
  'jobs.restore': { input: ids, output: z.object({ restored: z.number().int() }) },
  'jobs.cancel': { input: ids, output: z.object({ cancelled: z.number().int() }) },
  /** The document as text with places, for files that a browser cannot show itself (DOCX, XLSX). */
  'jobs.preview': { input: z.object({ id }), output: z.object({ pages: z.array(previewPage) }) },
  /** Shows the file in Explorer or Finder; only on the desktop host. */
  'jobs.reveal': { input: z.object({ id }), output: nothing },

  'folders.list': { input: nothing, output: z.object({ folders: z.array(folderRow) }) },
  'folders.add': { input: folderInput, output: z.object({ id }) },
  /** What is queued, was never sent, and is left out by new patterns is cancelled; with other patterns it is taken in anew. */
  'folders.update': { input: folderFields.partial().extend({ id, paused: z.boolean().optional() }), output: nothing },
  /** Stops watching and cancels what is not sent yet. Files, jobs and results stay; watched again, what was cancelled is taken in anew. */
  'folders.remove': { input: z.object({ id }), output: z.object({ cancelled: z.number().int() }) },
  'folders.rescan': { input: z.object({ id }), output: nothing },
  /** Makes a folder of copies of the sample documents in the person's documents and watches it. */
  'folders.addSamples': { input: z.object({ schemaId: id, connectionId: id }), output: z.object({ id, path: z.string() }) },
  /** Directories below a path, for choosing a folder in the browser host; null starts at the home folder. */
  'folders.browse': {
    input: z.object({ path: z.string().nullable() }),
    output: z.object({ path: z.string(), parent: z.string().nullable(), directories: z.array(z.object({ name: z.string(), path: z.string() })) }),
  },
  /** The system's folder dialog; null when cancelled. Only on the desktop host. */
  'folders.choose': { input: nothing, output: z.object({ path: z.string().nullable() }) },

  'schemas.list': { input: nothing, output: z.object({ schemas: z.array(schemaRow) }) },
  /** Creates (id null) or saves; unchanged elements make no new version. */
  'schemas.save': { input: z.object({ id: id.nullable(), name: z.string().trim().min(1).max(200), elements: z.unknown(), rules: rules.optional(), columns: z.array(z.string()).max(50).nullable().optional() }), output: z.object({ id, version: z.number().int() }) },
  'schemas.remove': { input: z.object({ id }), output: nothing },
  /** Checks the text of a schema file; the problem is a sentence, or null and the elements. */
  /** Templates in the given language: invoice, receipt, purchase order, delivery note, bank statement, form. */
  'schemas.templates': {
    input: z.object({ locale: z.enum(locales) }),
    output: z.object({ templates: z.array(z.object({ key: z.string(), name: z.string(), description: z.string(), elements: z.array(schemaElement), rules })) }),
  },

  'connections.list': { input: nothing, output: z.object({ connections: z.array(connectionRow) }) },
  /** An absent secret keeps the stored one. Saving lifts the connection's pause. */
  'connections.save': {
    input: z.object({ id: id.nullable(), name: z.string().trim().min(1).max(100), baseUrl: z.string().trim().min(1).max(2000), clientId: z.string().trim().min(1), clientSecret: z.string().min(1).optional() }),
    output: z.object({ id }),
  },
  'connections.remove': { input: z.object({ id }), output: nothing },
  /**
   * Asks for a token, then for the models. `problem` is null when the connection works; `baseUrl` is the address as it
   * will be used. `models` is null when the account has no access to them, and `modelsProblem` says why.
   */
  'connections.test': {
    input: z.object({ baseUrl: z.string().trim().min(1).max(2000), clientId: z.string().trim().min(1), clientSecret: z.string().min(1).optional(), id: id.nullable().default(null) }),
    output: z.object({ problem: reason.nullable(), baseUrl: z.string(), models: z.array(z.string()).nullable(), modelsProblem: reason.nullable() }),
  },
  'connections.resume': { input: z.object({ id }), output: nothing },

  ...exportCalls,
  ...folderCalls,
  ...platformCalls,
  ...reviewCalls,
  ...reliabilityCalls,
  ...trustCalls,
  ...schemaCalls,
  ...workbookCalls,
} as const

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>

export const events = {
  /** `by`: the window whose correction it was, where it named itself. */
  'job.changed': z.object({ id, status: z.enum(jobStatuses), by: z.string().optional() }),
  'job.progress': z.object({ id, sent: z.number() }),
  'folders.changed': nothing,
  'schemas.changed': nothing,
  'connections.changed': nothing,
  'exports.changed': nothing,
  'app.changed': nothing,
  /** A command of the system's menu. */
  'window.go': z.object({ screen: z.enum(['settings']) }),
  ...folderEvents,
  ...platformEvents,
  ...reliabilityEvents,
  ...schemaEvents,
  ...workbookEvents,
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

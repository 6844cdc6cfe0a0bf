import type { z } from 'zod'
import type { CallName, Calls, EventName, EventPayload } from '../../../shared/contract.ts'
import type { Document, FileKind } from '../../../shared/document.ts'
import type { FieldSource } from '../../../shared/result.ts'
import type { Callbacks } from '../callback/callbacks.ts'
import type { Storage } from '../db/storage.ts'
import type { Asking } from '../asking/asking.ts'
import type { Connections, SecretStore } from '../platform/connect.ts'
import type { LocalSwitch } from '../platform/local-switch.ts'
import type { FileAccess } from '../platform/file-access.ts'
import type { FileAway } from '../pipeline/file-away.ts'
import type { FolderWatchers } from '../pipeline/watch-folders.ts'
import type { Queue } from '../pipeline/queue.ts'
import type { Tables } from '../db/tables.ts'
import type { Trials } from '../trying/trials.ts'
import type { DailyCap } from '../usage/cap.ts'
import type { Workbooks } from '../workbook/workbooks.ts'

/** One function for each call of the contract, on parsed input. */
export type Handlers = { [N in CallName]: (input: z.output<Calls[N]['input']>) => Promise<z.output<Calls[N]['output']>> }

/** What only a desktop host can do; absent in the browser host. */
export type DesktopAbilities = {
  reveal(path: string): void
  chooseFolder(): Promise<string | null>
  chooseExportPath(suggested: string): Promise<string | null>
}

/** Whether somebody waits for a reading, or it must not keep what somebody waits for. */
export type ReadingUrgency = 'awaited' | 'whenIdle'

export type HandlerContext = {
  tables: Tables
  now: () => number
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
  queue: Queue
  watchers: FolderWatchers
  fileAway: FileAway
  workbooks: Workbooks
  files: FileAccess
  /** Where Sheaf keeps its own data, under each name of that place. */
  ownPlaces: readonly string[]
  /** Aborted when core stops: nobody waits for an answer any more. */
  ended: AbortSignal
  asking: Asking
  trials: Trials
  cap: DailyCap
  connections: Connections
  localService: LocalSwitch
  callbacks: Callbacks
  storage: Storage
  secrets: SecretStore
  /** Places that were looked up for results whose service gives none. */
  grounds: Map<number, FieldSource[]>
  /** Documents that are being read, by job, place and version of the file. */
  readings: Map<string, Promise<Document>>
  read: (content: Uint8Array, kind: FileKind, urgency?: ReadingUrgency) => Promise<Document>
  /** Judges documents whose schema has other rules now. */
  checks: { begin: () => void }
  /** Who works here, as the system calls them. */
  person: string
  /** What a search finds has changed. */
  indexSoon: () => void
  /** Before a search, so that it finds what changed a moment ago. */
  indexNow: () => void
  version: string
  dataDir: string
  /** Where samples lie that were uploaded to draft a schema from. */
  draftsDir: string
  /** Where exports go when nobody is asked. */
  exportsDir: string
  /** Where the copy of the sample documents is put. */
  documentsDir: string
  samplesDir: string | null
  desktop: DesktopAbilities | null
  /** 0..1 of the body sent, for jobs that are being submitted. */
  sentShare: (jobId: number) => number | null
}

import type { z } from 'zod'
import type { CallName, Calls, EventName, EventPayload } from '../../../shared/contract/contract.ts'
import type { UpdateState } from '../../../shared/contract/updates.ts'
import type { Callbacks } from '../callback/callbacks.ts'
import type { Storage } from '../db/durability/storage.ts'
import type { QuestionSender } from '../questions/question-sender.ts'
import type { Connections, SecretStore } from '../platform/connect.ts'
import type { LocalSwitch } from '../platform/local-switch.ts'
import type { DocumentReader } from '../document-reader.ts'
import type { FileAccess } from '../files/file-access.ts'
import type { Context } from '../pipeline/context.ts'
import type { Archiver } from '../pipeline/archive.ts'
import type { FolderWatchers } from '../pipeline/watch-folders.ts'
import type { Queue } from '../pipeline/queue.ts'
import type { Learner } from '../learning/learner.ts'
import type { OpenedFiles } from '../opened-files.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Reextractions } from '../trials/reextraction.ts'
import type { Trials } from '../trials/trials.ts'
import type { Policies, PolicySet } from '../../../shared/domain/policies.ts'
import type { DailyCap } from '../usage/cap.ts'
import type { Workbooks } from '../workbook/workbooks.ts'

/** What a call is given, parsed. */
export type CallArguments<N extends CallName> = z.output<Calls[N]['input']>

/** One function for each call of the contract, on parsed input. */
export type Handlers = {
  [N in CallName]: (input: CallArguments<N>) => Promise<z.output<Calls[N]['output']>>
}

/** What only a desktop host can do; absent in the browser host. */
export type DesktopAbilities = {
  reveal(path: string): void
  chooseFolder(): Promise<string | null>
  chooseExportPath(suggested: string): Promise<string | null>
  /** The mouse, which is pressed over the window, drags these files from now on. */
  startDrag(paths: string[]): void
  /** No power from the mains: what can wait, waits. */
  isOnBattery(): boolean
  /** Of the program itself; absent where there are none. */
  updates?: {
    state(): UpdateState
    check(): Promise<void>
    /** Ends the program, installs what is ready and starts it again. */
    installNow(): Promise<void>
  }
}

/** All that core builds for its handlers; each takes only what it needs of it (`Needs`). */
export type HandlerContext = {
  tables: Tables
  now: () => number
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
  queue: Queue
  watchers: FolderWatchers
  archiver: Archiver
  workbooks: Workbooks
  files: FileAccess
  /** Where Sheaf keeps its own data, under each name of that place. */
  dataDirPaths: readonly string[]
  sort: Context['sort']
  /** Aborted when core stops: nobody waits for an answer any more. */
  ended: AbortSignal
  questions: QuestionSender
  trials: Trials
  reextractions: Reextractions
  openedFiles: OpenedFiles
  cap: DailyCap
  /** What an administrator has set: what counts, and with its places and what was not understood. */
  policies: Policies
  policySet: PolicySet
  connections: Connections
  localService: LocalSwitch
  callbacks: Callbacks
  storage: Storage
  secrets: SecretStore
  reader: DocumentReader
  learner: Learner
  /** Assesses documents again whose rules or partners are others now. */
  reassessment: { begin: () => void }
  /** Who works here, as the system calls them. */
  person: string
  /** Before a search, so that it finds what changed a moment ago. */
  indexNow: () => void
  version: string
  dataDir: string
  /** As it was at the start. */
  dataDirShared: Promise<boolean>
  /** Where samples lie that were uploaded to draft a schema from. */
  draftsDir: string
  /** Where exports go when nobody is asked. */
  exportsDir: string
  /** Where the copy of the sample documents is put. */
  documentsDir: string
  samplesDir: string | null
  desktop: DesktopAbilities | null
  /** 0..1 of the body sent, for documents that are being submitted. */
  sentShare: (documentId: number) => number | null
}

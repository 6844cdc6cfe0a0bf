import type { Mail, MailFormat } from '../../../shared/domain/mail.ts'
import type { Sorted, SortingQuestion } from '../../../shared/domain/sorting.ts'
import type { Policies } from '../../../shared/domain/policies.ts'
import type { CapHold } from '../../../shared/contract/usage.ts'
import type { EventName, EventPayload } from '../../../shared/contract/contract.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { Flush } from '../db/open.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { FileAccess } from '../files/file-access.ts'
import type { DocumentFile, ShownFile } from '../files/open-document.ts'
import type { Timings } from '../timings.ts'

/** What every stage is given: the tables, the clock, the file system, and a way to tell the window. */
export type Context = {
  tables: Tables
  now: () => number
  timings: Timings
  files: FileAccess
  /** A document's file as it is sent and shown (`ConvertedFiles`). */
  converted: { of: (document: DocumentFile) => Promise<ShownFile> }
  /**
   * Which parts a document has, and which schema asks for each; pages count from the first one of the document. Throws
   * what reading throws.
   */
  sort: (document: DocumentFile, question: SortingQuestion) => Promise<Sorted>
  /** Takes a mail apart. Throws what `openMail` throws. */
  unpack: (bytes: Uint8Array, format: MailFormat) => Promise<Mail>
  /** Reports any storage error: sending stops until it is resolved, or for damage until the next start. */
  onStorageTrouble: (error: unknown) => void
  /** Throws an error of the storage where a result may not find its place (`Storage.requireUsable`). */
  requireStorage: () => void
  /** Where Sheaf keeps its own data, under each name of that place: nothing in it is a document. */
  dataDirPaths: readonly string[]
  /** What the person lets go to services that bill on one day. */
  cap: {
    /** True when the document may begin now, beside documents that are picked and have no attempt yet. */
    admits: (document: StoredDocument, picked?: Iterable<number>) => boolean
    /** Why it may not; null when it may. */
    refusal: (document: StoredDocument) => Omit<CapHold, 'documents'> | null
    /** When to look again after a no, epoch ms. */
    resumesAt: () => number
  }
  /** What an administrator has set. */
  policies: Policies
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
}

/** What it takes to change what is stored of documents, and to say so. */
export type StoreContext = Pick<Context, 'tables' | 'now' | 'emit'>

/** Runs `work` in one transaction; its events go out once that is committed. */
export function inTransaction<C extends Pick<Context, 'tables' | 'emit'>, T>(
  context: C,
  work: (context: C) => T,
  flush?: Flush,
): T {
  const events: (() => void)[] = []
  const value = context.tables.transaction(
    () => work({ ...context, emit: (name, payload) => void events.push(() => context.emit(name, payload)) }),
    flush,
  )
  for (const publish of events) publish()
  return value
}

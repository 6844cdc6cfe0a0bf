import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { EventName, EventPayload } from '../../../shared/contract/contract.ts'
import { usualListLayout } from '../../../shared/contract/exports.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import type { WorkbookRow } from '../../../shared/contract/workbooks.ts'
import { toAppError } from '../../../shared/domain/errors.ts'
import type { Folder } from '../db/tables/folders.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Workbook } from '../db/tables/workbooks.ts'
import { rowCount } from '../export/export.ts'
import { EarliestTimer } from '../scheduling.ts'
import type { FileAccess } from '../files/file-access.ts'
import { retryDelayMs } from '../timings.ts'
import type { Timings } from '../timings.ts'
import { preferredPath } from './workbook-path.ts'
import { writeWorkbook } from './write-workbook.ts'

type WorkbooksContext = {
  tables: Tables
  now: () => number
  timings: Timings
  files: FileAccess
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void
  onStorageTrouble: (error: unknown) => void
  /** Where a person's documents are: the usual place is below it. */
  documentsDir: string
}

type State = {
  /** Nothing is written by itself before. */
  notBefore: number
  tries: number
  problem: ErrorReason | null
}

type WriteOptions = { hurried?: boolean; ignoresLocks?: boolean }

/** Writing blocks the thread: after a write there is a pause of this many times its duration. */
const restFactor = 10

/**
 * Keeps the workbooks of folders as their documents are approved. What waits is in the database, from the transaction
 * that approved it on (`db/tables/workbooks.ts`): here is only when it is written, and why it cannot be.
 */
export class Workbooks {
  readonly #context: WorkbooksContext
  readonly #states = new Map<number, State>()
  readonly #ended = new AbortController()
  readonly #timer = new EarliestTimer(() => void this.#enqueue(() => this.#pass()))
  #lastWrite: Promise<unknown> = Promise.resolve()
  #isFlushing = false
  #started = false
  #stopped = false

  constructor(context: WorkbooksContext) {
    this.#context = context
  }

  /** Writes what an earlier process left, then what comes. */
  start(): void {
    this.#started = true
    this.#schedule(0)
  }

  /** A document became another one: it may have been approved, or reopened. */
  changed(): void {
    this.#schedule(this.#context.timings.workbookDebounceMs)
  }

  /** A batch of approvals is complete: writes at once instead of after the debounce. */
  flush(): void {
    this.#isFlushing = true
    this.#schedule(0)
  }

  /** Writes a folder's workbook, though nothing waits or its time has not come. Why it cannot be is in its state. */
  async writeNow(folderId: number): Promise<void> {
    await this.#enqueue(async () => {
      const book = this.#context.tables.workbooks.get(folderId)
      if (book?.on === true && !this.#stopped)
        await this.#write(book, { ignoresLocks: true }).catch((error: unknown) => this.#onTrouble(error))
    })
    this.#schedule(0)
  }

  /** A person wants it in another way: what was in its way before says nothing about that. */
  settingsChanged(folderId: number): void {
    this.#states.delete(folderId)
    this.#context.emit('workbooks.changed', {})
    this.#schedule(0)
  }

  /** The state of a folder's workbook as it is shown, also of one that wants none. */
  stateOf(folder: Folder): WorkbookRow {
    const { workbooks } = this.#context.tables
    const book = workbooks.get(folder.id) ?? {
      folderId: folder.id,
      on: false,
      path: null,
      lists: usualListLayout,
      locale: 'en' as const,
    }
    const file = workbooks.file(folder.id)
    const waiting = book.on ? workbooks.waiting(folder.id) : { rows: 0, documents: 0 }
    return {
      ...book,
      folderName: folder.name,
      place: file?.path ?? preferredPath(book, folder, this.#context.documentsDir),
      rows: file?.rows ?? 0,
      documents: file?.documents ?? 0,
      writtenAt: file?.writtenAt ?? null,
      waitingRows: waiting.rows,
      waitingDocuments: waiting.documents,
      problem: book.on ? (this.#states.get(folder.id)?.problem ?? null) : null,
      changedByHand: workbooks.changedByHand(folder.id),
    }
  }

  /** Writes what waits, unless `atOnce`. What does not answer, or takes too long, is written at the next start. */
  async stop({ atOnce }: { atOnce: boolean }): Promise<void> {
    this.#timer.clear()
    const limit = new AbortController()
    if (!atOnce && this.#started) {
      this.#isFlushing = true
      const last = this.#enqueue(() => this.#pass())
      await Promise.race([last, delay(this.#context.timings.graceMs, null, { signal: limit.signal }).catch(() => null)])
    }
    this.#stopped = true
    this.#timer.clear()
    this.#ended.abort()
    await Promise.race([
      this.#lastWrite,
      delay(this.#context.timings.fileAccessMs, null, { signal: limit.signal }).catch(() => null),
    ])
    limit.abort()
  }

  #schedule(delayMs: number): void {
    if (this.#started && !this.#stopped) this.#timer.within(delayMs)
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const turn = this.#lastWrite.then(work)
    this.#lastWrite = turn.catch(() => undefined)
    return turn
  }

  async #pass(): Promise<void> {
    if (this.#stopped) return
    const hurried = this.#isFlushing
    this.#isFlushing = false
    try {
      for (const book of this.#context.tables.workbooks.due()) {
        if (!this.#stopped && (hurried || this.#state(book.folderId).notBefore <= performance.now()))
          await this.#write(book, {})
      }
      const next = Math.min(
        ...this.#context.tables.workbooks.due().map(({ folderId }) => this.#state(folderId).notBefore),
      )
      if (Number.isFinite(next)) this.#schedule(Math.max(0, next - performance.now()))
    } catch (error) {
      this.#onTrouble(error)
    }
  }

  async #write(book: Workbook, { ignoresLocks = false }: WriteOptions): Promise<void> {
    const { tables, timings } = this.#context
    const folder = tables.folders.get(book.folderId)!
    const state = this.#state(folder.id)
    const beganAt = performance.now()
    try {
      await writeWorkbook({ ...this.#context, ignoresLocks, ended: this.#ended.signal }, book, folder)
      const endedAt = performance.now()
      Object.assign(state, {
        notBefore: endedAt + Math.max(timings.workbookDebounceMs, (endedAt - beganAt) * restFactor),
        tries: 0,
        problem: null,
      })
    } catch (error) {
      if (this.#stopped) return
      if (isStorageTrouble(error)) throw error
      const { code, reason } = toAppError(error)
      state.tries += 1
      // A look at a file that is open costs nothing.
      state.notBefore =
        performance.now() +
        (code === 'workbook_open' ? timings.workbookLockCheckMs : retryDelayMs(timings, state.tries))
      state.problem = reason
      await this.#countWaiting(book)
    }
    this.#context.emit('workbooks.changed', {})
  }

  /** Counts the rows that wait, to show them. */
  async #countWaiting(book: Workbook): Promise<void> {
    const { workbooks } = this.#context.tables
    for (
      let page = workbooks.uncounted(book.folderId);
      page.length > 0 && !this.#stopped;
      page = workbooks.uncounted(book.folderId)
    ) {
      workbooks.count(
        page.map(({ id, elements, records }) => ({
          id,
          rows: records === null ? null : rowCount(records, elements, book),
        })),
      )
      await setImmediate()
    }
  }

  /** The database, above all a full disk: what waits is written later. */
  #onTrouble(error: unknown): void {
    if (this.#stopped) return
    if (isStorageTrouble(error)) this.#context.onStorageTrouble(error)
    this.#schedule(this.#context.timings.storageRetryMs)
  }

  #state(folderId: number): State {
    let state = this.#states.get(folderId)
    if (state === undefined) {
      state = { notBefore: 0, tries: 0, problem: null }
      this.#states.set(folderId, state)
    }
    return state
  }
}

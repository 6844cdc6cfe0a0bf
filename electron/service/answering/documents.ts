import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { AgentDocumentRow } from '../../../shared/domain/agent.ts'
import type { Document } from '../../../shared/domain/document.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { maxRefusedListed } from '../../../shared/wire/service-control.ts'
import type { ControlOutput } from '../../../shared/wire/service-control.ts'
import { getAgent, removeAgent } from '../access/agents.ts'
import type { ServiceDatabase } from '../database.ts'
import type { Engine } from '../extraction-run.ts'
import { waitAtMost } from '../pending-work.ts'
import { flushFolder } from '../../system/flush-folder.ts'
import type { Slots } from '../slots.ts'
import { copyDocument, documentsAt, removeOrphans } from './document-files.ts'
import type { RefusedFile } from './document-files.ts'
import { DocumentTable } from './document-table.ts'
import type { ReadingTask } from './document-table.ts'
import { passagesOf } from './passages.ts'

const maxStarts = 3
const storageRetryMs = 1000

/**
 * The documents of Documentalists: copied into the service's folder, then read into passages in the background. One at
 * a time, so that a folder of thousands leaves the slots to requests. Rows and files are the queue, which a restart
 * resumes.
 */
export class AgentDocuments {
  readonly #db: ServiceDatabase
  readonly #table: DocumentTable
  readonly #directory: string
  readonly #read: Engine['read']
  readonly #slots: Slots
  readonly #stopping = new AbortController()
  #working: Promise<void> | null = null

  constructor(options: { db: ServiceDatabase; directory: string; engine: Pick<Engine, 'read'>; slots: Slots }) {
    this.#db = options.db
    this.#table = new DocumentTable(options.db)
    this.#directory = options.directory
    this.#read = options.engine.read
    this.#slots = options.slots
  }

  /** Resumes what an earlier process left unread, and removes copies that belong to no document. */
  async resume(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    await removeOrphans(this.#directory, new Set(this.#table.ids()))
    this.#startReading()
  }

  /**
   * Copies the documents behind files and folders of this computer; they are read in the background. What is no
   * document (or is there already) is counted as skipped; of these at most 100 are named with their problem, first
   * those whose own path was given. Throws `not_found`, `agent_wrong_kind`, `path_missing`.
   */
  async add(agentReference: string, paths: readonly string[]): Promise<ControlOutput<'agents.addDocuments'>> {
    this.#requireDocumentalist(agentReference)
    const refused = { named: [] as RefusedFile[], inFolders: [] as RefusedFile[] }
    const count = { added: 0, skipped: 0 }
    const refuse = (file: RefusedFile): void => {
      count.skipped++
      const list = file.named ? refused.named : refused.inFolders
      if (list.length < maxRefusedListed) list.push(file)
    }
    for await (const file of documentsAt(paths)) {
      if ('problem' in file) {
        refuse(file)
        continue
      }
      const { name, named } = file
      const id = randomUUID()
      const target = this.#pathOf(id)
      const copied = await copyDocument(file, target)
      if ('code' in copied) {
        refuse({ name, named, problem: copied })
        continue
      }
      await flushFolder(this.#directory)
      const added = await this.#insertOrRemove(target, () => {
        // The agent may be gone since: then its documents have no place either.
        this.#requireDocumentalist(agentReference)
        return this.#table.insert({ id, agentReference, name, kind: file.kind, ...copied, addedAt: Date.now() })
      })
      if (added) {
        count.added++
        this.#startReading()
      } else refuse({ name, named, problem: { code: 'duplicate', details: { original: name } } })
    }
    return { ...count, refused: [...refused.named, ...refused.inFolders].slice(0, maxRefusedListed) }
  }

  /** The documents of an agent, the oldest first. Throws `not_found`, `agent_wrong_kind`. */
  list(agentReference: string): AgentDocumentRow[] {
    this.#requireDocumentalist(agentReference)
    return this.#table.list(agentReference)
  }

  /** Throws `not_found`, `agent_wrong_kind`. */
  async remove(agentReference: string, id: string): Promise<void> {
    this.#requireDocumentalist(agentReference)
    if (!this.#table.remove(agentReference, id)) throw new AppError('not_found', { what: `document ${id}` })
    await rm(this.#pathOf(id), { force: true })
  }

  /** Removes an agent of any kind, with its documents, their copies and its conversations. Throws `not_found`. */
  async removeAgent(reference: string): Promise<void> {
    const ids = this.#table.list(reference).map((document) => document.id)
    if (!removeAgent(this.#db, reference)) throw new AppError('not_found', { what: `agent ${reference}` })
    for (const id of ids) await rm(this.#pathOf(id), { force: true })
  }

  /** Begins nothing more and waits at most `graceMs` for what is being read; that is read again at the next start. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the service is closing'))
    await waitAtMost(graceMs, this.#working)
  }

  #pathOf(id: string): string {
    return join(this.#directory, id)
  }

  #requireDocumentalist(reference: string): void {
    const agent = getAgent(this.#db, reference)
    if (agent === null) throw new AppError('not_found', { what: `agent ${reference}` })
    if (agent.kind !== 'documentalist') throw new AppError('agent_wrong_kind', { agent: agent.name, kind: agent.kind })
  }

  /** A copy without a row is of no use to anybody. */
  async #insertOrRemove(target: string, insert: () => boolean): Promise<boolean> {
    let inserted = false
    try {
      inserted = insert()
      return inserted
    } finally {
      if (!inserted) await rm(target, { force: true })
    }
  }

  #startReading(): void {
    if (this.#stopping.signal.aborted) return
    this.#working ??= this.#readAll()
      .catch(() => undefined)
      .finally(() => (this.#working = null))
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopping
    for (let id = this.#table.nextToRead(); id !== null && !signal.aborted; id = this.#table.nextToRead()) {
      const next = id
      try {
        await this.#slots.run(() => this.#readOne(next), 'background', signal)
      } catch (error) {
        if (signal.aborted) throw error
        // The disk is full, or the like: the document still waits, and time may help.
        await setTimeout(storageRetryMs, undefined, { signal })
      }
    }
  }

  async #readOne(id: string): Promise<void> {
    const task = this.#table.start(id)
    if (task === null) return
    try {
      if (task.starts > maxStarts)
        throw new AppError('file_too_complex', { detail: 'the service stopped while reading it, several times' })
      const document = await this.#read(this.#pathOf(id), task.kind)
      const passages = await this.#cut(task, document)
      if (this.#stopping.signal.aborted) return
      if (passages === 0) throw new AppError('no_text')
      this.#table.finish(id, document.pages.length)
    } catch (error) {
      const { code, details } = toAppError(error)
      // A reader that was stopped while it worked says nothing about the document: the next start tries again.
      if (this.#stopping.signal.aborted || code === 'interrupted') this.#table.undoStart(id)
      else if (isStorageFailure(error)) throw error
      else this.#table.fail(id, { code, details })
    }
  }

  /** Stores passages page by page and lets requests in between, so that a book does not hold the service up. */
  async #cut(task: ReadingTask, document: Document): Promise<number> {
    let count = 0
    for (const page of document.pages) {
      await setImmediate()
      const passages = this.#stopping.signal.aborted ? [] : passagesOf(page, document.kind)
      if (passages.length > 0 && !this.#table.addPassages(task, count, passages)) break
      count += passages.length
    }
    return count
  }
}

function isStorageFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_')
}

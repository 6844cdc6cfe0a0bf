import type { AgentDocumentRow } from '../../../shared/domain/agent.ts'
import type { FileKind } from '../../../shared/domain/document.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import type { ServiceDatabase } from '../database.ts'
import type { Passage } from './passages.ts'
import { agentToken, indexTermsOf } from './words.ts'

type NewAgentDocument = {
  id: string
  agentReference: string
  name: string
  kind: FileKind
  sizeBytes: number
  sha256: Buffer
  addedAt: number
}

export type ReadingTask = { id: string; agentReference: string; name: string; kind: FileKind; starts: number }

type StoredDocument = Omit<AgentDocumentRow, 'problem'> & { problem: string | null }

/** The SQL of a Documentalist's documents and their passages. Passages count only when their document is `ready`. */
export class DocumentTable {
  readonly #db: ServiceDatabase

  constructor(db: ServiceDatabase) {
    this.#db = db
  }

  /**
   * False when the agent has the same file (name and content) already. Throws SQLite's error when the agent is gone.
   */
  insert(document: NewAgentDocument): boolean {
    const { id, agentReference, name, kind, sizeBytes, sha256, addedAt } = document
    return (
      this.#db
        .prepare(
          `insert into agent_documents (id, agent_reference, name, kind, size_bytes, sha256, state, added_at) values (?, ?, ?, ?, ?, ?, 'reading', ?)
           on conflict (agent_reference, sha256, name) do nothing`,
        )
        .run(id, agentReference, name, kind, sizeBytes, sha256, addedAt).changes > 0
    )
  }

  list(agentReference: string): AgentDocumentRow[] {
    return this.#db
      .prepare<[string], StoredDocument>(
        'select id, name, size_bytes as sizeBytes, state, problem, pages, added_at as addedAt from agent_documents where agent_reference = ? order by added_at, rowid',
      )
      .all(agentReference)
      .map((row) => ({ ...row, problem: row.problem === null ? null : (JSON.parse(row.problem) as ErrorReason) }))
  }

  /** Every document's id, for finding files that belong to none. */
  ids(): string[] {
    return this.#db.prepare<[], string>('select id from agent_documents').pluck().all()
  }

  /** The document that is to be read next, the longest waiting first. */
  nextToRead(): string | null {
    return (
      this.#db
        .prepare<[], string>(`select id from agent_documents where state = 'reading' order by added_at, rowid limit 1`)
        .pluck()
        .get() ?? null
    )
  }

  /** Counts the start before the work, and drops what an interrupted reading left. Null when the document is gone. */
  start(id: string): ReadingTask | null {
    const begin = this.#db.transaction(() => {
      const row = this.#db
        .prepare<[string], ReadingTask>(
          `update agent_documents set starts = starts + 1 where id = ? and state = 'reading' returning id, agent_reference as agentReference, name, kind, starts`,
        )
        .get(id)
      if (row) this.#db.prepare('delete from passages where document_id = ?').run(id)
      return row ?? null
    })
    return begin()
  }

  /** Takes a start back that ended with the service: the document is not to blame for it. */
  undoStart(id: string): void {
    this.#db.prepare('update agent_documents set starts = starts - 1 where id = ? and starts > 0').run(id)
  }

  /** False when the document was removed meanwhile. */
  addPassages(task: ReadingTask, firstPosition: number, passages: readonly Passage[]): boolean {
    const common = `${agentToken(task.agentReference)} ${indexTermsOf(nameWithoutExtension(task.name))}`
    const insert = this.#db.prepare(
      'insert into passages (document_id, page, position, text, terms) values (?, ?, ?, ?, ?)',
    )
    const add = this.#db.transaction(() => {
      if (this.#db.prepare('select 1 from agent_documents where id = ?').get(task.id) === undefined) return false
      passages.forEach(({ page, text }, index) =>
        insert.run(task.id, page, firstPosition + index, text, `${common} ${indexTermsOf(text)}`),
      )
      return true
    })
    return add()
  }

  finish(id: string, pages: number): void {
    this.#db
      .prepare(
        `update agent_documents set state = 'ready', problem = null, pages = ? where id = ? and state = 'reading'`,
      )
      .run(pages, id)
  }

  fail(id: string, problem: ErrorReason): void {
    const end = this.#db.transaction(() => {
      this.#db.prepare('delete from passages where document_id = ?').run(id)
      this.#db
        .prepare(`update agent_documents set state = 'failed', problem = ? where id = ? and state = 'reading'`)
        .run(JSON.stringify(problem), id)
    })
    end()
  }

  /** True when the agent had such a document. */
  remove(agentReference: string, id: string): boolean {
    return (
      this.#db.prepare('delete from agent_documents where agent_reference = ? and id = ?').run(agentReference, id)
        .changes > 0
    )
  }
}

/** A document's name as people say it. */
export function nameWithoutExtension(name: string): string {
  return name.replace(/\.[^.]+$/, '')
}

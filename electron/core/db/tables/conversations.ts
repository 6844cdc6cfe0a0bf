import type { ConversationRow, MessageRow } from '../../../../shared/contract/ask.ts'
import type { ErrorReason } from '../../../../shared/domain/error-reason.ts'
import { countOf, found, reasonColumns, reasonOf } from './columns.ts'
import type { Database } from '../open.ts'

export type Conversation = {
  id: number
  kind: ConversationRow['kind']
  connectionId: number
  agentReference: string | null
  agentName: string | null
  model: string | null
  threadId: string
}

type NewConversation = Omit<Conversation, 'id'> & { title: string }

/** How an answer ended. */
export type AnswerEnd = {
  text: string
  state: Exclude<MessageRow['state'], 'writing'>
  reason: ErrorReason | null
  tokens: number | null
}

type Row = {
  id: number
  kind: ConversationRow['kind']
  title: string
  connection_id: number
  connection_name: string
  agent_reference: string | null
  agent_name: string | null
  model: string | null
  thread_id: string
  writing: number
  updated_at: number
}

type MessageRecord = {
  id: number
  role: MessageRow['role']
  text: string
  state: MessageRow['state']
  reason_code: ErrorReason['code'] | null
  reason_details: string | null
  created_at: number
}

function prepare(db: Database) {
  const select = `
    SELECT c.id, c.kind, c.title, c.connection_id, n.name AS connection_name, c.agent_reference, c.agent_name, c.model, c.thread_id, c.updated_at,
      EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.id AND m.state = 'writing') AS writing
    FROM conversations c JOIN connections n ON n.id = c.connection_id WHERE c.removed_at IS NULL`
  return {
    all: db.prepare<[], Row>(`${select} ORDER BY c.updated_at DESC, c.id DESC`),
    byId: db.prepare<[number], Row>(`${select} AND c.id = ?`),
    insert: db.prepare(`
    INSERT INTO conversations (kind, connection_id, agent_reference, agent_name, model, thread_id, title, created_at, updated_at)
    VALUES (@kind, @connectionId, @agentReference, @agentName, @model, @threadId, @title, @now, @now)`),
    touch: db.prepare<[number, number]>('UPDATE conversations SET updated_at = ? WHERE id = ?'),
    setModel: db.prepare<[string, number]>('UPDATE conversations SET model = ? WHERE id = ?'),
    nameAgent: db.prepare<[string, number, string]>(
      'UPDATE conversations SET agent_name = ? WHERE connection_id = ? AND agent_reference = ?',
    ),
    agents: db.prepare<[number], { reference: string; name: string | null }>(
      'SELECT agent_reference AS reference, max(agent_name) AS name FROM conversations WHERE connection_id = ? AND agent_reference IS NOT NULL GROUP BY agent_reference',
    ),
    messages: db.prepare<[number], MessageRecord>(
      'SELECT id, role, text, state, reason_code, reason_details, created_at FROM messages WHERE conversation_id = ? ORDER BY id',
    ),
    insertMessage: db.prepare<[number, string, string, string, number]>(
      'INSERT INTO messages (conversation_id, role, text, state, created_at) VALUES (?, ?, ?, ?, ?)',
    ),
    setText: db.prepare<[string, number]>('UPDATE messages SET text = ? WHERE id = ?'),
    finish: db.prepare<[string, string, string | null, string | null, number | null, number]>(
      'UPDATE messages SET text = ?, state = ?, reason_code = ?, reason_details = ?, tokens = ? WHERE id = ?',
    ),
    interrupt: db.prepare(
      "UPDATE messages SET state = 'incomplete', reason_code = 'interrupted', reason_details = '{}' WHERE state = 'writing'",
    ),
    remove: db.prepare<[number, number]>("UPDATE conversations SET removed_at = ?, title = '' WHERE id = ?"),
    blank: db.prepare<[number]>("UPDATE messages SET text = '' WHERE conversation_id = ?"),
  }
}

/**
 * Questions and their answers. What a person removes loses its text; that it was asked, and its tokens, stay for the
 * usage report.
 */
export class ConversationsTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  list(): ConversationRow[] {
    return this.#sql.all.all().map(rowOf)
  }

  get(id: number): (Conversation & { row: ConversationRow }) | null {
    return found(this.#sql.byId.get(id), (row) => ({ ...fromRow(row), row: rowOf(row) }))
  }

  add(values: NewConversation, now: number): number {
    return Number(this.#sql.insert.run({ ...values, now }).lastInsertRowid)
  }

  setModel(id: number, model: string): void {
    this.#sql.setModel.run(model, id)
  }

  /** The name of an agent, as just learnt, in every conversation with it. */
  nameAgent(connectionId: number, reference: string, name: string): void {
    this.#sql.nameAgent.run(name, connectionId, reference)
  }

  /** Documentalists that were asked on a connection, with their names where they are known. */
  agents(connectionId: number): { reference: string; name: string | null }[] {
    return this.#sql.agents.all(connectionId)
  }

  messages(conversationId: number): MessageRow[] {
    return this.#sql.messages.all(conversationId).map(messageOf)
  }

  /** A question and the place of its answer: both or neither. Returns the answer's id. */
  ask(conversationId: number, text: string, now: number): number {
    return this.#db.transaction(() => {
      this.#sql.insertMessage.run(conversationId, 'user', text, 'complete', now)
      this.#sql.touch.run(now, conversationId)
      return Number(this.#sql.insertMessage.run(conversationId, 'assistant', '', 'writing', now).lastInsertRowid)
    })()
  }

  saveText(messageId: number, text: string): void {
    this.#sql.setText.run(text, messageId)
  }

  finish(conversationId: number, messageId: number, end: AnswerEnd, now: number): void {
    this.#db.transaction(() => {
      const { code, details } = reasonColumns(end.reason)
      this.#sql.finish.run(end.text, end.state, code, details, countOf(end.tokens), messageId)
      this.#sql.touch.run(now, conversationId)
    })()
  }

  /** At a start: what was being written when the process ended. */
  interruptWriting(): void {
    this.#sql.interrupt.run()
  }

  remove(id: number, now: number): void {
    this.#db.transaction(() => {
      this.#sql.remove.run(now, id)
      this.#sql.blank.run(id)
    })()
  }
}

function fromRow(row: Row): Conversation {
  return {
    id: row.id,
    kind: row.kind,
    connectionId: row.connection_id,
    agentReference: row.agent_reference,
    agentName: row.agent_name,
    model: row.model,
    threadId: row.thread_id,
  }
}

function rowOf(row: Row): ConversationRow {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    connectionId: row.connection_id,
    connectionName: row.connection_name,
    agentReference: row.agent_reference,
    agentName: row.agent_name ?? row.agent_reference,
    model: row.model,
    writing: row.writing === 1,
    updatedAt: row.updated_at,
  }
}

function messageOf(row: MessageRecord): MessageRow {
  return {
    id: row.id,
    role: row.role,
    text: row.text,
    state: row.state,
    reason: reasonOf(row.reason_code, row.reason_details),
    createdAt: row.created_at,
  }
}

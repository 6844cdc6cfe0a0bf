import type { ConversationRow, MessageRow } from '../../../shared/contract-platform.ts'
import type { ErrorReason } from '../../../shared/error-reason.ts'
import { countOf } from './count-of.ts'
import type { Database } from './open.ts'

export type Conversation = {
  id: number
  kind: ConversationRow['kind']
  connectionId: number
  agentReference: string | null
  agentName: string | null
  model: string | null
  threadId: string
}

export type NewConversation = Omit<Conversation, 'id'> & { title: string }

/** How an answer ended. */
export type AnswerEnd = { text: string; state: Exclude<MessageRow['state'], 'writing'>; reason: ErrorReason | null; tokens: number | null }

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

/** Questions and their answers. What a person removes loses its text; that it was asked, and its tokens, stay for the usage report. */
export function conversationsTable(db: Database) {
  const select = `
    SELECT c.id, c.kind, c.title, c.connection_id, n.name AS connection_name, c.agent_reference, c.agent_name, c.model, c.thread_id, c.updated_at,
      EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.id AND m.state = 'writing') AS writing
    FROM conversations c JOIN connections n ON n.id = c.connection_id WHERE c.removed_at IS NULL`
  const all = db.prepare<[], Row>(`${select} ORDER BY c.updated_at DESC, c.id DESC`)
  const byId = db.prepare<[number], Row>(`${select} AND c.id = ?`)
  const insert = db.prepare(`
    INSERT INTO conversations (kind, connection_id, agent_reference, agent_name, model, thread_id, title, created_at, updated_at)
    VALUES (@kind, @connectionId, @agentReference, @agentName, @model, @threadId, @title, @now, @now)`)
  const touch = db.prepare<[number, number]>('UPDATE conversations SET updated_at = ? WHERE id = ?')
  const setModel = db.prepare<[string, number]>('UPDATE conversations SET model = ? WHERE id = ?')
  const nameAgent = db.prepare<[string, number, string]>('UPDATE conversations SET agent_name = ? WHERE connection_id = ? AND agent_reference = ?')
  const agents = db.prepare<[number], { reference: string; name: string | null }>(
    'SELECT agent_reference AS reference, max(agent_name) AS name FROM conversations WHERE connection_id = ? AND agent_reference IS NOT NULL GROUP BY agent_reference',
  )
  const messages = db.prepare<[number], MessageRecord>(
    'SELECT id, role, text, state, reason_code, reason_details, created_at FROM messages WHERE conversation_id = ? ORDER BY id',
  )
  const insertMessage = db.prepare<[number, string, string, string, number]>(
    'INSERT INTO messages (conversation_id, role, text, state, created_at) VALUES (?, ?, ?, ?, ?)',
  )
  const setText = db.prepare<[string, number]>('UPDATE messages SET text = ? WHERE id = ?')
  const finish = db.prepare<[string, string, string | null, string | null, number | null, number]>(
    'UPDATE messages SET text = ?, state = ?, reason_code = ?, reason_details = ?, tokens = ? WHERE id = ?',
  )
  const interrupt = db.prepare("UPDATE messages SET state = 'incomplete', reason_code = 'interrupted', reason_details = '{}' WHERE state = 'writing'")
  const remove = db.prepare<[number, number]>("UPDATE conversations SET removed_at = ?, title = '' WHERE id = ?")
  const blank = db.prepare<[number]>("UPDATE messages SET text = '' WHERE conversation_id = ?")

  const get = (id: number): (Conversation & { row: ConversationRow }) | null => {
    const row = byId.get(id)
    return row === undefined ? null : { ...fromRow(row), row: rowOf(row) }
  }

  return {
    list: (): ConversationRow[] => all.all().map(rowOf),
    get,
    add: (values: NewConversation, now: number): number => Number(insert.run({ ...values, now }).lastInsertRowid),
    setModel: (id: number, model: string): void => void setModel.run(model, id),
    /** The name of an agent, as just learnt, in every conversation with it. */
    nameAgent: (connectionId: number, reference: string, name: string): void => void nameAgent.run(name, connectionId, reference),
    /** Documentalists that were asked on a connection, with their names where they are known. */
    agents: (connectionId: number): { reference: string; name: string | null }[] => agents.all(connectionId),
    messages: (conversationId: number): MessageRow[] => messages.all(conversationId).map(messageOf),
    /** A question and the place of its answer: both or neither. Returns the answer's id. */
    ask: db.transaction((conversationId: number, text: string, now: number): number => {
      insertMessage.run(conversationId, 'user', text, 'complete', now)
      touch.run(now, conversationId)
      return Number(insertMessage.run(conversationId, 'assistant', '', 'writing', now).lastInsertRowid)
    }),
    saveText: (messageId: number, text: string): void => void setText.run(text, messageId),
    finish: db.transaction((conversationId: number, messageId: number, end: AnswerEnd, now: number): void => {
      finish.run(end.text, end.state, end.reason?.code ?? null, end.reason === null ? null : JSON.stringify(end.reason.details), countOf(end.tokens), messageId)
      touch.run(now, conversationId)
    }),
    /** At a start: what was being written when the process ended. */
    interruptWriting: (): void => void interrupt.run(),
    remove: db.transaction((id: number, now: number): void => {
      remove.run(now, id)
      blank.run(id)
    }),
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
    reason: row.reason_code === null ? null : { code: row.reason_code, details: JSON.parse(row.reason_details ?? '{}') as ErrorReason['details'] },
    createdAt: row.created_at,
  }
}

import type { ServiceDatabase } from '../database.ts'

/** spec, «History message». */
export type Turn = { role: 'user' | 'assistant'; content: string }

/** A thread belongs to one organization and one agent: the same identifier elsewhere is another conversation. */
type ThreadKey = { threadId: string; organizationId: string; agentReference: string }

/** Messages of a thread that an answer looks at, and that are kept at all. */
export const turnsUsed = 20
const turnsKept = 200

/** The last messages of a thread, the oldest first (spec, «thread_id»: history on the server side). */
export function turnsOf(db: ServiceDatabase, { threadId, organizationId, agentReference }: ThreadKey): Turn[] {
  return db
    .prepare<[string, string, string, number], Turn>(
      'select role, content from thread_messages where thread_id = ? and organization_id = ? and agent_reference = ? order by id desc limit ?',
    )
    .all(threadId, organizationId, agentReference, turnsUsed)
    .toReversed()
}

/** Adds a question with its complete answer; the oldest messages of a very long thread go. */
export function addTurns(
  db: ServiceDatabase,
  { threadId, organizationId, agentReference }: ThreadKey,
  query: string,
  answer: string,
): void {
  const add = db.transaction(() => {
    const insert = db.prepare(
      'insert into thread_messages (thread_id, organization_id, agent_reference, role, content, created_at) values (?, ?, ?, ?, ?, ?)',
    )
    const now = Date.now()
    insert.run(threadId, organizationId, agentReference, 'user', query, now)
    insert.run(threadId, organizationId, agentReference, 'assistant', answer, now)
    db.prepare(
      `delete from thread_messages where thread_id = ? and organization_id = ? and agent_reference = ? and id not in
         (select id from thread_messages where thread_id = ? and organization_id = ? and agent_reference = ? order by id desc limit ?)`,
    ).run(threadId, organizationId, agentReference, threadId, organizationId, agentReference, turnsKept)
  })
  add()
}

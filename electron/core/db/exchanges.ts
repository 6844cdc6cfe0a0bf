import type { Database } from './open.ts'

/** What went to services outside of the attempts of documents: questions, chats and drafts. */
export function exchangesTable(db: Database) {
  const insert = db.prepare<[number, string | null, number, number | null, number]>(
    'INSERT INTO exchanges (connection_id, host, bytes_sent, tokens, created_at) VALUES (?, ?, ?, ?, ?)',
  )

  return {
    /** A body that went to another computer. */
    addSent: (connectionId: number, host: string, bytesSent: number, now: number): void => void insert.run(connectionId, host, bytesSent, null, now),
    /** What a draft took. */
    addTokens: (connectionId: number, tokens: number, now: number): void => void insert.run(connectionId, null, 0, tokens, now),
  }
}
export type ExchangesTable = ReturnType<typeof exchangesTable>

import type { Database } from '../open.ts'

function prepare(db: Database) {
  return {
    insert: db.prepare<[number, string | null, number, number | null, number]>(
      'INSERT INTO exchanges (connection_id, host, bytes_sent, tokens, created_at) VALUES (?, ?, ?, ?, ?)',
    ),
  }
}

/** What went to services outside of the attempts of documents: questions, chats and drafts. */
export class ExchangesTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** A body that went to another computer. */
  addSent(connectionId: number, host: string, bytesSent: number, now: number): void {
    this.#sql.insert.run(connectionId, host, bytesSent, null, now)
  }

  /** What a draft took. */
  addTokens(connectionId: number, tokens: number, now: number): void {
    this.#sql.insert.run(connectionId, null, 0, tokens, now)
  }
}

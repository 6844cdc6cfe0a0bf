import { searchIndex } from '../migrations/0001-first.ts'
import { runTransaction } from '../open.ts'
import type { Database } from '../open.ts'

/** More of a document's text is not searched: a book would make every search slower. */
const maxTextLength = 200_000

/** True for a fault of the index of words alone, as SQLite's check words it: nothing is lost with it. Pure. */
export function isSearchIndexFault(fault: string): boolean {
  return /\bfts5\b.*\bdocument_search\b/i.test(fault)
}

/**
 * An empty index in the place of one that broke; everything is put into it again. Throws SQLite's error where even that
 * cannot be done.
 */
export function rebuildSearchIndex(db: Database): void {
  db.transaction(() => {
    db.exec(`DROP TABLE document_search; ${searchIndex} INSERT OR IGNORE INTO search_due SELECT id FROM documents`)
  })()
}

function prepare(db: Database) {
  const columns = 'name, place, value, text, scope'
  return {
    textOf: db.prepare<[number], { text: string }>('SELECT text FROM document_texts WHERE document_id = ?'),
    setText: db.prepare<[{ documentId: number; kept: string }]>(
      'INSERT OR REPLACE INTO document_texts (document_id, text) SELECT id, @kept FROM documents WHERE id = @documentId',
    ),
    withoutText: db
      .prepare<[{ among: number }], number>(`
    SELECT id FROM documents WHERE id > (SELECT max(id) FROM documents) - @among AND result_id IS NOT NULL AND id NOT IN (SELECT document_id FROM document_texts) ORDER BY id`)
      .pluck(),
    lowest: db.prepare<[number], { id: number | null }>(
      'SELECT min(document_id) AS id FROM (SELECT document_id FROM search_due ORDER BY document_id DESC LIMIT ?)',
    ),
    remove: db.prepare<[number]>(
      'DELETE FROM document_search WHERE rowid IN (SELECT document_id FROM search_due WHERE document_id >= ?)',
    ),
    add: db.prepare<[number]>(`
    INSERT INTO document_search (rowid, ${columns}) SELECT id, ${columns} FROM search_due CROSS JOIN document_words ON id = document_id WHERE document_id >= ?`),
    settle: db.prepare<[number]>('DELETE FROM search_due WHERE document_id >= ?'),
    any: db.prepare<[], { any: number }>('SELECT EXISTS (SELECT 1 FROM search_due) AS any'),
  }
}

/**
 * The index of words. What is to be indexed is noted by triggers (migrations/0001-first.ts) in the transaction of each
 * change.
 */
export class SearchTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  /** What a document says, as it was read on this computer; found from then on. */
  setText(documentId: number, text: string): void {
    const kept = text.slice(0, maxTextLength)
    if (this.#sql.textOf.get(documentId)?.text !== kept) this.#sql.setText.run({ documentId, kept })
  }

  hasText(documentId: number): boolean {
    return this.#sql.textOf.get(documentId) !== undefined
  }

  /** Ids, rising, of those among so many of the newest documents that have a result and whose text is not known. */
  withoutText(among: number): number[] {
    return this.#sql.withoutText.all({ among })
  }

  /** True while there are changes that the index does not have. */
  isBehind(): boolean {
    return this.#sql.any.get()!.any === 1
  }

  /**
   * Puts the newest documents that are to be indexed into the index, at most so many; returns how many there were.
   */
  catchUp(limit: number): number {
    const index = (): number => {
      const { id } = this.#sql.lowest.get(limit)!
      if (id === null) return 0
      this.#sql.remove.run(id)
      this.#sql.add.run(id)
      return this.#sql.settle.run(id).changes
    }
    // What a power cut undoes of it is due again.
    return runTransaction(this.#db, index, 'later')
  }
}

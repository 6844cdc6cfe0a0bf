import type { Database } from '../open.ts'

function prepare(db: Database) {
  return {
    due: db.prepare<[number, number, number], { document_id: number }>(
      `SELECT document_id FROM archive_names_due INDEXED BY archive_names_due_folder
       WHERE folder_id = ? AND document_id > ? ORDER BY document_id LIMIT ?`,
    ),
    settle: db.prepare<[number]>('DELETE FROM archive_names_due WHERE document_id = ?'),
    original: db.prepare<[number], { place: string }>('SELECT place FROM archive_originals WHERE document_id = ?'),
    keep: db.prepare<[string, number]>(
      'INSERT OR IGNORE INTO archive_originals SELECT id, ?, name FROM documents WHERE id = ?',
    ),
    handOver: db.prepare<[number, number]>(
      'UPDATE OR IGNORE archive_originals SET document_id = ? WHERE document_id = ?',
    ),
    forget: db.prepare<[number]>('DELETE FROM archive_originals WHERE document_id = ?'),
  }
}

/** Files in `Done` that are called by their values, and which of them may have to be called otherwise. */
export class ArchiveNamesTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Documents of a folder, by id after `afterId`. */
  due(folderId: number, afterId: number, limit: number): number[] {
    return this.#sql.due.all(folderId, afterId, limit).map((row) => row.document_id)
  }

  /** The file of the document is called as it should be. */
  settle(id: number): void {
    this.#sql.settle.run(id)
  }

  /** Where below `Done` its file lay before it was called by its values; null for one that never was. */
  originalOf(id: number): string | null {
    return this.#sql.original.get(id)?.place ?? null
  }

  /** Keeps where the file lay and what its document was called, unless that is known from before. */
  keepOriginal(id: number, place: string): void {
    this.#sql.keep.run(place, id)
  }

  /** Another document stands for the file from now on. */
  handOver(from: number, to: number): void {
    this.#sql.handOver.run(to, from)
  }

  forgetOriginal(id: number): void {
    this.#sql.forget.run(id)
  }
}

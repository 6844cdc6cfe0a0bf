import type { MailHead } from '../../../../shared/domain/mail.ts'
import type { Database } from '../open.ts'

function prepare(db: Database) {
  return {
    save: db.prepare<[number, string, string | null, string | null]>(
      'INSERT OR REPLACE INTO mail_attachments (folder_id, path, subject, sender) VALUES (?, ?, ?, ?)',
    ),
    take: db.prepare<[number, string], MailHead>(
      'DELETE FROM mail_attachments WHERE folder_id = ? AND path = ? RETURNING subject, sender',
    ),
    set: db.prepare<[number, string | null, string | null]>(
      'INSERT OR REPLACE INTO document_mails (document_id, subject, sender) VALUES (?, ?, ?)',
    ),
    copy: db.prepare<[number, number]>(`
    INSERT OR IGNORE INTO document_mails (document_id, subject, sender)
      SELECT ?, subject, sender FROM document_mails WHERE document_id = ?`),
    forget: db.prepare<[number]>('DELETE FROM document_mails WHERE document_id = ?'),
    of: db.prepare<[number], MailHead>('SELECT subject, sender FROM document_mails WHERE document_id = ?'),
  }
}

/** With which mail documents came: told of its files when it is taken apart, and of documents from then on. */
export class MailsTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** What was saved at these places is of a mail. */
  saved(folderId: number, paths: readonly string[], { subject, sender }: MailHead): void {
    for (const path of paths) this.#sql.save.run(folderId, path, subject, sender)
  }

  /**
   * The file of a place is this document's. Another file that comes there later is of no mail. `isOther`: the document
   * stood for another file before.
   */
  arrived(documentId: number, folderId: number, path: string, isOther: boolean): void {
    const head = this.#sql.take.get(folderId, path)
    if (head !== undefined) this.#sql.set.run(documentId, head.subject, head.sender)
    else if (isOther) this.#sql.forget.run(documentId)
  }

  /** A document of the same content came with the same mail, where nothing says otherwise. */
  copy(fromId: number, toId: number): void {
    this.#sql.copy.run(toId, fromId)
  }

  /** Null where a document came with none. */
  of(documentId: number): MailHead | null {
    return this.#sql.of.get(documentId) ?? null
  }
}

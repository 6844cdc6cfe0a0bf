import type { MailHead } from '../../../../shared/domain/mail.ts'
import type { Database } from '../open.ts'

function prepare(db: Database) {
  return {
    save: db.prepare<[number, string, string | null, string | null]>(
      'INSERT OR REPLACE INTO mail_attachments (folder_id, path, subject, sender) VALUES (?, ?, ?, ?)',
    ),
    adopt: db.prepare<[{ documentId: number; folderId: number; path: string }]>(`
    INSERT INTO document_mails (document_id, subject, sender)
      SELECT @documentId, subject, sender FROM mail_attachments WHERE folder_id = @folderId AND path = @path`),
    forget: db.prepare<[number, string]>('DELETE FROM mail_attachments WHERE folder_id = ? AND path = ?'),
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

  /** The file of a place is a document now. Another file that comes there later is of no mail. */
  arrived(documentId: number, folderId: number, path: string): void {
    if (this.#sql.adopt.run({ documentId, folderId, path }).changes > 0) this.#sql.forget.run(folderId, path)
  }

  /** Null where a document came with none. */
  of(documentId: number): MailHead | null {
    return this.#sql.of.get(documentId) ?? null
  }
}

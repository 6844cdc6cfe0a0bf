/** With which mail a document came. */
export const mails = `
-- What was saved of a mail, until it is a document.
CREATE TABLE mail_attachments (
  folder_id INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  subject TEXT,
  sender TEXT,
  PRIMARY KEY (folder_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_mails (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  subject TEXT,
  sender TEXT
) STRICT;
`

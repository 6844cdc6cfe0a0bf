/** Which documents were handed to a program of bookkeeping: what is booked twice unknowingly is paid for twice. */
export const bookedDocuments = `
-- The last export that has bookings of a document, and SHA-256 of its values in them (core/export/bookings/book.ts).
CREATE TABLE booked_documents (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  export_id INTEGER NOT NULL REFERENCES exports (id),
  content BLOB NOT NULL
) STRICT;
`

/** Which bills were handed to a program of bookkeeping: what is booked twice unknowingly is paid for twice. */
export const bookedBills = `
CREATE TABLE booked_bills (
  id INTEGER PRIMARY KEY,
  export_id INTEGER NOT NULL REFERENCES exports (id),
  -- of a copy the document that it is one of
  document_id INTEGER NOT NULL REFERENCES documents (id),
  -- which of its records, counted from 0
  record INTEGER NOT NULL,
  -- SHA-256 of what the bill is known by in any document (core/export/bookings/bill.ts); null without a number
  bill BLOB,
  -- SHA-256 of all values that a booking is made of
  content BLOB NOT NULL
) STRICT;
CREATE INDEX booked_bills_document ON booked_bills (document_id, record);
CREATE INDEX booked_bills_bill ON booked_bills (bill) WHERE bill IS NOT NULL;
`

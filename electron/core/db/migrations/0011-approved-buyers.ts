/** To whom approved documents are: whoever was approved before needs no look. */
export const approvedBuyers = `
CREATE TABLE approved_buyers (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  -- as comparableName (shared/domain/partner.ts) writes it
  name_key TEXT NOT NULL
) STRICT;
CREATE INDEX approved_buyers_name ON approved_buyers (name_key);
`

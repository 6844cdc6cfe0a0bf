/** The senders that the office knows, and its own companies. */
export const partners = `
CREATE TABLE partners (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  -- comparableName of it
  name_key TEXT NOT NULL,
  vat_id TEXT,
  number TEXT,
  book_account TEXT,
  is_own INTEGER NOT NULL DEFAULT 0,
  -- 1: a person wrote the name or brought it along
  is_named INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX partners_name ON partners (name_key);
CREATE INDEX partners_vat ON partners (vat_id) WHERE vat_id IS NOT NULL;

-- Several companies may have an account together, as those do that sell their invoices.
CREATE TABLE partner_accounts (
  iban TEXT NOT NULL,
  partner_id INTEGER NOT NULL REFERENCES partners (id) ON DELETE CASCADE,
  PRIMARY KEY (iban, partner_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX partner_accounts_partner ON partner_accounts (partner_id);
`

/** What a person checks results by, and what came of it. */
export const review = `
-- Rule[], and the names of the fields that tables show (null: the first ones)
ALTER TABLE schemas ADD COLUMN rules TEXT NOT NULL DEFAULT '[]';
ALTER TABLE schemas ADD COLUMN columns TEXT;
-- 1: its documents are to be looked at by the rules that it has now
ALTER TABLE schemas ADD COLUMN rules_pending INTEGER NOT NULL DEFAULT 0;

-- the records as a person corrected them; what the service said stays in records
ALTER TABLE results ADD COLUMN corrected TEXT;
-- Flag[] that nobody has confirmed
ALTER TABLE results ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';

-- of what is done: something needs a look, nothing does, or a person approved it
ALTER TABLE jobs ADD COLUMN review TEXT CHECK (review IN ('flagged', 'ready', 'approved'));
ALTER TABLE jobs ADD COLUMN flag_count INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET review = 'ready' WHERE status = 'done';
CREATE INDEX jobs_review ON jobs (review, id, folder_id, schema_version_id) WHERE review IS NOT NULL;

-- What persons did, only ever appended: what counts is the last word on each place and on the whole. It is about the document,
-- so that it still counts after its answer was read again.
CREATE TABLE review_entries (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  kind TEXT NOT NULL CHECK (kind IN ('correct', 'confirm', 'approve', 'reopen')),
  -- of correct and confirm: RFC 6901 into the records
  pointer TEXT,
  -- of correct: what the service said in that place, as JSON; it counts as long as the service says that
  said TEXT,
  -- of correct: what stands there now; of confirm: Flag[] in spite of which it is right
  value TEXT,
  -- what was approved in one go is taken back in one go
  batch INTEGER,
  person TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX review_entries_job ON review_entries (job_id, id);
CREATE INDEX review_entries_batch ON review_entries (batch) WHERE batch IS NOT NULL;

-- What no other document of the schema may have, as it is compared.
CREATE TABLE unique_values (
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  -- FieldPath[]
  fields TEXT NOT NULL,
  value TEXT NOT NULL,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (schema_id, fields, value, job_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unique_values_job ON unique_values (job_id);
`

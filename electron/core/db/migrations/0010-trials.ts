/** Drafts of a schema that were tried on documents: what was sent for that, and what came. */
export const trials = `
CREATE TABLE trials (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  connection_id INTEGER NOT NULL REFERENCES connections (id),
  -- the question: these fields, and the content that the document had; '' where the answer is no longer kept
  elements TEXT NOT NULL,
  sha256 BLOB NOT NULL,
  host TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT NOT NULL CHECK (outcome IN ('open', 'succeeded', 'failed', 'returned', 'lost')),
  error_code TEXT,
  error_details TEXT,
  bytes_sent INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER,
  -- what came, as it came, before anything parsed it
  http_status INTEGER,
  body BLOB,
  complete INTEGER
) STRICT;
CREATE INDEX trials_question ON trials (connection_id, sha256, id);
CREATE INDEX trials_started ON trials (started_at);
-- as those of attempts: the cap is asked often
CREATE INDEX trials_named ON trials (finished_at, connection_id, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX trials_measured ON trials (connection_id, schema_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
`

/** The first schema. Times are epoch milliseconds; JSON columns hold what their name says. */
export const first = `
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE connections (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('local', 'platform')),
  name TEXT NOT NULL,
  base_url TEXT,
  client_id TEXT,
  -- set while the connection waits for a person
  paused_code TEXT,
  paused_details TEXT,
  -- set while the service asked for time
  paused_until INTEGER,
  removed_at INTEGER
) STRICT;

CREATE TABLE schemas (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE schema_versions (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  version INTEGER NOT NULL,
  elements TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (schema_id, version)
) STRICT;

CREATE TABLE folders (
  id INTEGER PRIMARY KEY,
  -- watched: a directory of the person's; inbox: files dropped on the window; batch: paths given to the terminal
  kind TEXT NOT NULL CHECK (kind IN ('watched', 'inbox', 'batch')),
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  connection_id INTEGER NOT NULL REFERENCES connections (id),
  agent_reference TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('auto', 'sync', 'async')),
  include_subfolders INTEGER NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  connection_id INTEGER NOT NULL REFERENCES connections (id),
  schema_version_id INTEGER NOT NULL REFERENCES schema_versions (id),
  agent_reference TEXT,
  mode TEXT NOT NULL CHECK (mode IN ('auto', 'sync', 'async')),
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms INTEGER NOT NULL,
  sha256 BLOB,
  status TEXT NOT NULL CHECK (status IN ('queued', 'submitting', 'waiting', 'done', 'failed', 'unknown', 'skipped', 'cancelled')),
  reason_code TEXT,
  reason_details TEXT,
  not_before INTEGER NOT NULL DEFAULT 0,
  -- refusals in a row, for the back-off; back to 0 once something was accepted
  tries INTEGER NOT NULL DEFAULT 0,
  original_job_id INTEGER REFERENCES jobs (id),
  result_id INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX jobs_due ON jobs (connection_id, not_before, id) WHERE status = 'queued';
CREATE INDEX jobs_status ON jobs (status);
CREATE INDEX jobs_received ON jobs (created_at, id);
CREATE INDEX jobs_place ON jobs (folder_id, path, id);
CREATE INDEX jobs_original ON jobs (original_job_id) WHERE original_job_id IS NOT NULL;
CREATE INDEX jobs_content ON jobs (sha256, schema_version_id);

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  mode TEXT NOT NULL CHECK (mode IN ('sync', 'async')),
  host TEXT NOT NULL,
  -- SHA-256 of the token in the callback address; the token itself is never stored
  token_hash BLOB,
  extract_id TEXT,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  outcome TEXT NOT NULL CHECK (outcome IN ('open', 'accepted', 'succeeded', 'failed', 'returned', 'lost')),
  http_status INTEGER,
  error_code TEXT,
  bytes_sent INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX attempts_job ON attempts (job_id);
CREATE UNIQUE INDEX attempts_token ON attempts (token_hash) WHERE token_hash IS NOT NULL;

-- What a service sent, as it came, before anything parsed it.
CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  source TEXT NOT NULL CHECK (source IN ('response', 'callback')),
  received_at INTEGER NOT NULL,
  http_status INTEGER,
  content_type TEXT,
  body BLOB NOT NULL,
  body_sha256 BLOB NOT NULL,
  UNIQUE (attempt_id, source, body_sha256)
) STRICT;

CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  answer_id INTEGER NOT NULL REFERENCES answers (id),
  records TEXT NOT NULL,
  -- FieldSource[] as the service gave it, or null where it gave none
  sources TEXT,
  record_count INTEGER NOT NULL,
  -- the first few plain values, for lists of jobs
  summary TEXT NOT NULL,
  duration_ms INTEGER,
  tokens_consumed INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX results_job ON results (job_id);

CREATE TABLE exports (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  paths TEXT NOT NULL,
  format TEXT NOT NULL,
  rows INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`

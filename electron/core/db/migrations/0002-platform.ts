/** Questions to Documentalists and models, and what the usage report and the daily cap look up by time. */
export const platform = `
CREATE TABLE conversations (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('documentalist', 'chat')),
  connection_id INTEGER NOT NULL REFERENCES connections (id),
  agent_reference TEXT,
  agent_name TEXT,
  model TEXT,
  -- the platform's own history of a Documentalist conversation (spec: 36 characters)
  thread_id TEXT NOT NULL,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE INDEX conversations_updated ON conversations (updated_at) WHERE removed_at IS NULL;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL REFERENCES conversations (id),
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
  text TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('writing', 'complete', 'stopped', 'incomplete', 'failed')),
  reason_code TEXT,
  reason_details TEXT,
  -- as the service reported them; null where it does not
  tokens INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_conversation ON messages (conversation_id, id);
CREATE INDEX messages_created ON messages (created_at);

-- What went to a service outside of the attempts of documents: questions, chats and drafts.
CREATE TABLE exchanges (
  id INTEGER PRIMARY KEY,
  connection_id INTEGER NOT NULL REFERENCES connections (id),
  -- another computer than this one
  host TEXT,
  bytes_sent INTEGER NOT NULL,
  -- of drafts; those of answers are with their messages
  tokens INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX exchanges_created ON exchanges (created_at);

-- Where an attempt went and what it asked for, as it was then: the job's own connection can change.
ALTER TABLE attempts ADD COLUMN connection_id INTEGER REFERENCES connections (id);
ALTER TABLE attempts ADD COLUMN schema_id INTEGER REFERENCES schemas (id);
-- what its answer named, also that of a failure; here and not with the result, whose records make its rows long
ALTER TABLE attempts ADD COLUMN tokens INTEGER;
UPDATE attempts SET
  connection_id = (SELECT connection_id FROM jobs WHERE id = job_id),
  schema_id = (SELECT v.schema_id FROM schema_versions v JOIN jobs j ON j.schema_version_id = v.id WHERE j.id = job_id),
  tokens = (SELECT sum(r.tokens_consumed) FROM results r WHERE r.job_id = attempts.job_id
    AND r.answer_id IN (SELECT a.id FROM answers a WHERE a.attempt_id = attempts.id));

-- Each holds all that its question asks for: state and cap are asked often, on the thread that does everything else.
CREATE INDEX attempts_started ON attempts (started_at, outcome, connection_id);
CREATE INDEX attempts_named ON attempts (finished_at, connection_id, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_unnamed ON attempts (started_at, outcome, connection_id, schema_id, job_id) WHERE tokens IS NULL;
CREATE INDEX attempts_of_schema ON attempts (connection_id, schema_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_of_connection ON attempts (connection_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_silent ON attempts (connection_id) WHERE outcome = 'succeeded' AND tokens IS NULL;
CREATE INDEX jobs_queued ON jobs (connection_id, schema_version_id, not_before, id, folder_id) WHERE status = 'queued';
`

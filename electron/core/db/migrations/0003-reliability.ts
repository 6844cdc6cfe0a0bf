/** Approved resends, files that move when they are done, answers that broke off, and results for attempts that are not known here. */
export const reliability = `
-- who let a document go again that may have been billed; taken over by the attempt that follows
ALTER TABLE jobs ADD COLUMN resend_approved TEXT CHECK (resend_approved IN ('person', 'setting'));
-- where its file is on the way to, written before it moves
ALTER TABLE jobs ADD COLUMN move_to TEXT;
-- the folder of outcomes in which its file lies; left: there is nothing to move
ALTER TABLE jobs ADD COLUMN filed_as TEXT CHECK (filed_as IN ('done', 'failed', 'left'));
CREATE INDEX jobs_unfiled ON jobs (folder_id, id) WHERE (status IN ('done', 'failed') OR (status = 'skipped' AND original_job_id IS NOT NULL))
  AND (filed_as IS NULL OR (filed_as = 'failed' AND status <> 'failed') OR (filed_as = 'done' AND status = 'failed'));
CREATE INDEX jobs_moving ON jobs (id) WHERE move_to IS NOT NULL;

ALTER TABLE folders ADD COLUMN afterwards TEXT NOT NULL DEFAULT 'stay' CHECK (afterwards IN ('stay', 'move'));

-- what an attempt is called in the journal, whatever its id becomes; the same for earlier ones each time this is run on a copy
ALTER TABLE attempts ADD COLUMN reference BLOB;
UPDATE attempts SET reference = CAST(printf('%016d', id) AS BLOB);
CREATE UNIQUE INDEX attempts_reference ON attempts (reference);

-- the lost attempt that this one repeats, and who approved that
ALTER TABLE attempts ADD COLUMN resend_of INTEGER REFERENCES attempts (id);
ALTER TABLE attempts ADD COLUMN approved TEXT CHECK (approved IN ('person', 'setting'));
CREATE INDEX attempts_accepted ON attempts (started_at) WHERE outcome = 'accepted';

-- 0: the connection broke before all of it was here
ALTER TABLE answers ADD COLUMN complete INTEGER NOT NULL DEFAULT 1;
-- 1: stored, and nothing was made of it yet
ALTER TABLE answers ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
CREATE INDEX answers_unread ON answers (id) WHERE unread = 1;
UPDATE answers SET unread = 1 WHERE attempt_id IN (
  SELECT t.id FROM attempts t JOIN jobs j ON j.id = t.job_id WHERE j.status IN ('submitting', 'waiting'));

-- Callbacks with a token that this installation made, for an attempt that its database does not know.
CREATE TABLE stray_answers (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  content_type TEXT,
  body BLOB NOT NULL,
  body_sha256 BLOB NOT NULL,
  UNIQUE (token_hash, body_sha256)
) STRICT;
`

/** By document id. Only the index: what it was made of is in the rows themselves, and it can be made anew of them. */
export const searchIndex = `
CREATE VIRTUAL TABLE document_search USING fts5 (name, place, value, text, scope, content = '', contentless_delete = 1, prefix = '1 2', tokenize = "unicode61 remove_diacritics 2");
`

const setup = `
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
  -- Rule[]
  rules TEXT NOT NULL DEFAULT '[]',
  -- the names of the fields that tables show; null: the first ones
  columns TEXT,
  -- above 0: its documents are to be judged by the rules and partners that there are now; another number after each change
  rules_pending INTEGER NOT NULL DEFAULT 0,
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
  -- what becomes of a file whose outcome is known
  afterwards TEXT NOT NULL DEFAULT 'stay' CHECK (afterwards IN ('stay', 'move')),
  -- patterns for names, one a line; none: every name
  include TEXT NOT NULL DEFAULT '',
  exclude TEXT NOT NULL DEFAULT '',
  paused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

-- Versions of files that lay in a folder when a person chose to have new ones only. Another version of such a file is new.
CREATE TABLE earlier_files (
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ms INTEGER NOT NULL,
  PRIMARY KEY (folder_id, path)
) STRICT, WITHOUT ROWID;
`

const documents = `
CREATE TABLE documents (
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
  -- who let it go again that may have been billed; taken over by the attempt that follows
  resend_approved TEXT CHECK (resend_approved IN ('person', 'setting')),
  -- skipped as a copy of that one, whose result it shares
  original_document_id INTEGER REFERENCES documents (id),
  result_id INTEGER,
  -- of what is done: something needs a look, nothing does, or a person approved it
  review TEXT CHECK (review IN ('flagged', 'ready', 'approved')),
  flag_count INTEGER NOT NULL DEFAULT 0,
  -- where its file is on the way to, written before it moves
  move_to TEXT,
  -- the folder of outcomes in which its file lies; left: there is nothing to move
  archived_as TEXT CHECK (archived_as IN ('done', 'failed', 'left')),
  -- 1: beside the document of its file, since a person wants that with another schema as well. The version that its folder knows is the
  -- other document's, and so is what becomes of the file; it goes by the connection that it was asked for, not by that of its folder.
  extra INTEGER NOT NULL DEFAULT 0,
  -- 1: out of every list, count, search and spreadsheet but the bin's own. Nothing else about it changes.
  in_bin INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;

-- The queue.
CREATE INDEX documents_due ON documents (connection_id, not_before, id) WHERE status = 'queued';
CREATE INDEX documents_queued ON documents (connection_id, schema_version_id, not_before, id, folder_id) WHERE status = 'queued';
-- Places and contents: what is known of a file, and what is a copy of what.
CREATE INDEX documents_place ON documents (folder_id, path, id);
CREATE INDEX documents_original ON documents (original_document_id) WHERE original_document_id IS NOT NULL;
CREATE INDEX documents_content ON documents (sha256, schema_version_id);
-- The archive: what is in the bin stays where it is, and what was asked besides moves with the document of its file.
CREATE INDEX documents_unarchived ON documents (folder_id, id) WHERE (status IN ('done', 'failed') OR (status = 'skipped' AND original_document_id IS NOT NULL))
  AND (archived_as IS NULL OR (archived_as = 'failed' AND status <> 'failed') OR (archived_as = 'done' AND status = 'failed')) AND extra = 0 AND in_bin = 0;
CREATE INDEX documents_moving ON documents (id) WHERE move_to IS NOT NULL;
-- Lists: each holds what the list filters by, and nothing that changes often: a page at any place is read from it alone, its rows by their ids.
CREATE INDEX documents_status ON documents (status, id, folder_id, schema_version_id, in_bin);
CREATE INDEX documents_received ON documents (id, folder_id, schema_version_id, in_bin);
CREATE INDEX documents_name ON documents (name COLLATE NOCASE, id, folder_id, schema_version_id, in_bin);
CREATE INDEX documents_size ON documents (size_bytes, id, folder_id, schema_version_id, in_bin);
CREATE INDEX documents_finished ON documents (finished_at, id, folder_id, schema_version_id, in_bin);
CREATE INDEX documents_review ON documents (review, id, folder_id, schema_version_id, in_bin) WHERE review IS NOT NULL;
CREATE INDEX documents_in_bin ON documents (id, folder_id, schema_version_id) WHERE in_bin = 1;

-- How many documents there are of each kind, kept by the triggers below. What is in the bin is counted under a status of its own, 'bin', so that
-- whoever counts by status does not meet it.
CREATE TABLE document_counts (
  folder_id INTEGER NOT NULL,
  schema_version_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  -- '' of what is not done
  review TEXT NOT NULL,
  documents INTEGER NOT NULL,
  -- those of them that have a result
  results INTEGER NOT NULL,
  -- when the newest one that ever was one of them was received
  newest_at INTEGER NOT NULL,
  PRIMARY KEY (folder_id, schema_version_id, status, review)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER documents_counted_in AFTER INSERT ON documents BEGIN
  INSERT INTO document_counts VALUES (new.folder_id, new.schema_version_id, iif(new.in_bin, 'bin', new.status), iif(new.in_bin, '', coalesce(new.review, '')), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET documents = documents + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;
CREATE TRIGGER documents_counted_out AFTER DELETE ON documents BEGIN
  UPDATE document_counts SET documents = documents - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = iif(old.in_bin, 'bin', old.status) AND review = iif(old.in_bin, '', coalesce(old.review, ''));
END;
CREATE TRIGGER documents_counted_anew AFTER UPDATE OF status, review, result_id, folder_id, schema_version_id, in_bin ON documents
  WHEN old.status <> new.status OR old.review IS NOT new.review OR old.result_id IS NULL <> new.result_id IS NULL OR old.folder_id <> new.folder_id
    OR old.schema_version_id <> new.schema_version_id OR old.in_bin <> new.in_bin
BEGIN
  UPDATE document_counts SET documents = documents - 1, results = results - (old.result_id IS NOT NULL)
    WHERE folder_id = old.folder_id AND schema_version_id = old.schema_version_id AND status = iif(old.in_bin, 'bin', old.status) AND review = iif(old.in_bin, '', coalesce(old.review, ''));
  INSERT INTO document_counts VALUES (new.folder_id, new.schema_version_id, iif(new.in_bin, 'bin', new.status), iif(new.in_bin, '', coalesce(new.review, '')), 1, new.result_id IS NOT NULL, new.created_at)
    ON CONFLICT DO UPDATE SET documents = documents + 1, results = results + excluded.results, newest_at = max(newest_at, excluded.newest_at);
END;
`

const attempts = `
CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  -- what it is called in the journal, whatever its id becomes
  reference BLOB,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  -- where it went and what it asked for, as it was then: the document's own connection can change
  connection_id INTEGER REFERENCES connections (id),
  schema_id INTEGER REFERENCES schemas (id),
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
  bytes_sent INTEGER NOT NULL DEFAULT 0,
  -- what its answer named, also that of a failure; here and not with the result, whose records make its rows long
  tokens INTEGER,
  -- the lost attempt that this one repeats, and who approved that
  resend_of INTEGER REFERENCES attempts (id),
  approved TEXT CHECK (approved IN ('person', 'setting'))
) STRICT;
CREATE INDEX attempts_document ON attempts (document_id);
CREATE UNIQUE INDEX attempts_reference ON attempts (reference);
CREATE UNIQUE INDEX attempts_token ON attempts (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX attempts_accepted ON attempts (started_at) WHERE outcome = 'accepted';
-- Each holds all that its question asks for: state and cap are asked often, on the thread that does everything else.
CREATE INDEX attempts_started ON attempts (started_at, outcome, connection_id);
CREATE INDEX attempts_named ON attempts (finished_at, connection_id, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_unnamed ON attempts (started_at, outcome, connection_id, schema_id, document_id) WHERE tokens IS NULL;
CREATE INDEX attempts_of_schema ON attempts (connection_id, schema_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_of_connection ON attempts (connection_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX attempts_silent ON attempts (connection_id) WHERE outcome = 'succeeded' AND tokens IS NULL;

-- What a service sent, as it came, before anything parsed it.
CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempts (id),
  source TEXT NOT NULL CHECK (source IN ('response', 'callback')),
  received_at INTEGER NOT NULL,
  http_status INTEGER,
  content_type TEXT,
  -- 0: the connection broke before all of it was here
  complete INTEGER NOT NULL DEFAULT 1,
  -- 1: stored, and nothing was made of it yet
  unread INTEGER NOT NULL DEFAULT 0,
  -- 1: a bit of it flipped on the disk: it is known, and never read
  damaged INTEGER NOT NULL DEFAULT 0,
  body_sha256 BLOB NOT NULL,
  body BLOB NOT NULL,
  UNIQUE (attempt_id, source, body_sha256)
) STRICT;
CREATE INDEX answers_unread ON answers (id) WHERE unread = 1;

-- Callbacks with a token that this installation made, for an attempt that its database does not know.
CREATE TABLE stray_answers (
  id INTEGER PRIMARY KEY,
  token_hash BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  content_type TEXT,
  body_sha256 BLOB NOT NULL,
  body BLOB NOT NULL,
  UNIQUE (token_hash, body_sha256)
) STRICT;

-- Drafts of a schema that were tried on documents: what was sent for that, and what came.
CREATE TABLE trials (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  document_id INTEGER NOT NULL REFERENCES documents (id),
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
  http_status INTEGER,
  complete INTEGER,
  -- what came, as it came, before anything parsed it
  body BLOB
) STRICT;
CREATE INDEX trials_question ON trials (connection_id, sha256, id);
CREATE INDEX trials_started ON trials (started_at);
-- as those of attempts: the cap is asked often
CREATE INDEX trials_named ON trials (finished_at, connection_id, tokens) WHERE tokens IS NOT NULL;
CREATE INDEX trials_measured ON trials (connection_id, schema_id, id, outcome, tokens) WHERE tokens IS NOT NULL;
`

const results = `
CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  answer_id INTEGER NOT NULL REFERENCES answers (id),
  record_count INTEGER NOT NULL,
  duration_ms INTEGER,
  tokens_consumed INTEGER,
  -- the first few plain values, for lists of documents
  summary TEXT NOT NULL,
  -- Flag[] that nobody has confirmed
  flags TEXT NOT NULL DEFAULT '[]',
  -- what the service extracted
  records TEXT NOT NULL,
  -- the records as a person corrected them
  corrected TEXT,
  -- FieldSource[] as the service gave it, or null where it gave none
  sources TEXT,
  -- Doubt[] as the service gave it
  doubts TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX results_document ON results (document_id);

-- What persons did, only ever appended: what counts is the last word on each place and on the whole. It is about the document,
-- so that it still counts after its answer was read again.
CREATE TABLE review_entries (
  id INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  kind TEXT NOT NULL CHECK (kind IN ('correct', 'confirm', 'approve', 'reopen')),
  -- of correct and confirm: RFC 6901 into the records
  pointer TEXT,
  -- of correct: what the service extracted in that place, as JSON; it counts as long as the service says that
  extracted TEXT,
  -- of correct: what stands there now; of confirm: Flag[] in spite of which it is right
  value TEXT,
  -- what was approved in one go is taken back in one go
  batch INTEGER,
  person TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX review_entries_document ON review_entries (document_id, id);
CREATE INDEX review_entries_batch ON review_entries (batch) WHERE batch IS NOT NULL;

-- What no other document of the schema may have, as it is compared.
CREATE TABLE unique_values (
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  -- FieldPath[]
  fields TEXT NOT NULL,
  value TEXT NOT NULL,
  document_id INTEGER NOT NULL REFERENCES documents (id),
  PRIMARY KEY (schema_id, fields, value, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX unique_values_document ON unique_values (document_id);
`

const search = `
-- The text of documents that were read on this computer.
CREATE TABLE document_texts (
  document_id INTEGER PRIMARY KEY REFERENCES documents (id),
  text TEXT NOT NULL
) STRICT;

-- What is found of a document. Numbers also grouped and with two decimals, days also as day-month-year and month-day-year: as people see
-- and type them; which signs stand between the parts does not matter. The scope narrows a search to folders and schemas.
CREATE VIEW document_words AS
  SELECT j.id, j.original_document_id, j.name, substr(j.path, 1, length(j.path) - length(j.name)) AS place, (
    SELECT group_concat(CASE
      WHEN t.type = 'text' AND t.atom GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
        THEN substr(t.atom, 6) || ' ' || t.atom || ' ' || substr(t.atom, 6, 2) || ' ' || substr(t.atom, 1, 4)
      WHEN t.type = 'text' THEN t.atom
      WHEN t.type = 'integer' AND abs(t.atom) < 10000 THEN t.atom
      ELSE t.atom || ' ' || printf('%,.2f', t.atom) END, char(10))
    FROM json_tree(coalesce(r.corrected, r.records)) t WHERE t.type IN ('text', 'integer', 'real')) AS value,
    x.text, 'f' || j.folder_id || ' v' || j.schema_version_id AS scope
  FROM documents j LEFT JOIN documents o ON o.id = j.original_document_id LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id)
    LEFT JOIN document_texts x ON x.document_id = j.id;

${searchIndex}
-- Documents whose words are still to be put into the index: noted with each change in its transaction, and indexed many at a time.
CREATE TABLE search_due (document_id INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER documents_found AFTER INSERT ON documents BEGIN
  INSERT OR IGNORE INTO search_due VALUES (new.id);
END;
CREATE TRIGGER documents_found_no_more AFTER DELETE ON documents BEGIN
  INSERT OR IGNORE INTO search_due VALUES (old.id);
END;
-- A copy shows the values of its original.
CREATE TRIGGER documents_found_anew AFTER UPDATE OF name, path, folder_id, schema_version_id, result_id, original_document_id ON documents
  WHEN old.name <> new.name OR old.path <> new.path OR old.folder_id <> new.folder_id OR old.schema_version_id <> new.schema_version_id
    OR old.result_id IS NOT new.result_id OR old.original_document_id IS NOT new.original_document_id
BEGIN
  INSERT OR IGNORE INTO search_due SELECT id FROM documents WHERE id = new.id OR original_document_id = new.id;
END;
-- A person put something else in the place of what the service extracted.
CREATE TRIGGER results_found_anew AFTER UPDATE OF corrected ON results WHEN old.corrected IS NOT new.corrected BEGIN
  INSERT OR IGNORE INTO search_due SELECT id FROM documents WHERE id = new.document_id OR original_document_id = new.document_id;
END;
-- What was read is not what lies there now.
CREATE TRIGGER documents_text_stale AFTER UPDATE OF sha256 ON documents WHEN old.sha256 IS NOT new.sha256 BEGIN
  DELETE FROM document_texts WHERE document_id = new.id;
END;
CREATE TRIGGER document_texts_found AFTER INSERT ON document_texts BEGIN
  INSERT OR IGNORE INTO search_due VALUES (new.document_id);
END;
CREATE TRIGGER document_texts_found_no_more AFTER DELETE ON document_texts BEGIN
  INSERT OR IGNORE INTO search_due VALUES (old.document_id);
END;
`

const spreadsheets = `
-- Exports that were written.
CREATE TABLE exports (
  id INTEGER PRIMARY KEY,
  schema_id INTEGER NOT NULL REFERENCES schemas (id),
  paths TEXT NOT NULL,
  format TEXT NOT NULL,
  -- ExportSpec: what was asked for; null: not known, it cannot be made again
  spec TEXT,
  rows INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE export_presets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  spec TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- What a folder wants. Change counts what became different of its documents or of these settings; the file has everything up to written.
CREATE TABLE workbooks (
  folder_id INTEGER PRIMARY KEY REFERENCES folders (id),
  is_on INTEGER NOT NULL,
  -- where a person wants it; null: with the person's documents, by the folder's name
  path TEXT,
  lists TEXT NOT NULL CHECK (lists IN ('rows', 'sheets', 'text', 'columns')),
  locale TEXT NOT NULL CHECK (locale IN ('en', 'de', 'fr')),
  change INTEGER NOT NULL DEFAULT 1,
  written INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The files that were begun. The newest of a folder that was not left is the one that is written.
CREATE TABLE workbook_files (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  path TEXT NOT NULL,
  -- what it is called beside that place until it is whole
  temporary TEXT NOT NULL,
  -- as Sheaf wrote it last; null: not yet
  size_bytes INTEGER,
  mtime_ms INTEGER,
  sha256 BLOB,
  -- as it will be after the next rename, committed before that
  next_size_bytes INTEGER,
  next_mtime_ms INTEGER,
  next_sha256 BLOB,
  rows INTEGER NOT NULL DEFAULT 0,
  documents INTEGER NOT NULL DEFAULT 0,
  written_at INTEGER,
  -- nothing writes it any more: a person changed it, or wants another one
  left_at INTEGER,
  left_because TEXT CHECK (left_because IN ('changed', 'elsewhere')),
  -- 1: the person has read that it was left because it was changed
  dismissed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX workbook_files_folder ON workbook_files (folder_id, id);

-- The documents that a file has or is to have, in the order of its rows. Whether it is to have them is what the document says
-- when the file is written: a row here is the word that it has to be asked.
CREATE TABLE workbook_rows (
  id INTEGER PRIMARY KEY,
  folder_id INTEGER NOT NULL REFERENCES folders (id),
  document_id INTEGER NOT NULL REFERENCES documents (id),
  -- the change of its workbook that added it, and the last one that was about it: it waits while that is not written
  added INTEGER NOT NULL,
  change INTEGER NOT NULL,
  -- how many rows it has, counted when change was this
  rows INTEGER NOT NULL DEFAULT 0,
  counted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (folder_id, document_id)
) STRICT;
CREATE INDEX workbook_rows_order ON workbook_rows (folder_id, id);
CREATE INDEX workbook_rows_waiting ON workbook_rows (folder_id, change, counted, rows);

-- In the transaction that approves a document, takes that back, or gives it another result, wherever that is done. A copy in
-- another folder stands for its original there.
CREATE TRIGGER workbook_rows_review AFTER UPDATE OF review, status, result_id ON documents
WHEN (OLD.review IS 'approved' OR NEW.review IS 'approved')
  AND (OLD.review IS NOT NEW.review OR OLD.status IS NOT NEW.status OR OLD.result_id IS NOT NEW.result_id)
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id);
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, NEW.id, w.change, w.change FROM workbooks w
    WHERE w.is_on = 1 AND w.folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id)
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER workbook_rows_copy AFTER INSERT ON documents
WHEN EXISTS (SELECT 1 FROM documents o WHERE o.id = NEW.original_document_id AND o.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id = NEW.folder_id;
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, NEW.original_document_id, w.change, w.change FROM workbooks w WHERE w.is_on = 1 AND w.folder_id = NEW.folder_id
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER workbook_rows_other_copy AFTER UPDATE OF original_document_id ON documents
WHEN OLD.original_document_id IS NOT NEW.original_document_id
  AND EXISTS (SELECT 1 FROM documents o WHERE o.id IN (OLD.original_document_id, NEW.original_document_id) AND o.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id = NEW.folder_id;
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, o.id, w.change, w.change FROM workbooks w JOIN documents o ON o.id IN (OLD.original_document_id, NEW.original_document_id) AND o.review = 'approved'
    WHERE w.is_on = 1 AND w.folder_id = NEW.folder_id
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;

-- A workbook has what is approved and not in the bin; a copy in the bin stands for nothing.
CREATE TRIGGER workbook_rows_bin AFTER UPDATE OF in_bin ON documents
WHEN OLD.in_bin <> NEW.in_bin AND EXISTS (SELECT 1 FROM documents d WHERE d.id IN (NEW.id, NEW.original_document_id) AND d.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id);
  INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, d.id, w.change, w.change FROM workbooks w JOIN documents d ON d.id IN (NEW.id, NEW.original_document_id) AND d.review = 'approved'
    WHERE w.is_on = 1 AND w.folder_id IN (SELECT folder_id FROM documents WHERE id = NEW.id OR original_document_id = NEW.id)
    ON CONFLICT (folder_id, document_id) DO UPDATE SET change = excluded.change;
END;
`

const conversations = `
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
`

/**
 * The whole schema, by subject. Times are epoch milliseconds; JSON columns hold what their comments say. Columns that
 * may hold megabytes stand behind the others: SQLite reads a row up to the column that is asked for.
 */
export const first = setup + documents + attempts + results + search + spreadsheets + conversations

/** Spreadsheets that grow as documents are approved, and exports that can be made again. */
export const workbooks = `
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
  job_id INTEGER NOT NULL REFERENCES jobs (id),
  -- the change of its workbook that added it, and the last one that was about it: it waits while that is not written
  added INTEGER NOT NULL,
  change INTEGER NOT NULL,
  -- how many rows it has, counted when change was this
  rows INTEGER NOT NULL DEFAULT 0,
  counted INTEGER NOT NULL DEFAULT 0,
  UNIQUE (folder_id, job_id)
) STRICT;
CREATE INDEX workbook_rows_order ON workbook_rows (folder_id, id);
CREATE INDEX workbook_rows_waiting ON workbook_rows (folder_id, change, counted, rows);

-- In the transaction that approves a document, takes that back, or gives it another result, wherever that is done. A copy in
-- another folder stands for its original there.
CREATE TRIGGER workbook_rows_review AFTER UPDATE OF review, status, result_id ON jobs
WHEN (OLD.review IS 'approved' OR NEW.review IS 'approved')
  AND (OLD.review IS NOT NEW.review OR OLD.status IS NOT NEW.status OR OLD.result_id IS NOT NEW.result_id)
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id IN (SELECT folder_id FROM jobs WHERE id = NEW.id OR original_job_id = NEW.id);
  INSERT INTO workbook_rows (folder_id, job_id, added, change)
    SELECT w.folder_id, NEW.id, w.change, w.change FROM workbooks w
    WHERE w.is_on = 1 AND w.folder_id IN (SELECT folder_id FROM jobs WHERE id = NEW.id OR original_job_id = NEW.id)
    ON CONFLICT (folder_id, job_id) DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER workbook_rows_copy AFTER INSERT ON jobs
WHEN EXISTS (SELECT 1 FROM jobs o WHERE o.id = NEW.original_job_id AND o.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id = NEW.folder_id;
  INSERT INTO workbook_rows (folder_id, job_id, added, change)
    SELECT w.folder_id, NEW.original_job_id, w.change, w.change FROM workbooks w WHERE w.is_on = 1 AND w.folder_id = NEW.folder_id
    ON CONFLICT (folder_id, job_id) DO UPDATE SET change = excluded.change;
END;
CREATE TRIGGER workbook_rows_other_copy AFTER UPDATE OF original_job_id ON jobs
WHEN OLD.original_job_id IS NOT NEW.original_job_id
  AND EXISTS (SELECT 1 FROM jobs o WHERE o.id IN (OLD.original_job_id, NEW.original_job_id) AND o.review = 'approved')
BEGIN
  UPDATE workbooks SET change = change + 1 WHERE is_on = 1 AND folder_id = NEW.folder_id;
  INSERT INTO workbook_rows (folder_id, job_id, added, change)
    SELECT w.folder_id, o.id, w.change, w.change FROM workbooks w JOIN jobs o ON o.id IN (OLD.original_job_id, NEW.original_job_id) AND o.review = 'approved'
    WHERE w.is_on = 1 AND w.folder_id = NEW.folder_id
    ON CONFLICT (folder_id, job_id) DO UPDATE SET change = excluded.change;
END;

-- what an export was asked for; null for those of earlier versions
ALTER TABLE exports ADD COLUMN spec TEXT;

CREATE TABLE export_presets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  spec TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`
